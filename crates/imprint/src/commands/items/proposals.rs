//! What agents suggest, and what the user says to it.

use std::collections::BTreeSet;

use imprint_core::{Proposal, ProposalState, Revision, registry::DecideError};
use imprint_format::{Bundle, ItemKind, ItemPath};
use serde::Serialize;

use super::{author, change};
use crate::{
    cli::{ProposalArgs, ProposalCommand},
    commands::diff,
    failure::{Failure, FailureKind},
    output::Output,
    time,
    wiring::App,
};

/// The characters at an id's end by which lists name it.
const SHOWN_ID: usize = 8;
/// More than wait at any time.
const MOST: u64 = 1_000;

pub(in crate::commands) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: ProposalArgs,
) -> Result<(), Failure> {
    match args.command {
        None => list(app, out, kind, args.all).await,
        Some(ProposalCommand::Show { id }) => {
            let proposal = find(app, kind, &id).await?;
            show(app, out, &proposal).await
        }
        Some(ProposalCommand::Accept { id, yes }) => accept(app, out, kind, &id, yes).await,
        Some(ProposalCommand::Reject { id }) => {
            let proposal = find(app, kind, &id).await?;
            app.registry.reject_proposal(proposal.id).await?;
            out.message(&format!("Laid the change to {} aside", named(&proposal)));
            Ok(())
        }
    }
}

async fn list(app: &App, out: &Output, kind: ItemKind, all: bool) -> Result<(), Failure> {
    let state = (!all).then_some(ProposalState::Pending);
    let (store, owner) = (app.registry.store(), app.registry.owner());
    let mut proposals = store.proposals(owner, state, MOST).await?;
    proposals.retain(|proposal| proposal.kind == kind);
    out.data(&proposals, |out| {
        if proposals.is_empty() {
            out.message(&format!("No agent proposes a change to a {kind}"));
            return;
        }
        let header = ["ID", "NAME", "CHANGE", "BY", "WHEN", "STATE"];
        out.table(&header, proposals.iter().map(row));
        let verbs = format!("`imprint {kind}s proposals show ID`, `accept ID` or `reject ID`");
        out.message(&format!("Decide with {verbs}"));
    });
    Ok(())
}

fn row(proposal: &Proposal) -> Vec<String> {
    let id = proposal.id.to_string();
    let change = match proposal.base {
        Some(_) => "edit",
        None => "new",
    };
    let state = match proposal.state {
        ProposalState::Pending => "waits",
        ProposalState::Accepted => "accepted",
        ProposalState::Rejected => "rejected",
    };
    vec![
        id[id.len() - SHOWN_ID..].to_owned(),
        proposal.name.to_string(),
        change.to_owned(),
        author(&proposal.author),
        time::shown(proposal.at),
        state.to_owned(),
    ]
}

/// A suggestion with what it would change.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    proposal: &'a Proposal,
    files: Vec<FileDifference>,
}

#[derive(Serialize)]
struct FileDifference {
    path: ItemPath,
    diff: String,
}

async fn show(app: &App, out: &Output, proposal: &Proposal) -> Result<(), Failure> {
    let after = app.registry.proposed_files(proposal).await?;
    let before = match base(app, proposal).await? {
        Some(revision) => Some(app.registry.bundle_of(&revision).await?),
        None => None,
    };
    let shown = Shown {
        proposal,
        files: differences(before.as_ref(), &after),
    };
    out.data(&shown, |out| {
        for file in &shown.files {
            out.diff(&file.diff);
        }
    });
    Ok(())
}

async fn base(app: &App, proposal: &Proposal) -> Result<Option<Revision>, Failure> {
    let Some(base) = proposal.base else {
        return Ok(None);
    };
    let (store, owner) = (app.registry.store(), app.registry.owner());
    Ok(store.revision(owner, base).await?)
}

fn differences(before: Option<&Bundle>, after: &Bundle) -> Vec<FileDifference> {
    let files = before.into_iter().chain([after]).flat_map(Bundle::files);
    let paths: BTreeSet<_> = files.map(|(path, _)| path.clone()).collect();
    let differing = paths.into_iter().filter_map(|path| {
        let old = before.and_then(|bundle| bundle.get(&path));
        let headings = [format!("{path} (now)"), format!("{path} (proposed)")];
        let diff = diff::of_files(
            path.as_str(),
            old,
            after.get(&path),
            (&headings[0], &headings[1]),
        )?;
        Some(FileDifference { path, diff })
    });
    differing.collect()
}

async fn accept(
    app: &App,
    out: &Output,
    kind: ItemKind,
    id: &str,
    yes: bool,
) -> Result<(), Failure> {
    let proposal = find(app, kind, id).await?;
    if !yes {
        out.needs_someone("`--yes` accepts it without asking")?;
        show(app, out, &proposal).await?;
        if !out.ask(&format!("Make this the {} from now on?", named(&proposal))) {
            out.message("Nothing was changed; the proposal waits on");
            return Ok(());
        }
    }
    let item = app.registry.accept_proposal(proposal.id).await?;
    let done = format!(
        "Accepted: {} has revision {} now",
        named(&proposal),
        item.head.short()
    );
    change::told(app, out, &item, &done).await;
    Ok(())
}

async fn find(app: &App, kind: ItemKind, id: &str) -> Result<Proposal, Failure> {
    let found = app.registry.find_proposal(id).await?;
    if found.kind == kind {
        return Ok(found);
    }
    let message = format!("the proposal is for a {}", found.kind);
    let hint = format!("`imprint {}s proposals` has it", found.kind);
    Err(Failure::new(FailureKind::NotFound, message).hint(hint))
}

fn named(proposal: &Proposal) -> String {
    format!("{} `{}`", proposal.kind, proposal.name)
}

impl From<DecideError> for Failure {
    fn from(error: DecideError) -> Self {
        let message = error.to_string();
        match error {
            DecideError::Unknown(_) | DecideError::Ambiguous(_) => {
                Self::new(FailureKind::NotFound, message)
                    .hint("`imprint skills proposals --all` lists ids")
            }
            DecideError::Decided { .. } => Self::failed(message),
            DecideError::Outdated(_) => Self::failed(message).hint(
                "reject it, or edit the item by hand: `proposals show` prints what was meant",
            ),
            DecideError::Content(error) => error.into(),
            DecideError::Store(error) => error.into(),
        }
    }
}
