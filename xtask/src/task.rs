//! Why a task ends without success.

use std::io;

use imprint_testkit::cases::CaseError;

/// Why a task ends without success.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TaskError {
    /// What was checked is not as it must be.
    #[error("{0}")]
    Failed(String),
    /// The task can't be carried out.
    #[error("{0}")]
    Impossible(String),
    /// A program can't be started, or a file not read.
    #[error("{what}: {source}")]
    Io {
        /// What was to be done.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// Cargo's description of the workspace can't be had.
    #[error("can't read the workspace: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// The cases can't be run.
    #[error(transparent)]
    Cases(#[from] CaseError),
}

impl TaskError {
    /// A failure of the system.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}

/// What a task comes to.
pub(crate) type Done = Result<(), TaskError>;
