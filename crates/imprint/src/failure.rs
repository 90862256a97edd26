//! What went wrong, for a person: what happened, why, and what to do next.

use std::fmt;

use imprint_clients::{adopt::OffersError, import::SourceError};
use imprint_core::{
    CommitError, FoldersError, StoreError,
    registry::{
        AcceptError, ChangeError, ContentError, CreateError, EditError, HistoryError, ResolveError,
        RestoreError,
    },
    secret::{Finding, masked_in},
};
use imprint_format::{BundleError, Diagnostic, ItemKind};
use serde::{Serialize, Serializer};

/// A command's failure.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    /// What kind of failure it is; decides the exit code.
    pub(crate) kind: FailureKind,
    /// What happened and why.
    pub(crate) message: String,
    /// Places and details, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<String>,
    /// What to do next, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hints: Vec<Hint>,
    /// Credentials that were found, for scripts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) findings: Vec<Finding>,
    /// The name that no item of the kind has.
    #[serde(skip)]
    pub(crate) unknown_name: Option<Box<str>>,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// A sentence.
    Text(String),
    /// A command on an item of a kind that is named later: its words after the kind, and what it
    /// does.
    OnItem(String, &'static str),
}

impl Hint {
    fn masked(&self) -> Self {
        match self {
            Self::Text(text) => Self::Text(masked_in(text).into_owned()),
            Self::OnItem(command, does) => Self::OnItem(masked_in(command).into_owned(), does),
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::OnItem(command, does) => write!(f, "`{command}` {does}"),
        }
    }
}

