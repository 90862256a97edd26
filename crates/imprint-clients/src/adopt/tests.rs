use std::{
    fs,
    path::{Path, PathBuf},
};

use imprint_core::{Author, ClientFolders, ItemRef, registry::NewItem};
use imprint_format::{Bundle, ItemKind, ItemName, compose};

use super::*;
use crate::{Machine, Os, import::OnCollision, test_registry::registry};

/// A user with Claude Code and Codex, and a registry.
struct World {
    user: tempfile::TempDir,
    registry: Registry,
    folders: Folders,
}

impl World {
    fn new() -> Self {
        let user = tempfile::tempdir().unwrap();
        for client in [".claude", ".codex"] {
            fs::create_dir_all(user.path().join(client)).unwrap();
        }
        let registry = registry();
        let machine = Machine::new(Os::current(), user.path());
        let folders = Folders::new(user.path().join(".imprint"), machine, registry.clone());
        Self {
            user,
            registry,
            folders,
        }
    }

    async fn create(&self, kind: ItemKind, name: &str, text: &str) {
        let name: ItemName = name.parse().unwrap();
        let entry = compose(kind, &name, "Does it.", text).unwrap();
        let new = NewItem::Files {
            bundle: Bundle::of_entry(kind, &entry).unwrap(),
            name: None,
        };
        self.registry.create(&Author::User, new).await.unwrap();
    }

    async fn kept(&self, kind: ItemKind, name: &str) -> String {
        let item = ItemRef {
            kind: Some(kind),
            name: name.to_owned(),
        };
        let item = self.registry.resolve(&item, &[]).await.unwrap();
        let files = self.registry.files_of(&item).await.unwrap();
        String::from_utf8(files.entry().bytes.to_vec()).unwrap()
    }

    async fn offers(&self) -> Offers {
        offers(&self.folders, &self.registry).await.unwrap()
    }

    /// Takes all edited copies back and lets a pass write.
    async fn take_all(&self) {
        for copy in self.offers().await.edited {
            take_edited(&self.registry, &copy).await.unwrap();
            let taken = crate::TakenIn {
                item: copy.item.id,
                place: copy.place.clone(),
            };
            self.folders.adopt(vec![taken]).await.unwrap();
        }
        self.folders.write().await.unwrap();
    }

    fn path(&self, below: &str) -> PathBuf {
        self.user.path().join(below)
    }

    fn put(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn replace(&self, below: &str, from: &str, to: &str) {
        let text = self.read(below);
        assert!(text.contains(from), "{text}");
        self.put(below, &text.replace(from, to));
    }

    fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }
}

const CLAUDE_TEA: &str = ".claude/skills/tea/SKILL.md";
const SHARED_TEA: &str = ".agents/skills/tea/SKILL.md";

#[tokio::test]
async fn an_edited_copy_becomes_a_revision_and_reaches_every_folder() {
    let world = World::new();
    assert!(world.offers().await.is_empty());
    world.create(ItemKind::Skill, "tea", "Boil it.").await;
    world.folders.write().await.unwrap();
    assert!(world.offers().await.is_empty());

    world.replace(CLAUDE_TEA, "Boil it.", "Steep it.");
    world.put(".claude/skills/tea/notes/times.md", "Two minutes.");
    let offered = world.offers().await;
    assert_eq!(offered.edited.len(), 1);
    assert_eq!(offered.edited[0].changes.len(), 2);
    assert!(offered.added.is_empty());
    assert!(world.read(SHARED_TEA).contains("Boil it."));

    world.take_all().await;
    assert!(world.read(SHARED_TEA).contains("Steep it."));
    assert_eq!(
        world.read(".agents/skills/tea/notes/times.md"),
        "Two minutes."
    );
    assert!(
        world
            .kept(ItemKind::Skill, "tea")
            .await
            .contains("Steep it.")
    );
    assert!(world.offers().await.is_empty());
    // It is ours again: the next change replaces it.
    world.replace(SHARED_TEA, "Steep it.", "Steep it long.");
    world.take_all().await;
    assert!(world.read(CLAUDE_TEA).contains("Steep it long."));
}

#[tokio::test]
async fn two_copies_that_were_edited_differently_are_contested() {
    let world = World::new();
    world.create(ItemKind::Skill, "tea", "Boil it.").await;
    world.folders.write().await.unwrap();
    world.replace(CLAUDE_TEA, "Boil it.", "Steep it.");
    world.replace(SHARED_TEA, "Boil it.", "Shake it.");
    let offered = world.offers().await;
    assert_eq!(offered.edited.len(), 2);
    assert_eq!(offered.contested().count(), 2);
    world.put(SHARED_TEA, &world.read(CLAUDE_TEA));
    assert_eq!(world.offers().await.contested().count(), 0);
}

#[tokio::test]
async fn a_copy_that_breaks_the_rules_is_told_and_not_taken() {
    let world = World::new();
    world.create(ItemKind::Skill, "tea", "Boil it.").await;
    world.folders.write().await.unwrap();
    world.put(CLAUDE_TEA, "no header any more");
    let offered = world.offers().await;
    assert!(!offered.edited[0].faults.is_empty());
    let taken = take_edited(&world.registry, &offered.edited[0]).await;
    assert!(matches!(taken, Err(TakeError::Faulty { .. })));
    assert_eq!(world.read(CLAUDE_TEA), "no header any more");
}

#[tokio::test]
async fn what_was_offered_is_not_taken_over_something_newer() {
    let world = World::new();
    world.create(ItemKind::Skill, "tea", "Boil it.").await;
    world.folders.write().await.unwrap();
    world.replace(CLAUDE_TEA, "Boil it.", "Steep it.");
    let offered = world.offers().await;
    take_edited(&world.registry, &offered.edited[0])
        .await
        .unwrap();
    let again = take_edited(&world.registry, &offered.edited[0]).await;
    assert!(matches!(again, Err(TakeError::Edit(_))), "{again:?}");
}

#[tokio::test]
async fn an_edited_persona_is_carried_back_from_its_clients_form() {
    let world = World::new();
    world.create(ItemKind::Persona, "diver", "You dive.").await;
    world.folders.write().await.unwrap();
    world.replace(".codex/agents/diver.toml", "You dive.", "You dive deep.");
    world.take_all().await;
    assert!(
        world
            .kept(ItemKind::Persona, "diver")
            .await
            .contains("You dive deep.")
    );
    assert!(world.read(".claude/agents/diver.md").contains("deep"));
    assert!(world.offers().await.is_empty());
}

#[tokio::test]
async fn what_was_put_there_by_hand_is_offered_and_looked_after() {
    let world = World::new();
    world.create(ItemKind::Skill, "tea", "Boil it.").await;
    world.folders.write().await.unwrap();
    let coffee = world.read(SHARED_TEA).replace("tea", "coffee");
    world.put(".claude/skills/coffee/SKILL.md", &coffee);
    let offered = world.offers().await;
    assert!(offered.edited.is_empty());
    assert_eq!(offered.added.new.len(), 1);
    let (folders, registry) = (&world.folders, &world.registry);
    let outcome = take_added(folders, registry, &offered.added, OnCollision::Skip);
    assert!(outcome.await.unwrap().is_complete());
    folders.write().await.unwrap();
    assert_eq!(world.read(".agents/skills/coffee/SKILL.md"), coffee);
    assert!(world.offers().await.is_empty());
    assert!(Path::new(&world.path(".claude/skills/coffee")).is_dir());
}
