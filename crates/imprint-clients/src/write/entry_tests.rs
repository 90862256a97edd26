use super::*;

fn wanted(files: &[(&str, &str)]) -> Wanted {
    let file = |(path, text): &(&str, &str)| {
        let file = WantedFile {
            digest: Digest::of(text.as_bytes()),
            executable: path.strip_suffix(".sh").is_some(),
            rendered: None,
        };
        ((*path).to_owned(), file)
    };
    Wanted {
        item: "00000000-0000-7000-8000-000000000001".parse().unwrap(),
        kind: ItemKind::Skill,
        files: files.iter().map(file).collect(),
        entry_file: "tea/SKILL.md".to_owned(),
    }
}

fn found(files: &[(&str, &str)]) -> Found {
    let file = |(path, text): &(&str, &str)| {
        let file = FoundFile::Bytes {
            digest: Digest::of(text.as_bytes()),
            executable: Some(path.strip_suffix(".sh").is_some()),
        };
        ((*path).to_owned(), file)
    };
    Found::Item(files.iter().map(file).collect())
}

const OLD: &[(&str, &str)] = &[
    ("tea/SKILL.md", "old"),
    ("tea/a.txt", "a"),
    ("tea/run.sh", "r"),
];
const NEW: &[(&str, &str)] = &[
    ("tea/SKILL.md", "new"),
    ("tea/b.txt", "b"),
    ("tea/run.sh", "r"),
];

fn paths(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn a_new_item_is_written_only_where_nothing_is() {
    let tea = wanted(NEW);
    let decide = |found| decide(Some(&tea), None, &found);
    assert_eq!(decide(Found::Absent), Action::Write);
    assert_eq!(decide(found(OLD)), Action::Leave(Obstacle::Foreign));
    assert_eq!(decide(found(&[])), Action::Leave(Obstacle::Foreign));
    assert_eq!(decide(Found::Other), Action::Leave(Obstacle::Foreign));
    assert_eq!(
        decide(Found::Link { same: false }),
        Action::Leave(Obstacle::Link)
    );
    assert_eq!(decide(Found::Link { same: true }), Action::KeepForeign);
    assert_eq!(decide(found(NEW)), Action::KeepForeign);
}

#[test]
fn our_own_is_kept_replaced_or_written_again() {
    let tea = wanted(NEW);
    let ours = wanted(OLD).written();
    let decide = |found| decide(Some(&tea), Some(&ours), &found);
    // A file that went otherwise is taken away all the same, for the folder that it was in.
    assert_eq!(
        decide(found(NEW)),
        Action::Replace {
            write: vec![],
            remove: paths(&["tea/a.txt"]),
        }
    );
    let ours = tea.written();
    let now = super::decide(Some(&tea), Some(&ours), &found(NEW));
    assert_eq!(now, Action::Keep);
    assert_eq!(
        decide(found(OLD)),
        Action::Replace {
            write: paths(&["tea/SKILL.md", "tea/b.txt"]),
            remove: paths(&["tea/a.txt"]),
        }
    );
    // Killed in mid-write: part of it is new already.
    let half = [
        ("tea/SKILL.md", "old"),
        ("tea/a.txt", "a"),
        ("tea/b.txt", "b"),
    ];
    assert_eq!(
        decide(found(&half)),
        Action::Replace {
            write: paths(&["tea/SKILL.md", "tea/run.sh"]),
            remove: paths(&["tea/a.txt"]),
        }
    );
    assert_eq!(decide(Found::Absent), Action::Write);
    assert_eq!(
        decide(Found::Link { same: false }),
        Action::Leave(Obstacle::Link)
    );
}

#[test]
fn an_edited_copy_is_left_whole() {
    let tea = wanted(NEW);
    let ours = wanted(OLD).written();
    let edited = [
        ("tea/SKILL.md", "mine"),
        ("tea/a.txt", "a"),
        ("tea/run.sh", "r"),
    ];
    assert_eq!(
        decide(Some(&tea), Some(&ours), &found(&edited)),
        Action::Leave(Obstacle::Edited(paths(&["tea/SKILL.md"])))
    );
    // Also when the file that was edited is not wanted any more.
    let edited = [
        ("tea/SKILL.md", "old"),
        ("tea/a.txt", "mine"),
        ("tea/run.sh", "r"),
    ];
    assert_eq!(
        decide(Some(&tea), Some(&ours), &found(&edited)),
        Action::Leave(Obstacle::Edited(paths(&["tea/a.txt"])))
    );
    // A file of the user's that stands where we would add one.
    let added = [("tea/SKILL.md", "old"), ("tea/b.txt", "mine")];
    assert_eq!(
        decide(Some(&tea), Some(&ours), &found(&added)),
        Action::Leave(Obstacle::ForeignFile("tea/b.txt".to_owned()))
    );
}

#[test]
fn what_is_not_wanted_any_more_goes_unless_it_was_edited() {
    let ours = wanted(OLD).written();
    let decide = |found| decide(None, Some(&ours), &found);
    assert_eq!(
        decide(found(OLD)),
        Action::Remove {
            remove: paths(&["tea/SKILL.md", "tea/a.txt", "tea/run.sh"]),
            edited: vec![],
        }
    );
    let note = [("tea/SKILL.md", "old"), ("tea/a.txt", "mine")];
    assert_eq!(
        decide(found(&note)),
        Action::Remove {
            remove: paths(&["tea/SKILL.md", "tea/run.sh"]),
            edited: paths(&["tea/a.txt"]),
        }
    );
    let entry = [("tea/SKILL.md", "mine"), ("tea/a.txt", "a")];
    assert_eq!(
        decide(found(&entry)),
        Action::Leave(Obstacle::Edited(paths(&["tea/SKILL.md"])))
    );
    for gone in [Found::Absent, Found::Link { same: true }, Found::Other] {
        assert_eq!(decide(gone), Action::Forget);
    }
}

#[test]
fn a_script_gets_its_bit_back_and_a_data_file_keeps_the_users() {
    let tea = wanted(&[("tea/SKILL.md", "s"), ("tea/run.sh", "r")]);
    let ours = tea.written();
    let bits = |script, entry| {
        let file = |text: &str, executable| FoundFile::Bytes {
            digest: Digest::of(text.as_bytes()),
            executable: Some(executable),
        };
        let files = [
            ("tea/SKILL.md".to_owned(), file("s", entry)),
            ("tea/run.sh".to_owned(), file("r", script)),
        ];
        decide(Some(&tea), Some(&ours), &Found::Item(files.into()))
    };
    assert_eq!(bits(true, true), Action::Keep);
    assert_eq!(
        bits(false, false),
        Action::Replace {
            write: paths(&["tea/run.sh"]),
            remove: vec![],
        }
    );
}
