//! Whatever happens to a client's file and to the process, in any order: what others wrote stays,
//! and the next whole run sets our entry right or takes it out.

use std::fs;

use proptest::prelude::*;
use serde_json::{Map, json};

use super::{
    tests::{Place, entry},
    *,
};

const PROGRAMS: [&str; 2] = ["/opt/imprint", "/usr/bin/imprint"];

#[derive(Clone, Debug)]
enum Event {
    /// Connecting with one of the programs, and after how many changes it is killed.
    Connect(usize, u64),
    /// Disconnecting, and after how many changes it is killed.
    Disconnect(u64),
    /// Someone sets one of their members and keeps the rest as it is written.
    Edit(u8),
    /// The client writes its file anew in its own way, with a member more.
    Rewrite(u8),
    /// The client writes its file anew and knows nothing of our entry.
    Drop,
}

fn event() -> impl Strategy<Value = Event> {
    // Most runs are whole.
    let steps = || prop_oneof![Just(u64::MAX), 0..16_u64];
    prop_oneof![
        3 => (0..PROGRAMS.len(), steps()).prop_map(|(program, left)| Event::Connect(program, left)),
        2 => steps().prop_map(Event::Disconnect),
        1 => any::<u8>().prop_map(Event::Edit),
        1 => any::<u8>().prop_map(Event::Rewrite),
        1 => Just(Event::Drop),
    ]
}

/// The file without our entry and without the object that it may have been made for.
fn foreign(place: &Place) -> Map<String, Value> {
    let text = fs::read_to_string(place.file()).unwrap_or_default();
    let slot = Slot {
        syntax: Syntax::Jsonc,
        path: &[],
    };
    let value = crate::config::get(&text, &slot)
        .unwrap()
        .unwrap_or_default();
    let mut members = value.as_object().cloned().unwrap_or_default();
    if let Some(servers) = members.get_mut("mcpServers").and_then(Value::as_object_mut) {
        servers.shift_remove("imprint");
        if servers.is_empty() {
            members.shift_remove("mcpServers");
        }
    }
    // A null where servers would be is no data, and may become an object.
    members.retain(|_, value| !value.is_null());
    members
}

fn edit(place: &Place, number: u8) {
    let text = fs::read_to_string(place.file()).unwrap_or_default();
    let name = format!("key-{}", number % 4);
    let slot = Slot {
        syntax: Syntax::Jsonc,
        path: &[&name],
    };
    let put = crate::config::put(&text, &slot, &json!(number)).unwrap();
    fs::write(place.file(), put.text).unwrap();
}

fn ours(place: &Place) -> Option<Value> {
    let text = fs::read_to_string(place.file()).unwrap_or_default();
    let slot = Slot {
        syntax: Syntax::Jsonc,
        path: &["mcpServers", "imprint"],
    };
    crate::config::get(&text, &slot).unwrap()
}

fn rewrite(place: &Place, keeps_ours: bool) {
    let ours = ours(place);
    let mut members = foreign(place);
    if let Some(ours) = ours.filter(|_| keeps_ours) {
        let servers = members.entry("mcpServers").or_insert_with(|| json!({}));
        servers["imprint"] = ours;
    }
    let text = serde_json::to_string(&members).unwrap();
    fs::write(place.file(), text).unwrap();
}

/// Carries an event out and tells whether the run was whole.
fn happen(place: &Place, event: &Event) -> bool {
    match *event {
        Event::Connect(program, left) => {
            let wanted = Wanted {
                entry: entry(PROGRAMS[program]),
                ..place.wanted()
            };
            let steps = Steps::limited(left);
            place
                .with_steps(&steps, |work| work.connect(&wanted))
                .is_ok()
        }
        Event::Disconnect(left) => place.try_leave(&Steps::limited(left)).is_ok(),
        Event::Edit(number) => {
            edit(place, number);
            true
        }
        Event::Rewrite(number) => {
            edit(place, number);
            rewrite(place, true);
            true
        }
        Event::Drop => {
            rewrite(place, false);
            true
        }
    }
}

fn is_connected(place: &Place) -> bool {
    ours(place).is_some()
}

/// Lets events happen and looks after each at what others wrote; at the end our entry is taken out.
fn check(place: &Place, events: &[Event]) -> Result<(), TestCaseError> {
    let mut theirs = foreign(place);
    for event in events {
        let is_whole = happen(place, event);
        if matches!(event, Event::Edit(_) | Event::Rewrite(_) | Event::Drop) {
            theirs = foreign(place);
        }
        prop_assert_eq!(&foreign(place), &theirs, "after {:?}", event);
        match event {
            Event::Connect(..) if is_whole => prop_assert!(is_connected(place)),
            Event::Disconnect(_) if is_whole => prop_assert!(!is_connected(place)),
            _ => {}
        }
    }
    let whole = Steps::unsynced();
    prop_assert!(place.try_leave(&whole).is_ok());
    prop_assert_eq!(foreign(place), theirs);
    prop_assert!(!is_connected(place));
    let left: Vec<_> = place
        .tree()
        .into_keys()
        .filter(|name| name.contains(".imprint-"))
        .collect();
    prop_assert!(left.is_empty(), "{:?}", left);
    prop_assert_eq!(place.record().connections, vec![]);
    Ok(())
}

#[test]
fn a_half_written_file_never_takes_a_place() {
    // The client happens to write the very text that a killed run was about to write.
    let events = [
        Event::Connect(1, u64::MAX),
        Event::Rewrite(0),
        Event::Connect(0, 8),
        Event::Disconnect(8),
        Event::Drop,
    ];
    check(&Place::new(), &events).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_others_wrote_stays(
        first in prop::option::of(prop_oneof![
            Just("{\n\t// mine\n\t\"theme\": \"dark\",\n\t\"mcpServers\": null\n}"),
            Just("{\"mcpServers\":{\"notes\":{\"command\":\"notes\"}}}\r\n"),
            Just(""),
        ]),
        events in prop::collection::vec(event(), 1..14),
    ) {
        let place = Place::new();
        if let Some(first) = first {
            fs::write(place.file(), first).unwrap();
        }
        check(&place, &events)?;
    }
}
