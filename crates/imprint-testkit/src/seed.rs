//! Filling a registry with skills, many at once.

use std::collections::BTreeMap;

use imprint_core::{Author, Batch, Change, CommitError, Draft, ItemId, Registry};
use imprint_format::{Bundle, BundleError, ComposeError, ItemKind, ItemName, NameFault, compose};

use crate::Sandbox;

/// A skill to put into a registry.
#[derive(Clone, Debug)]
pub struct SeedSkill {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its instructions.
    pub instructions: String,
}

/// Why a registry can't be filled.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each wraps the error that it comes from")]
pub enum SeedError {
    #[error(transparent)]
    Name(#[from] NameFault),
    #[error(transparent)]
    Compose(#[from] ComposeError),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error("no runtime: {0}")]
    Runtime(#[from] std::io::Error),
}

impl SeedSkill {
    /// A skill with short instructions.
    pub fn new(name: &str, description: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            instructions: format!("Follow the steps of {name}.\n"),
        }
    }

    /// The `i`-th of many, each with other words: a description of some 90 characters and about
    /// 1.5 KiB of instructions, as skills in the wild have.
    pub fn numbered(i: usize) -> Self {
        const THINGS: [&str; 8] = [
            "invoices",
            "tea",
            "floor plans",
            "letters",
            "photos",
            "tickets",
            "recipes",
            "bicycles",
        ];
        let thing = THINGS[i % THINGS.len()];
        let step = format!("- Look at the {thing} of case {i} before you write anything down.\n");
        Self {
            name: format!("handle-{}-{i:05}", thing.replace(' ', "-")),
            description: format!(
                "Sorts and checks {thing} of kind {i}. Use when someone asks about {thing} {i}."
            ),
            instructions: format!("# Steps\n\n{}", step.repeat(24)),
        }
    }

    fn draft(&self, item: ItemId) -> Result<Draft, SeedError> {
        let kind = ItemKind::Skill;
        let name: ItemName = self.name.parse()?;
        let text = compose(kind, &name, &self.description, &self.instructions)?;
        Ok(Draft {
            item,
            name,
            description: self.description.clone(),
            hidden_from_model: false,
            parents: Vec::new(),
            bundle: Bundle::of_entry(kind, &text)?,
            author: Author::User,
        })
    }
}

/// Puts skills into a registry in one transaction.
pub async fn plant(registry: &Registry, skills: &[SeedSkill]) -> Result<(), SeedError> {
    let drafts = skills.iter().map(|skill| {
        skill
            .draft(ItemId(registry.clock().new_uuid()))
            .map(Change::Revise)
    });
    let batch = Batch {
        changes: drafts.collect::<Result<_, _>>()?,
        at: registry.clock().now(),
        ..Batch::default()
    };
    let store = registry.store();
    store
        .commit(registry.owner(), batch, BTreeMap::new())
        .await?;
    Ok(())
}

impl Sandbox {
    /// Puts skills into this machine's registry.
    pub fn plant(&self, skills: &[SeedSkill]) -> Result<(), SeedError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()?;
        runtime.block_on(plant(&self.registry(), skills))
    }
}
