//! A connection of HTTP/1.1 that is kept for many requests.

use std::io::{Error, ErrorKind, Result};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};

/// The largest body that is read, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A connection to loopback. Dropping it closes it, whatever is under way.
#[derive(Debug)]
pub struct Connection(BufReader<TcpStream>);

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP's status.
    pub status: u16,
    /// The body, without the frames of chunks.
    pub body: Vec<u8>,
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Bytes(usize),
    Chunks,
}

impl Connection {
    /// Connects to a port of loopback.
    pub async fn open(port: u16) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Sends bytes, be they a request, many, or a part of one.
    pub async fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.get_mut().write_all(bytes).await
    }

    /// Sends a request and reads its answer to the end.
    pub async fn ask(&mut self, request: &[u8]) -> Result<Answer> {
        self.send(request).await?;
        self.answer().await
    }

    /// Reads an answer to the end.
    pub async fn answer(&mut self) -> Result<Answer> {
        let (status, length) = self.head().await?;
        let mut body = Vec::new();
        match length {
            Length::Bytes(bytes) => {
                body.resize(at_most(bytes)?, 0);
                self.0.read_exact(&mut body).await?;
            }
            Length::Chunks => while self.chunk(&mut body).await? {},
        }
        Ok(Answer { status, body })
    }

    /// Reads the head of an answer and what follows until `word` is there; what is read is dropped.
    /// For streams, which don't end.
    pub async fn wait_for(&mut self, word: &str) -> Result<()> {
        let (status, length) = self.head().await?;
        if status != 200 || length != Length::Chunks {
            return Err(broken(format!("status {status} instead of a stream")));
        }
        let mut seen = Vec::new();
        while self.chunk(&mut seen).await? {
            if String::from_utf8_lossy(&seen).contains(word) {
                return Ok(());
            }
        }
        Err(broken(format!("the stream ended without `{word}`")))
    }

    /// Reads at most so many bytes, of whatever they are a part; 0 at the end.
    pub async fn sip(&mut self, bytes: usize) -> Result<usize> {
        let mut some = vec![0; bytes];
        self.0.read(&mut some).await
    }

    async fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.0.read_line(&mut line).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        line.truncate(line.trim_end().len());
        Ok(line)
    }

    async fn head(&mut self) -> Result<(u16, Length)> {
        let first = self.line().await?;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| broken(format!("no status: {first:?}")))?;
        let mut length = Length::Bytes(0);
        loop {
            let line = self.line().await?;
            if line.is_empty() {
                return Ok((status, length));
            }
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            if name.eq_ignore_ascii_case("content-length") {
                let bytes = value.trim().parse();
                length = Length::Bytes(bytes.map_err(|_| broken(format!("length {value:?}")))?);
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                length = Length::Chunks;
            }
        }
    }

    /// Reads a chunk; `false` at the last one.
    async fn chunk(&mut self, body: &mut Vec<u8>) -> Result<bool> {
        let line = self.line().await?;
        let bytes = usize::from_str_radix(line.split(';').next().unwrap_or_default(), 16)
            .map_err(|_| broken(format!("a chunk of {line:?}")))?;
        let start = body.len();
        body.resize(at_most(start.saturating_add(bytes))?, 0);
        self.0.read_exact(&mut body[start..]).await?;
        self.line().await?;
        Ok(bytes > 0)
    }
}

fn at_most(bytes: usize) -> Result<usize> {
    if bytes > MOST_BYTES {
        return Err(broken(format!("a body of {bytes} bytes")));
    }
    Ok(bytes)
}

fn broken(what: String) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    async fn served(bytes: &'static str) -> Connection {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connection = Connection::open(port).await.unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        connection
    }

    #[tokio::test]
    async fn answers_follow_each_other_whole_and_in_chunks() {
        let mut connection = served(
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nteaHTTP/1.1 429 No\r\n\
             transfer-encoding: chunked\r\n\r\n2\r\nte\r\n1;x=y\r\na\r\n0\r\n\r\n",
        )
        .await;
        let whole = connection.answer().await.unwrap();
        let chunked = connection.answer().await.unwrap();
        assert_eq!((whole.status, whole.body), (200, b"tea".to_vec()));
        assert_eq!((chunked.status, chunked.body), (429, b"tea".to_vec()));
        assert!(connection.answer().await.is_err());
    }

    #[tokio::test]
    async fn a_stream_is_read_until_it_says_what_is_waited_for() {
        let mut connection =
            served("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n: x\r\n3\r\nyes\r\n")
                .await;
        connection.wait_for("yes").await.unwrap();
    }
}
