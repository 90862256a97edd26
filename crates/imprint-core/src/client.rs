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
    /// How much of a tool's description its model sees, by version, as above.
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
    /// The first line, and of it so many characters.
    FirstLine(usize),
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

    /// The client that a `clientInfo.name` stands for: exactly, then by known prefix; a bridge's
    /// suffix (` (via mcp-remote 0.1.37)`) is stripped first.
    pub fn recognise(&self, handshake_name: &str) -> Option<&'static ClientFacts> {
        let _ = handshake_name;
        todo!()
    }

    /// The client with this id.
    pub fn by_id(&self, id: &str) -> Option<&'static ClientFacts> {
        self.clients.iter().copied().find(|client| client.id == id)
    }
}
