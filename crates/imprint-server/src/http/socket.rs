//! A connection that is given up when its peer takes nothing of what is written to it.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

/// `S`, whose writes fail with [`io::ErrorKind::TimedOut`] once the peer has taken nothing for so
/// long. While there is nothing to write no time runs, so a quiet stream stays open.
pub(crate) struct Socket<S> {
    stream: S,
    patience: Duration,
    /// Runs from the first write that the peer's full buffer refused.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Socket<S> {
    /// `stream`, written to with so much patience.
    pub(crate) fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            stalled: None,
        }
    }

    fn judge(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the peer takes nothing",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn a_peer_that_takes_nothing_is_given_up() {
        let (here, there) = duplex(8);
        let mut socket = Socket::new(here, Duration::from_millis(20));
        socket.write_all(b"12345678").await.unwrap();
        let error = socket.write_all(b"9").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(there);
    }

    #[tokio::test]
    async fn a_slow_peer_gets_everything_and_both_may_be_quiet() {
        let (here, mut there) = duplex(8);
        let mut socket = Socket::new(here, Duration::from_secs(20));
        let sent = vec![b'x'; 1000];
        let mut heard = vec![0; 1000];
        let (written, read) = tokio::join!(socket.write_all(&sent), there.read_exact(&mut heard));
        written.unwrap();
        read.unwrap();
        assert_eq!(heard, sent);
        assert!(socket.stalled.is_none(), "no time runs");
        there.write_all(b"pong").await.unwrap();
        socket.read_exact(&mut heard[..4]).await.unwrap();
        assert_eq!(&heard[..4], b"pong");
    }
}
