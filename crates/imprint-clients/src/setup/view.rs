//! What each client lists, before and after, next to what it should.

use std::collections::{BTreeMap, BTreeSet};

use imprint_format::ItemKind;
use serde::Serialize;

use crate::{
    client::Client,
    listing::{WhyUnlisted, read_agents, read_listing},
    machine::Machine,
};

/// What one client lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClientView {
    /// The client, by id.
    pub client: String,
    /// Its skills; `None` where it reads no folder for them, or nobody established how it lists.
    pub skills: Option<KindView>,
    /// Its personas; `None` where it reads no folder for them that we know of.
    pub personas: Option<KindView>,
}

/// What a client lists of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindView {
    /// How many names.
    pub listed: usize,
    /// The names that it lists more than once.
    pub twice: Vec<String>,
    /// The names that it should list and doesn't.
    pub missing: Vec<String>,
}

/// The names of what each client should list.
pub(crate) type Wished = BTreeMap<ItemKind, BTreeSet<String>>;

/// Looks at what these clients list now.
pub(crate) fn view(
    clients: &[&'static Client],
    machine: &Machine,
    wished: &Wished,
) -> Vec<ClientView> {
    let view = clients.iter().map(|client| ClientView {
        client: client.facts.id.to_owned(),
        skills: skills(client, machine, wished.get(&ItemKind::Skill)),
        personas: personas(client, machine, wished.get(&ItemKind::Persona)),
    });
    view.collect()
}

fn skills(
    client: &Client,
    machine: &Machine,
    wished: Option<&BTreeSet<String>>,
) -> Option<KindView> {
    let listing = read_listing(client, machine)?;
    let listed: BTreeSet<&str> = listing.listed.iter().map(|one| &*one.skill).collect();
    let hidden = listing.unlisted.iter().filter(|one| {
        // It is there, for the user alone.
        one.why == WhyUnlisted::Hidden
    });
    let hidden: BTreeSet<&str> = hidden.map(|one| &*one.skill).collect();
    let twice = listing.repeated().into_keys().map(str::to_owned).collect();
    Some(KindView {
        listed: listed.len(),
        twice,
        missing: missing(wished, |name| {
            listed.contains(name) || hidden.contains(name)
        }),
    })
}

fn personas(
    client: &Client,
    machine: &Machine,
    wished: Option<&BTreeSet<String>>,
) -> Option<KindView> {
    let listing = read_agents(client, machine)?;
    let listed: BTreeSet<&str> = listing.listed.iter().map(|one| &*one.name).collect();
    let twice = listing.repeated().into_keys().map(str::to_owned).collect();
    Some(KindView {
        listed: listed.len(),
        twice,
        missing: missing(wished, |name| listed.contains(name)),
    })
}

fn missing(wished: Option<&BTreeSet<String>>, is_listed: impl Fn(&str) -> bool) -> Vec<String> {
    let names = wished.into_iter().flatten();
    names.filter(|name| !is_listed(name)).cloned().collect()
}
