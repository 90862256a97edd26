//! Configuration files that the clients' own programs wrote survive connecting, an upgrade that
//! moves the program, and disconnecting: not one byte outside our entry changes.

#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use imprint_clients::{
    Client, Launch, System,
    connect::{Aim, Change, Connections, Removed, Scope, Wanted},
    known_client,
};
use imprint_core::Timestamp;

/// Each file, and the client that wrote it.
fn files() -> Vec<(&'static Client, PathBuf)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/configs");
    let mut found = Vec::new();
    for folder in fs::read_dir(top).unwrap() {
        let folder = folder.unwrap().path();
        let Some(client) = known_client(folder.file_name().unwrap().to_str().unwrap()) else {
            assert!(!folder.is_dir(), "{} is no client", folder.display());
            continue;
        };
        let files = fs::read_dir(folder).unwrap();
        found.extend(files.map(|file| (client, file.unwrap().path())));
    }
    found.sort_by(|one, other| one.1.cmp(&other.1));
    found
}

/// Whether `after` is `before` with something put in at one place.
fn is_insertion(before: &str, after: &str) -> bool {
    let start = before.bytes().zip(after.bytes());
    let start = start.take_while(|(one, other)| one == other).count();
    let end = before.bytes().rev().zip(after.bytes().rev());
    let end = end.take_while(|(one, other)| one == other).count();
    after.len() > before.len() && start + end >= before.len()
}

struct Home {
    folder: tempfile::TempDir,
    client: &'static Client,
    file: PathBuf,
}

impl Home {
    fn with(client: &'static Client, original: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(original.file_name().unwrap());
        fs::copy(original, &file).unwrap();
        Self {
            folder,
            client,
            file,
        }
    }

    fn connections(&self) -> PathBuf {
        self.folder.path().join("imprint")
    }

    fn connect(&self, program: &str) -> Change {
        let config = self.client.config.as_ref().unwrap();
        let system = System::Linux;
        let launch = Launch::new(program, self.client.facts.id, &system, &system).unwrap();
        let wanted = Wanted {
            client: self.client.facts.id.to_owned(),
            scope: Scope::User,
            file: self.file.clone(),
            syntax: config.syntax,
            servers: config.servers.iter().map(|&part| part.to_owned()).collect(),
            name: "imprint".to_owned(),
            entry: (config.form)(&launch),
            makes_folders: true,
        };
        let home = self.connections();
        let connections = Connections {
            home: &home,
            at: Timestamp(0),
        };
        connections.connect(&wanted).unwrap().planned.change
    }

    fn disconnect(&self) -> Removed {
        let home = self.connections();
        let connections = Connections {
            home: &home,
            at: Timestamp(0),
        };
        let leaving = connections.leaving(self.client.facts.id, None).unwrap();
        assert_eq!(leaving.len(), 1);
        connections
            .disconnect(&leaving[0], Aim::FirstBytes)
            .unwrap()
            .removed
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap()
    }
}

#[test]
fn every_byte_outside_our_entry_stays() {
    let files = files();
    assert!(files.len() > 12, "{files:?}");
    for (client, file) in files {
        let shown = file.display();
        let before = fs::read_to_string(&file).unwrap();
        let home = Home::with(client, &file);
        assert_eq!(home.connect("/opt/imprint"), Change::Add, "{shown}");
        assert!(is_insertion(&before, &home.text()), "{shown}");
        assert_eq!(home.connect("/opt/imprint"), Change::Unchanged, "{shown}");
        let moved = home.connect("/home/user/.local/bin/imprint");
        assert_eq!(moved, Change::Update, "{shown}");
        assert!(is_insertion(&before, &home.text()), "{shown}");
        assert!(!home.text().contains("/opt/imprint"), "{shown}");
        assert_eq!(home.disconnect(), Removed::FirstBytes, "{shown}");
        assert_eq!(home.text(), before, "{shown}");
    }
}

#[test]
fn what_others_wrote_meanwhile_stays_too() {
    for (client, file) in files() {
        let shown = file.display();
        let before = fs::read_to_string(&file).unwrap();
        let home = Home::with(client, &file);
        home.connect("/opt/imprint");
        fs::write(&home.file, format!("\n{}\n\n", home.text())).unwrap();
        home.connect("/home/user/.local/bin/imprint");
        assert_eq!(home.disconnect(), Removed::Entry, "{shown}");
        assert_eq!(home.text(), format!("\n{before}\n\n"), "{shown}");
    }
}
