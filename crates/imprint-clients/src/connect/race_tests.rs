//! Kills at every step, editors that save meanwhile, and processes at once.

use std::{cell::Cell, fs};

use super::{
    tests::{OTHERS, Place, entry, present},
    *,
};
use crate::steps::Step;

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
        let names: Vec<_> = after
            .keys()
            .filter(|name| name.contains(".imprint-"))
            .collect();
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
fn what_is_made_while_a_file_is_removed_counts() {
    let place = Place::new();
    place.connect(&place.wanted()).unwrap();
    let file = place.file();
    let count = Cell::new(0);
    let steps = Steps::with_meanwhile(Step::Place, move || {
        count.set(count.get() + 1);
        let text = format!("{{\"saved\": {}}}", count.get());
        if count.get() <= 2 {
            fs::write(&file, text).unwrap();
        }
    });
    place.try_leave(&steps).unwrap();
    assert_eq!(place.read(), "{\"saved\": 2}");
    assert_eq!(place.tree().len(), 2, "{:?}", place.tree());
    let kept = fs::read_dir(place.home().join("backups/2001-09-09")).unwrap();
    let kept: Vec<_> = kept
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(kept.contains(&"{\"saved\": 1}".to_owned()), "{kept:?}");
}

#[test]
fn a_save_that_a_killed_run_took_out_of_its_place_is_kept() {
    for saves_again in [false, true] {
        let place = Place::with(OTHERS);
        let saved = OTHERS.replace("dark", "light");
        let (file, text) = (place.file(), saved.clone());
        let steps = Steps::with_meanwhile(Step::Place, move || {
            if fs::read_to_string(&file).unwrap() == OTHERS {
                fs::write(&file, &text).unwrap();
            }
        });
        // The record twice, the backup twice, the file in four parts, and the exchange.
        let steps = steps.stopping_after(9);
        let stopped = place.with_steps(&steps, |work| work.connect(&place.wanted()));
        assert!(stopped.is_err());
        assert!(place.read().contains("dark"), "{}", place.read());
        if saves_again {
            fs::write(place.file(), "{\"theme\": \"blue\"}").unwrap();
        }
        place.connect(&place.wanted()).unwrap();
        let now = if saves_again { "blue" } else { "light" };
        assert!(place.read().contains(now), "{}", place.read());
        let kept = fs::read_dir(place.home().join("backups/2001-09-09")).unwrap();
        let mut kept = kept.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
        assert!(kept.any(|text| text == saved));
    }
}
