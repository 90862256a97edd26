//! What setup works with, and its plan: survey, then registry, then decisions.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::Path,
};

use imprint_core::{ItemFilter, ItemId, ItemState, ItemSummary, Registry, StoreError};
use imprint_format::{ItemKind, ItemName};
use tokio::runtime::Handle;

use super::{
    SetupChoices, SetupError,
    decide::{Deciding, decide},
    group::{self, Choosing, Stored, groups},
    items::{Registered, items},
    plan::{PlannedItem, SetupPlan, assemble},
    survey::{Around, Survey},
    view::{ClientView, Wished, view},
};
use crate::{
    client::Client,
    known::known_client,
    machine::Machine,
    source::{ItemSource as _, RegistrySource, SourceItem},
    steps::Steps,
    write::{Manifest, Pass},
};

/// What setup works with. Its calls block, and may not be made from a task of the runtime.
pub(crate) struct Engine<'a> {
    pub(crate) home: &'a Path,
    pub(crate) machine: &'a Machine,
    /// Ids of clients whose own folders the user wants left alone.
    pub(crate) left_alone: &'a [String],
    pub(crate) registry: &'a Registry,
    pub(crate) runtime: Handle,
    pub(crate) steps: &'a Steps,
}

/// Reads of the registry that a plan rests on.
struct Read {
    stored: BTreeMap<(ItemKind, ItemName), Stored>,
    items: Vec<ItemSummary>,
}

impl Engine<'_> {
    /// What setup would do now. Creates nothing.
    pub(crate) fn plan(&self, choices: &SetupChoices) -> Result<SetupPlan, SetupError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        let machine = self.machine.clone().with_remembered(&manifest.variables);
        let source = self.source();
        let installed = self.with_pass(|pass| pass.installed())?;
        let clients = asked_for(&installed, choices)?;
        let is_held = |item: ItemId| source.holds(item).unwrap_or_default();
        let survey = Survey::of(&Around {
            machine: &machine,
            installed: &installed,
            clients: &clients,
            manifest: &manifest,
            is_held: &is_held,
            accepted: &self.accepted()?,
        });
        let read = self.read(&group::names(&survey))?;
        let choosing = Choosing {
            prefer: choices.prefer.as_deref(),
            keep_both: choices.keep_both,
        };
        let groups = groups(&survey, &read.stored, &choosing, &machine);
        let registered = Registered {
            stored: &read.stored,
            items: &read.items,
        };
        let fresh = || ItemId(self.registry.clock().new_uuid());
        let items = items(&groups, &survey, &registered, choices.keep_both, fresh);
        let active = source.active()?;
        let disabled = read.disabled();
        let wished = wished(&active.items, &items, &disabled);
        let places = decide(&Deciding {
            survey: &survey,
            items: &items,
            disabled: &disabled,
            active,
            source: &source,
            machine: &machine,
            installed: &installed,
        });
        let ids = clients.iter().map(|client| client.facts.id.to_owned());
        Ok(SetupPlan {
            clients: ids.collect(),
            connections: self.plan_connections(&clients, &machine, choices.connect.as_ref()),
            before: view(&clients, &machine, &wished),
            ..assemble(survey, items, places)
        })
    }

    /// What these clients list now, next to what is active.
    pub(crate) fn view(&self, clients: &[String]) -> Result<Vec<ClientView>, SetupError> {
        let machine = self.remembering_machine()?;
        let clients: Vec<_> = clients.iter().filter_map(|id| known_client(id)).collect();
        let active = self.source().active()?;
        let wished = wished(&active.items, &[], &BTreeSet::new());
        Ok(view(&clients, &machine, &wished))
    }

    /// The machine, with the variables that the last pass knew.
    pub(crate) fn remembering_machine(&self) -> Result<Machine, SetupError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        Ok(self.machine.clone().with_remembered(&manifest.variables))
    }

    pub(crate) fn source(&self) -> RegistrySource<'_> {
        RegistrySource::new(self.registry, self.runtime.clone())
    }

    /// Does something with a pass over the same folders.
    pub(crate) fn with_pass<T>(&self, work: impl FnOnce(&Pass<'_>) -> T) -> T {
        work(&Pass {
            home: self.home,
            machine: self.machine,
            left_alone: self.left_alone,
            source: &self.source(),
            steps: self.steps,
        })
    }

    fn accepted(&self) -> Result<HashSet<imprint_format::Digest>, StoreError> {
        let acceptances = self.registry.store().acceptances(self.registry.owner());
        let acceptances = self.runtime.block_on(acceptances)?;
        Ok(acceptances.iter().map(|one| one.fingerprint).collect())
    }

    fn read(&self, names: &BTreeSet<(ItemKind, ItemName)>) -> Result<Read, SetupError> {
        let filter = ItemFilter {
            states: vec![ItemState::Active, ItemState::Disabled],
            ..ItemFilter::default()
        };
        let (store, owner) = (self.registry.store(), self.registry.owner());
        let items = self.runtime.block_on(store.items(owner, &filter))?;
        let mut stored = BTreeMap::new();
        for item in &items {
            let key = (item.kind, item.name.clone());
            if !names.contains(&key) {
                continue;
            }
            let revisions = store.revisions(owner, item.id, 0, u64::MAX);
            let revisions = self.runtime.block_on(revisions)?;
            let head = revisions.iter().find(|revision| revision.id == item.head);
            let value = Stored {
                item: item.clone(),
                bundle: self.runtime.block_on(self.registry.files_of(item))?,
                at: head.map(|head| head.at).unwrap_or_default(),
                trees: revisions.iter().map(|revision| revision.tree).collect(),
            };
            stored.insert(key, value);
        }
        Ok(Read { stored, items })
    }
}

impl Read {
    fn disabled(&self) -> BTreeSet<(ItemKind, ItemName)> {
        let stored = self.stored.iter();
        stored
            .filter(|(_, stored)| stored.item.state == ItemState::Disabled)
            .map(|(key, _)| key.clone())
            .collect()
    }
}

/// The names of everything that will be active and is no matter of the user's alone.
fn wished(
    active: &[SourceItem],
    items: &[PlannedItem],
    disabled: &BTreeSet<(ItemKind, ItemName)>,
) -> Wished {
    let found: Vec<SourceItem> = items.iter().map(PlannedItem::as_source).collect();
    let is_found = |item: &&SourceItem| found.iter().any(|found| found.id == item.id);
    let kept = active.iter().filter(|item| !is_found(item));
    let mut wished = Wished::new();
    for item in kept.chain(&found).filter(|item| !item.hidden_from_model) {
        if !disabled.contains(&(item.kind, item.name.clone())) {
            let names = wished.entry(item.kind).or_default();
            names.insert(item.name.to_string());
        }
    }
    wished
}

/// The clients that setup looks after: those that the user names, else all.
fn asked_for(
    installed: &[&'static Client],
    choices: &SetupChoices,
) -> Result<Vec<&'static Client>, SetupError> {
    let is_installed = |id: &String| installed.iter().any(|client| client.facts.id == *id);
    let named = choices.clients.iter().chain(&choices.prefer);
    if let Some(missing) = named.into_iter().find(|id| !is_installed(id)) {
        return Err(SetupError::NotInstalled {
            client: missing.clone(),
            installed: installed
                .iter()
                .map(|client| client.facts.id.to_owned())
                .collect(),
        });
    }
    let asked = |client: &&&'static Client| {
        choices.clients.is_empty() || choices.clients.iter().any(|id| id == client.facts.id)
    };
    Ok(installed.iter().filter(asked).copied().collect())
}
