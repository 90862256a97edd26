//! What reading has to say about a file, beside the value that it yields.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The item is usable, but something about it should be mended.
    Warning,
    /// The item can't be used.
    Error,
}

/// Which part of an item a diagnostic is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each variant is the name of the part")]
pub enum About {
    Name,
    Description,
    Frontmatter,
    File,
    Path,
    Tools,
    Color,
    Model,
    Trust,
    Config,
}

impl About {
    /// The part's name in lower case, as shown to people and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Frontmatter => "frontmatter",
            Self::File => "file",
            Self::Path => "path",
            Self::Tools => "tools",
            Self::Color => "color",
            Self::Model => "model",
            Self::Trust => "trust",
            Self::Config => "config",
        }
    }
}

/// One remark about a file. Text from the file inside `message` is already made visible
/// (no control, invisible or direction-changing characters), so that it can be printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// The part that it is about.
    pub about: About,
    /// What is wrong, as one sentence without a final period.
    pub message: String,
    /// The file, where more than one was read; `/` as separator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line in that file, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error: the item can't be used.
    pub fn error(about: About, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, about, message)
    }

    /// A warning: the item is usable.
    pub fn warning(about: About, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, about, message)
    }

    fn new(severity: Severity, about: About, message: impl Into<String>) -> Self {
        Self {
            severity,
            about,
            message: message.into(),
            path: None,
            line: None,
            hint: None,
        }
    }

    /// The same diagnostic with the file that it speaks of.
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same diagnostic with the line (from 1) that it speaks of.
    pub fn at_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// The same diagnostic with advice.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}")?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        } else if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// What reading yields: a value where one could be had, and everything there is to say.
/// Without a value there is at least one error among the diagnostics.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// The value, unless the input can't be used.
    pub value: Option<T>,
    /// Remarks, in the order in which they were made.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Reading<T> {
    /// A reading that yields nothing but one error.
    pub fn refused(diagnostic: Diagnostic) -> Self {
        debug_assert_eq!(diagnostic.severity, Severity::Error);
        Self {
            value: None,
            diagnostics: vec![diagnostic],
        }
    }
}
