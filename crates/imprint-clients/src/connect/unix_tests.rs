//! Links and modes, on systems that have them.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use super::{tests::Place, *};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn fault(place: &Place) -> FileFault {
    match place.connect(&place.wanted()).unwrap_err() {
        ConnectError::File { fault, .. } => fault,
        other => panic!("{other}"),
    }
}

fn leave(place: &Place) -> Removal {
    place.work(|work| {
        let all = work.leaving("client", None).unwrap();
        work.disconnect(&all[0], Aim::FirstBytes).unwrap()
    })
}

#[test]
fn a_link_stays_and_its_file_keeps_its_mode() {
    for bits in [0o600, 0o640, 0o664, 0o2755] {
        let place = Place::new();
        let real = place.path("dotfiles/settings.json");
        fs::create_dir(place.path("dotfiles")).unwrap();
        fs::write(&real, "{}\n").unwrap();
        set_mode(&real, bits);
        symlink("../dotfiles/middle", place.file()).unwrap();
        symlink("settings.json", place.path("dotfiles/middle")).unwrap();
        let before = place.tree();
        place.connect(&place.wanted()).unwrap();
        assert!(place.file().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("imprint"));
        assert_eq!(mode(&real), bits);
        leave(&place);
        assert_eq!(place.tree(), before);
        assert_eq!(mode(&real), bits);
    }
}

#[test]
fn what_is_new_is_the_users_alone() {
    let place = Place::new();
    place.connect(&place.wanted()).unwrap();
    assert_eq!(mode(&place.file()), 0o600);
    assert_eq!(mode(&place.home()), 0o700);
    assert_eq!(mode(&place.home().join("connections.json")), 0o600);
    leave(&place);

    let place = Place::new();
    fs::write(place.file(), "{}").unwrap();
    set_mode(&place.file(), 0o644);
    let backup = place.connect(&place.wanted()).unwrap().backup.unwrap();
    assert_eq!(mode(&backup), 0o600);
    assert_eq!(mode(backup.parent().unwrap()), 0o700);
}

#[test]
fn a_link_to_a_missing_file_is_written_through() {
    let place = Place::new();
    fs::create_dir(place.path("dotfiles")).unwrap();
    symlink(place.path("dotfiles/mcp.json"), place.file()).unwrap();
    let before = place.tree();
    place.connect(&place.wanted()).unwrap();
    assert!(place.file().is_symlink());
    assert!(place.path("dotfiles/mcp.json").is_file());
    leave(&place);
    assert_eq!(place.tree(), before);

    fs::remove_dir(place.path("dotfiles")).unwrap();
    assert!(matches!(fault(&place), FileFault::DanglingLink { .. }));
    assert!(!place.path("dotfiles").exists());
}

#[test]
fn what_is_no_file_of_the_users_is_left_alone() {
    let place = Place::new();
    symlink("mcp.json", place.file()).unwrap();
    assert!(matches!(fault(&place), FileFault::LinkLoop));
    fs::remove_file(place.file()).unwrap();

    symlink("..", place.file()).unwrap();
    assert!(matches!(fault(&place), FileFault::NoFile));
    fs::remove_file(place.file()).unwrap();

    fs::create_dir(place.file()).unwrap();
    assert!(matches!(fault(&place), FileFault::NoFile));
    fs::remove_dir(place.file()).unwrap();

    fs::write(place.file(), "{}").unwrap();
    set_mode(&place.file(), 0o444);
    assert!(matches!(fault(&place), FileFault::ReadOnly));
    set_mode(&place.file(), 0o644);

    fs::write(place.file(), b"{\"a\": \"\xff\"}").unwrap();
    assert!(matches!(fault(&place), FileFault::NotText));
    assert!(!place.home().exists());
}

#[test]
fn a_link_that_leads_elsewhere_since_does_not_move_the_way_back() {
    let place = Place::new();
    for name in ["one.json", "two.json"] {
        fs::write(place.path(name), "{}").unwrap();
    }
    symlink(place.path("one.json"), place.file()).unwrap();
    place.connect(&place.wanted()).unwrap();
    fs::remove_file(place.file()).unwrap();
    symlink(place.path("two.json"), place.file()).unwrap();
    leave(&place);
    for name in ["one.json", "two.json"] {
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), "{}");
    }
}

#[test]
fn a_component_with_a_star_stands_for_the_folders_that_are_there() {
    let place = Place::new();
    let starred = place.path("Packages/Claude_*/Roaming/config.json");
    let plain = place.path("other/config.json");
    let choose = |paths: &[&PathBuf]| {
        let paths: Vec<_> = paths.iter().map(|&path| path.clone()).collect();
        file::choose(paths)
    };
    assert_eq!(choose(&[&starred]), None);
    assert_eq!(choose(&[&starred, &plain]), Some(plain.clone()));
    let folder = place.path("Packages/Claude_abc/Roaming");
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(place.path("Packages/Clock_abc/Roaming")).unwrap();
    let found = folder.join("config.json");
    assert_eq!(choose(&[&plain, &starred]), Some(found.clone()));
    fs::create_dir_all(place.path("other")).unwrap();
    assert_eq!(choose(&[&plain, &starred]), Some(plain.clone()));
    fs::write(&found, "").unwrap();
    assert_eq!(choose(&[&plain, &starred]), Some(found));
}
