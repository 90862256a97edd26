//! Everything about one client, with how each fact is known.

use imprint_clients::{
    Allowance, Budget, Cell, Evidence, EvidenceKind,
    inspect::{
        Channel, ConfigScope, ConfigSeen, ConfigState, Inspected, OverMcp, Place, PlaceState,
        VersionFrom,
    },
};
use imprint_core::FolderReport;
use imprint_format::ItemKind;

use crate::{
    home::shown,
    output::{Output, count, listed},
    time,
};

/// How wide the labels are.
const LABEL: usize = 14;

pub(super) fn print(out: &Output, seen: &[Inspected], report: Option<&FolderReport>) {
    for (number, one) in seen.iter().enumerate() {
        if number > 0 {
            out.line("");
        }
        out.heading(&format!("{} ({})", one.title, one.id));
        for (label, text) in facts(one, report) {
            out.prose(&format!("{label:<LABEL$}{text}"));
        }
        out.line("");
        print_evidence(out, &one.evidence);
    }
}

fn facts(one: &Inspected, report: Option<&FolderReport>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("installed", installed(one)), ("version", version(one))];
    facts.extend(connections(one).into_iter().map(|text| ("connected", text)));
    for (label, kind) in [("skills", ItemKind::Skill), ("personas", ItemKind::Persona)] {
        let places = one.places.iter().filter(|place| place.kind == kind);
        facts.extend(places.map(|place| (label, place_text(place))));
    }
    facts.push(("catalog", catalog(&one.channel, report)));
    facts.extend(
        limits(&one.channel)
            .into_iter()
            .map(|text| ("limits", text)),
    );
    facts.extend(listing(one));
    facts
}

fn installed(one: &Inspected) -> String {
    let Some(installed) = &one.installed else {
        return match one.client.presence {
            Some(_) => "no trace of it was found".to_owned(),
            None => "it isn't looked for: nobody established how to see it".to_owned(),
        };
    };
    let parts: Vec<_> = [&installed.folder, &installed.program]
        .into_iter()
        .flatten()
        .map(|path| shown(path))
        .collect();
    format!("yes: {}", listed(&parts))
}

fn version(one: &Inspected) -> String {
    let Some(version) = &one.version else {
        return "unknown: neither a package nor a session tells".to_owned();
    };
    match version.from {
        VersionFrom::Package => format!("{}, by its package", version.text),
        VersionFrom::Session { at } => {
            format!(
                "{}, as it said when it connected ({})",
                version.text,
                time::shown(at)
            )
        }
    }
}

fn connections(one: &Inspected) -> Vec<String> {
    if one.client.config.is_none() {
        return vec!["nobody established where it keeps its servers".to_owned()];
    }
    one.configs.iter().flat_map(config).collect()
}

fn config(file: &ConfigSeen) -> Vec<String> {
    let alone = match file.scope {
        ConfigScope::Local => " (for this project alone)",
        ConfigScope::User | ConfigScope::Project => "",
    };
    let at = format!("{}{alone}", shown(&file.file));
    match &file.state {
        ConfigState::Missing => vec![format!("no: {at} is not there yet")],
        ConfigState::Unreadable { why } | ConfigState::Damaged { why } => {
            vec![format!("unknown: {at} can't be read ({why})")]
        }
        ConfigState::Read {
            entries, others, ..
        } if entries.is_empty() => {
            vec![format!("no: {at} has {}", count(*others, "other server"))]
        }
        ConfigState::Read { entries, .. } => entries
            .iter()
            .map(|seen| {
                let entry = &seen.ours.entry;
                let is_ours = if entry.ours {
                    "yes"
                } else {
                    "no, the name is taken"
                };
                let off = if seen.ours.is_disabled {
                    ", switched off"
                } else {
                    ""
                };
                format!("{is_ours}{off}: {at}, entry `{}`: {entry}", entry.name)
            })
            .collect(),
    }
}

fn place_text(place: &Place) -> String {
    let folder = shown(&place.folder);
    let kept = if place.is_kept {
        ", kept current by Imprint"
    } else {
        ""
    };
    match &place.state {
        PlaceState::Folder => format!("{folder}{kept}"),
        PlaceState::Missing => format!("{folder} (not there)"),
        PlaceState::Link { to } => format!("{folder}, which is `{to}`{kept}"),
        PlaceState::Dangling { link, to } => {
            format!("{folder}: the link `{link}` leads to `{to}`, which is not there")
        }
        PlaceState::NoFolder => format!("{folder} is no folder"),
        PlaceState::Unreadable { why } => format!("{folder} can't be looked at: {why}"),
    }
}

