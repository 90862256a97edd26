//! Setup and undo over small homes that are made by hand.

use std::fs;

use imprint_core::{Author, ItemRef, ItemState, registry::ItemEdit};
use imprint_format::ItemKind;

use super::{
    ClientView, KindView, SetupChoices, SetupError, Why,
    world::{World, everything, skill},
};
use crate::steps::Steps;

/// Claude Code and Codex, with skills in all three folders.
fn three_places() -> World {
    let world = World::new(&[".claude", ".codex"]);
    world.put_skill(".claude/skills/tea", "tea", "Brew.", 10);
    world.put_skill(".agents/skills/tea", "tea", "Brew.", 10);
    world.put_skill(".codex/skills/tea", "tea", "Brew.", 10);
    world.put_skill(".claude/skills/rice", "rice", "Boil.", 20);
    world.put_skill(".codex/skills/rice", "rice", "Steam.", 30);
    world.put_skill(".codex/skills/.system/own", "own", "Codex's.", 5);
    world.put(".claude/skills/notes.txt", "mine", 5);
    world.put(".claude/agents/critic.md", &skill("critic", "Judge."), 10);
    world.put(".claude.json", "{\n\t\"theme\": \"dark\"\n}", 10);
    world.put(".codex/config.toml", "# mine\nmodel = \"x\"\n", 10);
    world
}

