//! What is known of one client, as a section of the page.

use std::{fmt::Write as _, path::PathBuf};

use imprint_clients::{
    Allowance, Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, Machine, Reject,
    SameName,
};
use imprint_core::{Cut, InstructionCut, Reach};

use super::{Systems, code, name};

/// The section of a client: a row for each cell that somebody established, the others by name.
pub(super) fn section(client: &Client, systems: &Systems) -> String {
    let mut section = format!(
        "## {}\n\n| | | known by |\n| --- | --- | --- |\n",
        client.facts.title
    );
    let mut missing = Vec::new();
    for row in client.evidence {
        let note = match row.note {
            "" => String::new(),
            note => format!("; {note}"),
        };
        if row.kind == EvidenceKind::NotEstablished {
            missing.push(match row.note {
                "" => row.cell.as_str().to_owned(),
                note => format!("{} ({note})", row.cell.as_str()),
            });
            continue;
        }
        let value = value(client, row.cell, systems);
        let known = known_by(row);
        let _ = writeln!(
            section,
            "| {} | {value} | {known}{note} |",
            row.cell.as_str()
        );
    }
    if let Some(config) = &client.config {
        let _ = writeln!(
            section,
            "\nAfter connecting: {}.",
            config.afterwards.join("; ")
        );
    }
    if !missing.is_empty() {
        let _ = writeln!(section, "\nNot established: {}.", missing.join(", "));
    }
    section
}

fn known_by(row: &Evidence) -> String {
    match row.version {
        "" => row.kind.as_str().to_owned(),
        version => format!("{} of {version}", row.kind.as_str()),
    }
}

