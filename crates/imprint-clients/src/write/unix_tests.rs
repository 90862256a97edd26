//! Links, modes and variables, on systems that have them.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink},
};

use imprint_core::FolderNoteKind;
use imprint_format::ItemKind::Skill;

use super::{
    manifest::MANIFEST_FILE,
    report::REPORT_FILE,
    world::{World, skill},
};
use crate::{lock::LOCK_FILE, machine::EnvironmentOf, steps::Steps};

fn mode(world: &World, path: &str) -> u32 {
    fs::metadata(world.path(path)).unwrap().mode() & 0o777
}

#[test]
fn scripts_keep_their_executable_bit_and_files_the_mode_that_the_user_gave_them() {
    let world = World::new(&[]);
    let entry = skill("tea", "Boil.");
    world.set(
        Skill,
        "tea",
        &[("SKILL.md", &entry), ("boil.sh", "#!/bin/sh\n")],
    );
    world.pass();
    assert_eq!(mode(&world, ".agents/skills/tea/boil.sh") & 0o100, 0o100);
    assert_eq!(mode(&world, ".agents/skills/tea/SKILL.md") & 0o111, 0);

    let chmod = |path: &str, mode| {
        fs::set_permissions(world.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    chmod(".agents/skills/tea/SKILL.md", 0o600);
    chmod(".agents/skills/tea/boil.sh", 0o640);
    let entry = skill("tea", "Boil water.");
    world.set(
        Skill,
        "tea",
        &[("SKILL.md", &entry), ("boil.sh", "#!/bin/sh\n")],
    );
    world.pass();
    assert_eq!(mode(&world, ".agents/skills/tea/SKILL.md"), 0o600);
    assert_eq!(mode(&world, ".agents/skills/tea/boil.sh"), 0o750);
}

fn pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[test]
fn a_pipe_in_a_files_place_holds_no_pass_up() {
    for file in [MANIFEST_FILE, LOCK_FILE, REPORT_FILE] {
        let world = World::new(&[]);
        world.set_skill("tea", "Boil.");
        fs::create_dir(world.home()).unwrap();
        pipe(&world.home().join(file));
        let refused = world.try_pass(&Steps::unsynced()).is_err();
        assert_eq!(refused, file != REPORT_FILE, "{file}");
    }
    let world = World::new(&[]);
    world.put(".agents/elsewhere/notes", "");
    pipe(&world.path(".agents/elsewhere/SKILL.md"));
    fs::create_dir(world.path(".agents/skills")).unwrap();
    symlink("../elsewhere", world.path(".agents/skills/tea")).unwrap();
    world.set_skill("tea", "Boil.");
    assert_eq!(world.pass().notes[0].what, FolderNoteKind::Link);
}

#[test]
fn a_link_in_our_place_is_neither_written_through_nor_removed() {
    let world = World::new(&[".claude/skills"]);
    world.put("elsewhere/SKILL.md", "foreign");
    symlink("../../elsewhere", world.path(".claude/skills/tea")).unwrap();
    world.set_skill("tea", "Boil.");
    let before = world.read("elsewhere/SKILL.md");
    let report = world.pass();
    assert_eq!(report.notes[0].what, FolderNoteKind::Link);
    assert_eq!(
        world.remarks(&report).lines().last(),
        Some("unplaced tea for claude-code")
    );
    assert_eq!(world.read("elsewhere/SKILL.md"), before);
    world.unset(Skill, "tea");
    world.pass();
    assert_eq!(world.read(".claude/skills/tea/SKILL.md"), before);
}

#[test]
fn a_link_to_the_very_item_counts_as_there() {
    let world = World::new(&[".claude/skills"]);
    symlink("../../.agents/skills/tea", world.path(".claude/skills/tea")).unwrap();
    world.put(".agents/skills/tea/SKILL.md", &skill("tea", "Boil."));
    world.set_skill("tea", "Boil.");
    assert_eq!(world.remarks(&world.pass()), "");
}

#[test]
fn a_link_inside_our_folder_is_not_followed() {
    let world = World::new(&[]);
    let entry = skill("tea", "Boil.");
    world.set(Skill, "tea", &[("SKILL.md", &entry), ("refs/a.md", "a")]);
    world.pass();
    fs::remove_dir_all(world.path(".agents/skills/tea/refs")).unwrap();
    world.put("private/a.md", "a");
    symlink(world.path("private"), world.path(".agents/skills/tea/refs")).unwrap();
    world.set(Skill, "tea", &[("SKILL.md", &entry), ("refs/a.md", "new")]);
    let report = world.pass();
    assert_eq!(report.notes[0].what, FolderNoteKind::Edited);
    world.unset(Skill, "tea");
    world.pass();
    assert_eq!(world.read("private/a.md").as_deref(), Some("a"));
}

#[test]
fn a_skills_folder_that_the_user_linked_is_respected() {
    let world = World::new(&[".claude"]);
    fs::create_dir_all(world.path("dotfiles/skills")).unwrap();
    symlink(world.path("dotfiles/skills"), world.path(".claude/skills")).unwrap();
    world.set_skill("tea", "Boil.");
    let report = world.pass();
    assert_eq!(world.remarks(&report), "");
    assert_eq!(
        world.read("dotfiles/skills/tea/SKILL.md"),
        Some(skill("tea", "Boil."))
    );
    world.unset(Skill, "tea");
    world.pass();
    assert!(
        fs::symlink_metadata(world.path(".claude/skills"))
            .unwrap()
            .is_symlink()
    );
    assert!(world.path("dotfiles/skills").is_dir());
}

#[test]
fn two_folders_that_are_one_get_one_copy() {
    let world = World::new(&[".claude", ".agents/skills"]);
    symlink(world.path(".agents/skills"), world.path(".claude/skills")).unwrap();
    world.set_skill("tea", "Boil.");
    let report = world.pass();
    assert_eq!((report.done.written, report.done.kept), (1, 0));
    assert!(
        report
            .readers
            .iter()
            .any(|reader| reader.client == "claude-code")
    );
}

#[test]
fn a_skills_folder_whose_link_leads_nowhere_is_said_once() {
    let world = World::new(&[".claude"]);
    symlink(
        world.path("not-mounted/skills"),
        world.path(".claude/skills"),
    )
    .unwrap();
    world.set_skill("tea", "Boil.");
    world.set_skill("rye", "Bake.");
    let report = world.pass();
    insta::assert_snapshot!(world.remarks(&report), @"
    Unwritable ~/.claude/skills: it could not be read or written: a link that leads nowhere is where the folder should be. Mend that, then run `imprint write`
    unplaced rye for claude-code
    unplaced tea for claude-code
    ");
    assert!(!world.path("not-mounted").exists());
    assert!(world.read(".agents/skills/tea/SKILL.md").is_some());
    // Mounted again, it is written.
    fs::create_dir_all(world.path("not-mounted/skills")).unwrap();
    assert_eq!(world.remarks(&world.pass()), "");
    // And not forgotten while it is away.
    fs::rename(world.path("not-mounted"), world.path("away")).unwrap();
    world.pass();
    fs::rename(world.path("away"), world.path("not-mounted")).unwrap();
    world.unset(Skill, "tea");
    world.pass();
    assert!(!world.path("not-mounted/skills/tea").exists());
    assert!(world.path("not-mounted/skills/rye").exists());
}

#[test]
fn something_that_is_no_folder_is_said() {
    let world = World::new(&[".claude"]);
    world.put(".claude/skills", "a file");
    world.put(".agents/skills/tea", "a file");
    world.set_skill("tea", "Boil.");
    let report = world.pass();
    insta::assert_snapshot!(world.remarks(&report), @"
    Foreign ~/.agents/skills/tea: Imprint did not write what is there and left it alone. `imprint import ~/.agents/skills/tea --on-collision replace` takes it in; to have Imprint's version there, move it away and run `imprint write`
    Unwritable ~/.claude/skills: it could not be read or written: something that is no folder is where the folder should be. Mend that, then run `imprint write`
    unplaced tea for all
    ");
    assert_eq!(report.readers, []);
}

#[test]
fn a_variable_that_a_clients_process_cannot_see_still_counts() {
    let mut world = World::new(&["opt/claude"]);
    world.machine = world
        .machine
        .clone()
        .with_variable("CLAUDE_CONFIG_DIR", world.path("opt/claude"));
    world.set_skill("tea", "Boil.");
    world.pass();
    let there = "opt/claude/skills/tea/SKILL.md";
    assert!(world.read(there).is_some());
    world.machine = crate::Machine::new(crate::Os::current(), world.path(""))
        .with_environment_of(EnvironmentOf::Client);
    world.set_skill("tea", "Boil water.");
    world.pass();
    assert_eq!(world.read(there), Some(skill("tea", "Boil water.")));
    // The user's own shell says that it is unset.
    world.machine = world.machine.with_environment_of(EnvironmentOf::User);
    world.pass();
    assert_eq!(world.read(there), None);
}
