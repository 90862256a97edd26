//! Lines of bytes from a stream, within a cap.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest line that is taken in, in bytes: what rmcp's own framing takes.
pub(crate) const LINE_BYTES: usize = 16 * 1024 * 1024;
/// How much is read at once.
const CHUNK_BYTES: usize = 32 * 1024;
/// More room than this is given back after a long line.
const KEPT_BYTES: usize = 256 * 1024;

/// One line, without its line end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// It had more than [`LINE_BYTES`] and is gone.
    TooLong,
}

/// Splits a stream at line feeds. Holds at most one line and one chunk.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    chunk: Box<[u8]>,
    buffer: Vec<u8>,
    /// Where in the buffer the next line starts.
    start: usize,
    /// Up to where no line feed was found.
    scanned: usize,
    /// The rest of a line that is too long is being skipped.
    skipping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            chunk: vec![0; CHUNK_BYTES].into_boxed_slice(),
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            skipping: false,
        }
    }

    /// The next line; `None` at the end of input. What stands behind the last line feed is a line.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if let Some(end) = self.line_end() {
                let start = std::mem::replace(&mut self.start, end + 1);
                self.scanned = self.start;
                if std::mem::take(&mut self.skipping) {
                    return Ok(Some(Line::TooLong));
                }
                return Ok(Some(Line::Whole(&self.buffer[start..end])));
            }
            if self.buffer.len() - self.start > LINE_BYTES {
                self.skipping = true;
            }
            self.compact();
            let read = self.input.read(&mut self.chunk).await?;
            if read == 0 {
                return Ok(self.rest());
            }
            self.take_in(read);
        }
    }

    fn line_end(&mut self) -> Option<usize> {
        let found = self.buffer[self.scanned..].iter().position(|&b| b == b'\n');
        let end = found.map(|at| self.scanned + at);
        self.scanned = self.buffer.len();
        end
    }

    /// Drops what was given out, and what is skipped.
    fn compact(&mut self) {
        if self.skipping {
            self.buffer.clear();
        } else {
            self.buffer.drain(..self.start);
        }
        self.start = 0;
        self.scanned = self.buffer.len();
        if self.buffer.len() < KEPT_BYTES {
            self.buffer.shrink_to(KEPT_BYTES);
        }
    }

    fn take_in(&mut self, read: usize) {
        let needed = self.buffer.len() + read;
        if needed > self.buffer.capacity() {
            // Doubled as a vector does, but never beyond what one line may take.
            let room = (self.buffer.capacity() * 2).clamp(needed, LINE_BYTES + 2 * CHUNK_BYTES);
            self.buffer.reserve_exact(room - self.buffer.len());
        }
        self.buffer.extend_from_slice(&self.chunk[..read]);
    }

    fn rest(&mut self) -> Option<Line<'_>> {
        if std::mem::take(&mut self.skipping) {
            return Some(Line::TooLong);
        }
        let start = std::mem::replace(&mut self.start, self.buffer.len());
        (start < self.buffer.len()).then(|| Line::Whole(&self.buffer[start..]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    async fn read(input: &[u8], chunk: usize) -> Vec<Option<Vec<u8>>> {
        let (mut near, far) = tokio::io::duplex(chunk);
        let write = async move {
            use tokio::io::AsyncWriteExt as _;
            near.write_all(input).await.expect("a reader");
        };
        let read = async {
            let mut lines = Lines::new(far);
            let mut read = Vec::new();
            while let Some(line) = lines.next().await.expect("a pipe") {
                read.push(match line {
                    Line::Whole(bytes) => Some(bytes.to_vec()),
                    Line::TooLong => None,
                });
            }
            assert!(lines.buffer.capacity() <= LINE_BYTES + 2 * CHUNK_BYTES);
            read
        };
        tokio::join!(write, read).1
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime")
    }

    #[test]
    fn a_line_at_the_cap_is_whole_and_one_beyond_is_gone() {
        let mut input = vec![b'a'; LINE_BYTES];
        input.extend_from_slice(b"\nnext\n");
        input.extend(vec![b'b'; LINE_BYTES + 3 * CHUNK_BYTES]);
        input.extend_from_slice(b"\nlast");
        let lines = runtime().block_on(read(&input, 1 << 20));
        let lengths: Vec<_> = lines
            .iter()
            .map(|line| line.as_ref().map(Vec::len))
            .collect();
        assert_eq!(lengths, [Some(LINE_BYTES), Some(4), None, Some(4)]);
    }

    #[test]
    fn a_last_line_that_is_too_long_is_told_too() {
        let input = vec![b'a'; LINE_BYTES + 2 * CHUNK_BYTES];
        assert_eq!(runtime().block_on(read(&input, 1 << 20)), [None]);
    }

    proptest! {
        #[test]
        fn lines_are_the_same_in_chunks_of_any_size(
            input in "[a\n]{0,300}",
            chunk in 1_usize..20,
        ) {
            let lines = runtime().block_on(read(input.as_bytes(), chunk));
            let mut expected: Vec<_> = input.split('\n').map(|line| Some(line.into())).collect();
            if expected.last().is_some_and(|line: &Option<Vec<u8>>| line.as_ref().is_some_and(Vec::is_empty)) {
                expected.pop();
            }
            prop_assert_eq!(lines, expected);
        }
    }
}