/// What stands in a cell. A dash where all that is known is in the note.
fn value(client: &Client, cell: Cell, systems: &Systems) -> String {
    let facts = &client.facts;
    let value = match cell {
        Cell::Presence => client.presence.as_ref().map(|presence| {
            let programs = presence
                .programs
                .iter()
                .map(|program| format!(", program `{program}`"));
            places(presence.config, systems) + &programs.collect::<String>()
        }),
        Cell::Skills => client.skills.map(|_| skills(client, systems)),
        Cell::Listing => client.listing.as_ref().map(listing),
        Cell::Personas => client
            .personas
            .as_ref()
            .map(|personas| code(&name((personas.folder)(&systems.linux)))),
        Cell::Config => client
            .config
            .as_ref()
            .map(|config| configuration(config, systems)),
        Cell::Handshake => {
            let exact = facts.names.iter().map(|name| code(name));
            let prefixes = facts
                .name_prefixes
                .iter()
                .map(|prefix| code(&format!("{prefix}…")));
            let names: Vec<_> = exact.chain(prefixes).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        Cell::Instructions => Some(match facts.instructions_reach_model {
            Reach::No if facts.instruction_cuts.is_empty() => "not shown".to_owned(),
            _ if facts.instruction_cuts.is_empty() => "shown".to_owned(),
            _ => cuts(facts.instruction_cuts),
        }),
        Cell::ToolDescription if facts.description_cuts.is_empty() => None,
        Cell::ToolDescription => Some(cuts(facts.description_cuts)),
        Cell::Page => facts
            .result_chars
            .map(|most| format!("{} characters", number(most))),
    };
    value.unwrap_or_else(|| "—".to_owned())
}

/// Paths on Linux, and on the other systems where they are others.
fn places(paths: fn(&Machine) -> Vec<PathBuf>, systems: &Systems) -> String {
    let of = |machine: &Machine| paths(machine).iter().map(name).collect::<Vec<_>>();
    let coded = |paths: &[String]| {
        let paths: Vec<_> = paths.iter().map(|path| code(path)).collect();
        paths.join(" or ")
    };
    let linux = of(&systems.linux);
    let mut text = coded(&linux);
    for (system, machine) in [("macOS", &systems.macos), ("Windows", &systems.windows)] {
        let there = of(machine);
        if there
            .iter()
            .map(|path| path.replace('\\', "/"))
            .ne(linux.iter().cloned())
        {
            let _ = write!(text, ", on {system} {}", coded(&there));
        }
    }
    text
}

fn skills(client: &Client, systems: &Systems) -> String {
    let folders = client.skill_folders(&systems.linux);
    let reads = folders.reads.iter().map(|folder| {
        let own = if folders.own.as_ref() == Some(folder) {
            " (its own)"
        } else {
            ""
        };
        code(&name(folder)) + own
    });
    reads.collect::<Vec<_>>().join(", ")
}

fn configuration(config: &ConfigFile, systems: &Systems) -> String {
    let mut text = format!(
        "{}, key `{}`",
        places(config.user, systems),
        config.servers.join(".")
    );
    if let Some(project) = config.project {
        let _ = write!(text, "; in a project `{}`", project.join("/"));
    }
    if let Some(command) = config.own_command {
        let _ = write!(text, "; its own command `{command}`");
    }
    text
}

fn listing(listing: &Listing) -> String {
    let mut parts = vec![match listing.same_name {
        SameName::Each => "each copy of a name".to_owned(),
        SameName::First => "each name once".to_owned(),
    }];
    if listing.nested {
        parts.push("folders of folders too".to_owned());
    }
    if !listing.follows_links {
        parts.push("no links".to_owned());
    }
    let rejects: Vec<_> = listing.rejects.iter().map(reject).collect();
    if !rejects.is_empty() {
        parts.push(format!("leaves out skills {}", rejects.join(", ")));
    }
    parts.extend(listing.budget.as_ref().map(budget));
    parts.join("; ")
}

fn reject(reject: &Reject) -> String {
    match reject {
        Reject::NoName => "without a name".to_owned(),
        Reject::NoDescription => "without a description".to_owned(),
        Reject::NoHeader => "without a header".to_owned(),
        Reject::UnquotedColon => "with an unquoted `: ` in the header".to_owned(),
        Reject::ByteOrderMark => "with a byte order mark".to_owned(),
        Reject::NameStyle => "with capitals or blanks in the name".to_owned(),
        Reject::NameNotFolder => "whose name is not their folder's".to_owned(),
        Reject::LongName => "with a name over 64 characters".to_owned(),
        Reject::LongDescription(most) => {
            format!("with a description over {} characters", number(*most))
        }
    }
}

fn budget(budget: &Budget) -> String {
    match budget {
        Budget::Whole => "all descriptions whole".to_owned(),
        Budget::NamesOnly => "names alone".to_owned(),
        Budget::WhileItFits(room) => {
            format!(
                "descriptions while they fit into {}, then names",
                allowance(room)
            )
        }
        Budget::Shortened(room) => {
            format!("descriptions shortened to fit into {}", allowance(room))
        }
    }
}

fn allowance(room: &Allowance) -> String {
    let mut text = format!("{} characters", number(room.characters));
    if room.taken > 0 {
        let _ = write!(text, " ({} are taken)", number(room.taken));
    }
    let _ = write!(text, ", {} each", number(room.description));
    if let Some(setting) = &room.setting {
        let path = setting.path.join(".");
        let _ = write!(text, "; the setting `{path}` gives more");
    }
    text
}

fn cuts(cuts: &[InstructionCut]) -> String {
    let rows = cuts.iter().map(|row| {
        let from = match row.from {
            "" => String::new(),
            version => format!(" from {version} on"),
        };
        let cut = match row.cut {
            Cut::Utf16(units) => format!("{} characters", number(units)),
            Cut::FirstLine(units) => format!("{} characters of the first line", number(units)),
        };
        cut + &from
    });
    rows.collect::<Vec<_>>().join(", ")
}

/// A number with commas between thousands.
fn number(number: usize) -> String {
    match (number / 1_000, number % 1_000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}
