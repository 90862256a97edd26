//! ChatGPT. Not run. Name: a public report (basicmachines-co/basic-memory#1035), with and without a
//! version behind it. Whether instructions reach the model is not known.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "chatgpt",
    title: "ChatGPT",
    names: &["openai-mcp"],
    name_prefixes: &["openai-mcp/"],
    ..NOTHING_KNOWN
});