fn views(views: &[ClientView]) -> String {
    let kind = |view: &Option<KindView>| match view {
        None => "-".to_owned(),
        Some(view) => format!("{} {:?} {:?}", view.listed, view.twice, view.missing),
    };
    let lines = views.iter().map(|view| {
        format!(
            "{}: {}; {}",
            view.client,
            kind(&view.skills),
            kind(&view.personas)
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn copies_are_one_and_the_newest_of_two_contents_is_taken() {
    let world = three_places();
    let plan = world.plan(&everything());
    insta::assert_snapshot!(world.decisions(&plan), @"
    .agents/skills/tea: Adopt
    .claude/skills/rice: Replace
    .claude/skills/tea: Adopt
    .claude/agents/critic.md: Replace
    .codex/skills/rice: Surplus
    .codex/skills/tea: Surplus
    ");
    let rice = &plan
        .items
        .iter()
        .find(|item| item.name.as_str() == "rice")
        .unwrap();
    assert_eq!(rice.why, Why::Newest);
    assert_eq!(rice.revisions.len(), 2);
    assert!(!world.path(".imprint").exists());

    let outcome = world.set_up();
    assert_eq!(outcome.failures, []);
    assert_eq!(outcome.connected, ["claude-code", "codex"]);
    insta::assert_snapshot!(views(&outcome.plan.before), @r#"
    claude-code: 2 [] []; 1 [] []
    codex: 2 ["tea"] []; 0 [] ["critic"]
    "#);
    insta::assert_snapshot!(views(&outcome.after), @"
    claude-code: 2 [] []; 1 [] []
    codex: 2 [] []; 1 [] []
    ");
    assert_eq!(world.items().len(), 3);
    let steamed = Some(skill("rice", "Steam."));
    assert_eq!(world.read(".claude/skills/rice/SKILL.md"), steamed);
    assert_eq!(world.read(".agents/skills/rice/SKILL.md"), steamed);
    assert_eq!(world.read(".codex/skills/rice/SKILL.md"), None);
    assert!(world.path(".codex/skills/.system/own/SKILL.md").exists());
    assert!(world.path(".claude/skills/notes.txt").exists());
}

#[test]
fn a_second_setup_does_nothing_and_undo_gives_everything_back() {
    let world = three_places();
    let before = world.tree();
    world.set_up();
    let after = world.tree();
    assert!(world.plan(&everything()).is_empty());
    let again = world.set_up();
    assert!(again.moved.is_empty() && again.adopted.is_empty() && again.taken_in.is_empty());
    assert_eq!(world.tree(), after);

    let report = world.undo();
    assert_eq!(report.kept, []);
    assert_eq!(world.tree(), before);
    assert!(
        world
            .items()
            .iter()
            .all(|item| item.state == ItemState::Removed)
    );
    assert!(matches!(
        world.try_undo(&Steps::unsynced()),
        Err(SetupError::NothingToUndo)
    ));
    world.set_up();
    assert_eq!(world.tree(), after);
}

#[test]
fn stopped_anywhere_it_goes_on_or_back() {
    let before = three_places().tree();
    let (mut after, mut stop) = (None, 0);
    loop {
        let world = three_places();
        let done = world.try_set_up(&everything(), &Steps::limited(stop));
        if done.is_ok() {
            break;
        }
        let other = three_places();
        let _ = other.try_set_up(&everything(), &Steps::limited(stop));
        world.set_up();
        let finished = world.tree();
        assert_eq!(
            after.get_or_insert_with(|| finished.clone()),
            &finished,
            "{stop}"
        );
        world.undo();
        assert_eq!(
            world.tree(),
            before,
            "after {stop} steps and a second setup"
        );
        match other.try_undo(&Steps::unsynced()) {
            Ok(_) | Err(SetupError::NothingToUndo) => {}
            Err(other) => panic!("{stop}: {other}"),
        }
        assert_eq!(other.tree(), before, "{stop}");
        stop += 1;
    }
    assert!(stop > 40, "{stop}");
}

#[test]
fn an_undo_that_is_stopped_anywhere_goes_on_or_is_set_up_again() {
    let before = three_places().tree();
    let after = {
        let world = three_places();
        world.set_up();
        world.tree()
    };
    let mut stop = 0;
    loop {
        let world = three_places();
        world.set_up();
        if world.try_undo(&Steps::limited(stop)).is_ok() {
            break;
        }
        world.undo();
        assert_eq!(world.tree(), before, "{stop}");
        let world = three_places();
        world.set_up();
        let _ = world.try_undo(&Steps::limited(stop));
        world.set_up();
        assert_eq!(world.tree(), after, "{stop}");
        world.undo();
        assert_eq!(world.tree(), before, "{stop}, set up again and undone");
        stop += 1;
    }
    assert!(stop > 20, "{stop}");
}

#[test]
fn a_pass_between_a_stopped_undo_and_its_end_loses_nothing() {
    let before = three_places().tree();
    for stop in (0..60).step_by(3) {
        let world = three_places();
        world.set_up();
        let stopped = world.try_undo(&Steps::limited(stop)).is_err();
        world
            .with(&Steps::unsynced(), |engine| {
                engine.with_pass(|pass| pass.run())
            })
            .unwrap();
        if stopped {
            world.undo();
        }
        assert_eq!(world.tree(), before, "{stop}");
    }
}

#[test]
fn the_users_choices_hold() {
    let world = three_places();
    let choices = SetupChoices {
        prefer: Some("claude-code".to_owned()),
        ..everything()
    };
    world.try_set_up(&choices, &Steps::unsynced()).unwrap();
    let boiled = Some(skill("rice", "Boil."));
    assert_eq!(world.read(".agents/skills/rice/SKILL.md"), boiled);

    let world = three_places();
    let choices = SetupChoices {
        keep_both: true,
        ..everything()
    };
    world.try_set_up(&choices, &Steps::unsynced()).unwrap();
    let steamed = Some(skill("rice", "Steam."));
    assert_eq!(world.read(".agents/skills/rice/SKILL.md"), steamed);
    let boiled = Some(skill("rice", "Boil.").replace("name: rice", "name: rice-2"));
    assert_eq!(world.read(".agents/skills/rice-2/SKILL.md"), boiled);
    assert!(world.plan(&choices).is_empty());

    let world = three_places();
    let choices = SetupChoices {
        clients: vec!["gemini-cli".to_owned()],
        ..everything()
    };
    let refused = world.try_set_up(&choices, &Steps::unsynced()).unwrap_err();
    insta::assert_snapshot!(refused, @"`gemini-cli` is not installed here; found are: claude-code, codex");
}

#[test]
fn what_is_stored_and_newer_stays_and_comes_back() {
    let world = three_places();
    world.set_up();
    world.undo();
    let world = World::new(&[".claude"]);
    world.put_skill(".claude/skills/tea", "tea", "Brew.", 10);
    world.set_up();
    let first = world.tree();
    // Another client comes with an older copy and a newer one.
    world.put_skill(".codex/skills/tea", "tea", "Old.", 5);
    let before = world.tree();
    let outcome = world.set_up();
    assert_eq!(outcome.moved.len(), 1);
    assert_eq!(outcome.taken_in.len(), 1, "the old one becomes a revision");
    assert_eq!(
        world.read(".agents/skills/tea/SKILL.md"),
        Some(skill("tea", "Brew."))
    );
    assert_ne!(world.tree(), before);
    assert_ne!(world.tree(), first);
    assert!(world.plan(&everything()).is_empty());
    let report = world.undo();
    assert_eq!(report.kept, []);
    assert!(world.path(".codex/skills/tea/SKILL.md").exists());
    assert!(!world.path(".agents").exists());
}

#[test]
fn what_was_edited_since_stays_and_is_named() {
    let world = three_places();
    world.set_up();
    // In a folder: the place of something that was moved, and one that became ours.
    world.put_skill(".claude/skills/rice", "rice", "Mine now.", 50);
    // In the registry.
    let tea = ItemRef::of(ItemKind::Skill, "tea");
    let edit = ItemEdit {
        instructions: Some("Cold brew.".to_owned()),
        ..ItemEdit::default()
    };
    world
        .wait(world.registry.edit(&Author::User, &tea, edit))
        .unwrap();
    world
        .with(&Steps::unsynced(), |engine| {
            engine.with_pass(|pass| pass.run())
        })
        .unwrap();
    let report = world.undo();
    let user = world.path("");
    let kept: Vec<_> = report
        .kept
        .iter()
        .map(|kept| {
            let what = kept.what.replace(&*user.to_string_lossy(), "");
            format!("{what}: {}, {}", kept.why, kept.original.is_some())
        })
        .collect();
    insta::assert_snapshot!(kept.join("\n"), @"
    skill tea: it was edited since, so it stays as it is now, false
    .claude/skills/tea: its item was edited since, true
    .agents/skills/tea: its item was edited since, true
    .claude/skills/rice: something else stands there now, or was edited since, true
    ");
    assert_eq!(
        world.read(".claude/skills/rice/SKILL.md"),
        Some(skill("rice", "Mine now."))
    );
    assert!(
        world
            .read(".claude/skills/tea/SKILL.md")
            .unwrap()
            .contains("Cold")
    );
    assert!(world.path(".codex/skills/rice/SKILL.md").exists());
}

#[test]
fn what_a_later_pass_changed_in_a_place_gets_its_bytes_back() {
    let world = three_places();
    world.put(".claude/skills/tea/more/steps.md", "One.\n", 10);
    world.put(".agents/skills/tea/more/steps.md", "One.\n", 10);
    world.put(".codex/skills/tea/more/steps.md", "One.\n", 10);
    let before = world.tree();
    world.set_up();
    // The newest content comes with another client; the next setup takes it in.
    world.put_skill(".codex/skills/tea", "tea", "Brew long.", 5_000_000_000);
    world.set_up();
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Brew long."))
    );
    assert!(!world.path(".claude/skills/tea/more").exists());
    let report = world.undo();
    // Of two things that stood there, one after the other, the later has its place again.
    assert_eq!(report.kept.len(), 1);
    assert!(report.kept[0].original.is_some());
    assert_ne!(world.tree(), before);
    assert!(world.path(".claude/skills/tea/more/steps.md").exists());
    assert_eq!(
        world.read(".claude/skills/tea/SKILL.md"),
        Some(skill("tea", "Brew."))
    );
}

#[test]
fn what_went_with_its_item_comes_back() {
    let world = World::new(&[".claude", ".codex"]);
    world.put_skill(".claude/skills/cup", "cup", "Warm it.", 10);
    let before = world.tree();
    let item = world.set_up().taken_in[0];
    let reference = imprint_core::ItemRef {
        kind: None,
        name: item.to_string(),
    };
    let removed = imprint_core::ItemState::Removed;
    let removing = world.registry.set_state(&reference, removed);
    world.wait(removing).unwrap();
    let lock = crate::lock::take(&world.path(".imprint")).unwrap();
    world.with(&Steps::unsynced(), |engine| {
        engine.with_pass(|pass| pass.run_holding(&lock)).unwrap();
    });
    drop(lock);
    assert_eq!(world.read(".claude/skills/cup/SKILL.md"), None);
    let undone = (0..).find_map(|stop| world.try_undo(&Steps::limited(stop)).ok());
    assert_eq!(undone.unwrap().kept, []);
    assert_eq!(world.tree(), before);
}

#[test]
fn without_the_backup_nothing_is_taken_away() {
    let world = World::new(&[".claude", ".codex"]);
    world.put_skill(".claude/skills/cup", "cup", "Warm it.", 10);
    world.put_skill(".codex/skills/cup", "cup", "Warm it.", 10);
    world.set_up();
    fs::remove_dir_all(world.path(".imprint/backups")).unwrap();
    let kept = world.undo().kept;
    let kept: Vec<_> = kept.iter().map(|kept| kept.why.as_str()).collect();
    assert_eq!(
        kept,
        [
            "its copy in the backup is gone",
            "it is no more in the backup"
        ]
    );
    assert_eq!(
        world.read(".claude/skills/cup/SKILL.md"),
        Some(skill("cup", "Warm it."))
    );
}

#[test]
fn what_cannot_be_taken_stays_with_its_reason() {
    let world = World::new(&[".claude", ".codex"]);
    world.put(".claude/skills/odd/SKILL.md", "no header\n", 10);
    world.put_skill(".codex/skills/odd", "odd", "Fine.", 10);
    let before = world.tree();
    let outcome = world.set_up();
    assert_eq!(outcome.plan.left.len(), 1);
    assert_eq!(
        world.read(".claude/skills/odd/SKILL.md").as_deref(),
        Some("no header\n")
    );
    assert!(world.path(".agents/skills/odd/SKILL.md").exists());
    assert!(!world.path(".codex/skills/odd").exists());
    world.undo();
    assert_eq!(world.tree(), before);
}

#[test]
fn nothing_is_done_that_was_not_agreed_to() {
    let world = three_places();
    let agreed = world.plan(&everything());
    let before = world.tree();
    world.put_skill(".claude/skills/new", "new", "New.", 10);
    let choices = everything();
    let refused = world.with(&Steps::unsynced(), |engine| {
        engine.carry_out(&choices, Some(&agreed), &mut |_| {})
    });
    assert!(matches!(refused, Err(SetupError::Changed)));
    fs::remove_dir_all(world.path(".claude/skills/new")).unwrap();
    assert_eq!(world.tree(), before);
    assert_eq!(world.items(), []);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_the_system_refuses_is_told_and_done_by_the_next_undo() {
        let world = three_places();
        let before = world.tree();
        world.set_up();
        let mode = |mode| {
            let folder = world.path(".codex/skills");
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(0o555);
        if fs::write(world.path(".codex/skills/probe"), "").is_ok() {
            // Nothing is refused to an administrator.
            return;
        }
        let report = world.undo();
        assert_eq!(report.failures.len(), 2);
        mode(0o755);
        assert_eq!(world.undo().failures, []);
        assert_eq!(world.tree(), before);
    }

    #[test]
    fn links_stay_where_they_lead_to_the_item_and_go_where_they_double_it() {
        let world = World::new(&[".claude", ".codex"]);
        world.put_skill("projects/tea", "tea", "Brew.", 10);
        world.put_skill(".agents/skills/rice", "rice", "Boil.", 10);
        world.put_skill(".codex/skills/soup", "soup", "Stir.", 10);
        world.put_skill("projects/team/bread", "bread", "Bake.", 10);
        world.link("../../projects/tea", ".claude/skills/tea");
        world.link("../../.agents/skills/rice", ".claude/skills/rice");
        world.link("rice", ".agents/skills/again");
        world.link("../../.codex/skills/soup", ".claude/skills/soup");
        world.link("../../projects/team", ".claude/skills/team");
        let before = world.tree();
        let plan = world.plan(&everything());
        insta::assert_snapshot!(world.decisions(&plan), @"
        .agents/skills/rice: Adopt
        .agents/skills/again: Surplus
        .claude/skills/rice: Linked
        .claude/skills/soup: Replace
        .claude/skills/tea: Linked
        .claude/skills/team/bread: Surplus
        .codex/skills/soup: Surplus
        ");
        world.set_up();
        assert_eq!(
            world.read("projects/tea/SKILL.md"),
            Some(skill("tea", "Brew."))
        );
        assert!(world.path("projects/team/bread/SKILL.md").exists());
        assert!(world.path(".claude/skills/rice").is_symlink());
        assert!(world.path(".claude/skills/soup/SKILL.md").is_file());
        assert!(!world.path(".claude/skills/soup").is_symlink());
        assert!(world.plan(&everything()).is_empty());
        world.undo();
        assert_eq!(world.tree(), before);
    }

    #[test]
    fn a_folder_that_is_a_link_is_the_clients_folder_where_it_leads() {
        let world = World::new(&[".claude", ".codex"]);
        world.put_skill("dotfiles/skills/tea", "tea", "Brew.", 10);
        world.put_skill(".codex/skills/tea", "tea", "Brew.", 10);
        world.link("../dotfiles/skills", ".claude/skills");
        let before = world.tree();
        let outcome = world.set_up();
        assert_eq!(outcome.adopted.len(), 1);
        assert_eq!(outcome.moved.len(), 1);
        assert!(world.path("dotfiles/skills/tea/SKILL.md").exists());
        world.undo();
        assert_eq!(world.tree(), before);
    }
}
