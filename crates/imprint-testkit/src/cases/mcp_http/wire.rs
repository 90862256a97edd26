//! One request over a connection of its own, byte for byte, and what came back. A library would
//! mend what a case means to be damaged.

use std::{
    io::{self, BufRead, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

/// A request as it goes out.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) method: String,
    /// Path and query.
    pub(super) target: String,
    /// In their order; `Host` and `Content-Length` are added where they are missing.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<Vec<u8>>,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) status: u16,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    /// All of the body; of a stream of events what came up to the end of the first one.
    pub(super) body: Vec<u8>,
    /// From the request to the end of the answer's head.
    pub(super) after: Duration,
}

impl Incoming {
    /// The values of a header, joined as lists are.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let values = self.headers.iter().filter(|(known, _)| known == name);
        let values: Vec<_> = values.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    fn is_stream(&self) -> bool {
        let kind = self.header("content-type").unwrap_or_default();
        kind.starts_with("text/event-stream")
    }
}

/// Sends a request and reads the answer, each read at most so long.
pub(super) fn exchange(port: u16, request: &Outgoing, within: Duration) -> io::Result<Incoming> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(within))?;
    stream.set_nodelay(true)?;
    let start = Instant::now();
    // A server may answer and hang up before it has read a body that is too large.
    let sent = (&stream).write_all(&bytes_of(port, request));
    let mut reader = BufReader::new(&stream);
    let mut incoming = match read_head(&mut reader) {
        Ok(incoming) => incoming,
        Err(error) => return Err(sent.err().unwrap_or(error)),
    };
    incoming.after = start.elapsed();
    if request.method != "HEAD" {
        incoming.body = read_body(&mut reader, &incoming)?;
    }
    Ok(incoming)
}

fn bytes_of(port: u16, request: &Outgoing) -> Vec<u8> {
    let mut head = format!("{} {} HTTP/1.1\r\n", request.method, request.target);
    let has = |name: &str| {
        let mut names = request.headers.iter().map(|(name, _)| name);
        names.any(|known| known.eq_ignore_ascii_case(name))
    };
    let mut line = |name: &str, value: &str| head += &[name, ": ", value, "\r\n"].concat();
    if !has("host") {
        line("Host", &format!("127.0.0.1:{port}"));
    }
    for (name, value) in &request.headers {
        line(name, value);
    }
    if let Some(body) = &request.body
        && !has("content-length")
        && !has("transfer-encoding")
    {
        line("Content-Length", &body.len().to_string());
    }
    line("Connection", "close");
    head += "\r\n";
    let mut bytes = head.into_bytes();
    bytes.extend(request.body.iter().flatten());
    bytes
}

fn read_head(reader: &mut impl BufRead) -> io::Result<Incoming> {
    let first = read_line(reader)?;
    let status = first
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no status: {first:?}")))?;
    let mut headers = Vec::new();
    loop {
        let line = read_line(reader)?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    Ok(Incoming {
        status,
        headers,
        body: Vec::new(),
        after: Duration::ZERO,
    })
}

fn read_body(reader: &mut impl BufRead, head: &Incoming) -> io::Result<Vec<u8>> {
    let chunked = head
        .header("transfer-encoding")
        .is_some_and(|value| value == "chunked");
    if chunked {
        return read_chunks(reader, head.is_stream());
    }
    let length = head
        .header("content-length")
        .and_then(|length| length.parse().ok());
    let mut body = Vec::new();
    reader
        .take(length.unwrap_or(u64::MAX))
        .read_to_end(&mut body)?;
    Ok(body)
}

fn read_chunks(reader: &mut impl BufRead, is_stream: bool) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = match read_line(reader) {
            Ok(size) => size,
            // A stream may stay open without a word.
            Err(error) if is_stream && is_timeout(&error) => return Ok(body),
            Err(error) => return Err(error),
        };
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(io::Error::other)?;
        reader.take(size).read_to_end(&mut body)?;
        read_line(reader)?;
        if size == 0 || is_stream && has_event(&body) {
            return Ok(body);
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Whether a whole event with data is there.
fn has_event(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    let Some(data) = text.find("data:") else {
        return false;
    };
    text[data..].contains("\n\n") || text[data..].contains("\r\n\r\n")
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    if reader.read_until(b'\n', &mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let line = String::from_utf8_lossy(&line);
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> (u16, String) {
        let mut reader = BufReader::new(answer.as_bytes());
        let head = read_head(&mut reader).unwrap();
        let body = read_body(&mut reader, &head).unwrap();
        (head.status, String::from_utf8(body).unwrap())
    }

    #[test]
    fn answers_are_read_in_all_forms() {
        let long = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more";
        assert_eq!(read(long), (200, "ok".to_owned()));
        let chunked = "HTTP/1.1 400 Bad\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        assert_eq!(read(chunked), (400, "abc".to_owned()));
        let stream = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                      transfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n";
        assert_eq!(read(stream), (200, "data: 1\n\n".to_owned()));
    }

    #[test]
    fn a_request_goes_out_as_the_case_says() {
        let request = Outgoing {
            method: "POST".to_owned(),
            target: "/mcp?a=b".to_owned(),
            headers: vec![("host".to_owned(), "evil.example".to_owned())],
            body: Some(b"{}".to_vec()),
        };
        let bytes = String::from_utf8(bytes_of(1, &request)).unwrap();
        assert_eq!(
            bytes,
            "POST /mcp?a=b HTTP/1.1\r\nhost: evil.example\r\nContent-Length: 2\r\n\
             Connection: close\r\n\r\n{}"
        );
    }
}
