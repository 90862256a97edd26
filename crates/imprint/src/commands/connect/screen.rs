//! What connecting and disconnecting did, as people and scripts see it.

use std::path::Path;

use imprint_clients::{Client, connect::Scope};
use serde::Serialize;

use super::{Report, clients::Place};
use crate::{home::shown, output::Output};

/// One client and its file.
#[derive(Serialize)]
pub(super) struct Told {
    /// The client's id.
    pub(super) client: &'static str,
    /// Its name, with the system that it runs on where that is not ours.
    pub(super) title: String,
    /// What was done, or would be.
    pub(super) result: &'static str,
    /// The file as the client names it.
    pub(super) file: Option<String>,
    /// The file behind its links, where it has some.
    pub(super) real_file: Option<String>,
    /// The project's folder.
    pub(super) project: Option<String>,
    /// What changes in it, as a unified diff without credentials.
    pub(super) diff: Option<String>,
    /// Where its old text is kept.
    pub(super) backup: Option<String>,
    /// What else there is to say.
    pub(super) note: Option<String>,
    /// The client's own command for the same.
    pub(super) own_command: Option<&'static str>,
    /// What the person must still do.
    pub(super) still_to_do: Vec<String>,
}

impl Told {
    pub(super) fn at(
        client: &Client,
        title: String,
        result: &'static str,
        place: &Place<'_>,
    ) -> Self {
        let mut told = Self::without_file(client, title, result);
        told.file = Some(place.file.display().to_string());
        told.real_file = (place.real != place.file).then(|| place.real.display().to_string());
        told.project = match place.scope {
            Scope::User => None,
            Scope::Project(folder) => Some(folder.display().to_string()),
        };
        told
    }

    pub(super) fn without_file(client: &Client, title: String, result: &'static str) -> Self {
        Self {
            client: client.facts.id,
            title,
            result,
            file: None,
            real_file: None,
            project: None,
            diff: None,
            backup: None,
            note: None,
            own_command: None,
            still_to_do: Vec::new(),
        }
    }

    fn headline(&self, dry_run: bool) -> String {
        let did = match (self.result, dry_run) {
            ("add", false) => "connected",
            ("add", true) => "would be connected",
            ("update", false) => "brought up to date",
            ("update", true) => "would be brought up to date",
            ("unchanged" | "shared", _) => "is connected already",
            ("first-bytes" | "entry" | "file", false) => "disconnected",
            ("first-bytes" | "entry" | "file", true) => "would be disconnected",
            ("gone", _) => "is not connected",
            ("no-file", _) => "not connected",
            _ => "left as it is",
        };
        match (&self.project, &self.file) {
            (Some(project), Some(file)) => format!(
                "{} {did} in the project {} ({})",
                self.title,
                shown(Path::new(project)),
                shown(Path::new(file))
            ),
            (_, Some(file)) => format!("{} {did} ({})", self.title, shown(Path::new(file))),
            (_, None) => format!("{} {did}", self.title),
        }
    }
}

/// All of them, and at the end what the person must still do.
pub(super) fn print(out: &Output, report: &Report) {
    for (at, told) in report.clients.iter().enumerate() {
        if at > 0 {
            out.line("");
        }
        print_one(out, told, report.dry_run);
    }
    let rest = report
        .clients
        .iter()
        .filter(|told| !told.still_to_do.is_empty());
    for (at, told) in rest.enumerate() {
        if at == 0 {
            out.line("");
            out.heading("Still to do");
        }
        for line in &told.still_to_do {
            out.prose(&format!("  {}: {line}", told.title));
        }
    }
}

fn print_one(out: &Output, told: &Told, dry_run: bool) {
    out.heading(&told.headline(dry_run));
    if let Some(real) = &told.real_file {
        out.prose(&format!("  through the link to {real}"));
    }
    if let Some(note) = &told.note {
        out.prose(&format!("  {note}"));
    }
    if let Some(diff) = &told.diff {
        out.diff(diff);
    }
    if let Some(backup) = &told.backup {
        out.prose(&format!("  The old text is kept in {backup}"));
    }
    if let Some(own) = told.own_command {
        out.prose(&format!("  `{own}`, its own command, writes the same file"));
    }
}
