use std::{fs, path::Path};

use imprint_format::Severity;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// Files in an empty folder. A file with an empty text gets the header of a skill that is called
/// as its folder.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(dir.path(), path, text);
    }
    dir
}

fn write(dir: &Path, path: &str, text: &str) {
    let file = dir.join(path);
    let folder = file.parent().unwrap();
    fs::create_dir_all(folder).unwrap();
    let name = folder.file_name().unwrap().to_string_lossy();
    let skill = skill(&name, "Does one thing.");
    fs::write(&file, if text.is_empty() { &skill } else { text }).unwrap();
}

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nText.\n")
}

fn names(discovery: &Discovery) -> Vec<&str> {
    discovery.found.iter().map(Found::name).collect()
}

/// The paths of what was found, and all diagnostics, relative to `dir`.
fn told(dir: &Path, discovery: &Discovery) -> (Vec<String>, Vec<String>) {
    let prefix = format!("{}/", crate::shown::path_text(dir));
    let paths = discovery.found.iter().map(|found| &*found.path);
    let paths = paths.map(|path| crate::shown::path_text(path).replace(&prefix, ""));
    let remarks = discovery.all_diagnostics().map(|diagnostic| {
        let severity = match diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let text = format!("{severity} {}: {diagnostic}", diagnostic.about.as_str());
        text.replace(&prefix, "")
    });
    (paths.collect(), remarks.collect())
}

fn user(dir: &TempDir, folder: &str) -> Root {
    Root::user(dir.path().join(folder))
}

fn find(roots: &[Root]) -> Discovery {
    discover(roots, &Limits::default())
}

#[test]
fn flat_and_grouped_skills_are_found_and_nothing_below_them() {
    let dir = tree(&[
        ("root/flat/SKILL.md", ""),
        ("root/office/mail/SKILL.md", ""),
        ("root/README.md", "no skill"),
        ("root/flat/examples/demo/SKILL.md", ""),
        ("root/flat/node_modules/lib/SKILL.md", ""),
        ("root/node_modules/other/SKILL.md", ""),
        ("root/.git/hook/SKILL.md", ""),
    ]);
    let discovery = find(&[user(&dir, "root")]);
    let (paths, remarks) = told(dir.path(), &discovery);
    assert_eq!(paths, ["root/flat/SKILL.md", "root/office/mail/SKILL.md"]);
    assert!(remarks.is_empty(), "{remarks:?}");
    assert_eq!(discovery.found[0].resources, ["examples/demo/SKILL.md"]);
}

#[test]
fn a_root_may_be_a_skill_itself_or_not_be_there() {
    let dir = tree(&[
        ("tea/SKILL.md", ""),
        ("tea/more/SKILL.md", ""),
        ("file", "x"),
    ]);
    let discovery = find(&[user(&dir, "tea"), user(&dir, "nowhere"), user(&dir, "file")]);
    let (paths, remarks) = told(dir.path(), &discovery);
    assert_eq!(paths, ["tea/SKILL.md"]);
    assert_eq!(remarks, ["error path: file: this is a file, not a folder"]);
}

#[test]
fn one_bad_file_does_not_take_the_others_with_it() {
    let dir = tree(&[
        ("root/bad/SKILL.md", "---\nname: bad\n"),
        ("root/folder/SKILL.md/x", "x"),
        ("root/good/SKILL.md", ""),
        ("root/small/skill.md", ""),
        ("root/both/SKILL.md", ""),
        ("root/both/Skill.md", "x"),
    ]);
    let large = dir.path().join("root/large/SKILL.md");
    fs::create_dir_all(large.parent().unwrap()).unwrap();
    let file = fs::File::create(large).unwrap();
    file.set_len(1 << 40).unwrap();
    let discovery = find(&[user(&dir, "root")]);
    assert_eq!(names(&discovery), ["both", "good", "small"]);
    let (_, remarks) = told(dir.path(), &discovery);
    assert_eq!(
        remarks,
        [
            "error frontmatter: root/bad/SKILL.md:1: the front matter has no end: a second line \
             `---` is missing",
            "error file: root/folder/SKILL.md: this is not a regular file",
            "error file: root/large/SKILL.md: the file has more than 1048576 bytes",
            "warning path: root/both/Skill.md: `SKILL.md` and `Skill.md` are the same file on \
             some systems",
            "warning file: root/small/skill.md: the file is called `skill.md`, not `SKILL.md`",
        ]
    );
}

