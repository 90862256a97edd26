//! Fitting: which client gets what, through which channel, in what size. Pure.

mod folders;
mod guidelines;
#[cfg(test)]
mod tests;
mod text;

use imprint_format::ItemKind;

pub use folders::kinds_already_read;

use crate::catalog::{BlockBudget, CHARS_PER_TOKEN, Catalog, Detail};
use crate::{ClientFacts, ClientTable, Cut, FolderReport, ItemSummary, Reach};
use guidelines::Guidelines;
use text::Parts;

/// Characters of one page of a result, for a client that is not known to cut results earlier.
pub const PAGE_CHARS: usize = 20_000;
/// UTF-16 code units of a tool's description for a client of which nobody measured how much
/// arrives: what the strictest client that was measured keeps (Claude Code before 2.1.332).
pub const DESCRIPTION_UNITS: usize = 2_048;
/// Estimated tokens of the names that an unknown client finds in the tool's description.
pub const NAMES_TOKENS: usize = 300;
/// UTF-16 code units of the guidelines where no cut is known: as much as one page. What is longer
/// ends in a pointer to the tool `guidelines`.
pub const GUIDELINES_UNITS: usize = PAGE_CHARS;

/// What is known of the other side of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Peer {
    /// `clientInfo.name` as sent.
    pub name: Option<String>,
    /// `clientInfo.version` as sent.
    pub version: Option<String>,
    /// The id that the configured entry names (`--client`), where that is known.
    pub named: Option<String>,
    /// Where it runs, as far as this machine's folders are concerned.
    pub location: Location,
}

/// Whether a client that reads our folders finds them where it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Location {
    /// It runs on this machine: it was started over pipes.
    #[default]
    Here,
    /// It came over loopback with a key that `imprint connect` made for one client: that client
    /// runs here, any other that shows the key may run anywhere.
    HereAsNamed,
    /// It may run anywhere: on another machine, or on the other side of WSL.
    Elsewhere,
}

/// Everything that fitting reads.
#[derive(Clone, Copy, Debug)]
pub struct FitInput<'a> {
    /// The items of the registry (any state; only active ones are used), guidelines included.
    pub items: &'a [ItemSummary],
    /// The guidelines' full texts, in order.
    pub guidelines: &'a [String],
    /// What the last writing pass reported.
    pub report: Option<&'a FolderReport>,
    /// The other side.
    pub peer: &'a Peer,
    /// The table of clients.
    pub clients: ClientTable,
}

/// What a client gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The handshake's instructions: a first line of at most 240 characters that stands alone, the
    /// guidelines, the block. Within the client's cut, where one is known; for a client that shows
    /// one line, not more than that line and a note.
    pub instructions: String,
    /// The description of the tool `skills`. For a client whose model sees no instructions, or of
    /// them one line, the guidelines and the block stand in it too; for an unknown client, names.
    pub skills_description: String,
    /// Characters of one page of a result. Three quarters of what the client keeps of a whole
    /// result, which leaves room for the markers around a page and for its escapes in JSON.
    pub page_chars: usize,
    /// The client whose limits were used.
    pub client: Option<&'static ClientFacts>,
    /// Kinds left out because the client reads them from folders.
    pub left_out: Vec<ItemKind>,
}

/// Fits the registry to a client.
pub fn fit(input: FitInput<'_>) -> Fitted {
    let limits = Limits::of(input.peer, input.clients);
    let left_out = kinds_already_read(input.peer, input.report, input.clients);
    let items = folders::split(&input, &left_out);
    let parts = Parts {
        all_in_folders: items.given.is_empty() && items.in_folders > 0,
        catalog: Catalog::new(items.given),
        guidelines: Guidelines::new(input.guidelines),
    };
    Fitted {
        instructions: limits.instructions(&parts),
        skills_description: limits.skills_description(&parts),
        page_chars: limits.page_chars(),
        client: limits.client,
        left_out,
    }
}

/// The items that a client's model is told of over MCP, because it doesn't find them in folders,
/// or because nobody knows whether it does. In no order.
pub fn told_over_mcp<'a>(input: &FitInput<'a>) -> Vec<&'a ItemSummary> {
    let left_out = kinds_already_read(input.peer, input.report, input.clients);
    folders::split(input, &left_out).given
}

/// The limits of one client in one version.
struct Limits<'a> {
    client: Option<&'static ClientFacts>,
    version: Option<&'a str>,
}

impl<'a> Limits<'a> {
    /// The client that its name says, else the one that the configured entry names. Only for the
    /// first is the version the client's own: a client that calls itself by its library's name
    /// sends its library's version.
    fn of(peer: &'a Peer, clients: ClientTable) -> Self {
        let recognised = peer
            .name
            .as_deref()
            .and_then(|name| clients.recognise(name));
        let named = || peer.named.as_deref().and_then(|id| clients.by_id(id));
        Self {
            client: recognised.or_else(named),
            version: peer.version.as_deref().filter(|_| recognised.is_some()),
        }
    }

    fn instruction_cut(&self) -> Option<Cut> {
        self.client?.instruction_cut(self.version)
    }

    fn instructions(&self, parts: &Parts<'_>) -> String {
        match self.instruction_cut() {
            Some(Cut::Utf16(units)) => parts.instructions(units, units),
            // Of models whose client shows more than the line, some see the tool's description too,
            // where the rest stands: it would be there twice.
            Some(Cut::FirstLine(units)) => parts.opening(units, usize::MAX),
            None => parts.instructions(usize::MAX, usize::MAX),
        }
    }

    fn skills_description(&self, parts: &Parts<'_>) -> String {
        let room = match self
            .client
            .and_then(|client| client.description_cut(self.version))
        {
            Some(Cut::Utf16(units) | Cut::FirstLine(units)) => units,
            None => DESCRIPTION_UNITS,
        };
        match self.reach() {
            Reach::Yes => text::description(room),
            Reach::No => parts.whole_description(room),
            Reach::Unknown => parts.description_with_names(room),
        }
    }

    /// Whether the model sees more of the instructions than one line.
    fn reach(&self) -> Reach {
        if matches!(self.instruction_cut(), Some(Cut::FirstLine(_))) {
            return Reach::No;
        }
        self.client
            .map_or(Reach::Unknown, |client| client.instructions_reach_model)
    }

    fn page_chars(&self) -> usize {
        self.client
            .and_then(|client| client.result_chars)
            .map_or(PAGE_CHARS, |whole| PAGE_CHARS.min(whole / 4 * 3))
    }
}
