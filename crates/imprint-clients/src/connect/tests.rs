use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use imprint_core::Timestamp;
use serde_json::json;

use super::*;

pub(super) const OTHERS: &str = "// ours\n{\n  \"theme\": \"dark\", // stays\n  \"mcpServers\": {\n    \"notes\": { \"command\": \"notes\", \"args\": [] },\n  },\n}\n";

/// A user with a client's file at `client/mcp.json`, and a home.
pub(super) struct Place {
    user: tempfile::TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        let user = tempfile::tempdir().unwrap();
        fs::create_dir(user.path().join("client")).unwrap();
        Self { user }
    }

    pub(super) fn with(text: &str) -> Self {
        let place = Self::new();
        fs::write(place.file(), text).unwrap();
        place
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.user.path().join(below)
    }

    pub(super) fn file(&self) -> PathBuf {
        self.path("client/mcp.json")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.path("imprint")
    }

    pub(super) fn read(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            client: "client".to_owned(),
            scope: Scope::User,
            file: self.file(),
            syntax: Syntax::Jsonc,
            servers: vec!["mcpServers".to_owned()],
            name: "imprint".to_owned(),
            entry: entry("/opt/imprint"),
            makes_folders: true,
        }
    }

    pub(super) fn with_steps<T>(&self, steps: &Steps, work: impl FnOnce(Work<'_>) -> T) -> T {
        work(Work {
            home: &self.home(),
            at: Timestamp(1_000_000_000_000),
            steps,
        })
    }

    pub(super) fn work<T>(&self, work: impl FnOnce(Work<'_>) -> T) -> T {
        self.with_steps(&Steps::unsynced(), work)
    }

    pub(super) fn connect(&self, wanted: &Wanted) -> Result<Connected, ConnectError> {
        self.work(|work| work.connect(wanted))
    }

    pub(super) fn leave(&self, aim: Aim) -> Vec<Removal> {
        self.work(|work| {
            let all = work.leaving("client", Some(&self.wanted())).unwrap();
            all.iter()
                .map(|leaving| work.disconnect(leaving, aim).unwrap())
                .collect()
        })
    }

    pub(super) fn try_leave(&self, steps: &Steps) -> Result<(), ConnectError> {
        self.with_steps(steps, |work| {
            for leaving in work.leaving("client", Some(&self.wanted()))? {
                work.disconnect(&leaving, Aim::NoEntry)?;
            }
            Ok(())
        })
    }

    pub(super) fn record(&self) -> record::Record {
        record::Record::read(&self.home()).unwrap()
    }

    /// Every file outside the home, with its text; folders end in `/`, links show their target.
    pub(super) fn tree(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        list(self.user.path(), self.user.path(), &mut found);
        found.retain(|path, _| !path.starts_with("imprint/"));
        found
    }
}

fn list(top: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
        if path.is_symlink() {
            found.insert(name, fs::read_link(&path).unwrap().display().to_string());
        } else if path.is_dir() {
            found.insert(format!("{name}/"), String::new());
            list(top, &path, found);
        } else {
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

pub(super) fn entry(command: &str) -> Value {
    json!({"command": command, "args": ["mcp", "--client", "client"]})
}

pub(super) fn present(text: &str) -> Value {
    let slot = Slot {
        syntax: Syntax::Jsonc,
        path: &["mcpServers", "imprint"],
    };
    crate::config::get(text, &slot).unwrap().unwrap_or_default()
}

#[test]
fn an_entry_is_added_updated_and_taken_out() {
    let place = Place::with(OTHERS);
    let wanted = place.wanted();
    let connected = place.connect(&wanted).unwrap();
    assert_eq!(connected.planned.change, Change::Add);
    let backup = connected.backup.unwrap();
    assert_eq!(fs::read_to_string(&backup).unwrap(), OTHERS);
    assert!(backup.starts_with(place.home().join("backups/2001-09-09")));
    assert_eq!(present(&place.read()), wanted.entry);

    let again = place.connect(&wanted).unwrap();
    assert_eq!(again.planned.change, Change::Unchanged);
    let moved = Wanted {
        entry: entry("/usr/bin/imprint"),
        ..wanted
    };
    assert_eq!(
        place.connect(&moved).unwrap().planned.change,
        Change::Update
    );
    assert_eq!(present(&place.read()), moved.entry);
    assert_eq!(place.record().connections.len(), 1);

    let removals = place.leave(Aim::NoEntry);
    assert_eq!(removals[0].removed, Removed::FirstBytes);
    assert_eq!(place.read(), OTHERS);
    assert_eq!(place.record().connections, []);
    assert_eq!(place.leave(Aim::NoEntry), []);
    assert_eq!(place.tree().len(), 2, "{:?}", place.tree());
}

#[test]
fn looking_creates_nothing() {
    let place = Place::with(OTHERS);
    let before = place.tree();
    let planned = place.work(|work| work.plan(&place.wanted())).unwrap();
    assert_eq!(planned.before.as_deref(), Some(OTHERS));
    assert!(planned.after.contains("/opt/imprint"));
    let leaving = place.work(|work| work.leaving("client", Some(&place.wanted())));
    assert_eq!(leaving.unwrap(), []);
    assert_eq!(place.tree(), before);
    assert!(!place.home().exists());
}

#[test]
fn edits_beside_our_entry_stay() {
    let place = Place::with(OTHERS);
    place.connect(&place.wanted()).unwrap();
    fs::write(place.file(), place.read().replace("dark", "light")).unwrap();
    let moved = Wanted {
        entry: entry("/usr/bin/imprint"),
        ..place.wanted()
    };
    place.connect(&moved).unwrap();
    let removals = place.leave(Aim::FirstBytes);
    assert_eq!(removals[0].removed, Removed::Entry);
    assert_eq!(place.read(), OTHERS.replace("dark", "light"));
}

#[test]
fn what_the_user_set_inside_our_entry_stays() {
    let place = Place::new();
    let first = Wanted {
        entry: json!({"command": "/opt/imprint", "args": ["mcp"], "enabled": true, "env": {"A": "1", "B": "2"}}),
        ..place.wanted()
    };
    place.connect(&first).unwrap();
    let edited = place
        .read()
        .replace(
            "\"enabled\": true",
            "\"enabled\": false, \"autoApprove\": []",
        )
        .replace("\"B\": \"2\"", "\"B\": \"2\", \"MINE\": \"3\"");
    fs::write(place.file(), edited).unwrap();
    let second = Wanted {
        entry: json!({"command": "/usr/bin/imprint", "args": ["mcp"], "enabled": true, "env": {"A": "4"}}),
        ..place.wanted()
    };
    place.connect(&second).unwrap();
    assert_eq!(
        present(&place.read()),
        json!({"command": "/usr/bin/imprint", "args": ["mcp"], "enabled": false, "autoApprove": [],
               "env": {"A": "4", "MINE": "3"}})
    );
}

#[test]
fn an_entry_of_our_name_that_is_not_ours_is_a_conflict() {
    let text = r#"{"mcpServers": {"imprint": {"command": "npx", "args": ["imprint-memory"]}}}"#;
    let place = Place::with(text);
    let error = place.connect(&place.wanted()).unwrap_err();
    assert!(matches!(error, ConnectError::Conflict { .. }), "{error}");
    assert!(
        error.to_string().contains("`npx imprint-memory`"),
        "{error}"
    );
    assert_eq!(place.read(), text);
    assert!(!place.home().exists());

    // One that we wrote and someone made another's since.
    fs::write(place.file(), "{}").unwrap();
    place.connect(&place.wanted()).unwrap();
    fs::write(place.file(), text).unwrap();
    assert!(place.connect(&place.wanted()).is_err());
    let removals = place.leave(Aim::FirstBytes);
    assert!(matches!(removals[0].removed, Removed::Foreign(_)));
    assert_eq!(place.read(), text);
    assert_eq!(place.record().connections, []);
}

#[test]
fn an_entry_made_by_hand_is_brought_up_to_date() {
    let text = r#"{"mcpServers": {"imprint": {"command": "imprint", "args": ["mcp"]}}}"#;
    for (aim, after) in [
        (Aim::FirstBytes, text),
        (Aim::NoEntry, r#"{"mcpServers": {}}"#),
    ] {
        let place = Place::with(text);
        let connected = place.connect(&place.wanted()).unwrap();
        assert_eq!(connected.planned.change, Change::Update);
        place.leave(aim);
        assert_eq!(place.read(), after);
    }
    // Nobody connected it: only who says so takes it out.
    let place = Place::with(text);
    assert_eq!(place.leave(Aim::NoEntry)[0].removed, Removed::Entry);
    assert_eq!(place.read(), r#"{"mcpServers": {}}"#);
}

#[test]
fn a_file_that_does_not_parse_is_left_alone() {
    let text = "{\n  \"mcpServers\": {\n";
    let place = Place::with(text);
    let error = place.connect(&place.wanted()).unwrap_err();
    assert!(error.to_string().contains("line "), "{error}");
    assert_eq!(place.read(), text);
    assert!(!place.home().exists());
}

#[test]
fn a_missing_file_and_its_folders_are_made_and_go_again() {
    let place = Place::new();
    let before = place.tree();
    let deep = Wanted {
        file: place.path("client/a/b/mcp.json"),
        ..place.wanted()
    };
    place.connect(&deep).unwrap();
    let text = fs::read_to_string(&deep.file).unwrap();
    assert!(text.starts_with("{\n  \"mcpServers\""), "{text}");
    let removals = place.leave(Aim::NoEntry);
    assert_eq!(removals[0].removed, Removed::File);
    assert_eq!(place.tree(), before);

    let elsewhere = Wanted {
        makes_folders: false,
        ..deep
    };
    let error = place.connect(&elsewhere).unwrap_err();
    assert!(matches!(
        error,
        ConnectError::File {
            fault: FileFault::Missing,
            ..
        }
    ));
    assert_eq!(place.tree(), before);
}

#[test]
fn a_made_file_goes_once_nothing_else_is_in_it() {
    let place = Place::new();
    place.connect(&place.wanted()).unwrap();
    // The client writes its file anew in its own way.
    let text = format!(
        "{{\"mcpServers\":{{\"imprint\":{}}}}}",
        entry("/opt/imprint")
    );
    fs::write(place.file(), &text).unwrap();
    assert_eq!(place.leave(Aim::FirstBytes)[0].removed, Removed::File);

    place.connect(&place.wanted()).unwrap();
    fs::write(place.file(), text.replacen('{', "{\"theme\":1,", 1)).unwrap();
    assert_eq!(place.leave(Aim::FirstBytes)[0].removed, Removed::Entry);
    assert_eq!(place.read(), "{\"theme\":1}");
}

#[test]
fn a_client_that_dropped_our_entry_is_told_once() {
    let place = Place::with(OTHERS);
    place.connect(&place.wanted()).unwrap();
    fs::write(place.file(), "{}").unwrap();
    let again = place.connect(&place.wanted()).unwrap();
    assert!(again.planned.was_dropped);
    assert!(!place.connect(&place.wanted()).unwrap().planned.was_dropped);
    assert_eq!(place.leave(Aim::NoEntry)[0].removed, Removed::FirstBytes);
    assert_eq!(place.read(), "{}");

    place.connect(&place.wanted()).unwrap();
    fs::write(place.file(), "{}").unwrap();
    assert_eq!(place.leave(Aim::NoEntry)[0].removed, Removed::Gone);
    assert_eq!(place.leave(Aim::NoEntry), []);
    assert_eq!(place.read(), "{}");
}

#[test]
fn two_clients_of_one_file_share_its_entry() {
    let place = Place::with(OTHERS);
    place.connect(&place.wanted()).unwrap();
    let text = place.read();
    let other = Wanted {
        client: "other".to_owned(),
        entry: json!({"command": "/opt/imprint", "args": ["mcp", "--client", "other"]}),
        ..place.wanted()
    };
    let connected = place.connect(&other).unwrap();
    assert_eq!(
        connected.planned.change,
        Change::SharedWith("client".to_owned())
    );
    assert_eq!(place.read(), text);
}

#[test]
fn a_damaged_record_touches_nothing() {
    let place = Place::with(OTHERS);
    fs::create_dir(place.home()).unwrap();
    for text in ["", "{", "{\"version\":2}", "{\"version\":1}"] {
        fs::write(place.home().join(record::RECORD_FILE), text).unwrap();
        let error = place.connect(&place.wanted()).unwrap_err();
        assert!(matches!(error, ConnectError::Record(_)), "{error}");
        assert_eq!(place.read(), OTHERS);
    }
}

#[test]
fn clients_across_the_border_of_wsl_get_their_own_form() {
    use crate::{known::known_client, launch::System, wsl::Elsewhere};

    let printed = |_: &str, args: &[&str]| match args {
        ["-d", ..] => Ok(b"/home/ada\n".to_vec()),
        _ => Ok(b"USERPROFILE=C:\\Users\\Ada\r\n".to_vec()),
    };
    let from_windows = Elsewhere::distribution("Ubuntu", &printed).unwrap();
    let from_wsl = Elsewhere::windows("Ubuntu", &printed).unwrap();
    let seen = |elsewhere: &Elsewhere, program| {
        let client = known_client("cursor").unwrap();
        let (ours, theirs) = (elsewhere.ours(), &elsewhere.system);
        let launch = crate::Launch::new(program, "cursor", ours, theirs).unwrap();
        let wanted = Wanted::elsewhere(client, elsewhere, &launch, true).unwrap();
        format!("{}\n{}", wanted.file.display(), wanted.entry)
    };
    insta::assert_snapshot!(seen(&from_windows, r"C:\Tools\imprint.exe"), @r#"
    \\wsl.localhost\Ubuntu\home\ada\.cursor\mcp.json
    {"command":"/mnt/c/Tools/imprint.exe","args":["mcp","--client","cursor"],"env":{"IMPRINT_WSL_DISTRO":"Ubuntu","WSLENV":"IMPRINT_WSL_DISTRO/w"}}
    "#);
    insta::assert_snapshot!(seen(&from_wsl, "/usr/bin/imprint"), @r#"
    /mnt/c/Users/Ada/.cursor/mcp.json
    {"command":"wsl.exe","args":["-d","Ubuntu","--exec","/usr/bin/env","IMPRINT_WSL_DISTRO=Ubuntu","/usr/bin/imprint","mcp","--client","cursor"]}
    "#);
    assert_eq!(System::Wsl("Ubuntu".to_owned()), from_windows.system);
}
