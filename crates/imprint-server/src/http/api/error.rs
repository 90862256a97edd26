//! The domain's errors as problems.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use http::StatusCode;
use imprint_core::{
    StoreError,
    registry::{
        ChangeError, ContentError, CreateError, DecideError, EditError, HistoryError, KeyError,
        NotARevision, ResolveError, RestoreError,
    },
    secret::Finding,
};
use imprint_format::Diagnostic;
use serde_json::{Value, json};

use super::super::problem::Problem;

const CONFLICT: StatusCode = StatusCode::CONFLICT;
const UNPROCESSABLE: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

/// A reference that names nothing.
pub(super) fn not_found(what: impl Into<String>) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not-found", "Not found", what)
}

/// A value that can't be what it is meant to be.
pub(super) fn invalid(what: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "invalid", "Invalid request", what)
}

fn conflict(slug: &str, what: impl Into<String>) -> Problem {
    Problem::new(CONFLICT, slug, "Conflict", what)
}

fn faulty(what: String, faults: &[Diagnostic]) -> Problem {
    let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    Problem::new(
        UNPROCESSABLE,
        "against-the-rules",
        "Against the rules",
        what,
    )
    .with("faults", faults)
}

fn secret(what: String, findings: &[Finding]) -> Problem {
    let found: Vec<Value> = findings
        .iter()
        .map(|finding| json!({ "rule": finding.rule, "line": finding.line }))
        .collect();
    Problem::new(UNPROCESSABLE, "credential", "A credential is in it", what)
        .hint("Take it out; Imprint keeps no credentials")
        .with("findings", found)
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        // Its message may hold a path of this machine.
        tracing::error!(%error, "the store failed");
        let (status, detail) = match error {
            StoreError::Busy { .. } => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The database is busy; try again",
            ),
            StoreError::Full => (
                StatusCode::INSUFFICIENT_STORAGE,
                "The disk is full; nothing was changed",
            ),
            StoreError::ReadOnly { .. } => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The database can only be read",
            ),
            StoreError::Unavailable { .. }
            | StoreError::Damaged { .. }
            | StoreError::Newer { .. } => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The database can't be used; the server's log says why",
            ),
        };
        Self::new(status, "store", "The store failed", detail)
    }
}

impl From<ContentError> for Problem {
    fn from(error: ContentError) -> Self {
        match error {
            ContentError::Store(error) => error.into(),
            other => {
                tracing::error!(error = %other, "files can't be read");
                let detail = "The item's files are damaged; an earlier revision may be whole";
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Self::new(status, "damaged", "Damaged files", detail)
            }
        }
    }
}

impl From<ResolveError> for Problem {
    fn from(error: ResolveError) -> Self {
        let message = error.to_string();
        match error {
            ResolveError::Unknown { nearest, .. } => not_found(message).with("nearest", nearest),
            ResolveError::Ambiguous { .. } => conflict("ambiguous", message),
            ResolveError::Store(error) => error.into(),
        }
    }
}

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Self {
        let message = error.to_string();
        match error {
            CreateError::Invalid { faults, .. } => faulty(message, &faults),
            CreateError::Secret { findings } => secret(message, &findings),
            CreateError::NameTaken { .. } => conflict("name-taken", message),
            CreateError::Compose(_) | CreateError::Bundle(_) => faulty(message, &[]),
            CreateError::Store(error) => error.into(),
        }
    }
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        let message = error.to_string();
        match error {
            EditError::Resolve(error) => error.into(),
            EditError::Stale { current, .. } => stale(message, &current.to_string()),
            EditError::Removed { .. } => conflict("removed", message),
            EditError::Invalid { faults, .. } => faulty(message, &faults),
            EditError::Secret { findings } => secret(message, &findings),
            EditError::NameTaken { .. } => conflict("name-taken", message),
            EditError::Field(_) | EditError::Bundle(_) => faulty(message, &[]),
            EditError::Content(error) => error.into(),
            EditError::Store(error) => error.into(),
        }
    }
}

/// The item has moved on since the revision that the change names.
pub(super) fn stale(what: impl Into<String>, current: &str) -> Problem {
    let status = StatusCode::PRECONDITION_FAILED;
    Problem::new(status, "stale", "Stale revision", what)
        .hint("Read the item again and make the change on what stands there now")
        .with("current_revision", current)
}

impl From<ChangeError> for Problem {
    fn from(error: ChangeError) -> Self {
        let message = error.to_string();
        match error {
            ChangeError::Resolve(error) => error.into(),
            ChangeError::NameTaken { .. } => conflict("name-taken", message),
            ChangeError::Store(error) => error.into(),
        }
    }
}

impl From<HistoryError> for Problem {
    fn from(error: HistoryError) -> Self {
        let message = error.to_string();
        match error {
            HistoryError::Resolve(error) => error.into(),
            HistoryError::NoSuchRevision { .. } => not_found(message),
            HistoryError::AmbiguousRevision { .. } => conflict("ambiguous", message),
            HistoryError::Content(error) => error.into(),
            HistoryError::Store(error) => error.into(),
        }
    }
}

impl From<RestoreError> for Problem {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::History(error) => error.into(),
            RestoreError::Edit(error) => error.into(),
        }
    }
}

impl From<NotARevision> for Problem {
    fn from(error: NotARevision) -> Self {
        invalid(error.to_string())
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        let message = error.to_string();
        match error {
            KeyError::Unknown { .. } => not_found(message),
            KeyError::Ambiguous { .. } => conflict("ambiguous", message),
            KeyError::NameTaken { .. } => conflict("name-taken", message),
            KeyError::Over { .. } => conflict("over", message),
            KeyError::Beyond => {
                let status = StatusCode::FORBIDDEN;
                Self::new(status, "beyond", "Beyond this key", message)
            }
            KeyError::Name | KeyError::Nothing | KeyError::Past => Self::new(
                UNPROCESSABLE,
                "against-the-rules",
                "Against the rules",
                message,
            ),
            KeyError::Store(error) => error.into(),
        }
    }
}

impl From<DecideError> for Problem {
    fn from(error: DecideError) -> Self {
        let message = error.to_string();
        match error {
            DecideError::Unknown(_) => not_found(message),
            DecideError::Ambiguous(_) => conflict("ambiguous", message),
            DecideError::Decided { .. } => conflict("decided", message),
            DecideError::Outdated(_) => conflict("outdated", message)
                .hint("Reject it, or have it proposed again on what stands there now"),
            DecideError::Content(error) => error.into(),
            DecideError::Store(error) => error.into(),
        }
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let text = imprint_core::secret::masked_in(&rejection.body_text()).into_owned();
        Self::new(rejection.status(), "invalid", "Invalid request", text)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        invalid(imprint_core::secret::masked_in(&rejection.body_text()))
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        Self::new(
            rejection.status(),
            "invalid",
            "Invalid request",
            rejection.body_text(),
        )
    }
}
