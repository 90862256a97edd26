//! Counting lines: LF, CRLF and CR each end one.

/// Tells the line of ascending places in a text, in one pass over it.
pub(super) struct Lines<'t> {
    bytes: &'t [u8],
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// The line, from 1, of the byte at `place`, which isn't before the last one asked for.
    pub(super) fn line_of(&mut self, place: usize) -> u32 {
        while self.at < place.min(self.bytes.len()) {
            let ends = match self.bytes[self.at] {
                b'\n' => true,
                b'\r' => self.bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line = self.line.saturating_add(u32::from(ends));
            self.at += 1;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let text = "a\nb\r\nc\rd";
        let mut lines = Lines::new(text);
        let found: Vec<u32> = ["a", "b", "c", "d"]
            .map(|letter| lines.line_of(text.find(letter).unwrap()))
            .to_vec();
        assert_eq!(found, [1, 2, 3, 4]);
    }
}
