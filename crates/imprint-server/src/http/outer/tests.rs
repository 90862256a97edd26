mod wire;

use std::{convert::Infallible, time::Duration};

use axum::{
    Extension,
    body::{Body, Bytes},
    response::Response,
    routing::{get, post},
};
use futures_util::stream;
use http::{Request, StatusCode, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use super::*;
use crate::http::request::{RequestId, RequestNotes};

fn app(metrics: &Metrics) -> Router {
    let routes = Router::new()
        .route(
            "/id",
            get(|Extension(id): Extension<RequestId>| async move { id.as_str().to_owned() }),
        )
        .route("/panic/{secret}", get(panics))
        .route("/echo", post(|body: Bytes| async move { body }))
        .route("/noted", get(notes));
    let allowed = AllowList::new("127.0.0.1:4750".parse().unwrap(), None, &[], &[]).unwrap();
    let body_deadline = BodyDeadline(Duration::from_millis(20));
    Outer {
        allowed,
        metrics: metrics.clone(),
        body_deadline,
    }
    .around(routes)
}

async fn panics() -> StatusCode {
    panic!("as it must not")
}

async fn notes(Extension(notes): Extension<RequestNotes>) -> StatusCode {
    notes.key("abcdefghijkl");
    notes.rpc("tools/call", Some("skills"));
    StatusCode::OK
}

async fn ask(request: http::request::Builder, body: Body) -> Response {
    let request = request.header("host", "localhost:4750").body(body).unwrap();
    app(&Metrics::new("1")).oneshot(request).await.unwrap()
}

async fn text(response: Response) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

#[tokio::test]
async fn a_sane_request_id_is_kept_and_another_is_made() {
    let sane = "A1-b2.c3";
    let response = ask(
        Request::get("/id").header("x-request-id", sane),
        Body::empty(),
    )
    .await;
    assert_eq!(response.headers()["x-request-id"], sane);
    assert_eq!(text(response).await, sane);
    let key_shaped = format!("{}{}", "sak_", "1".repeat(36));
    for odd in [
        "",
        "a b",
        "a\"b",
        "a=b",
        key_shaped.as_str(),
        &"a".repeat(65),
    ] {
        let response = ask(
            Request::get("/id").header("x-request-id", odd),
            Body::empty(),
        )
        .await;
        let made = response.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(uuid::Uuid::parse_str(&made).is_ok(), "{odd:?} {made}");
        assert_eq!(text(response).await, made);
    }
}

#[tokio::test]
async fn refusals_and_unknown_paths_have_an_id_too() {
    let foreign = Request::get("/id").header("origin", "https://evil.example");
    for (request, status) in [
        (foreign, StatusCode::FORBIDDEN),
        (Request::get("/nowhere"), StatusCode::NOT_FOUND),
        (Request::post("/id"), StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let response = ask(request, Body::empty()).await;
        assert_eq!(response.status(), status);
        assert!(response.headers().contains_key("x-request-id"));
    }
    let unknown = Request::get("/nowhere").header("host", "evil.example");
    let response = ask(unknown, Body::empty()).await;
    assert_eq!(
        response.status(),
        StatusCode::FORBIDDEN,
        "the fallback is guarded as well"
    );
}

#[tokio::test]
async fn a_panic_is_an_answer_that_its_page_may_read() {
    let request = Request::get("/panic/x").header("origin", "http://localhost:4750");
    let response = ask(request.header("x-request-id", "r1"), Body::empty()).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(
        response.headers()["access-control-allow-origin"],
        "http://localhost:4750"
    );
    let problem: Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!(problem["request_id"], "r1");
    assert!(!problem.to_string().contains("must not"));
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up() {
    let trickle = stream::once(async { Ok::<_, Infallible>(Bytes::from_static(b"a")) });
    let forever = futures_util::StreamExt::chain(trickle, stream::pending());
    let response = ask(Request::post("/echo"), Body::from_stream(forever)).await;
    assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
    assert_eq!(response.headers()[header::CONNECTION], "close");
    let response = ask(Request::post("/echo"), Body::from("whole")).await;
    assert_eq!(text(response).await, "whole");
}

#[tokio::test]
async fn requests_are_counted_by_route_and_never_by_path() {
    let metrics = Metrics::new("1");
    for path in ["/panic/hidden", "/noted?key=hidden", "/hidden"] {
        let request = Request::get(path)
            .header("host", "localhost:4750")
            .body(Body::empty());
        app(&metrics).oneshot(request.unwrap()).await.unwrap();
    }
    let shown = metrics.text();
    for labels in [
        r#"{route="/panic/{secret}",method="GET",status="5xx"} 1"#,
        r#"{route="/noted",method="GET",status="2xx"} 1"#,
        r#"{route="none",method="GET",status="4xx"} 1"#,
        "imprint_http_requests_in_flight 0",
    ] {
        assert!(shown.contains(labels), "{shown}");
    }
    assert!(!shown.contains("hidden"));
}

#[tokio::test]
async fn a_client_that_leaves_is_counted() {
    let metrics = Metrics::new("1");
    let never = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
    let request = Request::post("/echo")
        .header("host", "localhost:4750")
        .body(never)
        .unwrap();
    let mut asking = Box::pin(app(&metrics).oneshot(request));
    assert!(futures_util::poll!(&mut asking).is_pending());
    assert!(metrics.text().contains("imprint_http_requests_in_flight 1"));
    drop(asking);
    let shown = metrics.text();
    assert!(
        shown.contains(r#"{route="/echo",method="POST",status="abandoned"} 1"#),
        "{shown}"
    );
    assert!(shown.contains("imprint_http_requests_in_flight 0"));
}
