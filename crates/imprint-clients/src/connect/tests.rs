use std::{
    cell::Cell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use imprint_core::Timestamp;
use serde_json::json;

use super::*;
use crate::steps::Step;

const OTHERS: &str = "// ours\n{\n  \"theme\": \"dark\", // stays\n  \"mcpServers\": {\n    \"notes\": { \"command\": \"notes\", \"args\": [] },\n  },\n}\n";

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

    fn with(text: &str) -> Self {
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

    fn read(&self) -> String {
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

    fn leave(&self, aim: Aim) -> Vec<Removal> {
        self.work(|work| {
            let all = work.leaving("client", Some(&self.wanted())).unwrap();
            all.iter()
                .map(|leaving| work.disconnect(leaving, aim).unwrap())
                .collect()
        })
    }

    fn try_leave(&self, steps: &Steps) -> Result<(), ConnectError> {
        self.with_steps(steps, |work| {
            for leaving in work.leaving("client", Some(&self.wanted()))? {
                work.disconnect(&leaving, Aim::NoEntry)?;
            }
            Ok(())
        })
    }

    fn record(&self) -> record::Record {
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

fn entry(command: &str) -> Value {
    json!({"command": command, "args": ["mcp", "--client", "client"]})
}

fn present(text: &str) -> Value {
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
fn what_an_editor_saves_meanwhile_is_not_lost() {
    for times in 1..4 {
        let place = Place::with(OTHERS);
        let saves = Cell::new(0);
        let file = place.file();
        let steps = Steps::with_meanwhile(Step::Place, move || {
            if saves.get() < times {
                saves.set(saves.get() + 1);
                // As most editors save: what they hold, in a new file over the old one.
                let text = format!("theme{}", "_".repeat(saves.get()));
                let text = OTHERS.replacen("theme", &text, 1);
                let beside = file.with_extension("editor");
                fs::write(&beside, text).unwrap();
                fs::rename(&beside, &file).unwrap();
            }
        });
        place
            .with_steps(&steps, |work| work.connect(&place.wanted()))
            .unwrap();
        let text = place.read();
        assert_eq!(present(&text), place.wanted().entry);
        let last = format!("theme{}\"", "_".repeat(times));
        assert!(text.contains(&last), "{text}");
        assert_eq!(place.tree().len(), 2, "{:?}", place.tree());
        place.leave(Aim::NoEntry);
        assert!(place.read().contains(&last));
    }
}

#[test]
fn an_editor_that_never_stops_is_left_alone() {
    let place = Place::with("{}");
    let count = Cell::new(0);
    let file = place.file();
    let steps = Steps::with_meanwhile(Step::Place, move || {
        count.set(count.get() + 1);
        fs::write(&file, format!("{{\"n\": {}}}", count.get())).unwrap();
    });
    let error = place
        .with_steps(&steps, |work| work.connect(&place.wanted()))
        .unwrap_err();
    assert!(matches!(error, ConnectError::Unsteady { .. }), "{error}");
    assert!(place.read().starts_with("{\"n\": "), "{}", place.read());
    assert_eq!(place.tree().len(), 2);
}

#[test]
fn a_file_that_appears_meanwhile_is_not_overwritten() {
    let place = Place::new();
    let file = place.file();
    let steps = Steps::with_meanwhile(Step::Place, move || {
        if !file.exists() {
            fs::write(&file, "{\"theme\": 1}").unwrap();
        }
    });
    place
        .with_steps(&steps, |work| work.connect(&place.wanted()))
        .unwrap();
    assert!(place.read().contains("theme"));
    assert_eq!(present(&place.read()), place.wanted().entry);
    place.leave(Aim::NoEntry);
    assert_eq!(place.read(), "{\"theme\": 1}");
}

#[test]
fn what_is_saved_while_a_file_is_removed_stays() {
    let place = Place::new();
    place.connect(&place.wanted()).unwrap();
    let file = place.file();
    let done = Cell::new(false);
    let steps = Steps::with_meanwhile(Step::Place, move || {
        if !done.replace(true) {
            let text = fs::read_to_string(&file).unwrap();
            fs::write(&file, text.replacen('{', "{\n  \"theme\": 1,", 1)).unwrap();
        }
    });
    place.try_leave(&steps).unwrap();
    assert!(place.read().contains("theme"), "{}", place.read());
    assert_eq!(present(&place.read()), Value::Null);
}

/// Runs a change with one more step each time until it is whole, and looks at what each stop left.
fn stopped_everywhere(place: &dyn Fn() -> Place, change: &dyn Fn(&Place, &Steps) -> bool) {
    for left in 0.. {
        let place = place();
        let before = place.tree();
        let whole = change(&place, &Steps::limited(left));
        let is_old = place.tree().get("client/mcp.json") == before.get("client/mcp.json");
        let stopped = place.tree().get("client/mcp.json").cloned();
        assert!(change(&place, &Steps::unsynced()));
        let after = place.tree();
        assert!(
            is_old || stopped.as_ref() == after.get("client/mcp.json"),
            "{left}"
        );
        let names: Vec<_> = after.keys().filter(|name| name.contains(".tmp")).collect();
        assert!(names.is_empty(), "{left}: {names:?}");
        assert!(!place.record().is_writing(), "{left}");
        if whole {
            break;
        }
    }
}

#[test]
fn a_kill_at_any_step_leaves_the_old_file_or_the_new_one() {
    let connect = |place: &Place, steps: &Steps| {
        place
            .with_steps(steps, |work| work.connect(&place.wanted()))
            .is_ok()
    };
    stopped_everywhere(&|| Place::with(OTHERS), &connect);
    stopped_everywhere(&Place::new, &connect);
    let moved = |place: &Place, steps: &Steps| {
        let moved = Wanted {
            entry: entry("/usr/bin/imprint"),
            ..place.wanted()
        };
        place.with_steps(steps, |work| work.connect(&moved)).is_ok()
    };
    let connected = |place: Place| {
        place.connect(&place.wanted()).unwrap();
        place
    };
    stopped_everywhere(&|| connected(Place::with(OTHERS)), &moved);
    let leave = |place: &Place, steps: &Steps| place.try_leave(steps).is_ok();
    stopped_everywhere(&|| connected(Place::with(OTHERS)), &leave);
    stopped_everywhere(&|| connected(Place::new()), &leave);
}

#[test]
fn a_kill_at_any_step_keeps_the_way_back() {
    for text in [Some(OTHERS), None] {
        for left in 0.. {
            let place = text.map_or_else(Place::new, Place::with);
            let deep = Wanted {
                file: match text {
                    Some(_) => place.file(),
                    None => place.path("client/a/b/mcp.json"),
                },
                ..place.wanted()
            };
            let before = place.tree();
            let steps = Steps::limited(left);
            let whole = place.with_steps(&steps, |work| work.connect(&deep)).is_ok();
            place.leave(Aim::FirstBytes);
            assert_eq!(place.tree(), before, "{left}");
            assert_eq!(place.record().connections, [], "{left}");
            if whole {
                break;
            }
        }
    }
}

#[test]
fn a_save_between_two_steps_survives_a_kill_after_it() {
    for left in 0.. {
        let place = Place::with(OTHERS);
        let saved = OTHERS.replace("dark", "light");
        let (file, text) = (place.file(), saved.clone());
        let steps = Steps::with_meanwhile(Step::Place, move || {
            if fs::read_to_string(&file).unwrap() == OTHERS {
                fs::write(&file, &text).unwrap();
            }
        })
        .stopping_after(left);
        let whole = place
            .with_steps(&steps, |work| work.connect(&place.wanted()))
            .is_ok();
        place.connect(&place.wanted()).unwrap();
        assert_eq!(present(&place.read()), place.wanted().entry);
        let is_saved = place.read().contains("light");
        place.leave(Aim::FirstBytes);
        let back = place.read();
        assert!(
            back == saved || (!is_saved && back == OTHERS),
            "{left}: {back}"
        );
        if whole {
            break;
        }
    }
}

#[test]
fn processes_at_once_lose_nothing() {
    let place = Place::with("{}");
    let names: Vec<_> = (0..8).map(|n| format!("server-{n}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let place = &place;
            scope.spawn(move || {
                let wanted = Wanted {
                    name: name.clone(),
                    ..place.wanted()
                };
                place.connect(&wanted).unwrap();
            });
        }
    });
    let text = place.read();
    for name in &names {
        assert!(text.contains(name), "{text}");
    }
    assert_eq!(place.record().connections.len(), names.len());
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
fn the_servers_of_a_file_are_told() {
    let place = Place::with(OTHERS);
    place.connect(&place.wanted()).unwrap();
    let entries = Connections {
        home: &place.home(),
        at: Timestamp(0),
    }
    .entries(&place.wanted())
    .unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.ours))
        .collect();
    assert_eq!(told, [("notes", false), ("imprint", true)]);
}
