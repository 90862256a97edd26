//! What one asker may see and do: scopes, and a fence around some items.

use imprint_format::{ItemKind, ItemName};
use serde::{Deserialize, Serialize};

use crate::{ItemSummary, Scope, ScopeSet};

/// Which items a key is narrowed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ItemFence {
    /// These skills and personas, by name.
    pub names: Vec<ItemName>,
    /// And all that have one of these tags.
    pub tags: Vec<String>,
}

impl ItemFence {
    /// Whether it stands: without names and tags there is no fence.
    pub fn stands(&self) -> bool {
        !self.names.is_empty() || !self.tags.is_empty()
    }

    /// Whether a new item of this name would be outside.
    pub fn keeps_out(&self, name: &ItemName) -> bool {
        self.stands() && !self.names.contains(name)
    }

    /// Whether an item with these tags is inside. Guidelines never are: they are for the user's own
    /// agents.
    fn holds(&self, item: &ItemSummary, tags: &[String]) -> bool {
        item.kind != ItemKind::Guideline
            && (self.names.contains(&item.name) || self.tags.iter().any(|tag| tags.contains(tag)))
    }

    /// Whether everything inside `other` is inside here as far as names and tags tell.
    pub fn covers(&self, other: &Self) -> bool {
        !self.stands()
            || other.stands()
                && other.names.iter().all(|name| self.names.contains(name))
                && other.tags.iter().all(|tag| self.tags.contains(tag))
    }
}

/// What one asker may see and do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    scopes: ScopeSet,
    fence: ItemFence,
}

/// How far an asker may change items of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditRight {
    /// Not at all.
    None,
    /// By proposals that the user decides on.
    Propose,
    /// At once.
    Write,
}

impl Access {
    /// What a program has that the user starts over pipes: everything that agents may do.
    pub fn local_client() -> Self {
        Self::new(crate::Preset::Agent.scopes(), ItemFence::default())
    }

    /// What these scopes allow inside this fence. A fence is for others' agents, so it leaves
    /// nothing of the profile, the memory and the guidelines, and no administration.
    pub fn new(scopes: ScopeSet, fence: ItemFence) -> Self {
        let scopes = if fence.stands() {
            let everything = scopes.narrowed_to(&ScopeSet::from_iter([Scope::Admin]));
            everything.filtered(is_of_items)
        } else {
            scopes
        };
        Self { scopes, fence }
    }

    /// The same, without what changes anything.
    #[must_use]
    pub fn read_only(self) -> Self {
        let whole = self
            .scopes
            .narrowed_to(&ScopeSet::from_iter([Scope::Admin]));
        Self {
            scopes: whole.filtered(Scope::is_read_only),
            fence: self.fence,
        }
    }

    /// Whether this is allowed.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.allows(scope)
    }

    /// The scopes that hold.
    pub fn scopes(&self) -> &ScopeSet {
        &self.scopes
    }

    /// The fence that holds.
    pub fn fence(&self) -> &ItemFence {
        &self.fence
    }

    /// Whether items of the kind may be read.
    pub fn may_read(&self, kind: ItemKind) -> bool {
        self.allows(match kind {
            ItemKind::Skill => Scope::SkillsRead,
            ItemKind::Persona => Scope::PersonasRead,
            ItemKind::Guideline => Scope::GuidelinesRead,
        })
    }

    /// How far items of the kind may be changed.
    pub fn edit_right(&self, kind: ItemKind) -> EditRight {
        let (write, propose) = match kind {
            ItemKind::Skill => (Scope::SkillsWrite, Scope::SkillsPropose),
            ItemKind::Persona => (Scope::PersonasWrite, Scope::PersonasPropose),
            ItemKind::Guideline => (Scope::GuidelinesWrite, Scope::GuidelinesPropose),
        };
        if self.allows(write) {
            EditRight::Write
        } else if self.allows(propose) {
            EditRight::Propose
        } else {
            EditRight::None
        }
    }

    /// Whether every item may be seen, so that nobody need look at their tags.
    pub fn sees_everything(&self) -> bool {
        !self.fence.stands() && ItemKind::ALL.into_iter().all(|kind| self.may_read(kind))
    }

    /// Whether an item that has these tags may be seen.
    pub fn sees(&self, item: &ItemSummary, tags: &[String]) -> bool {
        self.may_read(item.kind) && (!self.fence.stands() || self.fence.holds(item, tags))
    }

    /// Whether this could hand out `other`: nobody gives more than they have.
    pub fn covers(&self, other: &Self) -> bool {
        self.scopes.covers(&other.scopes) && self.fence.covers(&other.fence)
    }
}

fn is_of_items(scope: Scope) -> bool {
    let noun = scope.as_str().split(':').next();
    matches!(noun, Some("skills" | "personas"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    fn fence(names: &[&str], tags: &[&str]) -> ItemFence {
        ItemFence {
            names: names.iter().map(|name| name.parse().unwrap()).collect(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        }
    }

    #[test]
    fn read_only_beats_everything() {
        let access = Access::new(Preset::Admin.scopes(), ItemFence::default()).read_only();
        for kind in ItemKind::ALL {
            assert!(access.may_read(kind));
            assert_eq!(access.edit_right(kind), EditRight::None);
        }
        assert!(!access.allows(Scope::Admin) && !access.allows(Scope::MemoryWrite));
    }

    #[test]
    fn a_fence_leaves_items_alone() {
        let access = Access::new(Preset::Admin.scopes(), fence(&["deploy"], &[]));
        let left: Vec<_> = Scope::ALL
            .iter()
            .filter(|one| access.allows(**one))
            .collect();
        assert_eq!(left.len(), 6, "{left:?}");
        assert!(!access.may_read(ItemKind::Guideline));
        assert!(!access.sees_everything());
    }

    #[test]
    fn nobody_hands_out_more_than_they_have() {
        let whole = Access::new(Preset::Admin.scopes(), ItemFence::default());
        let fenced = |names, tags| Access::new(Preset::Full.scopes(), fence(names, tags));
        assert!(whole.covers(&fenced(&["a"], &["b"])));
        assert!(fenced(&["a", "b"], &[]).covers(&fenced(&["a"], &[])));
        assert!(!fenced(&["a"], &[]).covers(&fenced(&["a"], &["t"])));
        assert!(!fenced(&["a"], &[]).covers(&whole));
        assert!(!fenced(&["a"], &[]).covers(&Access::new(Preset::Read.scopes(), fence(&[], &[]))));
    }
}
