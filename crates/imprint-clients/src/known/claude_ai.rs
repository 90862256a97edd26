//! Claude Desktop and claude.ai, one name for both. Not run. Names: public reports; the agent mode of the
//! desktop app appends the name of the server. Instructions: reported as not shown
//! (anthropics/claude-ai-mcp#93).

use imprint_core::{ClientFacts, Reach};

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "claude-ai",
    title: "Claude Desktop and claude.ai",
    names: &["claude-ai"],
    name_prefixes: &["local-agent-mode-"],
    instructions_reach_model: Reach::No,
    ..NOTHING_KNOWN
});
