//! What the layers make of requests as they stand on the wire, where hyper reads them first.

use std::net::SocketAddr;

use proptest::prelude::*;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use super::*;

/// Serves one route; everything that it refuses is refused by the layers or by hyper.
async fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let outer = Outer {
        allowed: AllowList::new(address, None, &[], &[]).unwrap(),
        metrics: Metrics::new("1"),
        body_deadline: BodyDeadline::default(),
    };
    let router = outer.around(Router::new().fallback(|| async { "reached" }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// The status that answers `request`, and whether it reached the route. 0: closed without a word.
async fn answer(address: SocketAddr, request: &[u8]) -> (u16, bool) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut heard = Vec::new();
    // A connection that is reset has said what it had to say.
    let _ended = stream.read_to_end(&mut heard).await;
    let heard = String::from_utf8_lossy(&heard);
    let status = heard.split(' ').nth(1).and_then(|word| word.parse().ok());
    (status.unwrap_or_default(), heard.contains("reached"))
}

#[tokio::test]
async fn a_request_reaches_its_route_under_a_listed_name_only() {
    let address = serve().await;
    let port = address.port();
    let own = format!("Host: localhost:{port}\r\n");
    let cases = [
        (format!("GET / HTTP/1.1\r\n{own}"), 200),
        (format!("GET / HTTP/1.1\r\nhOsT:LOCALHOST:{port}\r\n"), 200),
        (format!("GET / HTTP/1.1\r\nHost: [::1]:{port}\r\n"), 200),
        (
            format!("GET http://localhost:{port}/ HTTP/1.1\r\n{own}"),
            200,
        ),
        (format!("GET / HTTP/1.0\r\n{own}"), 200),
        ("GET / HTTP/1.0\r\n".to_owned(), 403),
        ("GET / HTTP/1.1\r\n".to_owned(), 403),
        ("GET / HTTP/1.1\r\nHost:\r\n".to_owned(), 403),
        (format!("GET / HTTP/1.1\r\n{own}{own}"), 403),
        (
            format!("GET / HTTP/1.1\r\n{own}Host: evil.example\r\n"),
            403,
        ),
        (format!("GET http://evil.example/ HTTP/1.1\r\n{own}"), 403),
        (
            format!("GET http://localhost:{port}/ HTTP/1.1\r\nHost: evil.example\r\n"),
            403,
        ),
        (format!("GET http://localhost:{port}/ HTTP/1.1\r\n"), 403),
        (format!("CONNECT evil.example:443 HTTP/1.1\r\n{own}"), 403),
        (
            format!("OPTIONS * HTTP/1.1\r\n{own}Origin: https://evil.example\r\n"),
            403,
        ),
        (format!("GET / HTTP/1.1\r\n{own}Origin: null\r\n"), 403),
        (format!("GET / HTTP/1.1\r\n{own}Origin:\r\n"), 403),
        (
            format!("GET / HTTP/1.1\r\n{own}Sec-Fetch-Site: cross-site\r\n"),
            403,
        ),
        (
            format!("GET / HTTP/1.1\r\nHost : localhost:{port}\r\n"),
            400,
        ),
        (
            format!("GET / HTTP/1.1\r\nHost: evil.example\r\n localhost:{port}\r\n"),
            400,
        ),
    ];
    for (head, status) in cases {
        let request = format!("{head}Connection: close\r\n\r\n");
        let heard = answer(address, request.as_bytes()).await;
        assert_eq!(heard, (status, status == 200), "{head}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_reach_a_route_under_another_name(
        host in prop::collection::vec(any::<u8>(), 0..40),
        more in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (status, reached) = runtime.block_on(async {
            let address = serve().await;
            let request = [b"GET / HTTP/1.1\r\nHost: ", &*host, b"\r\n", &*more, b"\r\n\r\n"].concat();
            answer(address, &request).await
        });
        prop_assert!(!reached && status < 500, "{status}");
    }
}
