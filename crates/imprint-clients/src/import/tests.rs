use std::fs;

use imprint_core::{
    Author, ItemFilter, ItemRef, ItemState, OwnerId, Registry,
    registry::{ItemEdit, RevisionRef},
};
use imprint_format::{About, Severity};
use tempfile::TempDir;

use super::*;
use crate::test_registry::registry;

fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn header(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nText.\n")
}

fn read(dir: &TempDir, path: &str) -> Source {
    read_source(&dir.path().join(path), &ImportLimits::default()).unwrap()
}

fn planned(dir: &TempDir, path: &str) -> ImportPlan {
    plan_import(&[read(dir, path)], &Stored::default())
}

/// What a plan tells, with paths from `dir` on.
fn told(dir: &TempDir, plan: &ImportPlan) -> String {
    let prefix = imprint_host::path_text(dir.path());
    plan.to_string().replace(&format!("{prefix}/"), "")
}

async fn names(registry: &Registry) -> Vec<String> {
    let store = registry.store();
    let items = store.items(OwnerId::LOCAL, &ItemFilter::default()).await;
    let items = items.unwrap().into_iter();
    items
        .map(|item| format!("{}/{}", item.kind, item.name))
        .collect()
}

async fn imported(registry: &Registry, dir: &TempDir, choice: OnCollision) -> Vec<String> {
    let plan = plan_for(registry, &[read(dir, "in")]).await.unwrap();
    let outcome = apply(registry, &plan, choice).await;
    outcome.results.iter().map(ToString::to_string).collect()
}

