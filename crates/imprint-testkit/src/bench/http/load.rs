//! Many connections that ask the same again and again, and how long the answers take.

use std::{
    io,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};

/// The most that an answer may have, in bytes: more is a fault.
const MOST: usize = 4 * 1024 * 1024;

/// What is asked, of whom.
#[derive(Clone, Debug)]
pub(super) struct Load {
    /// The server's port on loopback.
    pub(super) port: u16,
    /// The whole request.
    pub(super) request: Vec<u8>,
    /// What a right answer holds.
    pub(super) holds: String,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// How long each took, sorted.
    pub(super) times: Vec<Duration>,
    /// From the first request to the last answer.
    pub(super) over: Duration,
    /// Answers that were wrong, and connections that broke.
    pub(super) wrong: usize,
}

impl Answers {
    /// Right answers in a second.
    #[expect(clippy::cast_precision_loss, reason = "counts of a few seconds")]
    pub(super) fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.over.as_secs_f64()
    }

    /// The time that this share of answers keeps below.
    pub(super) fn within(&self, percent: usize) -> Duration {
        let at = self.times.len() * percent / 100;
        let last = self.times.len().saturating_sub(1);
        self.times.get(at.min(last)).copied().unwrap_or_default()
    }
}

/// A request of HTTP/1.1 with a body of JSON.
pub(super) fn request(port: u16, path: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut head = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head += &[name, ": ", value, "\r\n"].concat();
    }
    format!("{head}\r\n{body}").into_bytes()
}

impl Load {
    /// Asks over so many connections for so long; answers before the first `warm_up` don't count.
    pub(super) async fn run(
        &self,
        connections: usize,
        warm_up: Duration,
        time: Duration,
    ) -> Answers {
        let begin = Instant::now() + warm_up;
        let end = begin + time;
        let mut tasks = JoinSet::new();
        for _ in 0..connections {
            let load = self.clone();
            tasks.spawn(async move { load.ask(begin, end).await });
        }
        let mut all = Answers {
            over: time,
            ..Answers::default()
        };
        while let Some(done) = tasks.join_next().await {
            match done {
                Ok(one) => {
                    all.times.extend(one.times);
                    all.wrong += one.wrong;
                }
                Err(_) => all.wrong += 1,
            }
        }
        all.times.sort_unstable();
        all
    }

    /// One answer, whatever it is.
    pub(super) async fn once(&self) -> io::Result<Vec<u8>> {
        let mut connection = Connection::open(self.port).await?;
        connection.exchange(&self.request).await
    }

    async fn ask(&self, begin: Instant, end: Instant) -> Answers {
        let mut answers = Answers::default();
        let mut connection = None;
        while Instant::now() < end {
            let kept = match connection.take() {
                Some(kept) => Ok(kept),
                None => Connection::open(self.port).await,
            };
            let Ok(mut open) = kept else {
                answers.wrong += 1;
                continue;
            };
            let asked = Instant::now();
            let Ok(body) = open.exchange(&self.request).await else {
                answers.wrong += 1;
                continue;
            };
            if !holds(&body, self.holds.as_bytes()) {
                answers.wrong += 1;
            } else if asked >= begin {
                answers.times.push(asked.elapsed());
            }
            connection = Some(open);
        }
        answers
    }
}

fn holds(body: &[u8], text: &[u8]) -> bool {
    body.windows(text.len()).any(|window| window == text)
}

/// A connection that is kept.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Connection {
    pub(super) async fn open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            read: Vec::with_capacity(16 * 1024),
        })
    }

    /// Sends a request and reads the whole answer; an answer other than 200 is an error.
    async fn exchange(&mut self, request: &[u8]) -> io::Result<Vec<u8>> {
        self.stream.write_all(request).await?;
        let head = self.head().await?;
        let length = length(&self.read[..head])?;
        while self.read.len() < head + length {
            self.more().await?;
        }
        let rest = self.read.split_off(head + length);
        let body = std::mem::replace(&mut self.read, rest).split_off(head);
        Ok(body)
    }

    /// Sends a request and reads until what comes holds this text.
    pub(super) async fn until(&mut self, request: &[u8], text: &[u8]) -> io::Result<()> {
        self.stream.write_all(request).await?;
        while !holds(&self.read, text) {
            self.more().await?;
        }
        Ok(())
    }

    /// Reads the head and gives its length.
    async fn head(&mut self) -> io::Result<usize> {
        loop {
            if let Some(at) = self.read.windows(4).position(|end| end == b"\r\n\r\n") {
                return Ok(at + 4);
            }
            self.more().await?;
        }
    }

    async fn more(&mut self) -> io::Result<()> {
        if self.read.len() > MOST {
            return Err(io::Error::other("the answer is too long"));
        }
        match self.stream.read_buf(&mut self.read).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn length(head: &[u8]) -> io::Result<usize> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    if !head.starts_with("http/1.1 200") {
        let status = head.lines().next().unwrap_or_default().to_owned();
        return Err(io::Error::other(status));
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse().ok());
    length.ok_or_else(|| io::Error::other("an answer without a length"))
}