impl Serialize for Hint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Kinds of failure. The exit codes stand in the README and in `imprint --help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailureKind {
    /// Refused or failed.
    Failed,
    /// The arguments don't fit together (clap's own errors exit likewise).
    Usage,
    /// What was named does not exist.
    NotFound,
    /// Something else has changed or taken it.
    Conflict,
}

impl FailureKind {
    /// The process's exit code.
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NotFound => 4,
            Self::Conflict => 5,
        }
    }
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: Vec::new(),
            hints: Vec::new(),
            findings: Vec::new(),
            unknown_name: None,
        }
    }

    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Failed, message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Usage, message)
    }

    pub(crate) fn detail(mut self, line: impl Into<String>) -> Self {
        self.details.push(line.into());
        self
    }

    pub(crate) fn hint(mut self, line: impl Into<String>) -> Self {
        self.hints.push(Hint::Text(line.into()));
        self
    }

    /// A command on an item that helps, such as `history tea`, and what it does. Its kind is
    /// named by [`Self::about`].
    pub(crate) fn item_hint(mut self, command: impl Into<String>, does: &'static str) -> Self {
        self.hints.push(Hint::OnItem(command.into(), does));
        self
    }

    /// The failure of a command on an item of this kind.
    pub(crate) fn about(mut self, kind: ItemKind) -> Self {
        for hint in &mut self.hints {
            if let Hint::OnItem(command, does) = hint {
                *hint = Hint::Text(format!("`imprint {kind}s {command}` {does}"));
            }
        }
        self
    }

    /// The failure without the credentials that its arguments may have brought into it.
    pub(crate) fn masked(&self) -> Self {
        let masked = |text: &String| masked_in(text).into_owned();
        Self {
            kind: self.kind,
            message: masked(&self.message),
            details: self.details.iter().map(masked).collect(),
            hints: self.hints.iter().map(Hint::masked).collect(),
            unknown_name: self.unknown_name.clone(),
            findings: self.findings.clone(),
        }
    }

    /// A file or folder that could not be used.
    pub(crate) fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.display();
        match error.kind() {
            ErrorKind::NotFound => {
                Self::new(FailureKind::NotFound, format!("`{path}` is not there"))
            }
            ErrorKind::PermissionDenied => Self::failed(format!("you may not {what} `{path}`"))
                .hint("check whose it is, and its permissions"),
            _ => Self::failed(format!("can't {what} `{path}`: {}", plain(error))),
        }
    }

    pub(crate) fn faults(mut self, faults: &[Diagnostic]) -> Self {
        for fault in faults {
            self.details.push(fault.to_string());
            let hint = fault.hint.clone().map(Hint::Text);
            self.hints
                .extend(hint.filter(|hint| !self.hints.contains(hint)));
        }
        self
    }

    fn secrets(findings: Vec<Finding>) -> Self {
        let mut failure = Self::failed(format!(
            "nothing was kept: {}",
            imprint_core::secret::summary(&findings)
        ));
        failure.details = findings.iter().map(shown_finding).collect();
        let accept = accepting(&findings);
        failure.findings = findings;
        failure
            .hint("take it out, and let it be read from the environment or a secret store")
            .hint(format!(
                "if it is no credential, run the command again with `{accept}`"
            ))
    }
}

/// A finding in a line, without its value.
pub(crate) fn shown_finding(finding: &Finding) -> String {
    format!(
        "{}:{}: {} {}, fingerprint {}",
        finding.file.as_deref().unwrap_or("text"),
        finding.line,
        finding.rule,
        finding.masked,
        finding.fingerprint.short()
    )
}

/// The options that accept these findings.
pub(crate) fn accepting(findings: &[Finding]) -> String {
    let mut options: Vec<_> = findings
        .iter()
        .map(|finding| format!("--accept {} ", finding.fingerprint.short()))
        .collect();
    options.dedup();
    format!("{}--reason \"why it may be kept\"", options.concat())
}

/// What the system says, without the number that nobody needs.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Self::failed(error.to_string());
        match error {
            StoreError::Damaged { .. } => failure.hint(
                "nothing was changed; put back a backup of the Imprint home, or move \
                 `imprint.db` away to start anew",
            ),
            StoreError::Newer { .. } => failure.hint("update Imprint"),
            StoreError::Full => failure.hint("free some space and run the command again"),
            StoreError::ReadOnly { .. } | StoreError::Unavailable { .. } => {
                failure.hint("check who may write to the Imprint home (`imprint config path`)")
            }
            StoreError::Busy { .. } => failure,
        }
    }
}

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Unknown {
                kind,
                ref name,
                ref nearest,
            } => {
                let mut failure = Self::new(FailureKind::NotFound, error.to_string());
                failure.unknown_name = Some(name.as_str().into());
                let kind = kind.unwrap_or(ItemKind::Skill);
                match nearest.as_slice() {
                    [] => failure.hint(format!("`imprint {kind}s list` shows what there is")),
                    names => failure.hint(format!("did you mean `{}`?", names.join("`, `"))),
                }
            }
            ResolveError::Ambiguous { ref candidates, .. } => {
                let mut failure = Self::new(FailureKind::Conflict, error.to_string());
                for item in candidates {
                    failure
                        .details
                        .push(format!("{} {} ({})", item.kind, item.name, item.id));
                }
                failure.hint("name it by its id")
            }
            ResolveError::Store(error) => error.into(),
        }
    }
}

impl From<CreateError> for Failure {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Invalid { ref faults, .. } => {
                Self::failed(format!("nothing was created: {error}")).faults(faults)
            }
            CreateError::Secret { findings } => Self::secrets(findings),
            CreateError::NameTaken { kind, ref name, .. } => {
                Self::new(FailureKind::Conflict, error.to_string())
                    .hint(format!("`imprint {kind}s edit {name}` changes it"))
            }
            CreateError::Compose(_) | CreateError::Bundle(_) => {
                Self::failed(format!("nothing was created: {error}"))
            }
            CreateError::Store(error) => error.into(),
        }
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Resolve(error) => error.into(),
            EditError::Stale { ref name, .. } => Self::new(
                FailureKind::Conflict,
                format!("nothing was changed: {error}"),
            )
            .item_hint(
                format!("diff {name}"),
                "shows what changed; then edit again",
            ),
            EditError::Removed { ref name } => {
                Self::new(FailureKind::Conflict, format!("`{name}` is removed"))
                    .item_hint(format!("restore {name}"), "brings it back")
            }
            EditError::Invalid { ref faults, .. } => {
                Self::failed(format!("nothing was changed: {error}")).faults(faults)
            }
            EditError::Secret { findings } => Self::secrets(findings),
            EditError::NameTaken { .. } => Self::new(FailureKind::Conflict, error.to_string()),
            EditError::Bundle(BundleError::NoSuchFile { .. }) => Self::new(
                FailureKind::NotFound,
                format!("nothing was changed: {error}"),
            ),
            EditError::Bundle(BundleError::NoEntryFile(kind)) => Self::failed(format!(
                "nothing was changed: the {} makes it a {kind} and can't be taken out",
                kind.entry_file()
            )),
            EditError::Field(_) | EditError::Bundle(_) => {
                Self::failed(format!("nothing was changed: {error}"))
            }
            EditError::Content(error) => error.into(),
            EditError::Store(error) => error.into(),
        }
    }
}

impl From<ContentError> for Failure {
    fn from(error: ContentError) -> Self {
        match error {
            ContentError::Store(error) => error.into(),
            other => StoreError::Damaged {
                message: other.to_string(),
            }
            .into(),
        }
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Resolve(error) => error.into(),
            ChangeError::NameTaken { .. } => Self::new(FailureKind::Conflict, error.to_string()),
            ChangeError::Store(error) => error.into(),
        }
    }
}

impl From<AcceptError> for Failure {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Secret { .. } => Self::failed(format!("Nothing was kept: {error}"))
                .hint("give a reason without the value itself"),
            AcceptError::Store(error) => error.into(),
        }
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Resolve(error) => error.into(),
            HistoryError::NoSuchRevision { ref name, .. } => {
                Self::new(FailureKind::NotFound, error.to_string())
                    .item_hint(format!("history {name}"), "lists them")
            }
            HistoryError::AmbiguousRevision { .. } => {
                Self::new(FailureKind::Conflict, error.to_string()).hint("give more of its digits")
            }
            HistoryError::Content(error) => error.into(),
            HistoryError::Store(error) => error.into(),
        }
    }
}

impl From<RestoreError> for Failure {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::History(error) => error.into(),
            RestoreError::Edit(error) => error.into(),
        }
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Store(error) => error.into(),
            other => Self::new(FailureKind::Conflict, other.to_string()),
        }
    }
}

impl From<FoldersError> for Failure {
    fn from(error: FoldersError) -> Self {
        Self::failed(error.to_string()).hint("the registry is as you left it; run `imprint write`")
    }
}

impl From<OffersError> for Failure {
    fn from(error: OffersError) -> Self {
        match error {
            OffersError::Folders(error) => error.into(),
            OffersError::Store(error) => error.into(),
        }
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let kind = match error {
            SourceError::NotFound { .. } => FailureKind::NotFound,
            _ => FailureKind::Failed,
        };
        Self::new(kind, error.to_string())
    }
}
