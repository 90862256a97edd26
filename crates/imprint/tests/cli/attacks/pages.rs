//! Pages of other sites, in a browser on this machine, and bodies that no program sends.

use super::server::{Owner, Server};

const ROUTES: [&str; 4] = [
    "POST /mcp",
    "POST /api/agent/v1/mcp",
    "GET /api/v1/items",
    "GET /healthz",
];

#[test]
fn a_page_of_another_site_is_refused_with_a_good_key_too() {
    let owner = Owner::new();
    let bearer = format!("Bearer {}", owner.key("editor", "full"));
    let server = Server::start(&owner);
    let (host, rebound) = (server.host(), format!("evil.example:{}", server.port));
    let own = format!("http://{host}");
    let lookalike = format!("http://localhost:{}.evil.example", server.port);
    for line in ROUTES {
        for (host, header, value) in [
            (host.as_str(), "Origin", "https://evil.example"),
            (&host, "Origin", "null"),
            (&host, "Origin", &lookalike),
            (&host, "Sec-Fetch-Site", "cross-site"),
            (&rebound, "Origin", &own),
            (&rebound, "Accept", "application/json"),
            ("evil.example", "Accept", "*/*"),
        ] {
            let headers = [
                ("Host", host),
                ("Authorization", bearer.as_str()),
                (header, value),
            ];
            let answer = server.send(line, &headers, b"{}");
            assert_eq!(answer.status, 403, "{line} {host} {header}: {value}");
            assert_eq!(answer.header("access-control-allow-origin"), "", "{line}");
        }
    }
    let answer = server.send("POST /mcp", &[("Authorization", &bearer)], b"{}");
    assert!(
        (400..404).contains(&answer.status),
        "no `Host`: {}",
        answer.status
    );
    assert_eq!(server.tools(&bearer["Bearer ".len()..]).len(), 3);
    server.end();
}

#[test]
fn bytes_of_any_kind_are_answered_and_the_server_goes_on() {
    let owner = Owner::new();
    let key = owner.key("editor", "full");
    let bearer = format!("Bearer {key}");
    let server = Server::start(&owner);
    let host = server.host();
    let every: Vec<u8> = (0..=u8::MAX).collect();
    for body in [
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}".as_slice(),
        b"\xed\xa0\x80",
        b"\xff\xfe{\0}\0",
        &every,
    ] {
        let headers = [
            ("Host", host.as_str()),
            ("Authorization", &bearer),
            ("Content-Type", "application/json"),
        ];
        let answer = server.send("POST /mcp", &headers, body);
        assert_eq!(answer.status, 400, "{body:?}");
        assert_eq!(answer.json()["error"]["code"], -32700, "{body:?}");
    }
    assert_eq!(server.tools(&key).len(), 3);
    server.end();
}