#[test]
fn a_plan_tells_what_becomes_of_everything() {
    let long = "x".repeat(1_025);
    let dir = tree(&[
        ("in/tea/SKILL.md", &header("tea", "Times tea.")),
        ("in/tea/.git/config", "x"),
        ("in/tea/node_modules/lib/SKILL.md", "x"),
        ("in/copy/tea/SKILL.md", &header("tea", "Times tea.")),
        (
            "in/notes/SKILL.md",
            &header("Release Notes", "Use when: done."),
        ),
        (
            "in/kit/skill.md",
            "\u{FEFF}---\nname: kit:banner\ndescription: Banner.\n---\n",
        ),
        ("in/paint/SKILL.md", "---\ndescription: Mixes paint.\n---\n"),
        ("in/other/SKILL.md", &header("tea", "Another tea.")),
        (
            "in/agents/critic.md",
            "---\nname: critic\ndescription: Judges.\n---\nJudge.\n",
        ),
        ("in/agents/README.md", "All agents.\n"),
        ("in/z/broken/SKILL.md", "---\nname: broken\n"),
        ("in/z/long/SKILL.md", &header("long", &long)),
        ("in/z/path/SKILL.md", &header("../x", "Climbs.")),
        (
            "in/z/twice/SKILL.md",
            "---\nname: twice\nname: two\ndescription: x\n---\n",
        ),
        ("in/z/windows/SKILL.md", &header("windows", "x")),
        ("in/z/windows/aux.md", "x"),
        ("in/z/cjk/SKILL.md", &header("技能", "x")),
    ]);
    insta::assert_snapshot!(told(&dir, &planned(&dir, "in")), @"
    5 to take in
      skill tea from in/copy/tea, in/tea
      skill kit-banner from in/kit
        `skill.md` becomes `SKILL.md`
        the byte order mark is dropped
        the name `kit:banner` becomes `kit-banner`
      skill release-notes from in/notes
        the value of `description` is put in quotes, because it is not valid YAML
        the name `Release Notes` becomes `release-notes`
      skill paint from in/paint
        the name `paint` is added
      persona critic from in/agents/critic.md
    1 of a name that is taken
      skill tea from in/other
        it stands in `other` and is kept as `tea`
        differs from the one in in/copy/tea
    7 left out
      skill in/z/broken
        SKILL.md:1: the front matter has no end: a second line `---` is missing
          put a line `---` between the header and the instructions
      skill in/z/cjk
        SKILL.md: a name has only lower-case letters a to z, digits and hyphens, not '技'
          give it a name of the letters a to z, digits and hyphens
      skill in/z/long
        SKILL.md:3: the description has 1025 characters; the format allows 1024, and some clients cut or refuse it
          write a description of at most 1024 characters, all of them visible, and import again; nothing is cut for you
      skill in/z/path
        SKILL.md:2: the name `../x` looks like a path
          `x` would do
      skill in/z/twice
        SKILL.md:3: `name` stands there more than once; the last one counts
          keep one of them
      skill in/z/windows
        aux.md: `aux.md` is a name that Windows reserves
          rename it: what is kept must fit on every system
      persona in/agents/README.md
        line 1: there is no front matter: the first line is not `---`
          start the file with a line `---`, the lines `name: …` and `description: …`, and another line `---`
    ");
}

#[test]
fn what_is_mended_passes_the_strict_rules_and_stays_otherwise() {
    let dir = tree(&[(
        "n/SKILL.md",
        "\u{FEFF}---\r\n# a comment\r\nname: \"Release Notes\" # name\r\ndescription: Use: \
         now \"then\"\r\nlicense: MIT\r\n---\r\n\r\nText.\r\n",
    )]);
    let plan = planned(&dir, "n");
    let entry = plan.new[0].bundle.entry();
    assert_eq!(
        entry.as_text().unwrap(),
        "---\r\n# a comment\r\nname: \"release-notes\" # name\r\ndescription: \"Use: \
         now \\\"then\\\"\"\r\nlicense: MIT\r\n---\r\n\r\nText.\r\n"
    );
    assert_eq!(plan.new[0].description, "Use: now \"then\"");
}

#[test]
fn a_client_s_folder_gives_its_skills_and_agents_only() {
    let dir = tree(&[
        (".claude/skills/tea/SKILL.md", &header("tea", "x")),
        (
            ".claude/plugins/cache/skills/other/SKILL.md",
            &header("other", "x"),
        ),
        (".claude/agents/critic.md", &header("critic", "x")),
        (".claude/CLAUDE.md", "---\nname: no\n---\n"),
    ]);
    assert_eq!(
        told(&dir, &planned(&dir, ".claude")),
        "2 to take in\n  skill tea from .claude/skills/tea\n  persona critic from \
         .claude/agents/critic.md\n.claude: only `skills` and `agents` were looked at\n      to import from another folder in it, name that one\n"
    );
}

#[test]
fn files_in_a_skill_are_no_personas() {
    let dir = tree(&[
        ("in/maker/SKILL.md", &header("maker", "x")),
        ("in/maker/agents/grader.md", &header("grader", "x")),
        ("in/skills/loose.md", &header("loose", "x")),
        ("in/skills/tea/SKILL.md", &header("tea", "x")),
        (
            "in/codex/agents/judge.toml",
            "description = \"x\"\ndeveloper_instructions = \"Judge.\"\n",
        ),
    ]);
    assert_eq!(
        told(&dir, &planned(&dir, "in/maker")),
        "1 to take in\n  skill maker from in/maker\n"
    );
    assert_eq!(
        told(&dir, &planned(&dir, "in/skills")),
        "1 to take in\n  skill tea from in/skills/tea\n"
    );
    assert_eq!(
        told(&dir, &planned(&dir, "in/codex")),
        "1 to take in\n  persona judge from in/codex/agents/judge.toml\n    the name `judge` is added\n"
    );
    assert_eq!(planned(&dir, "in").new.len(), 2);
}

#[test]
fn a_single_file_is_taken_alone() {
    let dir = tree(&[
        ("tea/SKILL.md", &header("tea", "x")),
        ("tea/notes.md", "x"),
        (
            "x/critic.agent.md",
            "---\ndescription: Judges.\n---\nJudge.\n",
        ),
        ("p/PERSONA.md", &header("poet", "Rhymes.")),
    ]);
    let taken = |path: &str| told(&dir, &planned(&dir, path));
    insta::assert_snapshot!(taken("tea/SKILL.md"), @"
    1 to take in
      skill tea from tea/SKILL.md
        this file alone is taken; import its folder to take in what stands beside it (1)
    ");
    insta::assert_snapshot!(taken("x/critic.agent.md"), @"
    1 to take in
      persona critic from x/critic.agent.md
        the name `critic` is added
    ");
    insta::assert_snapshot!(taken("p/PERSONA.md"), @"
    1 to take in
      persona poet from p/PERSONA.md
        it stands in `p` and is kept as `poet`
    ");
}

#[test]
fn what_is_no_source_is_told() {
    let dir = tree(&[
        ("data.bin", "x"),
        ("empty/x.txt", "x"),
        ("bad.zip", "PK\u{3}\u{4}"),
    ]);
    let read = |path: &str| read_source(&dir.path().join(path), &ImportLimits::default());
    assert!(matches!(read("gone"), Err(SourceError::NotFound { .. })));
    assert!(matches!(
        read("data.bin"),
        Err(SourceError::UnknownForm { .. })
    ));
    let fault = read("bad.zip").unwrap_err();
    assert_eq!(fault.diagnostic().about, About::File);
    let nothing = read("empty").unwrap();
    assert_eq!(nothing.remarks.len(), 1);
    assert!(plan_import(&[nothing], &Stored::default()).is_empty());
}

#[test]
fn an_archive_is_searched_as_a_folder_is() {
    let dir = tempfile::tempdir().unwrap();
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in [
        ("kit-main/README.md", "no item"),
        ("kit-main/skills/tea/SKILL.md", &*header("tea", "x")),
        (
            "kit-main/skills/tea/examples/demo/SKILL.md",
            &header("demo", "x"),
        ),
        ("kit-main/skills/tea/node_modules/a.js", "x"),
        ("kit-main/agents/critic.md", &header("critic", "x")),
        ("kit-main/.cache/old/SKILL.md", &header("old", "x")),
        ("kit-main/poet/PERSONA.md", &header("poet", "x")),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, path, text.as_bytes())
            .unwrap();
    }
    fs::write(dir.path().join("kit.bin"), builder.into_inner().unwrap()).unwrap();
    let plan = planned(&dir, "kit.bin");
    insta::assert_snapshot!(told(&dir, &plan), @"
    3 to take in
      persona poet from kit.bin/kit-main/poet
      skill tea from kit.bin/kit-main/skills/tea
        left out: `node_modules` (hidden, or a folder of dependencies or caches)
      persona critic from kit.bin/kit-main/agents/critic.md
    ");
    let tea = plan.new.iter().find(|item| item.name.as_str() == "tea");
    let files: Vec<_> = tea
        .unwrap()
        .bundle
        .files()
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(files, ["SKILL.md", "examples/demo/SKILL.md"]);
}

#[test]
fn an_archive_may_be_one_skill() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = zip::ZipWriter::new(fs::File::create(dir.path().join("tea.skill")).unwrap());
    let options = zip::write::SimpleFileOptions::default().unix_permissions(0o755);
    for (name, text) in [
        ("SKILL.md", "---\ndescription: x\n---\n"),
        ("run.sh", "#!/bin/sh\n"),
    ] {
        writer.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let plan = planned(&dir, "tea.skill");
    assert_eq!(
        told(&dir, &plan),
        "1 to take in\n  skill tea from tea.skill\n    the name `tea` is added\n"
    );
    let script = plan.new[0].bundle.get(&"run.sh".parse().unwrap()).unwrap();
    assert!(script.executable);
}

#[cfg(unix)]
#[test]
fn an_item_with_a_link_out_of_it_is_refused_whole() {
    use std::os::unix::fs::symlink;

    let dir = tree(&[
        ("in/tea/SKILL.md", &header("tea", "x")),
        ("in/fine/SKILL.md", &header("fine", "x")),
        ("private/id", "not yours"),
    ]);
    symlink("../../private/id", dir.path().join("in/tea/reference.md")).unwrap();
    symlink("SKILL.md", dir.path().join("in/fine/same.md")).unwrap();
    symlink("nowhere", dir.path().join("in/fine/gone.md")).unwrap();
    let plan = planned(&dir, "in");
    insta::assert_snapshot!(told(&dir, &plan), @"
    1 to take in
      skill fine from in/fine
        left out: `gone.md` (a link to something that is not there)
    1 left out
      skill in/tea
        reference.md: a link out of the item's folder, which is not followed
    ");
    let reason = &plan.skipped[0].reasons[0];
    assert_eq!(
        (reason.severity, reason.about),
        (Severity::Error, About::Path)
    );
    assert!(reason.path.as_ref().unwrap().ends_with("tea/reference.md"));
}

#[test]
fn an_item_with_too_much_is_refused_and_the_others_are_read() {
    let dir = tree(&[
        ("a/SKILL.md", &header("a", "x")),
        ("b/SKILL.md", &header("b", "x")),
    ]);
    let large = fs::File::create(dir.path().join("a/large.bin")).unwrap();
    large.set_len(11 * 1024 * 1024).unwrap();
    let limits = ImportLimits {
        folder_bytes: 30,
        ..ImportLimits::default()
    };
    let source = read_source(dir.path(), &limits).unwrap();
    assert_eq!((source.items.len(), source.skipped.len()), (0, 2));
    let source = read(&dir, ".");
    assert_eq!((source.items.len(), source.skipped.len()), (1, 1));
    assert_eq!(source.skipped[0].reasons[0].about, About::File);
}

#[test]
fn credentials_keep_an_item_out_and_are_not_told() {
    let token = format!("gh{}_{}", "p", "a8Kd03mXq5Zt1VbN7cRy2LwE9uHf4JsG6oTi");
    let dir = tree(&[
        ("in/tea/SKILL.md", &header("tea", "x")),
        (
            "in/tea/scripts/x.sh",
            &format!("#!/bin/sh\nTOKEN={token}\n"),
        ),
        ("in/bad/SKILL.md", &header(&token, "x")),
    ]);
    let plan = planned(&dir, "in");
    assert!(plan.new.is_empty());
    let tea = plan
        .skipped
        .iter()
        .find(|skipped| skipped.place.ends_with("tea"));
    let finding = &tea.unwrap().findings[0];
    assert_eq!(
        (finding.file.as_deref(), finding.line),
        (Some("scripts/x.sh"), 2)
    );
    let told = format!("{plan}{plan:?}{}", serde_json::to_string(&plan).unwrap());
    assert!(!told.contains(&token[8..]));
    assert!(told.contains(&finding.rule));
}

#[tokio::test]
async fn an_import_is_done_once() {
    let dir = tree(&[
        ("in/tea/SKILL.md", &header("tea", "x")),
        ("in/tea/x.md", "x"),
        ("in/agents/critic.md", &header("critic", "x")),
    ]);
    let registry = registry();
    let done = imported(&registry, &dir, OnCollision::Skip).await;
    assert_eq!(done, ["skill tea: imported", "persona critic: imported"]);
    assert_eq!(names(&registry).await, ["skill/tea", "persona/critic"]);
    let done = imported(&registry, &dir, OnCollision::Replace).await;
    assert_eq!(
        done,
        [
            "skill tea: stored already",
            "persona critic: stored already"
        ]
    );
    let tea = ItemRef {
        kind: None,
        name: "tea".to_owned(),
    };
    let history = registry.history(&tea, 0, 10).await.unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].author, Author::Import);
}

#[tokio::test]
async fn collisions_are_settled_as_chosen() {
    let first = tree(&[
        ("in/tea/SKILL.md", &header("tea", "First.")),
        ("in/tea/old.md", "x"),
        ("in/tea/Case.md", "x"),
    ]);
    let second = tree(&[
        ("in/tea/SKILL.md", &header("tea", "Second.")),
        ("in/tea/case.md", "y"),
        ("in/z/SKILL.md", &header("tea", "Third.")),
    ]);
    for (choice, told, expected) in [
        (
            OnCollision::Skip,
            ["left out, because its name is taken"; 2],
            &[("tea", "First.", 1)][..],
        ),
        (
            OnCollision::Replace,
            ["replaced; the version before is in its history"; 2],
            &[("tea", "Third.", 3)],
        ),
        (
            OnCollision::KeepBoth,
            ["imported as tea-2", "imported as tea-3"],
            &[
                ("tea", "First.", 1),
                ("tea-2", "Second.", 1),
                ("tea-3", "Third.", 1),
            ],
        ),
    ] {
        let registry = registry();
        imported(&registry, &first, OnCollision::Skip).await;
        let done = imported(&registry, &second, choice).await;
        assert_eq!(
            done,
            told.map(|told| format!("skill tea: {told}")),
            "{choice:?}"
        );
        for (name, description, revisions) in expected {
            let item = ItemRef {
                kind: None,
                name: (*name).to_owned(),
            };
            let snapshot = registry.snapshot(&item, &RevisionRef::Head).await.unwrap();
            assert_eq!(snapshot.item.description, *description);
            assert_eq!(snapshot.item.state, ItemState::Active);
            let history = registry.history(&item, 0, 10).await.unwrap();
            assert_eq!(history.len(), *revisions, "{choice:?}");
        }
        assert_eq!(names(&registry).await.len(), expected.len());
        if choice == OnCollision::KeepBoth {
            let again = imported(&registry, &second, choice).await;
            assert_eq!(again[0], "skill tea: stored already as tea-2");
            assert_eq!(names(&registry).await.len(), expected.len());
        }
    }
}

#[tokio::test]
async fn replacing_makes_exactly_the_new_files() {
    let first = tree(&[
        ("in/tea/SKILL.md", &header("tea", "First.")),
        ("in/tea/Case.md", "x"),
        ("in/tea/docs/x.md", "x"),
    ]);
    let second = tree(&[
        ("in/tea/SKILL.md", &header("tea", "Second.")),
        ("in/tea/case.md", "y"),
        ("in/tea/docs", "a file now"),
    ]);
    let registry = registry();
    imported(&registry, &first, OnCollision::Skip).await;
    let plan = plan_for(&registry, &[read(&second, "in")]).await.unwrap();
    let outcome = apply(&registry, &plan, OnCollision::Replace).await;
    assert!(outcome.is_complete());
    let item = outcome.changed().next().unwrap();
    assert_eq!(item.tree, plan.collisions[0].item.tree);
}

#[tokio::test]
async fn an_item_that_changed_since_it_was_planned_is_not_replaced() {
    let first = tree(&[("in/tea/SKILL.md", &header("tea", "First."))]);
    let second = tree(&[
        ("in/tea/SKILL.md", &header("tea", "Second.")),
        ("in/new/SKILL.md", &header("new", "x")),
    ]);
    let registry = registry();
    imported(&registry, &first, OnCollision::Skip).await;
    let plan = plan_for(&registry, &[read(&second, "in")]).await.unwrap();
    let edit = ItemEdit {
        description: Some("Meanwhile.".to_owned()),
        ..ItemEdit::default()
    };
    let item = ItemRef {
        kind: None,
        name: "tea".to_owned(),
    };
    registry.edit(&Author::User, &item, edit).await.unwrap();
    let outcome = apply(&registry, &plan, OnCollision::Replace).await;
    assert!(!outcome.is_complete());
    let done: Vec<_> = outcome.results.iter().map(ToString::to_string).collect();
    assert_eq!(done[0], "skill new: imported");
    assert!(done[1].starts_with("skill tea: not imported: `tea` has a newer revision"));
    assert_eq!(
        serde_json::to_value(&outcome).unwrap()["results"][1]["done"],
        "failed"
    );
}

#[test]
fn notes_hold_no_control_characters() {
    let dir = tree(&[("in/SKILL.md", &header("\"a\\e[2Jb\"", "x"))]);
    let plan = planned(&dir, "in");
    let told = told(&dir, &plan);
    assert!(
        !told.chars().any(|c| c.is_control() && c != '\n'),
        "{told:?}"
    );
}
