//! Keys that are missing, wrong, guessed, leaked, narrow or taken back.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::server::{Owner, Server, head};

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })
}

#[test]
fn nobody_comes_in_without_a_key_of_this_home() {
    let owner = Owner::new();
    let key = owner.key("editor", "full");
    let strange = owner.strange_key();
    let server = Server::start(&owner);
    let (start, last) = key.split_at(key.len() - 1);
    let mistyped = format!("{start}{}", if last == "0" { "1" } else { "0" });
    let host = server.host();
    let none = server.send("POST /mcp", &[("Host", &host)], b"{}");
    assert_eq!(none.status, 401);
    assert!(none.header("www-authenticate").starts_with("Bearer"));
    for authorization in [
        format!("Bearer {strange}"),
        format!("Bearer {mistyped}"),
        format!("Basic {key}"),
        key.clone(),
        "Bearer ".to_owned(),
    ] {
        let answer = server.tell(&authorization, &ping());
        assert_eq!(answer.status, 401, "{}", answer.body);
        assert!(answer.header("www-authenticate").starts_with("Bearer"));
    }
    assert_eq!(server.tell(&format!("bearer {key}"), &ping()).status, 200);
    server.end();
}

#[test]
fn a_key_in_the_address_is_refused_and_told_as_leaked() {
    let owner = Owner::new();
    let key = owner.key("editor", "full");
    let server = Server::start(&owner);
    let (host, bearer) = (server.host(), format!("Bearer {key}"));
    let headers = [("Host", host.as_str()), ("Authorization", &bearer)];
    for target in [
        format!("/mcp?key={key}"),
        format!("/mcp?access_token={}", key.replace('_', "%5F")),
        format!("/mcp?%74oken={key}"),
        format!("/api/v1/items?api_key={key}"),
    ] {
        for headers in [&headers[..1], &headers] {
            let answer = server.send(&format!("GET {target}"), headers, b"");
            assert_eq!(answer.status, 401, "{}", answer.body);
            assert!(answer.body.contains("leaked"), "{}", answer.body);
        }
    }
    let id = owner.user.json(&["keys", "list"])[0]["id"].clone();
    let told = owner.user.json(&["audit", "--act", "key-leaked"]);
    let told = told.as_array().unwrap();
    assert_eq!(told.len(), 8, "{told:?}");
    assert!(
        told.iter().all(|row| row["subject"]["id"] == id),
        "{told:?}"
    );
    server.end();
}

#[test]
fn the_eleventh_guess_has_to_wait_and_a_good_key_has_not() {
    let owner = Owner::new();
    let key = owner.key("editor", "full");
    let server = Server::start(&owner);
    for guess in 1..=10 {
        let answer = server.tell(&format!("Bearer guess{guess}"), &ping());
        assert_eq!(answer.status, 401, "guess {guess}");
    }
    let answer = server.tell("Bearer guess11", &ping());
    assert_eq!(answer.status, 429);
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(server.tell(&format!("Bearer {key}"), &ping()).status, 200);
    server.end();
}

#[test]
fn a_key_that_reads_sees_no_tool_that_writes() {
    let owner = Owner::new();
    let (full, read) = (owner.key("editor", "full"), owner.key("reader", "read"));
    let server = Server::start(&owner);
    assert!(server.tools(&full).contains(&"skill_edit".to_owned()));
    assert_eq!(server.tools(&read), ["skills", "guidelines"]);
    let arguments = json!({
        "action": "create", "name": "soup", "description": "Cooks soup.", "instructions": "Stir.",
    });
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "skill_edit", "arguments": arguments },
    });
    let answer = server.tell(&format!("Bearer {read}"), &call);
    assert_eq!(answer.status, 403);
    let challenge = answer.header("www-authenticate");
    assert!(challenge.contains("insufficient_scope"), "{challenge}");
    assert_eq!(owner.user.json(&["skills", "list"]), json!([]));
    server.end();
}

/// Opens a subscription and reads up to its first event.
fn subscribe(server: &Server<'_>, key: &str) -> BufReader<TcpStream> {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {
            "notifications": { "toolsListChanged": true },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let (body, host) = (message.to_string(), server.host());
    let bearer = format!("Bearer {key}");
    let headers = [
        ("Host", host.as_str()),
        ("Authorization", &bearer),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "subscriptions/listen"),
        // So that the end of the answer is the end of the connection.
        ("Connection", "close"),
    ];
    let mut socket = server.connect();
    let head = head("POST /mcp", &headers, body.len());
    socket.write_all((head + &body).as_bytes()).unwrap();
    let mut stream = BufReader::new(socket);
    let mut read = String::new();
    while !read.contains("acknowledged") {
        assert!(stream.read_line(&mut read).unwrap() > 0, "cut off: {read}");
    }
    assert!(read.starts_with("HTTP/1.1 200"), "{read}");
    stream
}

#[test]
fn a_stream_ends_when_another_process_takes_its_key_back() {
    let owner = Owner::new();
    let (thief, other) = (owner.key("thief", "read"), owner.key("other", "read"));
    let server = Server::start(&owner);
    let mut stolen = subscribe(&server, &thief);
    let mut kept = subscribe(&server, &other);
    owner.user.ok(&["keys", "revoke", "thief", "--yes"]);
    let revoked = Instant::now();
    stolen.read_to_end(&mut Vec::new()).unwrap();
    let after = revoked.elapsed();
    assert!(after < Duration::from_secs(1), "{after:?}");
    assert_eq!(server.tell(&format!("Bearer {thief}"), &ping()).status, 401);
    // The other one is still open: nothing to read, and not at its end.
    let short = Some(Duration::from_millis(300));
    kept.get_ref().set_read_timeout(short).unwrap();
    let mut rest = Vec::new();
    assert!(kept.read_to_end(&mut rest).is_err(), "it was ended as well");
    server.end();
}

#[test]
fn two_processes_on_one_database_answer_the_same() {
    let owner = Owner::new();
    let key = owner.key("editor", "full");
    let (one, two) = (Server::start(&owner), Server::start(&owner));
    let list = json!({ "name": "skills", "arguments": { "action": "list" } });
    // So that both have something to remember.
    assert_eq!(
        one.result(&key, "tools/call", &list),
        two.result(&key, "tools/call", &list)
    );
    for (name, writer) in [("soup", &one), ("tea", &two)] {
        let arguments = json!({
            "action": "create", "name": name, "description": "Cooks.", "instructions": "Stir.",
        });
        let call = json!({ "name": "skill_edit", "arguments": arguments });
        let made = writer.result(&key, "tools/call", &call);
        assert_ne!(made["isError"], true, "{made}");
        let (first, second) = (
            one.result(&key, "tools/call", &list),
            two.result(&key, "tools/call", &list),
        );
        assert!(first.to_string().contains(name), "{first}");
        assert_eq!(first, second);
    }
    owner.user.ok(&["keys", "revoke", "editor", "--yes"]);
    for server in [one, two] {
        assert_eq!(server.tell(&format!("Bearer {key}"), &ping()).status, 401);
        server.end();
    }
}