#[test]
fn a_project_wins_over_the_user_and_an_earlier_root_over_a_later() {
    let dir = tree(&[
        ("home/lint/SKILL.md", &skill("lint", "Personal.")),
        ("home/z/SKILL.md", &skill("lint", "Another.")),
        ("late/lint/SKILL.md", &skill("lint", "Late.")),
        ("project/lint/SKILL.md", &skill("lint", "Project.")),
    ]);
    let project = Root::project(dir.path().join("project"), true);
    let roots = [user(&dir, "home"), user(&dir, "late"), project];
    let discovery = find(&roots);
    assert_eq!(names(&discovery), ["lint"]);
    assert_eq!(discovery.found[0].description(), "Project.");
    let hidden = discovery.shadowed.iter();
    let hidden: Vec<_> = hidden.map(|shadowed| shadowed.item.description()).collect();
    assert_eq!(hidden, ["Personal.", "Another.", "Late."]);
    assert_eq!(discovery.diagnostics.len(), 3);
    let (_, remarks) = told(dir.path(), &discovery);
    assert_eq!(
        remarks[0],
        "warning name: home/lint/SKILL.md: two different items are called `lint`: \
         `project/lint/SKILL.md` is used, not `home/lint/SKILL.md`"
    );
    let user_first = find(&roots[..2]);
    assert_eq!(user_first.found[0].description(), "Personal.");
}

#[test]
fn mirrors_need_no_word_but_differing_resources_do() {
    let dir = tree(&[
        ("a/fern/SKILL.md", ""),
        ("a/fern/x.sh", "one"),
        ("b/fern/SKILL.md", ""),
        ("b/fern/x.sh", "one"),
        ("c/fern/SKILL.md", ""),
        ("c/fern/x.sh", "two"),
    ]);
    let discovery = find(&[user(&dir, "a"), user(&dir, "b")]);
    assert_eq!(told(dir.path(), &discovery).0, ["a/fern/SKILL.md"]);
    assert_eq!(discovery.all_diagnostics().count(), 0);
    let discovery = find(&[user(&dir, "a"), user(&dir, "c")]);
    assert_eq!(discovery.shadowed.len(), 1);
}

#[test]
fn nothing_of_an_untrusted_project_is_read() {
    let dir = tree(&[("project/lint/SKILL.md", ""), ("home/tea/SKILL.md", "")]);
    let project = Root::project(dir.path().join("project"), false);
    let mut root = user(&dir, "home");
    root.trusted = false;
    let discovery = find(&[project, root]);
    assert_eq!(names(&discovery), ["tea"]);
    let (_, remarks) = told(dir.path(), &discovery);
    assert_eq!(
        remarks,
        ["warning trust: project: the project is not trusted, so nothing in this folder is read"]
    );
}

#[test]
fn bounds_are_told() {
    let dir = tree(&[
        ("root/a/b/c/SKILL.md", ""),
        ("root/d/SKILL.md", ""),
        ("root/e/SKILL.md", ""),
    ]);
    let find = |limits: Limits| {
        let discovery = discover(&[user(&dir, "root")], &limits);
        let (paths, remarks) = told(dir.path(), &discovery);
        (paths.len(), remarks)
    };
    let limits = Limits::default();
    assert_eq!(find(Limits { depth: 3, ..limits }), (3, vec![]));
    let (found, remarks) = find(Limits { depth: 2, ..limits });
    assert_eq!(found, 2);
    assert_eq!(
        remarks,
        ["warning path: root: folders deeper than 2 were not looked into"]
    );
    let (found, remarks) = find(Limits {
        folders: 3,
        ..limits
    });
    assert_eq!((found, remarks.len()), (1, 1), "{remarks:?}");
    let (found, remarks) = find(Limits {
        entries: 2,
        ..limits
    });
    assert_eq!((found, remarks.len()), (1, 1), "{remarks:?}");
    assert_eq!(
        find(Limits {
            entries: 5,
            ..limits
        })
        .0,
        3
    );
}

#[test]
fn unportable_files_are_warned_of() {
    let dir = tree(&[("root/tea/SKILL.md", ""), ("root/tea/aux.md", "x")]);
    let discovery = find(&[user(&dir, "root")]);
    let (_, remarks) = told(dir.path(), &discovery);
    assert_eq!(
        remarks,
        ["warning path: root/tea/aux.md: `aux.md` is a name that Windows reserves"]
    );
}

