use std::fs;

use imprint_core::{FolderNoteKind, PassCounts};
use imprint_format::ItemKind::{Persona, Skill};

use super::{
    PassError,
    manifest::{MANIFEST_FILE, ManifestError},
    world::{World, skill},
};
use crate::steps::Steps;

fn counts(written: u32, replaced: u32, removed: u32, kept: u32) -> PassCounts {
    PassCounts {
        written,
        replaced,
        removed,
        kept,
    }
}

#[test]
fn without_items_nothing_is_created() {
    let world = World::new(&[".claude"]);
    let report = world.pass();
    assert_eq!(report.readers, []);
    assert_eq!(world.listing(), ".claude/");
    assert!(world.preview().folders.is_empty());
    assert!(!world.home().exists());
    assert_eq!(super::last_report(&world.home()), None);
}

#[test]
fn items_go_where_clients_read_them_and_go_again() {
    let world = World::new(&[".claude", ".codex"]);
    let tea = world.set_skill("tea", "Boil.");
    world.set_persona("diver", "You dive deep.");
    let report = world.pass();
    insta::assert_snapshot!(world.listing(), @"
    .agents/skills/tea/SKILL.md
    .claude/agents/diver.md
    .claude/skills/tea/SKILL.md
    .codex/agents/diver.toml
    ");
    assert_eq!(report.done, counts(4, 0, 0, 0));
    assert_eq!(world.remarks(&report), "");
    assert_eq!(super::last_report(&world.home()), Some(report));
    let folder = super::folder_of(&world.home(), tea);
    assert_eq!(folder, Some(world.path(".agents/skills/tea")));

    world.set_skill("tea", "Boil water.");
    assert_eq!(world.pass().done, counts(0, 2, 0, 2));
    let text = world.read(".claude/skills/tea/SKILL.md").unwrap();
    assert_eq!(text, skill("tea", "Boil water."));

    // A disabled item's files are gone, and folders that only we made with them.
    world.unset(Skill, "tea");
    world.unset(Persona, "diver");
    assert_eq!(world.pass().done, counts(0, 0, 4, 0));
    assert_eq!(world.listing(), ".claude/\n.codex/");
    assert_eq!(super::folder_of(&world.home(), tea), None);
}

#[test]
fn a_client_that_the_user_wants_left_alone_has_nothing_of_ours() {
    let mut world = World::new(&[".claude"]);
    world.set_skill("tea", "Wait.");
    world.pass();
    assert!(world.read(".claude/skills/tea/SKILL.md").is_some());
    world.left_alone = vec!["claude-code".to_owned()];
    assert_eq!(world.pass().done, counts(0, 0, 1, 1));
    assert!(world.read(".claude/skills/tea/SKILL.md").is_none());
    assert!(world.read(".agents/skills/tea/SKILL.md").is_some());
}

#[test]
fn a_second_pass_writes_nothing() {
    let world = World::new(&[".claude"]);
    world.set_skill("tea", "Boil.");
    world.set_persona("diver", "You dive deep.");
    world.pass();
    let kept = world.pass();
    assert_eq!(kept.done, counts(0, 0, 0, 3));
    // Not one change to the disk is left to it.
    let again = world.try_pass(&Steps::limited(0)).unwrap();
    assert_eq!(again, kept);
    assert!(world.preview().is_idle());
}

#[test]
fn a_preview_creates_nothing() {
    let world = World::new(&[".claude"]);
    world.set_skill("tea", "Boil.");
    world.put(".claude/skills/tea/SKILL.md", "mine");
    let before = world.tree();
    let planned = world.preview();
    assert_eq!(world.tree(), before);
    assert!(!world.home().exists());
    let shown = planned.folders.iter().map(|folder| {
        let entry = &folder.entries[0];
        (
            folder.missing,
            entry.name.as_str(),
            entry.action,
            entry.why.is_some(),
        )
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [(true, "tea", "write", false), (false, "tea", "leave", true)]
    );
}

#[test]
fn what_others_wrote_is_left_alone_and_said() {
    let world = World::new(&[".claude"]);
    world.put(".claude/skills/tea/SKILL.md", &skill("tea", "My own."));
    world.put(".claude/skills/tea/notes.txt", "keep me");
    let before = world.read(".claude/skills/tea/SKILL.md");
    world.set_skill("tea", "Boil.");
    let report = world.pass();
    assert_eq!(world.read(".claude/skills/tea/SKILL.md"), before);
    assert_eq!(
        world.read(".agents/skills/tea/SKILL.md"),
        Some(skill("tea", "Boil."))
    );
    insta::assert_snapshot!(world.remarks(&report), @"
    Foreign ~/.claude/skills/tea: Imprint did not write what is there and left it alone. `imprint import ~/.claude/skills/tea --on-collision replace` takes it in; to have Imprint's version there, move it away and run `imprint write`
    unplaced tea for claude-code
    ");
    world.unset(Skill, "tea");
    world.pass();
    assert_eq!(world.read(".claude/skills/tea/SKILL.md"), before);
    assert_eq!(
        world.read(".claude/skills/tea/notes.txt").as_deref(),
        Some("keep me")
    );
}

#[test]
fn an_equal_copy_of_someone_elses_counts_as_there_and_stays_theirs() {
    let world = World::new(&[".claude"]);
    world.put(".claude/skills/tea/SKILL.md", &skill("tea", "Boil."));
    world.set_skill("tea", "Boil.");
    let report = world.pass();
    assert_eq!(world.remarks(&report), "");
    assert!(
        report
            .readers
            .iter()
            .any(|reader| reader.client == "claude-code")
    );
    world.unset(Skill, "tea");
    world.pass();
    assert_eq!(world.listing(), ".claude/skills/tea/SKILL.md");
}

#[test]
fn a_copy_edited_by_hand_is_left_alone_and_said() {
    let world = World::new(&[".claude"]);
    world.set_skill("tea", "Boil.");
    world.set_persona("diver", "You dive deep.");
    world.pass();
    world.put(".claude/skills/tea/SKILL.md", &skill("tea", "Edited."));
    world.put(".claude/agents/diver.md", "edited");
    world.set_skill("tea", "Boil water.");
    let report = world.pass();
    insta::assert_snapshot!(world.remarks(&report), @"
    Edited ~/.claude/agents/diver.md: `diver.md` was edited by hand after Imprint wrote it; left alone. `imprint adopt ~/.claude/agents/diver.md` keeps the edit; to drop it, delete the file and run `imprint write`
    Edited ~/.claude/skills/tea: `tea/SKILL.md` was edited by hand after Imprint wrote it; left alone. `imprint adopt ~/.claude/skills/tea` keeps the edit; to drop it, delete the folder and run `imprint write`
    unplaced tea for claude-code
    unplaced diver for all
    ");
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Edited."))
    );
    assert_eq!(
        world.read(".agents/skills/tea/SKILL.md"),
        Some(skill("tea", "Boil water."))
    );

    // Disabled: the edit still stays, and is still told.
    world.unset(Skill, "tea");
    let report = world.pass();
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Edited."))
    );
    assert_eq!(report.notes.len(), 2);

    // The edit taken in: the copy is what is wanted, and ours again.
    world.set_skill("tea", "Edited.");
    let report = world.pass();
    assert_eq!(report.unplaced.len(), 1);
    world.set_skill("tea", "Edited again.");
    world.pass();
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Edited again."))
    );
}

#[test]
fn a_file_added_to_our_folder_stays_and_is_said() {
    let world = World::new(&[]);
    world.set_skill("tea", "Boil.");
    world.pass();
    world.put(".agents/skills/tea/notes.txt", "mine");
    world.put(".agents/skills/tea/__pycache__/x.pyc", "left by a script");
    world.set_skill("tea", "Boil water.");
    let report = world.pass();
    insta::assert_snapshot!(world.remarks(&report), @"Foreign ~/.agents/skills/tea: `notes.txt` in it is not Imprint's and was left alone; `imprint adopt ~/.agents/skills/tea` takes what is new there");
    assert_eq!(report.done, counts(0, 1, 0, 0));
    world.unset(Skill, "tea");
    world.pass();
    insta::assert_snapshot!(world.listing(), @"
    .agents/skills/tea/__pycache__/x.pyc
    .agents/skills/tea/notes.txt
    ");
    // The folder is still known as ours: enabled again, the item comes back into it.
    world.set_skill("tea", "Boil.");
    assert_eq!(world.pass().done, counts(0, 1, 0, 0));
    world.unset(Skill, "tea");
    world.pass();
    fs::remove_dir_all(world.path(".agents/skills/tea/__pycache__")).unwrap();
    fs::remove_file(world.path(".agents/skills/tea/notes.txt")).unwrap();
    world.pass();
    assert_eq!(world.listing(), "");
}

#[test]
fn files_that_an_item_has_no_more_go_unless_they_were_edited() {
    let world = World::new(&[]);
    let entry = skill("tea", "Boil.");
    let all = [
        ("SKILL.md", entry.as_str()),
        ("refs/a.md", "a"),
        ("refs/deep/b.md", "b"),
    ];
    world.set(Skill, "tea", &all);
    world.pass();
    world.set(Skill, "tea", &[all[0], ("c.md", "c")]);
    world.pass();
    assert_eq!(
        world.listing(),
        ".agents/skills/tea/SKILL.md\n.agents/skills/tea/c.md"
    );
    world.put(".agents/skills/tea/c.md", "edited");
    world.unset(Skill, "tea");
    let report = world.pass();
    assert_eq!(world.listing(), ".agents/skills/tea/c.md");
    assert_eq!(report.notes[0].what, FolderNoteKind::Edited);
}

#[test]
fn a_file_of_the_users_is_not_replaced_by_one_that_an_item_gains() {
    let world = World::new(&[]);
    world.set_skill("tea", "Boil.");
    world.pass();
    world.put(".agents/skills/tea/c.md", "mine");
    let entry = skill("tea", "Boil.");
    world.set(Skill, "tea", &[("SKILL.md", &entry), ("c.md", "ours")]);
    let report = world.pass();
    assert_eq!(
        world.read(".agents/skills/tea/c.md").as_deref(),
        Some("mine")
    );
    assert_eq!(report.notes[0].what, FolderNoteKind::Foreign);
}

#[test]
fn values_that_a_client_cannot_read_are_said() {
    let world = World::new(&[".config/opencode"]);
    let text = "---\nname: diver\ndescription: Dives.\ncolor: teal\n---\nYou dive.\n";
    world.set(Persona, "diver", &[("PERSONA.md", text), ("extra.md", "x")]);
    let report = world.pass();
    insta::assert_snapshot!(world.remarks(&report), @"
    LeftOut ~/.config/opencode/agents/diver.md: OpenCode has no colour `teal`; it is left out
    LeftOut ~/.config/opencode/agents/diver.md: its other files have no place in an agent file; they are left out
    ");
}

#[test]
fn a_persona_that_one_client_would_refuse_still_reaches_the_others() {
    let world = World::new(&[".qwen", ".claude"]);
    world.set_persona("system", "You keep the system.");
    let report = world.pass();
    assert_eq!(world.listing(), ".claude/agents/system.md\n.qwen/");
    assert_eq!(world.remarks(&report), "unplaced system for qwen-code");
}

#[test]
fn a_skill_that_only_the_user_starts_stays_out_of_folders_that_show_it() {
    let world = World::new(&[".claude"]);
    world.set_skill("reset", "Drop all.");
    world.hide(Skill, "reset");
    world.pass();
    assert_eq!(world.listing(), ".claude/skills/reset/SKILL.md");
    // A client comes that would show it.
    fs::create_dir_all(world.path(".config/opencode")).unwrap();
    let report = world.pass();
    assert_eq!(world.listing(), ".claude/\n.config/opencode/");
    assert_eq!(world.remarks(&report), "unplaced reset for claude-code");
}

#[test]
fn a_missing_content_is_said_and_holds_nothing_up() {
    let world = World::new(&[]);
    world.set_skill("coffee", "Grind.");
    world.set_skill("tea", "Boil.");
    world.lose(&skill("coffee", "Grind."));
    let report = world.pass();
    assert_eq!(world.listing(), ".agents/skills/tea/SKILL.md");
    insta::assert_snapshot!(world.remarks(&report), @"
    Unwritable ~/.agents/skills: it could not be read or written: the content of `coffee/SKILL.md` is missing. Mend that, then run `imprint write`
    unplaced coffee for all
    ");
}

#[test]
fn the_last_copies_of_a_lost_database_stay() {
    let world = World::new(&[]);
    world.set_skill("tea", "Boil.");
    world.set_skill("milk", "Warm.");
    world.pass();
    let before = world.tree();
    world.lose_item(Skill, "tea");
    world.lose_item(Skill, "milk");
    let report = world.pass();
    assert_eq!(world.tree(), before);
    let remarks = world.remarks(&report);
    insta::assert_snapshot!(remarks.lines().next().unwrap(), @"Foreign ~/.agents/skills/milk: Imprint wrote it for an item that its database doesn't hold any more, and it may be the last copy; it was left alone. `imprint import ~/.agents/skills/milk` takes it in; if you don't want it, delete the folder");
    assert_eq!(report.notes.len(), 2);

    // A new database: another item of that name is not written over the old one's last copy.
    world.set_skill("tea", "Boil water.");
    world.set_skill("milk", "Warm.");
    let report = world.pass();
    assert_eq!(world.tree(), before);
    assert_eq!(report.notes.len(), 1);
    assert_eq!(report.unplaced[0].name, "tea");
    // The same text is as good as written by us.
    world.set_skill("milk", "Warm it.");
    world.pass();
    let milk = world.read(".agents/skills/milk/SKILL.md");
    assert_eq!(milk, Some(skill("milk", "Warm it.")));
}

#[test]
fn a_damaged_manifest_stops_the_pass() {
    let world = World::new(&[]);
    world.set_skill("tea", "Boil.");
    world.pass();
    fs::write(world.home().join(MANIFEST_FILE), "{\"version\":1").unwrap();
    world.set_skill("tea", "Boil water.");
    let error = world.try_pass(&Steps::unsynced()).unwrap_err();
    assert!(matches!(
        error,
        PassError::Manifest(ManifestError::Damaged { .. })
    ));
    assert_eq!(
        world.read(".agents/skills/tea/SKILL.md"),
        Some(skill("tea", "Boil."))
    );
    // As the message says: without it, what is there counts as the user's.
    fs::remove_file(world.home().join(MANIFEST_FILE)).unwrap();
    let report = world.pass();
    assert_eq!(report.notes[0].what, FolderNoteKind::Foreign);
}

#[test]
fn what_killed_passes_left_is_swept() {
    let world = World::new(&[".claude"]);
    world.set_skill("tea", "Boil.");
    world.pass();
    world.put(".imprint/.imprint-written-x7.tmp", "{");
    world.put(".claude/skills/.imprint-77-0.tmp", "half");
    world.put(".claude/skills/tea/.imprint-77-1.tmp", "half");
    // Not one of ours.
    world.put(".claude/skills/.imprint-notes.tmp", "mine");
    world.pass();
    insta::assert_snapshot!(world.listing(), @"
    .agents/skills/tea/SKILL.md
    .claude/skills/.imprint-notes.tmp
    .claude/skills/tea/SKILL.md
    ");
    let home: Vec<_> = fs::read_dir(world.home()).unwrap().collect();
    assert_eq!(home.len(), 3);
}

#[test]
fn a_client_that_goes_takes_its_folder_along_but_not_what_others_put_there() {
    let world = World::new(&[".claude"]);
    world.set_skill("tea", "Boil.");
    world.pass();
    fs::remove_dir_all(world.path(".claude")).unwrap();
    world.pass();
    assert_eq!(world.listing(), ".agents/skills/tea/SKILL.md");
    fs::create_dir(world.path(".claude")).unwrap();
    world.pass();
    assert_eq!(
        world.listing(),
        ".agents/skills/tea/SKILL.md\n.claude/skills/tea/SKILL.md"
    );
}
