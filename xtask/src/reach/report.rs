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
    pub(super) outcome: Outcome,
}

/// What came of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Measured(Measured),
    /// Nothing, and why.
    Failed(String),
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
            Outcome::Measured(measured) => measured,
            Outcome::Failed(fault) => return vec![fault.clone()],
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
            let _ = writeln!(
                text,
                "\n{} {}, {}, {} skills, folders {}:",
                run.client,
                run.version,
                run.model,
                run.setting.skills,
                written(run.setting)
            );
            text.push_str(&shown(&faults));
        }
        text
    }
}

/// How many faults of a run are shown before the rest is counted.
const SHOWN: usize = 5;

/// The first of the faults, and how many more there are.
fn shown(faults: &[String]) -> String {
    let mut text = String::new();
    for fault in faults.iter().take(SHOWN) {
        let _ = writeln!(text, "  {fault}");
    }
    match faults.len().saturating_sub(SHOWN) {
        0 => {}
        more => {
            let _ = writeln!(text, "  and {more} more");
        }
    }
    text
}

fn written(setting: Setting) -> &'static str {
    if setting.folders {
        "written"
    } else {
        "not written"
    }
}

fn row(run: &Run) -> Vec<String> {
    let client = format!("{} {}", run.client, run.version);
    let mut cells = vec![client, run.model.clone(), written(run.setting).to_owned()];
    match &run.outcome {
        Outcome::Failed(_) => {
            cells.extend(vec![String::new(); 4]);
            cells.push("not measured".to_owned());
        }
        Outcome::Measured(measured) => {
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

#[cfg(test)]
mod tests {
    use super::super::items::items;
    use super::*;

    fn run(skills: usize, outcome: Outcome) -> Run {
        Run {
            client: "codex".to_owned(),
            version: "0.171.0".to_owned(),
            model: "m".to_owned(),
            setting: Setting {
                skills,
                folders: true,
            },
            outcome,
        }
    }

    /// The first skill is seen whole, the others by name, of which only personas may.
    fn measured(skills: usize) -> Measured {
        let seen = items(skills).into_iter().enumerate().map(|(at, item)| {
            let folder = vec![Channel::Folder];
            let (seen, told, fault) = match at {
                0 => (folder, Told::Once, None),
                _ if item.kind == ItemKind::Persona => (Vec::new(), Told::PointedTo, None),
                _ => (folder, Told::ByName, Some("named alone".to_owned())),
            };
            let sighting = Sighting {
                named: seen,
                ..Sighting::default()
            };
            SeenItem::new(item, &sighting, told, fault)
        });
        Measured {
            items: seen.collect(),
            came_back: false,
        }
    }

    #[test]
    fn people_read_a_table_and_what_is_wrong() {
        let failed = Outcome::Failed("its model was never asked".to_owned());
        let report = Report {
            isolated: true,
            runs: vec![run(7, Outcome::Measured(measured(7))), run(5, failed)],
        };
        assert_eq!(report.failed(), 2);
        insta::assert_snapshot!(report.text(), @r"
        | client        | model | folders | skills                              | personas     | guidelines         | `skills` get | as expected  |
        |---------------|-------|---------|-------------------------------------|--------------|--------------------|--------------|--------------|
        | codex 0.171.0 | m     | written | 1 once (folder), 6 by name (folder) | 3 pointed to | 2 by name (folder) | did not      | NO           |
        | codex 0.171.0 | m     | written |                                     |              |                    |              | not measured |

        codex 0.171.0, m, 7 skills, folders written:
          skill `sort-harbours-001`: named alone
          skill `sort-letters-002`: named alone
          skill `sort-photos-003`: named alone
          skill `sort-tickets-004`: named alone
          skill `sort-recipes-005`: named alone
          and 4 more

        codex 0.171.0, m, 5 skills, folders written:
          its model was never asked
        ");
    }

    #[test]
    fn a_report_survives_its_way_between_two_processes() {
        let report = Report {
            isolated: true,
            runs: vec![run(5, Outcome::Measured(measured(5)))],
        };
        let text = serde_json::to_string(&report).unwrap();
        let read: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(read.text(), report.text());
    }
}