fn catalog(channel: &Channel, report: Option<&FolderReport>) -> String {
    let over_mcp = match channel.over_mcp {
        OverMcp::Instructions => "in the handshake's instructions",
        OverMcp::ToolDescription => {
            "in the description of the tool `skills`, because its model doesn't see the instructions"
        }
        OverMcp::Both => {
            "in the handshake's instructions, with the names in the description of the tool `skills`: nobody established which its model sees"
        }
    };
    let kinds: Vec<_> = channel
        .from_folders
        .iter()
        .map(|kind| format!("{kind}s"))
        .collect();
    match (kinds.is_empty(), report) {
        (false, _) => format!(
            "{} from folders; over MCP the rest, {over_mcp}",
            listed(&kinds)
        ),
        (true, Some(_)) => format!("all over MCP, {over_mcp}"),
        (true, None) => format!("all over MCP, {over_mcp}; no folder has been written yet"),
    }
}

fn limits(channel: &Channel) -> Vec<String> {
    let of_the = if channel.first_line_alone {
        "the first line, of it "
    } else {
        ""
    };
    let instructions = channel
        .instruction_units
        .map(|units| format!("of the instructions {of_the}{units} UTF-16 units"));
    let description = channel
        .description_units
        .map(|units| format!("of a tool's description {units} UTF-16 units"));
    let result = channel
        .result_chars
        .map(|chars| format!("of one result {chars} characters"));
    let parts: Vec<_> = [instructions, description, result]
        .into_iter()
        .flatten()
        .collect();
    if parts.is_empty() {
        return Vec::new();
    }
    vec![format!("its model sees {}", listed(&parts))]
}

/// What it lists, what it leaves out and whose description it loses.
fn listing(one: &Inspected) -> Vec<(&'static str, String)> {
    let Some(skills) = &one.skills else {
        return vec![("lists", "nobody established how".to_owned())];
    };
    let mut rows = vec![("lists", count(skills.listed.len(), "skill"))];
    for (name, copies) in skills.repeated() {
        let places: Vec<_> = copies.iter().map(|copy| shown(&copy.path)).collect();
        rows.push(("listed twice", format!("{name}: {}", listed(&places))));
    }
    rows.extend(one.left_out().map(|one| {
        (
            "not listed",
            format!("{} ({}): {}", one.skill, shown(&one.path), one.why),
        )
    }));
    let lost: Vec<_> = skills.not_whole().map(|one| one.name.as_str()).collect();
    if lost.is_empty() {
        return rows;
    }
    let Some(allowance) = allowance(one) else {
        let text = format!("its model sees no description of {}", listed(&lost));
        rows.push(("names alone", text));
        return rows;
    };
    let room = skills.room.map_or(String::new(), |room| {
        format!(
            "; all would take {} characters, and the list has {}",
            room.needs, room.has
        )
    });
    let text = format!("for the whole description of {}{room}", listed(&lost));
    rows.push(("no room", text));
    if let Some(setting) = allowance.setting.as_ref().filter(|_| !one.has_more_room) {
        let name = setting.path.join(".");
        let text = format!("`imprint clients {} --more-room` sets its `{name}`", one.id);
        rows.push(("more room", text));
    }
    rows
}

fn allowance(one: &Inspected) -> Option<&'static Allowance> {
    match one.client.listing.as_ref()?.budget.as_ref()? {
        Budget::WhileItFits(allowance) | Budget::Shortened(allowance) => Some(allowance),
        Budget::Whole | Budget::NamesOnly => None,
    }
}

fn print_evidence(out: &Output, evidence: &[Evidence]) {
    let row = |row: &Evidence| {
        vec![
            fact(row.cell).to_owned(),
            known_by(row.kind).to_owned(),
            row.version.to_owned(),
            row.note.to_owned(),
        ]
    };
    out.table(
        &["FACT", "KNOWN BY", "VERSION", "NOTE"],
        evidence.iter().map(row),
    );
}

const fn fact(cell: Cell) -> &'static str {
    match cell {
        Cell::Presence => "how to see that it is installed",
        Cell::Skills => "skill folders",
        Cell::Listing => "how it lists skills",
        Cell::Personas => "persona folder",
        Cell::Config => "configuration file",
        Cell::Handshake => "name in the handshake",
        Cell::Instructions => "whether instructions arrive",
        Cell::ToolDescription => "room of a tool's description",
        Cell::Page => "room of a result",
    }
}

const fn known_by(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Run => "run and observed",
        EvidenceKind::Source => "read in its source",
        EvidenceKind::Manual => "its manual",
        EvidenceKind::Report => "a public report",
        EvidenceKind::Table => "an installer's table",
        EvidenceKind::NotEstablished => "nobody established this",
    }
}
