use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use tempfile::TempDir;

use super::*;

/// A folder `item` beside a file `private`.
fn item() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let item = dir.path().join("item");
    fs::create_dir_all(item.join("references")).unwrap();
    fs::write(dir.path().join("private"), "not yours").unwrap();
    fs::write(item.join("SKILL.md"), "entry").unwrap();
    fs::write(item.join("references/a.md"), "a").unwrap();
    (dir, item)
}

fn left_out(listing: &Listing) -> Vec<(&str, WhyLeftOut)> {
    let left_out = listing.left_out.iter();
    left_out
        .map(|left| (left.path.as_str(), left.why))
        .collect()
}

#[test]
fn links_are_followed_inside_only() {
    let (_dir, item) = item();
    symlink("references/a.md", item.join("inside.md")).unwrap();
    symlink(item.join("references/a.md"), item.join("absolute.md")).unwrap();
    symlink("references", item.join("docs")).unwrap();
    symlink("../private", item.join("out.md")).unwrap();
    symlink("../item/SKILL.md", item.join("around.md")).unwrap();
    symlink("..", item.join("references/up")).unwrap();
    symlink("gone", item.join("gone.md")).unwrap();
    symlink("self", item.join("self")).unwrap();
    let folder = ItemFolder::open(&item).unwrap();
    let listing = folder.list();
    assert_eq!(
        listing.files,
        [
            "SKILL.md",
            "absolute.md",
            "around.md",
            "docs/a.md",
            "inside.md",
            "references/a.md",
        ]
    );
    assert_eq!(
        left_out(&listing),
        [
            ("docs/up", WhyLeftOut::Loop),
            ("gone.md", WhyLeftOut::Dangling),
            ("out.md", WhyLeftOut::Escapes),
            ("references/up", WhyLeftOut::Loop),
            ("self", WhyLeftOut::Loop),
        ]
    );
    for file in &listing.files {
        assert!(folder.read(file, 100).is_ok(), "{file}");
    }
    assert!(matches!(
        folder.read("out.md", 100),
        Err(ReadError::Escapes)
    ));
    for outside in ["../private", "/etc/hostname", "docs/../../private"] {
        assert!(folder.read(outside, 100).is_err(), "{outside}");
    }
}

#[test]
fn a_folder_reached_through_a_link_is_read() {
    let (dir, item) = item();
    let link = dir.path().join("link");
    symlink(&item, &link).unwrap();
    let folder = ItemFolder::open(&link).unwrap();
    assert_eq!(folder.list().files, ["SKILL.md", "references/a.md"]);
    assert_eq!(folder.read("SKILL.md", 5).unwrap().bytes, b"entry");
}

#[test]
fn too_large_files_and_folders_are_not_read() {
    let (_dir, item) = item();
    let folder = ItemFolder::open(&item).unwrap();
    assert!(matches!(
        folder.read("SKILL.md", 4),
        Err(ReadError::TooLarge { limit: 4 })
    ));
    assert!(matches!(
        folder.read("references", 4),
        Err(ReadError::NotRegular)
    ));
}

#[test]
fn the_executable_bit_is_seen() {
    let (_dir, item) = item();
    let script = item.join("run.sh");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = ItemFolder::open(&item).unwrap();
    assert!(folder.read("run.sh", 100).unwrap().executable);
    assert!(!folder.read("SKILL.md", 100).unwrap().executable);
}

#[test]
fn junk_hidden_folders_and_sockets_are_left_out() {
    let (_dir, item) = item();
    for folder in [".git", "node_modules", "__pycache__"] {
        fs::create_dir(item.join(folder)).unwrap();
        fs::write(item.join(folder).join("x"), "x").unwrap();
    }
    fs::write(item.join(".DS_Store"), "x").unwrap();
    fs::write(item.join(".gitignore"), "x").unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(item.join("talk")).unwrap();
    let listing = ItemFolder::open(&item).unwrap().list();
    assert_eq!(listing.files, [".gitignore", "SKILL.md", "references/a.md"]);
    assert_eq!(
        left_out(&listing),
        [
            (".git", WhyLeftOut::SkippedFolder),
            ("__pycache__", WhyLeftOut::SkippedFolder),
            ("node_modules", WhyLeftOut::SkippedFolder),
            ("talk", WhyLeftOut::Special),
        ]
    );
    let told = listing.diagnostics("x/item");
    let told: Vec<_> = told.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["x/item/talk: not a regular file"]);
}

#[test]
fn a_listing_ends_where_an_item_may_hold_no_more() {
    let (_dir, item) = item();
    for at in 0..imprint_format::limits::ITEM_FILES {
        fs::write(item.join(format!("f{at}")), "").unwrap();
    }
    let listing = ItemFolder::open(&item).unwrap().list();
    assert_eq!(listing.files.len(), imprint_format::limits::ITEM_FILES);
    assert_eq!(left_out(&listing).len(), 1);
    assert_eq!(listing.left_out[0].why, WhyLeftOut::TooMany);
}
