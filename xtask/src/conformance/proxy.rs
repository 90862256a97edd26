//! Puts a key into requests that come without one: the conformance suite knows no keys, and the
//! product no way in without one.
//!
//! It works on bytes: what a scenario sends wrong on purpose must reach the server as it is. Only
//! its own address in `Host` and `Origin` becomes the server's, and each connection carries one
//! request.

use std::{
    io::{self, BufRead as _, BufReader, Read, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    sync::Arc,
    thread,
};

/// A proxy in front of a server on loopback. Lives as long as the process.
#[derive(Debug)]
pub(super) struct Proxy {
    port: u16,
}

#[derive(Debug)]
struct Way {
    /// Ours.
    port: u16,
    /// The server's.
    to: u16,
    key: String,
}

impl Proxy {
    /// Listens on a free port.
    pub(super) fn start(to: u16, key: &str) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let way = Arc::new(Way {
            port,
            to,
            key: key.to_owned(),
        });
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let way = Arc::clone(&way);
                thread::spawn(move || way.pass(&client));
            }
        });
        Ok(Self { port })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

impl Way {
    /// A connection that breaks is the client's or the server's affair.
    fn pass(&self, client: &TcpStream) {
        let _ = self.try_pass(client);
        let _ = client.shutdown(Shutdown::Both);
    }

    fn try_pass(&self, client: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(client);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if reader.read_until(b'\n', &mut head)? == 0 {
                return Ok(());
            }
        }
        let server = TcpStream::connect(("127.0.0.1", self.to))?;
        server.set_nodelay(true)?;
        client.set_nodelay(true)?;
        (&server).write_all(&self.with_key(&head))?;
        (&server).write_all(reader.buffer())?;
        thread::scope(|scope| {
            let back = scope.spawn(|| {
                copy(&server, client);
                // The client may hold its side open for ever.
                let _ = client.shutdown(Shutdown::Both);
            });
            copy(client, &server);
            let _ = server.shutdown(Shutdown::Write);
            let _ = back.join();
        });
        Ok(())
    }

    fn with_key(&self, head: &[u8]) -> Vec<u8> {
        let mut lines = head.split_inclusive(|byte| *byte == b'\n');
        let mut passed = lines.next().unwrap_or_default().to_vec();
        for line in lines {
            let text = String::from_utf8_lossy(line);
            let name = text
                .split(':')
                .next()
                .unwrap_or_default()
                .to_ascii_lowercase();
            match name.trim() {
                "connection" => {}
                "host" | "origin" => passed.extend(self.as_the_server(&text).bytes()),
                "" => {
                    let own = format!(
                        "Authorization: Bearer {}\r\nConnection: close\r\n\r\n",
                        self.key
                    );
                    passed.extend(own.bytes());
                }
                _ => passed.extend(line),
            }
        }
        passed
    }

    fn as_the_server(&self, line: &str) -> String {
        let [ours, theirs] = [self.port, self.to].map(|port| format!(":{port}"));
        line.replacen(&ours, &theirs, 1)
    }
}

fn copy(mut from: &TcpStream, mut to: &TcpStream) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_gets_the_key_and_the_servers_address() {
        let way = Way {
            port: 5,
            to: 6,
            key: "secret".to_owned(),
        };
        let head = "POST /mcp HTTP/1.1\r\nHost: localhost:5\r\nOrigin: http://localhost:5\r\n\
                    connection: keep-alive\r\nAccept: */*\r\n\r\n";
        let passed = String::from_utf8(way.with_key(head.as_bytes())).unwrap();
        assert_eq!(
            passed,
            "POST /mcp HTTP/1.1\r\nHost: localhost:6\r\nOrigin: http://localhost:6\r\n\
             Accept: */*\r\nAuthorization: Bearer secret\r\nConnection: close\r\n\r\n"
        );
        let evil = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
        let passed = String::from_utf8(way.with_key(evil.as_bytes())).unwrap();
        assert!(passed.contains("Host: evil.example\r\n"), "{passed}");
    }
}