#[test]
fn personas_are_files_of_agents_and_folders() {
    let dir = tree(&[
        (
            "agents/critic.md",
            "---\nname: critic\ndescription: Judges.\n---\n",
        ),
        ("agents/judge.agent.md", "---\ndescription: Judges.\n---\n"),
        ("agents/README.md", "All agents.\n"),
        ("agents/group/deep.md", "not directly in the folder"),
        (
            "agents/poet/PERSONA.md",
            "---\nname: poet\ndescription: Rhymes.\n---\n",
        ),
        ("agents/poet/verses.txt", "x"),
        ("agents/tea/SKILL.md", ""),
    ]);
    let discovery = discover_personas(&[user(&dir, "agents")], &Limits::default());
    assert_eq!(names(&discovery), ["critic", "judge", "poet"]);
    assert_eq!(discovery.found[2].resources, ["verses.txt"]);
    assert!(discovery.found[0].resources.is_empty());
    let (_, remarks) = told(dir.path(), &discovery);
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(remarks[0].starts_with("error frontmatter: agents/README.md:1"));
    assert!(remarks[1].starts_with("warning name: agents/judge.agent.md"));
}

#[test]
fn items_of_two_kinds_are_located_in_one_walk() {
    let dir = tree(&[
        ("root/critic.md", "x"),
        ("root/tea/SKILL.md", "x"),
        ("root/tea/poet/PERSONA.md", "x"),
        ("root/both/PERSONA.md", "x"),
        ("root/both/SKILL.md", "x"),
        ("root/judge/PERSONA.md", "x"),
    ]);
    let kinds = [ItemKind::Skill, ItemKind::Persona];
    let located = locate(&kinds, &dir.path().join("root"), &Limits::default());
    let places = located.places.iter().map(|place| {
        let folder = place.folder.strip_prefix(dir.path()).unwrap();
        format!("{} {}", place.kind, folder.join(&place.entry).display())
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            "persona root/critic.md",
            "skill root/both/SKILL.md",
            "persona root/judge/PERSONA.md",
            "skill root/tea/SKILL.md",
        ]
    );
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn loops_and_dangling_links_are_told_once_each() {
        let dir = tree(&[("root/real/SKILL.md", ""), ("root/g/deep/SKILL.md", "")]);
        let root = dir.path().join("root");
        symlink("../root", root.join("loop")).unwrap();
        symlink("..", root.join("g/up")).unwrap();
        symlink("b", root.join("a")).unwrap();
        symlink("a", root.join("b")).unwrap();
        symlink("no-such-folder", root.join("gone")).unwrap();
        let discovery = find(&[user(&dir, "root")]);
        let (paths, remarks) = told(dir.path(), &discovery);
        assert_eq!(paths, ["root/g/deep/SKILL.md", "root/real/SKILL.md"]);
        assert_eq!(
            remarks,
            [
                "warning path: root/a: the links `root/a`, `root/b`, `root/loop` and 1 more lead \
                 in a circle",
                "warning path: root/gone: the link `root/gone` leads to something that is not \
                 there",
            ]
        );
    }

    #[test]
    fn one_folder_through_two_links_is_one_skill() {
        let dir = tree(&[("agents/tea/SKILL.md", ""), ("claude/x", "x")]);
        symlink("../agents/tea", dir.path().join("claude/tea")).unwrap();
        symlink("../agents", dir.path().join("claude/all")).unwrap();
        symlink("tea", dir.path().join("agents/a-tea")).unwrap();
        symlink("agents", dir.path().join("mirror")).unwrap();
        let roots = ["agents", "claude", "mirror", "agents"].map(|root| user(&dir, root));
        let discovery = find(&roots);
        let (paths, remarks) = told(dir.path(), &discovery);
        assert_eq!(paths, ["agents/tea/SKILL.md"]);
        assert!(remarks.is_empty(), "{remarks:?}");
        let through_link = find(&[user(&dir, "mirror")]);
        let (paths, _) = told(dir.path(), &through_link);
        assert_eq!(paths, ["mirror/tea/SKILL.md"]);
    }

    #[test]
    fn links_out_of_a_skill_are_left_out_with_an_error() {
        let dir = tree(&[
            ("private/id", "private"),
            ("root/tea/SKILL.md", ""),
            ("root/worse/x", "x"),
        ]);
        let root = dir.path().join("root");
        symlink("../../private/id", root.join("tea/reference.md")).unwrap();
        symlink("SKILL.md", root.join("tea/same.md")).unwrap();
        symlink("../../private/id", root.join("worse/SKILL.md")).unwrap();
        let discovery = find(&[user(&dir, "root")]);
        assert_eq!(names(&discovery), ["tea"]);
        assert_eq!(discovery.found[0].resources, ["same.md"]);
        let (_, remarks) = told(dir.path(), &discovery);
        assert_eq!(
            remarks,
            [
                "error path: root/worse/SKILL.md: the file is a link out of its folder, which is \
                 not followed",
                "error path: root/tea/reference.md: a link out of the item's folder, which is not \
                 followed",
            ]
        );
    }

    #[test]
    fn what_can_not_be_read_is_told_and_the_rest_is_found() {
        let dir = tree(&[
            ("root/closed/x/SKILL.md", ""),
            ("root/secret/SKILL.md", ""),
            ("root/tea/SKILL.md", ""),
        ]);
        let close = |path: &str, mode| {
            let path = dir.path().join(path);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        close("root/closed", 0o000);
        close("root/secret/SKILL.md", 0o000);
        let for_anyone = fs::read_dir(dir.path().join("root/closed")).is_ok();
        let discovery = find(&[user(&dir, "root")]);
        close("root/closed", 0o755);
        if for_anyone {
            return; // the superuser reads everything
        }
        assert_eq!(names(&discovery), ["tea"]);
        let (_, remarks) = told(dir.path(), &discovery);
        assert_eq!(remarks.len(), 2);
        assert!(remarks[0].starts_with("error path: root/closed: the folder can't be read"));
        assert!(remarks[1].starts_with("error path: root/secret/SKILL.md: the file can't be read"));
    }

    #[test]
    fn an_agent_file_may_be_a_link() {
        let dir = tree(&[
            (
                "dots/critic.md",
                "---\nname: critic\ndescription: Judges.\n---\n",
            ),
            ("agents/x", "x"),
        ]);
        symlink("../dots/critic.md", dir.path().join("agents/critic.md")).unwrap();
        symlink("nowhere", dir.path().join("agents/gone.md")).unwrap();
        let discovery = discover_personas(&[user(&dir, "agents")], &Limits::default());
        let (paths, remarks) = told(dir.path(), &discovery);
        assert_eq!(paths, ["agents/critic.md"]);
        assert_eq!(
            remarks,
            ["error path: agents/gone.md: the file is a link to something that is not there"]
        );
    }

    /// What a random tree is made of: a path of few names, and what stands there.
    fn entries() -> impl Strategy<Value = Vec<(Vec<usize>, u8, Vec<usize>)>> {
        let path = || proptest::collection::vec(0..NAMES.len(), 1..5);
        proptest::collection::vec((path(), any::<u8>(), path()), 0..24)
    }

    const NAMES: [&str; 7] = ["a", "b", "SKILL.md", "skill.md", "node_modules", "ü", "..."];

    fn build(dir: &Path, entries: &[(Vec<usize>, u8, Vec<usize>)]) {
        let join = |indices: &[usize]| {
            let names = indices.iter().map(|at| NAMES[*at]);
            names.fold(dir.to_path_buf(), |path, name| path.join(name))
        };
        for (path, what, target) in entries {
            let path = join(path);
            // Whatever does not fit into the tree as it has become is left out.
            let _ = fs::create_dir_all(path.parent().unwrap());
            let _ = match what % 5 {
                0 => fs::create_dir(&path),
                1 => fs::write(&path, skill("a", "Does one thing.")),
                2 => fs::write(&path, [*what, b'-', b'\n']),
                3 => symlink(join(target), &path),
                _ => symlink("..", &path),
            };
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_tree_is_scanned_alike_twice(entries in entries()) {
            let dir = tempfile::tempdir().unwrap();
            build(dir.path(), &entries);
            let roots = [
                Root::user(dir.path().join("a")),
                Root::project(dir.path(), true),
            ];
            let once = discover(&roots, &Limits::default());
            prop_assert_eq!(&once, &discover(&roots, &Limits::default()));
            let mut names: Vec<_> = once.found.iter().map(Found::name).collect();
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(names.len(), once.found.len());
            let personas = discover_personas(&roots, &Limits::default());
            prop_assert_eq!(&personas, &discover_personas(&roots, &Limits::default()));
        }
    }
}
