//! Which way a client's model gets what the user keeps.

use imprint_core::{
    ClientFacts, Cut, FolderReport, Reach,
    fit::{Location, Peer, kinds_already_read},
};
use imprint_format::ItemKind;
use serde::Serialize;

use crate::known::clients;

/// How a client's model gets the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// The kinds that it loads from folders and is not told of again.
    pub from_folders: Vec<ItemKind>,
    /// Where the rest stands.
    pub over_mcp: OverMcp,
    /// How many UTF-16 code units of the instructions it keeps, where that is known.
    pub instruction_units: Option<usize>,
    /// Whether these are of the first line alone.
    pub first_line_alone: bool,
    /// How many UTF-16 code units of a tool's description it keeps, where that is known.
    pub description_units: Option<usize>,
    /// The most characters of one result that its model sees, where that is known to be bounded.
    pub result_chars: Option<usize>,
}

/// Where the catalog stands for a client that is told of it over MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverMcp {
    /// In the handshake's instructions.
    Instructions,
    /// In the description of the tool `skills`, because its model sees no instructions.
    ToolDescription,
    /// In the instructions, and the names in the tool's description: nobody established whether
    /// its model sees the first.
    Both,
}

/// The channel of a client in a version, after what the last writing pass reported.
pub(super) fn channel(
    client: &ClientFacts,
    version: Option<&str>,
    report: Option<&FolderReport>,
) -> Channel {
    let cut = client.instruction_cut(version);
    let first_line_alone = matches!(cut, Some(Cut::FirstLine(_)));
    let over_mcp = match client.instructions_reach_model {
        _ if first_line_alone => OverMcp::ToolDescription,
        Reach::Yes => OverMcp::Instructions,
        Reach::No => OverMcp::ToolDescription,
        Reach::Unknown => OverMcp::Both,
    };
    let peer = peer(client, version);
    Channel {
        from_folders: kinds_already_read(&peer, report, clients()),
        over_mcp,
        instruction_units: cut.map(units),
        first_line_alone,
        description_units: client.description_cut(version).map(units),
        result_chars: client.result_chars,
    }
}

/// How this client introduces itself, and what its entry names.
pub fn peer(client: &ClientFacts, version: Option<&str>) -> Peer {
    let mut names = client.names.iter().chain(client.name_prefixes);
    Peer {
        name: names.next().map(|name| (*name).to_owned()),
        version: version.map(str::to_owned),
        named: Some(client.id.to_owned()),
        location: Location::Here,
    }
}

const fn units(cut: Cut) -> usize {
    match cut {
        Cut::Utf16(units) | Cut::FirstLine(units) => units,
    }
}

#[cfg(test)]
mod tests {
    use imprint_core::Reader;

    use super::*;
    use crate::known::known_client;

    fn report(client: &str) -> FolderReport {
        FolderReport {
            readers: vec![Reader {
                client: client.to_owned(),
                kind: ItemKind::Skill,
                folder: "/home/ada/.claude/skills".to_owned(),
            }],
            ..FolderReport::default()
        }
    }

    fn channel_of(id: &str, version: Option<&str>, report: &FolderReport) -> Channel {
        channel(&known_client(id).unwrap().facts, version, Some(report))
    }

    #[test]
    fn what_folders_give_is_told_apart_from_what_mcp_gives() {
        let seen = channel_of("claude-code", Some("2.1.332"), &report("claude-code"));
        assert_eq!(seen.from_folders, [ItemKind::Skill]);
        assert_eq!(seen.over_mcp, OverMcp::Instructions);
        assert_eq!(seen.instruction_units, Some(4_096));
        assert_eq!(
            channel_of("claude-code", None, &report("codex")).from_folders,
            []
        );
        let smallest = channel_of("claude-code", None, &FolderReport::default());
        assert_eq!(smallest.instruction_units, Some(2_048));
    }

    #[test]
    fn a_model_that_sees_no_instructions_reads_the_tool() {
        let nothing = FolderReport::default();
        let codex = channel_of("codex", None, &nothing);
        assert_eq!(codex.over_mcp, OverMcp::ToolDescription);
        assert!(codex.first_line_alone);
        assert_eq!(
            channel_of("cline", None, &nothing).over_mcp,
            OverMcp::ToolDescription
        );
        assert_eq!(
            channel_of("windsurf", None, &nothing).over_mcp,
            OverMcp::Both
        );
    }
}
