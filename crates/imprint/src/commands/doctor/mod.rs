//! `imprint doctor`: the whole way from a client's settings to its model, checked.

mod handshakes;
mod home;
mod screen;

use imprint_clients::{
    EnvironmentOf, Os, Planned,
    doctor::{Examination, Finding, Handshake, KeptItem, examine},
    inspect::Inspected,
    known_clients,
};
use imprint_core::{
    ClientFolders as _, FileRef, FolderReport, ItemFilter, ItemState, ItemSummary, Revision,
    SessionRecord,
    served::{Unservable, as_skill},
};
use imprint_format::ItemKind;
use serde::Serialize;

use super::{clients, connect};
use crate::{
    cli::{DoctorArgs, Global},
    failure::Failure,
    home::Home,
    output::{Output, count},
    wiring::App,
};

pub(super) async fn run(global: &Global, out: &Output, args: DoctorArgs) -> Result<(), Failure> {
    let named = connect::named(&args.clients)?;
    let (app, settings) = App::lenient(global, EnvironmentOf::User)?;
    let checked = {
        let _status = out.status("Checking your clients …");
        let look_at = if named.is_empty() {
            known_clients()
        } else {
            &named
        };
        let known = Known::gather(&app, settings.is_some()).await;
        let inspected = clients::look(&app, look_at, known.report.as_ref(), &known.sessions)?;
        let handshakes = handshakes::make(&app, &inspected, &known).await;
        let home = home::look(&app, settings, &known).await;
        let findings = examine(&Examination {
            inspected: &inspected,
            os: Os::current(),
            home: &home,
            usual_home: &Home::usual().unwrap_or_default(),
            sessions: &known.sessions,
            report: known.report.as_ref(),
            planned: &known.planned,
            items: &known.kept,
            handshakes: &handshakes,
        });
        Checked::new(inspected, &handshakes, findings)
    };
    out.data(&checked, |out| screen::print(out, &checked));
    match checked
        .findings
        .iter()
        .filter(|finding| finding.is_to_be_mended())
        .count()
    {
        0 => Ok(()),
        1 => Err(Failure::failed("one thing is to be mended")),
        many => Err(Failure::failed(format!(
            "{} are to be mended",
            count(many, "thing")
        ))),
    }
}

/// What was checked and found, as scripts read it.
#[derive(Serialize)]
struct Checked {
    clients: Vec<Client>,
    findings: Vec<Finding>,
}

/// A client that is installed or connected.
#[derive(Serialize)]
struct Client {
    id: &'static str,
    title: &'static str,
    version: Option<String>,
    connected: bool,
    /// The handshakes that were made as this client.
    handshakes: Vec<Answered>,
}

/// A handshake that went well.
#[derive(Serialize)]
struct Answered {
    file: String,
    milliseconds: u128,
    tools: usize,
    /// UTF-16 code units, as clients count them.
    instruction_units: usize,
    /// The kinds that are left out because the client reads them from folders.
    left_out: Vec<ItemKind>,
}

impl Checked {
    fn new(inspected: Vec<Inspected>, handshakes: &[Handshake], findings: Vec<Finding>) -> Self {
        let present = inspected
            .into_iter()
            .filter(|one| one.installed.is_some() || one.is_connected());
        let client = |one: Inspected| Client {
            id: one.id,
            title: one.title,
            connected: one.is_connected(),
            handshakes: handshakes
                .iter()
                .filter(|handshake| handshake.client == one.id)
                .filter_map(answered)
                .collect(),
            version: one.version.map(|version| version.text),
        };
        Self {
            clients: present.map(client).collect(),
            findings,
        }
    }
}

fn answered(handshake: &Handshake) -> Option<Answered> {
    let answers = handshake.answers.as_ref().ok()?;
    Some(Answered {
        file: handshake.file.display().to_string(),
        milliseconds: handshake.took.as_millis(),
        tools: answers.tools.len(),
        instruction_units: answers.instructions.encode_utf16().count(),
        left_out: handshake.expected.left_out.clone(),
    })
}

/// What the registry and the last pass say, as far as they can be read.
struct Known {
    items: Vec<ItemSummary>,
    kept: Vec<KeptItem>,
    sessions: Vec<SessionRecord>,
    report: Option<FolderReport>,
    planned: Result<Planned, String>,
    /// What failed in reading the registry.
    trouble: Option<String>,
}

impl Known {
    /// Gathers it. Without settings nobody knows which folders to leave alone, so nothing is said
    /// of what a pass would do.
    async fn gather(app: &App, settings_are_damaged: bool) -> Self {
        let active = ItemFilter {
            states: vec![ItemState::Active],
            ..ItemFilter::default()
        };
        let store = app.registry.store();
        let items = store.items(app.registry.owner(), &active).await;
        let trouble = items.as_ref().err().map(ToString::to_string);
        let items = items.unwrap_or_default();
        let planned = if settings_are_damaged || trouble.is_some() {
            Ok(Planned::default())
        } else {
            app.folders.plan().await.map_err(|error| error.to_string())
        };
        Self {
            kept: kept(app, &items).await,
            sessions: clients::recent_sessions(app).await.unwrap_or_default(),
            report: app.folders.last_report().await,
            items,
            planned,
            trouble,
        }
    }
}

async fn kept(app: &App, items: &[ItemSummary]) -> Vec<KeptItem> {
    let store = app.registry.store();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let Ok(Some(revision)) = store.revision(app.registry.owner(), item.head).await else {
            continue;
        };
        let entry = revision
            .files
            .iter()
            .find(|file| file.path.as_str() == item.kind.entry_file());
        kept.push(KeptItem {
            kind: item.kind,
            name: item.name.as_str().to_owned(),
            bytes: entry.map_or(0, |file| file.size),
            unservable: unservable(app, &revision, entry).await,
        });
    }
    kept
}

/// Why the extension that serves skills leaves an item out, as far as it can be read.
async fn unservable(app: &App, revision: &Revision, entry: Option<&FileRef>) -> Option<Unservable> {
    if revision.kind == ItemKind::Guideline {
        return None;
    }
    let digest = entry?.digest;
    let content = app.registry.store().content(app.registry.owner(), digest);
    let bytes = content.await.ok()??;
    as_skill(revision.kind, &revision.name, &revision.files, &bytes).err()
}
