use axum::{Router, body::Body, middleware, routing};
use http::{HeaderName, Method, header};
use proptest::prelude::*;
use tower::ServiceExt as _;

use super::*;

fn allowed() -> AllowList {
    let public = Url::parse("https://Imprint.Example/base").unwrap();
    AllowList::new(
        "127.0.0.1:4750".parse().unwrap(),
        Some(&public),
        &["box.lan".to_owned(), "proxy.lan:8443".to_owned()],
        &[
            "https://app.example".to_owned(),
            "chrome-extension://abcdef".to_owned(),
        ],
    )
    .unwrap()
}

type Header<'h> = (&'static str, &'h str);

fn request(method: &str, target: &str, headers: &[Header<'_>]) -> Request {
    let mut request = http::Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

/// The slug of the problem, or `""`.
fn refusal(request: &Request) -> String {
    let Err(problem) = allowed().admit(request) else {
        return String::new();
    };
    let told = serde_json::to_value(problem.details()).unwrap();
    told["type"].as_str().unwrap().to_owned()
}

fn passes(method: &str, target: &str, headers: &[Header<'_>]) -> bool {
    refusal(&request(method, target, headers)).is_empty()
}

#[test]
fn hosts_are_compared_as_whole_authorities() {
    let good = [
        "127.0.0.1:4750",
        "localhost:4750",
        "LOCALHOST:4750",
        "[::1]:4750",
        "[0:0:0:0:0:0:0:1]:4750",
        "imprint.example",
        "IMPRINT.example:443",
        "box.lan",
        "box.lan:4750",
        "proxy.lan:8443",
    ];
    for host in good {
        assert!(passes("POST", "/mcp", &[("host", host)]), "{host}");
    }
    let bad = [
        "",
        "evil.example",
        "evil.example:4750",
        "localhost",
        "localhost:",
        "localhost:80",
        "localhost:04750",
        "localhost:+4750",
        "localhost:4750:4750",
        "localhost:70000",
        "localhost.:4750",
        "localhost.evil.example:4750",
        "evil-localhost:4750",
        "127.0.0.1",
        "127.0.0.1.nip.io:4750",
        "127.0.0.1.evil.example:4750",
        "127.1:4750",
        "2130706433:4750",
        "0x7f.0.0.1:4750",
        "0177.0.0.1:4750",
        "0.0.0.0:4750",
        "127.0.0.2:4750",
        "::1:4750",
        "[::1]",
        "[::1%25lo]:4750",
        "[::ffff:127.0.0.1]:4750",
        "[::]:4750",
        "[::1]evil.example:4750",
        "[127.0.0.1]:4750",
        "[::1:4750",
        "user@localhost:4750",
        "localhost:4750@evil.example",
        "localhost:4750, evil.example",
        "localhost:4750/evil",
        "localhost:4750#",
        " localhost:4750",
        "localhost :4750",
        "local%68ost:4750",
        "http://localhost:4750",
        "imprint.example:80",
        "imprint.example.",
        "xn--mprint-xva.example",
        "box.lan:80",
        "proxy.lan",
        "proxy.lan:4750",
    ];
    for host in bad {
        let refused = refusal(&request("POST", "/mcp", &[("host", host)]));
        assert_eq!(refused, "urn:imprint:problem:foreign-host", "{host:?}");
    }
}

#[test]
fn a_request_names_one_host() {
    let local = ("host", "localhost:4750");
    assert!(!passes("GET", "/healthz", &[]), "as HTTP/1.0 may");
    assert!(!passes("GET", "/healthz", &[local, local]));
    assert!(!passes(
        "GET",
        "/healthz",
        &[local, ("host", "evil.example")]
    ));
    assert!(passes("GET", "http://localhost:4750/healthz", &[local]));
    assert!(passes("GET", "http://LocalHost:4750/healthz", &[local]));
    assert!(!passes("GET", "http://localhost:4750/healthz", &[]));
    assert!(!passes("GET", "http://evil.example/healthz", &[local]));
    assert!(!passes(
        "GET",
        "http://localhost:4750/healthz",
        &[("host", "evil.example")]
    ));
    assert!(
        !passes("GET", "http://127.0.0.1:4750/healthz", &[local]),
        "two names, one place"
    );
    assert!(!passes("CONNECT", "evil.example:443", &[local]));
    assert!(!passes(
        "GET",
        "http://user@localhost:4750/healthz",
        &[local]
    ));
    let odd = HeaderValue::from_bytes(b"localhost\xff:4750").unwrap();
    let mut request = request("GET", "/healthz", &[]);
    request.headers_mut().insert(header::HOST, odd);
    assert!(!refusal(&request).is_empty());
}

#[test]
fn names_outside_ascii_are_compared_in_their_ascii_form() {
    let public = Url::parse("https://b\u{fc}cher.example:8443").unwrap();
    let listen = "0.0.0.0:4750".parse().unwrap();
    let list = AllowList::new(listen, Some(&public), &[], &[]).unwrap();
    let admits = |host: &str| list.admit(&request("GET", "/", &[("host", host)])).is_ok();
    assert!(admits("xn--bcher-kva.example:8443") && admits("127.0.0.1:4750"));
    assert!(!admits("b\u{fc}cher.example:8443") && !admits("0.0.0.0:4750"));
    assert!(!admits("xn--bcher-kva.example"));
}

#[test]
fn origins_are_compared_by_scheme_host_and_port() {
    let good = [
        "http://localhost:4750",
        "http://127.0.0.1:4750",
        "http://[::1]:4750",
        "https://imprint.example",
        "https://imprint.example:443",
        "https://app.example",
        "chrome-extension://abcdef",
    ];
    for origin in good {
        let headers = [("host", "localhost:4750"), ("origin", origin)];
        assert!(passes("POST", "/mcp", &headers), "{origin}");
    }
    let bad = [
        "",
        "null",
        "NULL",
        "https://evil.example",
        "http://localhost",
        "http://localhost:4751",
        "https://localhost:4750",
        "http://localhost.evil.example",
        "http://localhost.evil.example:4750",
        "http://localhost:4750.evil.example",
        "http://localhost:4750@evil.example",
        "http://user@localhost:4750",
        "http://localhost.:4750",
        "http://localhost:4750/",
        "http://localhost:4750?x",
        "http://localhost:4750 http://evil.example",
        "http://localhost:4750, http://evil.example",
        "http:/localhost:4750",
        "//localhost:4750",
        "localhost:4750",
        "://localhost:4750",
        "file://",
        "http://imprint.example",
        "https://imprint.example:444",
        "https://app.example.evil.example",
        "https://sub.app.example",
        "https://\u{430}pp.example",
        "chrome-extension://abcdefg",
        "http://box.lan:4750",
        "*",
    ];
    for origin in bad {
        let headers = [("host", "localhost:4750"), ("origin", origin)];
        let refused = refusal(&request("POST", "/mcp", &headers));
        assert_eq!(refused, "urn:imprint:problem:foreign-origin", "{origin:?}");
    }
    let twice = ("origin", "http://localhost:4750");
    assert!(!passes(
        "POST",
        "/mcp",
        &[("host", "localhost:4750"), twice, twice]
    ));
    assert!(
        passes("POST", "/mcp", &[("host", "localhost:4750")]),
        "a program"
    );
}

#[test]
fn without_an_origin_the_browser_says_who_is_behind_a_request() {
    let visit = [
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    ];
    let frame = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    let image = [("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
    let cases = [
        ("GET", "/mcp", "same-origin", image, true),
        ("GET", "/mcp", "none", visit, true),
        ("GET", "/mcp", "cross-site", image, false),
        ("GET", "/mcp", "same-site", image, false),
        ("GET", "/mcp", "cross-site", visit, false),
        ("GET", "/healthz", "cross-site", image, false),
        ("GET", "/mcp", "Cross-Site", image, false),
        ("GET", "/mcp", "", image, false),
        ("GET", "/mcp", "somewhere", image, false),
        (
            "GET",
            "/oauth/authorize?client_id=x",
            "cross-site",
            visit,
            true,
        ),
        ("GET", "/oauth/authorize", "same-site", visit, true),
        ("GET", "/oauth/authorize", "cross-site", frame, false),
        ("GET", "/oauth/authorize", "cross-site", image, false),
        ("HEAD", "/oauth/authorize", "cross-site", visit, false),
        ("POST", "/oauth/authorize", "cross-site", visit, false),
        ("GET", "/oauth/authorize/", "cross-site", visit, false),
        ("GET", "/oauth/token", "cross-site", visit, false),
    ];
    for (method, target, site, [mode, dest], expected) in cases {
        let headers = [
            ("host", "localhost:4750"),
            ("sec-fetch-site", site),
            mode,
            dest,
        ];
        assert_eq!(
            passes(method, target, &headers),
            expected,
            "{method} {target} {site} {dest:?}"
        );
    }
    let ours = ("sec-fetch-site", "same-origin");
    let headers = [
        ("host", "localhost:4750"),
        ours,
        ("sec-fetch-site", "cross-site"),
    ];
    assert!(!passes("GET", "/mcp", &headers), "two sites");
    let listed = ("origin", "https://app.example");
    let headers = [
        ("host", "localhost:4750"),
        listed,
        ("sec-fetch-site", "cross-site"),
    ];
    assert!(
        passes("POST", "/mcp", &headers),
        "a listed origin is enough"
    );
}

#[test]
fn what_the_user_adds_must_be_what_it_says() {
    let listen = "[::1]:4750".parse().unwrap();
    let add = |host: &str, origin: &str| {
        let list = |text: &str| {
            if text.is_empty() {
                vec![]
            } else {
                vec![text.to_owned()]
            }
        };
        let made = AllowList::new(listen, None, &list(host), &list(origin));
        made.map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(add("host.lan:1", "https://x.example:8"), "");
    insta::assert_snapshot!(add("http://host.lan", ""), @"`http://host.lan` is not a host: write `HOST` or `HOST:PORT`, without `http://` and without a path");
    insta::assert_snapshot!(add("", "https://x.example/"), @"`https://x.example/` is not an origin: write `https://HOST` or `https://HOST:PORT`, without a path");
    for wildcard in ["*", "*.example", "null"] {
        assert!(!add("", wildcard).is_empty(), "{wildcard}");
    }
    let no_host = Url::parse("data:,x").unwrap();
    assert!(AllowList::new(listen, Some(&no_host), &[], &[]).is_err());
}

fn app() -> Router {
    let routes = Router::new().route("/mcp", routing::any(|| async { StatusCode::UNAUTHORIZED }));
    routes.layer(middleware::from_fn_with_state(allowed(), guard))
}

async fn answer(method: &str, headers: &[Header<'_>]) -> Response {
    app()
        .oneshot(request(method, "/mcp", headers))
        .await
        .unwrap()
}

fn text(response: &Response, name: HeaderName) -> &str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

const ASKS: Header<'static> = ("access-control-request-method", "POST");

#[tokio::test]
async fn a_listed_origin_gets_its_preflight_without_a_key() {
    let headers = [
        ("host", "localhost:4750"),
        ("origin", "http://localhost:4750"),
        ASKS,
    ];
    let response = answer("OPTIONS", &headers).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    let origin = text(&response, header::ACCESS_CONTROL_ALLOW_ORIGIN);
    assert_eq!(origin, "http://localhost:4750");
    let listed = |name: HeaderName, words: &[&str]| {
        let list: Vec<_> = text(&response, name).split(", ").collect();
        assert!(words.iter().all(|word| list.contains(word)), "{list:?}");
    };
    listed(
        header::ACCESS_CONTROL_ALLOW_METHODS,
        &["POST", "GET", "DELETE", "PUT", "PATCH"],
    );
    let sent = [
        "authorization",
        "content-type",
        "mcp-protocol-version",
        "mcp-session-id",
    ];
    listed(header::ACCESS_CONTROL_ALLOW_HEADERS, &sent);
    listed(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        &["mcp-method", "mcp-name", "if-match"],
    );
    assert_eq!(text(&response, header::VARY), "origin");
    assert!(
        !response
            .headers()
            .contains_key("access-control-allow-private-network")
    );
}

#[tokio::test]
async fn a_listed_origin_may_read_errors_too() {
    let headers = [
        ("host", "localhost:4750"),
        ("origin", "https://app.example"),
    ];
    let response = answer("POST", &headers).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(
        text(&response, header::ACCESS_CONTROL_ALLOW_ORIGIN),
        "https://app.example"
    );
    assert!(text(&response, header::ACCESS_CONTROL_EXPOSE_HEADERS).contains("www-authenticate"));
    assert!(
        !response
            .headers()
            .contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS)
    );
}

#[tokio::test]
async fn others_get_no_cors_headers() {
    let host = ("host", "localhost:4750");
    let private = ("access-control-request-private-network", "true");
    let cases: [(&str, &[Header<'_>], StatusCode); 4] = [
        (
            "OPTIONS",
            &[host, ("origin", "https://evil.example"), ASKS, private],
            StatusCode::FORBIDDEN,
        ),
        ("POST", &[host, ("origin", "null")], StatusCode::FORBIDDEN),
        (
            "POST",
            &[("host", "evil.example"), ("origin", "https://app.example")],
            StatusCode::FORBIDDEN,
        ),
        ("OPTIONS", &[host, ASKS], StatusCode::UNAUTHORIZED),
    ];
    for (method, headers, status) in cases {
        let response = answer(method, headers).await;
        assert_eq!(response.status(), status, "{headers:?}");
        let shown = response.headers().keys().map(HeaderName::as_str);
        assert!(
            !shown
                .into_iter()
                .any(|name| name.starts_with("access-control-")),
            "{headers:?}"
        );
        assert_eq!(text(&response, header::VARY), "origin");
    }
}

proptest! {
    #[test]
    fn no_header_bytes_make_it_panic_or_pass(
        host in prop::collection::vec(any::<u8>(), 0..40),
        origin in prop::collection::vec(any::<u8>(), 0..40),
        site in "[ -~]{0,20}",
    ) {
        let (Ok(host), Ok(origin)) = (HeaderValue::from_bytes(&host), HeaderValue::from_bytes(&origin)) else {
            return Ok(());
        };
        let mut any_host = request("GET", "/", &[]);
        any_host.headers_mut().insert(header::HOST, host);
        prop_assert!(allowed().admit(&any_host).is_err());
        let mut any_origin = request("GET", "/", &[("host", "localhost:4750")]);
        any_origin.headers_mut().insert(header::ORIGIN, origin);
        prop_assert!(allowed().admit(&any_origin).is_err());
        let sent = request("GET", "/", &[("host", "localhost:4750"), ("sec-fetch-site", &site)]);
        prop_assert_eq!(allowed().admit(&sent).is_ok(), site == "none" || site == "same-origin");
    }

    #[test]
    fn an_authority_is_read_as_it_is_written(host in "[a-z0-9][a-z0-9.-]{0,30}", port in prop::option::of(1..=u16::MAX)) {
        let text = port.map_or(host.clone(), |port| format!("{host}:{port}"));
        prop_assert_eq!(Authority::parse(&text), Some(Authority { host, port }));
    }

    #[test]
    fn any_text_may_be_parsed(text in ".{0,60}", v6 in any::<u128>()) {
        let _authority = Authority::parse(&text);
        let _origin = Origin::parse(&text);
        let address = std::net::Ipv6Addr::from(v6);
        let bracketed = format!("[{address}]:1");
        prop_assert!(Authority::parse(&bracketed).is_some());
    }
}

#[test]
fn only_asking_is_a_preflight() {
    let asks = request("OPTIONS", "/", &[ASKS]);
    assert!(cors::is_preflight(asks.method(), asks.headers()));
    assert!(!cors::is_preflight(
        &Method::OPTIONS,
        &http::HeaderMap::new()
    ));
    assert!(!cors::is_preflight(&Method::POST, asks.headers()));
}
