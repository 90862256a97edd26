//! The registry's errors in words for a model: what happened, and what to do next.

use imprint_core::{
    ItemSummary, StoreError,
    registry::{ChangeError, ContentError, CreateError, EditError, ProposeError, ResolveError},
    secret::Finding,
};
use imprint_format::{Diagnostic, EditFieldError};

use super::answer::{Fault, either};

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let next = match &error {
            StoreError::Busy { .. } => "Call again in a moment",
            StoreError::Full => "Tell the user to make room on the disk",
            StoreError::ReadOnly { .. } | StoreError::Unavailable { .. } => {
                "Tell the user: the file or its folder may have the wrong owner or permissions"
            }
            StoreError::Damaged { .. } => {
                "Tell the user: nothing is overwritten; a backup can take its place"
            }
            StoreError::Newer { .. } => "Tell the user to update Imprint on this machine",
        };
        Self::new(error.to_string()).hint(next)
    }
}

impl From<ContentError> for Fault {
    fn from(error: ContentError) -> Self {
        match error {
            ContentError::Store(error) => error.into(),
            other => Self::new(other.to_string()).hint(
                "Tell the user: the database is damaged, and an earlier revision may still be whole",
            ),
        }
    }
}

impl From<ResolveError> for Fault {
    fn from(error: ResolveError) -> Self {
        let what = Self::new(error.to_string());
        match error {
            ResolveError::Unknown { nearest, .. } if nearest.is_empty() => {
                what.hint("skills(action=\"list\") gives all names")
            }
            ResolveError::Unknown { nearest, .. } => what.hint(&format!(
                "Is it {}? skills(action=\"list\") gives all names",
                either(&nearest)
            )),
            ResolveError::Ambiguous { candidates, .. } => ambiguous(what, &candidates),
            ResolveError::Store(error) => error.into(),
        }
    }
}

/// Asks for the one that is meant.
fn ambiguous(what: Fault, candidates: &[ItemSummary]) -> Fault {
    let kinds: Vec<_> = candidates
        .iter()
        .map(|item| format!("kind=\"{}\"", item.kind))
        .collect();
    what.hint(&format!("Call again with {}", either(&kinds)))
}

impl From<ProposeError> for Fault {
    fn from(error: ProposeError) -> Self {
        match error {
            ProposeError::Create(error) => error.into(),
            ProposeError::Edit(error) => error.into(),
            ProposeError::TooMany => Self::new(error.to_string())
                .hint("Ask the user to decide on them with `imprint skills proposals`"),
        }
    }
}

impl From<CreateError> for Fault {
    fn from(error: CreateError) -> Self {
        let what = Self::new(error.to_string());
        match error {
            CreateError::Invalid { faults, .. } => invalid(what, &faults),
            CreateError::Secret { findings } => secret(what, &findings),
            CreateError::NameTaken { .. } => {
                what.hint("Change that one with action=\"edit\", or choose another name")
            }
            CreateError::Store(error) => error.into(),
            CreateError::Compose(_) | CreateError::Bundle(_) => {
                what.hint("Nothing was kept; mend it and call again")
            }
        }
    }
}

impl From<EditError> for Fault {
    fn from(error: EditError) -> Self {
        let what = Self::new(error.to_string());
        match error {
            EditError::Resolve(error) => error.into(),
            EditError::Stale { name, current } => what.hint(&format!(
                "Nothing was changed. Read it again with skills(action=\"get\", name=\"{name}\"), \
                 make your change to that text, and call again with expected_revision=\"{}\"",
                current.short()
            )),
            EditError::Removed { name } => Self::new(format!("the user has removed `{name}`"))
                .hint("Only the user can bring it back"),
            EditError::Field(
                EditFieldError::NotAScalar { .. } | EditFieldError::Spelling { .. },
            ) => what.hint("Nothing was changed; give the whole entry file in `files`"),
            EditError::Invalid { faults, .. } => invalid(what, &faults),
            EditError::Secret { findings } => secret(what, &findings),
            EditError::Content(error) => error.into(),
            EditError::Store(error) => error.into(),
            EditError::NameTaken { .. } | EditError::Field(_) | EditError::Bundle(_) => {
                what.hint("Nothing was changed; mend it and call again")
            }
        }
    }
}

impl From<ChangeError> for Fault {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Resolve(error) => error.into(),
            ChangeError::Store(error) => error.into(),
            taken @ ChangeError::NameTaken { .. } => Self::new(taken.to_string()),
        }
    }
}

fn invalid(what: Fault, faults: &[Diagnostic]) -> Fault {
    let mut next = vec!["Nothing was kept; mend this and call again:".to_owned()];
    next.extend(faults.iter().map(|fault| match &fault.hint {
        Some(hint) => format!("- {fault} ({hint})"),
        None => format!("- {fault}"),
    }));
    what.hint(&next.join("\n"))
}

/// Where the credentials are; of themselves nothing.
fn secret(what: Fault, findings: &[Finding]) -> Fault {
    let mut next = vec!["Nothing was kept. Found:".to_owned()];
    next.extend(findings.iter().map(|finding| {
        let file = finding.file.as_deref().unwrap_or("the text");
        format!("- {} in {file}, line {}", finding.rule, finding.line)
    }));
    next.push(
        "Write where the credential is found (an environment variable, say) instead of its \
         value. If it is none, only the user can accept it"
            .to_owned(),
    );
    what.hint(&next.join("\n"))
}
