use std::fs;

use super::*;

fn digests(texts: &[&str]) -> BTreeSet<Digest> {
    texts
        .iter()
        .map(|text| Digest::of(text.as_bytes()))
        .collect()
}

fn new_file(text: &str) -> NewFile<'_> {
    NewFile {
        bytes: text.as_bytes(),
        executable: false,
        replaces: None,
    }
}

#[test]
fn a_new_file_never_takes_the_place_of_another() {
    let top = tempfile::tempdir().unwrap();
    let steps = Steps::unsynced();
    let folder = Folder::open(top.path(), &steps).unwrap();
    folder.put("tea/refs/a.md", &new_file("a")).unwrap();
    assert_eq!(
        fs::read_to_string(top.path().join("tea/refs/a.md")).unwrap(),
        "a"
    );
    let again = folder.put("tea/refs/a.md", &new_file("b"));
    assert!(matches!(again, Err(DiskError::Changed)));
    // Nothing is left over.
    assert_eq!(folder.files_below("tea").unwrap(), ["tea/refs/a.md"]);
}

#[test]
fn only_what_is_named_is_replaced_or_removed() {
    let top = tempfile::tempdir().unwrap();
    let steps = Steps::unsynced();
    let folder = Folder::open(top.path(), &steps).unwrap();
    fs::write(top.path().join("a.md"), "edited meanwhile").unwrap();
    let ours = digests(&["old"]);
    let replacing = NewFile {
        replaces: Some(Replaced {
            digests: &ours,
            executable: false,
        }),
        ..new_file("new")
    };
    assert!(matches!(
        folder.put("a.md", &replacing),
        Err(DiskError::Changed)
    ));
    assert!(matches!(
        folder.remove("a.md", &ours),
        Err(DiskError::Changed)
    ));
    fs::write(top.path().join("a.md"), "old").unwrap();
    folder.put("a.md", &replacing).unwrap();
    assert_eq!(fs::read_to_string(top.path().join("a.md")).unwrap(), "new");
    folder.remove("a.md", &digests(&["new"])).unwrap();
    folder.remove("a.md", &ours).unwrap();
    assert_eq!(folder.kind("a.md").unwrap(), Kind::Absent);
}

#[test]
fn folders_go_only_when_they_are_empty() {
    let top = tempfile::tempdir().unwrap();
    let steps = Steps::unsynced();
    let folder = Folder::open(top.path(), &steps).unwrap();
    fs::create_dir_all(top.path().join("tea/a/b")).unwrap();
    fs::write(top.path().join("tea/mine.txt"), "mine").unwrap();
    folder.remove_empty_above("tea/a/b/c.md").unwrap();
    assert_eq!(folder.files_below("tea").unwrap(), ["tea/mine.txt"]);
    assert!(!top.path().join("tea/a").exists());
    folder.remove_empty_above("gone/a/b.md").unwrap();
}

#[test]
fn a_file_longer_than_any_of_ours_is_not_read() {
    let top = tempfile::tempdir().unwrap();
    let steps = Steps::unsynced();
    let folder = Folder::open(top.path(), &steps).unwrap();
    let file = fs::File::create(top.path().join("big")).unwrap();
    file.set_len(ITEM_BYTES as u64 + 1).unwrap();
    assert_eq!(folder.find("big"), Some(FoundFile::Other));
    assert_eq!(folder.find("big/inside"), Some(FoundFile::Other));
    assert_eq!(folder.find("gone/inside"), None);
}

#[test]
fn our_temporary_files_are_told_from_others() {
    assert!(is_temporary(".imprint-4711-0.tmp"));
    assert!(is_temporary("tea/refs/.imprint-1-22.tmp"));
    for other in [
        ".imprint-notes.tmp",
        "imprint-1-2.tmp",
        ".imprint-1-2.txt",
        "SKILL.md",
    ] {
        assert!(!is_temporary(other), "{other}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    let top = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let steps = Steps::unsynced();
    let folder = Folder::open(top.path(), &steps).unwrap();
    fs::write(outside.path().join("a.md"), "a").unwrap();
    std::os::unix::fs::symlink(outside.path(), top.path().join("tea")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("a.md"), top.path().join("a.md")).unwrap();
    assert_eq!(folder.find("tea/a.md"), Some(FoundFile::Link));
    assert_eq!(folder.find("a.md"), Some(FoundFile::Link));
    assert!(folder.put("tea/b.md", &new_file("b")).is_err());
    assert!(folder.put("a.md", &new_file("b")).is_err());
    assert!(folder.remove("tea/a.md", &digests(&["a"])).is_err());
    assert!(folder.remove("a.md", &digests(&["a"])).is_err());
    assert!(folder.files_below("tea").is_err());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}
