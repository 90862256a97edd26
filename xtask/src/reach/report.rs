//! What was measured, as a table for people and as JSON.

use std::{collections::BTreeMap, fmt::Write as _};

use comfy_table::{Table, presets};
use imprint_format::ItemKind;
use serde::{Deserialize, Serialize};

use super::{
    expect::Told,
    items::Item,
    run::Setting,
    sighting::{Channel, Sighting},
};

/// All measurements.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Report {
    /// Whether the clients ran without any network but this machine's own.
    pub(super) isolated: bool,
    pub(super) runs: Vec<Run>,
}

/// One measurement.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) client: String,
    pub(super) version: String,
    pub(super) model: String,
    #[serde(flatten)]
    pub(super) setting: Setting,
    /// What came of it, or why nothing did.
    pub(super) outcome: Result<Measured, String>,
}

/// What was measured in one run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) items: Vec<SeenItem>,
    /// Whether `skills(action="get")` came back with the whole skill.
    pub(super) came_back: bool,
}

/// One item, and how the model was told of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SeenItem {
    pub(super) kind: ItemKind,
    pub(super) name: String,
    pub(super) told: Told,
    /// How often its description stands in the first request: whole, and cut.
    pub(super) whole: usize,
    pub(super) cut: usize,
    /// The channels that it came through.
    pub(super) channels: Vec<Channel>,
    /// What is not as expected.
    pub(super) fault: Option<String>,
}

impl SeenItem {
    pub(super) fn new(item: Item, seen: &Sighting, told: Told, fault: Option<String>) -> Self {
        Self {
            kind: item.kind,
            name: item.name,
            told,
            whole: seen.whole.len(),
            cut: seen.cut.len(),
            channels: seen.channels(),
            fault,
        }
    }
}

impl Run {
    /// Everything that is not as expected, a line each.
    pub(super) fn faults(&self) -> Vec<String> {
        let measured = match &self.outcome {
            Ok(measured) => measured,
            Err(fault) => return vec![fault.clone()],
        };
        let items = measured.items.iter().filter_map(|item| {
            let fault = item.fault.as_ref()?;
            Some(format!("{} `{}`: {fault}", item.kind, item.name))
        });
        let get = (!measured.came_back).then(|| "`skills` did not come back".to_owned());
        items.chain(get).collect()
    }
}

impl Report {
    /// How many runs are not as expected.
    pub(super) fn failed(&self) -> usize {
        self.runs
            .iter()
            .filter(|run| !run.faults().is_empty())
            .count()
    }

    /// A table as Markdown, and below it what is not as expected.
    pub(super) fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header([
            "client",
            "model",
            "folders",
            "skills",
            "personas",
            "guidelines",
            "`skills` get",
            "as expected",
        ]);
        for run in &self.runs {
            table.add_row(row(run));
        }
        let mut text = format!("{table}\n");
        for run in &self.runs {
            let faults = run.faults();
            if faults.is_empty() {
                continue;
            }
            let word = run.setting.word();
            let _ = writeln!(
                text,
                "\n{} {}, {}, {} skills, {word}:",
                run.client, run.version, run.model, run.setting.skills
            );
            for (fault, times) in grouped(&faults) {
                let _ = writeln!(text, "  {fault}{times}");
            }
        }
        text
    }
}

/// How many faults of one item kind are shown before the rest is counted.
const SHOWN: usize = 5;

/// The first of the faults, then how many more there are.
fn grouped(faults: &[String]) -> Vec<(&str, String)> {
    let mut lines: Vec<_> = faults
        .iter()
        .take(SHOWN)
        .map(|fault| (fault.as_str(), String::new()))
        .collect();
    if let Some(last) = lines.last_mut()
        && faults.len() > SHOWN
    {
        last.1 = format!(" (and {} more)", faults.len() - SHOWN);
    }
    lines
}

fn row(run: &Run) -> Vec<String> {
    let client = format!("{} {}", run.client, run.version);
    let folders = if run.setting.folders {
        "written"
    } else {
        "not written"
    };
    let mut cells = vec![client, run.model.clone(), folders.to_owned()];
    match &run.outcome {
        Err(_) => {
            cells.extend(vec![String::new(); 4]);
            cells.push("not measured".to_owned());
        }
        Ok(measured) => {
            for kind in [ItemKind::Skill, ItemKind::Persona, ItemKind::Guideline] {
                cells.push(summary(measured, kind));
            }
            let came_back = if measured.came_back {
                "came back"
            } else {
                "did not"
            };
            cells.push(came_back.to_owned());
            let expected = if run.faults().is_empty() { "yes" } else { "NO" };
            cells.push(expected.to_owned());
        }
    }
    cells
}

/// `5 once (folder), 55 by name (folder)`.
fn summary(measured: &Measured, kind: ItemKind) -> String {
    let mut groups: BTreeMap<(Told, Vec<Channel>), usize> = BTreeMap::new();
    for item in measured.items.iter().filter(|item| item.kind == kind) {
        *groups
            .entry((item.told, item.channels.clone()))
            .or_default() += 1;
    }
    let shown = groups.iter().map(|((told, channels), count)| {
        let words: Vec<_> = channels.iter().map(|channel| channel.word()).collect();
        let through = match words.as_slice() {
            [] => String::new(),
            words => format!(" ({})", words.join(" + ")),
        };
        format!("{count} {}{through}", told.words())
    });
    shown.collect::<Vec<_>>().join(", ")
}

impl Told {
    fn words(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::OnceCut => "once, cut",
            Self::ByName => "by name",
            Self::PointedTo => "pointed to",
            Self::Not => "not at all",
            Self::Repeatedly => "repeatedly",
        }
    }
}

impl Channel {
    fn word(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Instructions => "instructions",
            Self::Tool => "tool",
        }
    }
}
