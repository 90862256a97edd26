//! What the domain must know of an AI client to fit what it gets.

/// One client's facts, as the table in `imprint-clients` gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientFacts {
    /// Its id in Imprint, also accepted by `--client`: `claude-code`.
    pub id: &'static str,
    /// Its name for people: `Claude Code`.
    pub title: &'static str,
    /// `clientInfo.name`s, matched exactly.
    pub names: &'static [&'static str],
    /// Beginnings of `clientInfo.name`s.
    pub name_prefixes: &'static [&'static str],
    /// How it cuts `instructions`, by version; the first row whose `from` is not newer than the
    /// client counts, so rows stand newest first. Empty: no known cut.
    pub instruction_cuts: &'static [InstructionCut],
    /// How much of a tool's description its model sees, by version, as above. Also the place for
    /// a length that was seen to arrive whole. Empty: nobody measured it, and a description keeps
    /// to [`crate::fit::DESCRIPTION_UNITS`].
    pub description_cuts: &'static [InstructionCut],
    /// Whether its model sees the instructions at all.
    pub instructions_reach_model: Reach,
    /// The most characters of one tool result that its model sees whole; `None`: not known to be
    /// less than a usual page.
    pub result_chars: Option<usize>,
    /// Whether it is one of the clients whose name may leave a kind out of the block (it reads
    /// folders that we write, as a measured fact).
    pub reads_our_folders: bool,
    /// Whether it keeps skills with `disable-model-invocation` from its model.
    pub honours_hidden: bool,
}

/// A cut that applies from a version on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionCut {
    /// The first version it was seen in, as dotted numbers; empty for all.
    pub from: &'static str,
    /// What is left.
    pub cut: Cut,
}

/// How a client cuts a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The first so many UTF-16 code units.
    Utf16(usize),
    /// The first line, and of it so many UTF-16 code units.
    FirstLine(usize),
}

impl Cut {
    const fn units(self) -> usize {
        match self {
            Self::Utf16(units) | Self::FirstLine(units) => units,
        }
    }
}

/// Whether a text reaches a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Seen to.
    Yes,
    /// Seen not to, or to be as good as lost.
    No,
    /// Nobody established it.
    Unknown,
}

/// Finds clients by what they call themselves.
#[derive(Clone, Copy, Debug)]
pub struct ClientTable {
    clients: &'static [&'static ClientFacts],
}

impl ClientTable {
    /// A table of these clients.
    pub const fn new(clients: &'static [&'static ClientFacts]) -> Self {
        Self { clients }
    }

    /// All clients.
    pub fn clients(&self) -> &'static [&'static ClientFacts] {
        self.clients
    }

    /// The client that a `clientInfo.name` stands for: exactly, then by the longest known prefix;
    /// a bridge's suffix (` (via mcp-remote 0.1.37)`) is stripped first. Case counts.
    pub fn recognise(&self, handshake_name: &str) -> Option<&'static ClientFacts> {
        let name = without_bridge(handshake_name);
        self.clients
            .iter()
            .copied()
            .find(|client| client.names.contains(&name))
            .or_else(|| self.by_prefix(name))
    }

    /// The client with this id.
    pub fn by_id(&self, id: &str) -> Option<&'static ClientFacts> {
        self.clients.iter().copied().find(|client| client.id == id)
    }

    fn by_prefix(&self, name: &str) -> Option<&'static ClientFacts> {
        self.clients
            .iter()
            .copied()
            .flat_map(|client| {
                client
                    .name_prefixes
                    .iter()
                    .map(move |prefix| (prefix, client))
            })
            .filter(|(prefix, _)| !prefix.is_empty() && name.starts_with(**prefix))
            .max_by_key(|(prefix, _)| prefix.len())
            .map(|(_, client)| client)
    }
}

impl ClientFacts {
    /// What this version keeps of the instructions. Of a version that is absent or is not dotted
    /// numbers, the smallest that any version keeps.
    pub fn instruction_cut(&self, version: Option<&str>) -> Option<Cut> {
        cut_at(self.instruction_cuts, version)
    }

    /// What this version keeps of a tool's description, as [`Self::instruction_cut`].
    pub fn description_cut(&self, version: Option<&str>) -> Option<Cut> {
        cut_at(self.description_cuts, version)
    }
}

