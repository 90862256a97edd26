//! The end of a server: what runs is finished, nobody new comes in.

use std::{
    io::{BufReader, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use super::server::{Owner, Server, head};
use crate::oauth::Answer;

/// How long the socket may go on taking connections after the signal.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn a_request_that_has_begun_is_answered_after_the_signal() {
    let owner = Owner::new();
    let key = owner.key("editor", "full");
    let server = Server::start(&owner);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let (host, bearer) = (server.host(), format!("Bearer {key}"));
    let headers = [
        ("Host", host.as_str()),
        ("Authorization", &bearer),
        ("Content-Type", "application/json"),
        ("Expect", "100-continue"),
    ];
    let mut socket = server.connect();
    let head = head("POST /mcp", &headers, body.len());
    socket.write_all(head.as_bytes()).unwrap();
    let mut answers = BufReader::new(socket.try_clone().unwrap());
    // The server has the head and waits for the body.
    assert_eq!(Answer::read(&mut answers).status, 100);
    server.ask_to_end();
    let asked = Instant::now();
    while TcpStream::connect(("127.0.0.1", server.port)).is_ok() {
        assert!(asked.elapsed() < PATIENCE, "it still takes connections");
        std::thread::sleep(Duration::from_millis(5));
    }
    socket.write_all(body.as_bytes()).unwrap();
    let answer = Answer::read(&mut answers);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()["result"]["tools"][0]["name"], "skills");
    assert!(server.end().success());
}
