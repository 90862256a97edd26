//! What a case came to, and why one can't be carried out.

use std::{fmt, io, path::Path};

use imprint_core::StoreError;

use crate::SessionError;

/// How much of a text a difference shows.
const SHOWN_CHARS: usize = 300;

/// The differences between what the product did and the right answer, and what it put out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) differences: Vec<String>,
    /// Bytes of everything that the product put out, files not included.
    pub(super) output_bytes: usize,
}

impl Verdict {
    /// One more difference.
    pub(super) fn differs(&mut self, difference: impl Into<String>) {
        self.differences.push(difference.into());
    }

    /// A difference unless this holds.
    pub(super) fn holds(&mut self, holds: bool, difference: impl FnOnce() -> String) {
        if !holds {
            self.differences.push(difference());
        }
    }

    /// A difference unless both are equal.
    pub(super) fn equal<T: PartialEq + fmt::Debug + ?Sized>(
        &mut self,
        what: &str,
        expected: &T,
        actual: &T,
    ) {
        self.holds(expected == actual, || {
            format!(
                "{what}: expected {}, got {}",
                shortened(&format!("{expected:?}")),
                shortened(&format!("{actual:?}"))
            )
        });
    }

    /// A difference unless the bytes are equal; shows the first line that differs.
    pub(super) fn same_bytes(&mut self, what: &str, expected: &[u8], actual: &[u8]) {
        if expected == actual {
            return;
        }
        let lines = |bytes: &[u8]| -> Vec<String> {
            bytes
                .split_inclusive(|byte| *byte == b'\n')
                .map(|line| format!("{:?}", String::from_utf8_lossy(line)))
                .collect()
        };
        let (expected, actual) = (lines(expected), lines(actual));
        let at = expected
            .iter()
            .zip(&actual)
            .take_while(|(expected, actual)| expected == actual)
            .count();
        let line = |lines: &[String]| {
            lines
                .get(at)
                .map_or_else(|| "(the end)".to_owned(), |line| shortened(line))
        };
        self.differs(format!(
            "{what} differs in line {}: expected {}, got {}",
            at + 1,
            line(&expected),
            line(&actual)
        ));
    }

    /// Takes in another verdict's differences, each with a word before it.
    pub(super) fn absorb(&mut self, label: &str, other: Self) {
        let labelled = other
            .differences
            .into_iter()
            .map(|difference| format!("{label}: {difference}"));
        self.differences.extend(labelled);
        self.output_bytes += other.output_bytes;
    }
}

/// A text for a message, cut when it is long.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}

/// Why a case can't be judged. Counts as failed.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The case says something that the schema doesn't know.
    #[error("{0}")]
    Schema(String),
    /// A file or process is not as it must be.
    #[error("{what}: {source}")]
    Io {
        /// What was to be done.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// The product failed where the case has no answer for a failure.
    #[error("the product failed: {0}")]
    Product(String),
    /// The running server failed.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CaseError {
    /// A failure of the system at a file.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = path.display().to_string();
        move |source| Self::Io { what, source }
    }

    /// A failure of the product, in its own words.
    pub(super) fn product(error: impl fmt::Display) -> Self {
        Self::Product(error.to_string())
    }
}
