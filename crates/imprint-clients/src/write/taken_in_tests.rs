use imprint_core::ItemId;
use imprint_format::ItemKind::{Persona, Skill};

use super::{
    super::world::{World, skill},
    TakenIn,
};
use crate::steps::Steps;

const DIVER: &str = "---\nname: diver\ndescription: Dives.\ntools:\n  - Read\n---\nYou dive.\n";

fn taken(world: &World, item: ItemId, place: &str) -> TakenIn {
    TakenIn {
        item,
        place: world.path(place),
    }
}

fn adopt(world: &World, taken: &[TakenIn]) -> Vec<String> {
    let steps = Steps::unsynced();
    let preview = world.with(&steps, |pass| pass.adoptable(taken)).unwrap();
    let adopted = world.with(&steps, |pass| pass.adopt(taken)).unwrap();
    assert_eq!(preview, adopted);
    let home = world.path("");
    let shown = adopted.iter().map(|copy| {
        let path = std::path::Path::new(&copy.path).strip_prefix(&home);
        path.unwrap().to_str().unwrap().to_owned()
    });
    shown.collect()
}

#[test]
fn a_copy_that_was_taken_in_is_kept_current_from_then_on() {
    let world = World::new(&[".claude"]);
    world.put(".claude/skills/tea/SKILL.md", &skill("tea", "Boil."));
    world.put(".claude/skills/tea/notes.txt", "by the user");
    let tea = world.set_skill("tea", "Boil.");
    let places = [taken(&world, tea, ".claude/skills/tea")];
    assert_eq!(adopt(&world, &places), [".claude/skills/tea"]);
    assert_eq!(adopt(&world, &places), Vec::<String>::new());

    world.set_skill("tea", "Boil water.");
    let report = world.pass();
    assert_eq!(report.unplaced, []);
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Boil water."))
    );
    let places = super::super::places_of(&world.home(), tea);
    assert_eq!(places.len(), 2);
    assert!(places[1].ends_with("tea"), "{places:?}");
    // What was not taken in stays the user's.
    world.unset(Skill, "tea");
    world.pass();
    assert_eq!(world.listing(), ".claude/skills/tea/notes.txt");
    assert!(!world.path(".imprint/originals").exists());
}

#[test]
fn a_persona_gets_its_clients_own_form() {
    let world = World::new(&[".claude"]);
    world.put(".claude/agents/diver.md", DIVER);
    let diver = world.set(Persona, "diver", &[("PERSONA.md", DIVER)]);
    assert_eq!(world.pass().unplaced.len(), 1);
    let places = [taken(&world, diver, ".claude/agents/diver.md")];
    assert_eq!(adopt(&world, &places), [".claude/agents/diver.md"]);
    assert_eq!(world.pass().unplaced, []);
    assert_ne!(
        world.read(".claude/agents/diver.md").as_deref(),
        Some(DIVER)
    );
    assert!(!world.path(".imprint/originals").exists());
}

#[test]
fn a_mended_original_is_kept_in_the_home() {
    let world = World::new(&[".claude"]);
    let broken = "---\nname: tea\ndescription: Tea: green\n---\nBoil.\n";
    world.put(".claude/skills/tea/SKILL.md", broken);
    let tea = world.set_skill("tea", "Boil.");
    adopt(&world, &[taken(&world, tea, ".claude/skills/tea")]);
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md").as_deref(),
        Some(broken),
        "only a pass writes"
    );
    world.pass();
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Boil."))
    );
    let originals = std::fs::read_dir(world.path(".imprint/originals")).unwrap();
    let kept: Vec<_> = originals
        .map(|entry| std::fs::read_to_string(entry.unwrap().path().join("SKILL.md")).unwrap())
        .collect();
    assert_eq!(kept, [broken]);
}

#[test]
fn an_edit_by_hand_is_ours_again_once_it_is_taken_in() {
    let world = World::new(&[".claude"]);
    world.set_persona("diver", "You dive deep.");
    world.pass();
    world.put(".claude/agents/diver.md", DIVER);
    let diver = world.set(Persona, "diver", &[("PERSONA.md", DIVER)]);
    assert_eq!(world.pass().unplaced.len(), 1);
    adopt(&world, &[taken(&world, diver, ".claude/agents/diver.md")]);
    assert_eq!(world.pass().unplaced, []);
}

#[test]
fn only_the_very_place_of_the_very_item_becomes_ours() {
    let world = World::new(&[".claude", ".codex"]);
    world.put(".claude/skills/tea/SKILL.md", &skill("tea", "Mine."));
    world.put(".codex/skills/tea/SKILL.md", &skill("tea", "Boil."));
    let tea = world.set_skill("tea", "Boil.");
    let pot = world.set_skill("pot", "Pour.");
    let places = [
        taken(&world, pot, ".claude/skills/tea"),
        taken(&world, tea, ".codex/skills/tea"),
        taken(&world, tea, ".claude/skills/none"),
    ];
    assert_eq!(adopt(&world, &places), Vec::<String>::new());
    assert!(!world.home().exists());
    world.pass();
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Mine."))
    );
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let world = World::new(&[".claude"]);
    world.put("elsewhere/tea/SKILL.md", &skill("tea", "Boil."));
    std::fs::create_dir_all(world.path(".claude/skills")).unwrap();
    let link = world.path(".claude/skills/tea");
    std::os::unix::fs::symlink(world.path("elsewhere/tea"), &link).unwrap();
    let tea = world.set_skill("tea", "Boil.");
    let places = [taken(&world, tea, ".claude/skills/tea")];
    assert_eq!(adopt(&world, &places), Vec::<String>::new());
    world.pass();
    assert!(link.is_symlink());
}