/// `claude-code (via mcp-remote 0.1.37)` is `claude-code`; a bridge behind a bridge adds another.
fn without_bridge(name: &str) -> &str {
    let mut name = name;
    while let Some((inner, bridge)) = name.rsplit_once(" (via ")
        && bridge.ends_with(')')
    {
        name = inner;
    }
    name
}

fn cut_at(rows: &[InstructionCut], version: Option<&str>) -> Option<Cut> {
    let Some(version) = version.and_then(numbers) else {
        return rows.iter().map(|row| row.cut).min_by_key(|cut| cut.units());
    };
    rows.iter()
        .find(|row| numbers(row.from).is_none_or(|from| from <= version))
        .map(|row| row.cut)
}

/// The parts of a version made of dotted numbers, without zeros at the end, so that `2.1` equals
/// `2.1.0`. Anything else (a pre-release, say) has no place in the order.
fn numbers(version: &str) -> Option<Vec<u64>> {
    let mut parts = version
        .split('.')
        .map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        })
        .collect::<Option<Vec<u64>>>()?;
    while parts.last() == Some(&0) {
        parts.pop();
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: ClientFacts = ClientFacts {
        id: "nothing",
        title: "Nothing",
        names: &[],
        name_prefixes: &[],
        instruction_cuts: &[],
        description_cuts: &[],
        instructions_reach_model: Reach::Unknown,
        result_chars: None,
        reads_our_folders: false,
        honours_hidden: false,
    };
    const WREN: ClientFacts = ClientFacts {
        id: "wren",
        names: &["wren", "wren-beta"],
        instruction_cuts: &[
            InstructionCut {
                from: "2.1.332",
                cut: Cut::Utf16(4_096),
            },
            InstructionCut {
                from: "",
                cut: Cut::Utf16(2_048),
            },
        ],
        ..NOTHING
    };
    const FINCH: ClientFacts = ClientFacts {
        id: "finch",
        name_prefixes: &["finch-", "wren-"],
        ..NOTHING
    };
    const FINCH_LARGE: ClientFacts = ClientFacts {
        id: "finch-large",
        name_prefixes: &["finch-large-"],
        ..NOTHING
    };
    const TABLE: ClientTable = ClientTable::new(&[&FINCH, &FINCH_LARGE, &WREN]);

    fn recognised(name: &str) -> Option<&'static str> {
        TABLE.recognise(name).map(|client| client.id)
    }

    #[test]
    fn a_name_is_recognised_exactly_then_by_its_longest_prefix() {
        assert_eq!(recognised("wren"), Some("wren"));
        assert_eq!(recognised("wren-beta"), Some("wren"));
        assert_eq!(recognised("wren-else"), Some("finch"));
        assert_eq!(recognised("finch-home"), Some("finch"));
        assert_eq!(recognised("finch-large-home"), Some("finch-large"));
        assert_eq!(recognised("Wren"), None);
        assert_eq!(recognised("wrens"), None);
        assert_eq!(recognised(""), None);
    }

    #[test]
    fn a_bridge_is_no_part_of_the_name() {
        assert_eq!(recognised("wren (via mcp-remote 0.1.37)"), Some("wren"));
        assert_eq!(recognised("wren (via a) (via b (1))"), Some("wren"));
        assert_eq!(recognised("wren (via mcp-remote"), None);
        assert_eq!(recognised(" (via mcp-remote 1)"), None);
    }

    #[test]
    fn versions_compare_as_numbers_and_doubt_takes_the_smaller_cut() {
        let cut = |version| WREN.instruction_cut(version).map(Cut::units);
        for newer in ["2.1.332", "2.1.1000", "2.2", "10", "2.1.332.0"] {
            assert_eq!(cut(Some(newer)), Some(4_096), "{newer}");
        }
        for older in ["2.1.331", "2.1.99", "2.1", "1.9.999", "0"] {
            assert_eq!(cut(Some(older)), Some(2_048), "{older}");
        }
        for odd in ["", "2.1.332-beta", "v3", "3.", "+3", "99999999999999999999"] {
            assert_eq!(cut(Some(odd)), Some(2_048), "{odd}");
        }
        assert_eq!(cut(None), Some(2_048));
        assert_eq!(NOTHING.instruction_cut(Some("1")), None);
    }
}
