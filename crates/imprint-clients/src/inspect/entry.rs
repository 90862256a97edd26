//! What a client's file says of its servers, in whichever of the clients' forms.

use std::collections::BTreeMap;

use imprint_core::secret::masked_in;
use serde::Serialize;

use crate::{config::Value, connect::Entry, launch::SERVER_NAME};

/// Variables of ours that an entry may set; of others only the names are ever read.
const OUR_VARIABLES: &str = "IMPRINT_";

/// An entry that concerns Imprint: one that starts it, or that has its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OurEntry {
    /// The entry, credentials masked.
    #[serde(flatten)]
    pub entry: Entry,
    /// The variables among those that it sets which are Imprint's, credentials masked.
    pub variables: BTreeMap<String, String>,
    /// Whether the client is told to leave it out.
    pub is_disabled: bool,
}

/// The servers of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Servers {
    /// Those that concern Imprint, in the order of the file.
    pub entries: Vec<OurEntry>,
    /// How many others there are.
    pub others: usize,
    /// The names of those with control characters in their command or an argument, which no path
    /// has unless its backslashes were read as escapes.
    pub mangled: Vec<String>,
}

/// Reads the value that holds a client's servers: an object by name, or a list of objects with
/// names. What has another shape is counted, not read. `is_recorded` tells whether connecting wrote
/// what stands at a name: that is ours whatever its program is called.
pub(super) fn servers(value: &Value, is_recorded: impl Fn(&str, &Value) -> bool) -> Servers {
    let named: Vec<(&str, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, one)| (name.as_str(), one))
            .collect(),
        Value::Array(list) => list
            .iter()
            .map(|one| (one["name"].as_str().unwrap_or_default(), one))
            .collect(),
        _ => Vec::new(),
    };
    let mut servers = Servers::default();
    for (name, value) in named {
        let mut entry = Entry::read(name, value);
        entry.ours |= is_recorded(name, value);
        if is_mangled(&entry) {
            servers.mangled.push(name.to_owned());
        }
        if entry.ours || name == SERVER_NAME {
            servers.entries.push(OurEntry::of(entry, value));
        } else {
            servers.others += 1;
        }
    }
    servers
}

impl OurEntry {
    fn of(mut entry: Entry, value: &Value) -> Self {
        let words = entry.command.iter_mut().chain(&mut entry.args);
        words.for_each(|word| *word = masked_in(word).into_owned());
        Self {
            entry,
            variables: our_variables(value),
            is_disabled: value["disabled"] == true || value["enabled"] == false,
        }
    }

    /// The client that it names with `--client`.
    pub fn named_client(&self) -> Option<&str> {
        let mut args = self.entry.args.iter();
        while let Some(arg) = args.next() {
            if arg == "--client" {
                return args.next().map(String::as_str);
            }
            if let Some(id) = arg.strip_prefix("--client=") {
                return Some(id);
            }
        }
        None
    }
}

fn is_mangled(entry: &Entry) -> bool {
    let mut words = entry.command.iter().chain(&entry.args);
    words.any(|word| word.chars().any(char::is_control))
}

fn our_variables(value: &Value) -> BTreeMap<String, String> {
    let all = ["env", "envs", "environment"].map(|key| value[key].as_object());
    let variables = all.into_iter().flatten().flatten();
    variables
        .filter(|(name, _)| name.starts_with(OUR_VARIABLES))
        .filter_map(|(name, value)| Some((name.clone(), masked_in(value.as_str()?).into_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn by_form(value: &Value) -> Servers {
        servers(value, |_, _| false)
    }

    #[test]
    fn only_entries_that_concern_us_are_read_and_no_credential_of_theirs() {
        let token = format!("{}{}", "gh", "p_Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeAb12");
        let read = by_form(&json!({
            "github": {"command": "npx", "args": ["-y", "x"], "env": {"TOKEN": token}},
            "imprint": {
                "command": "other",
                "args": [format!("--token={token}")],
                "env": {"TOKEN": token, "IMPRINT_HOME": "/srv/imprint"},
                "disabled": true,
            },
            "mine": {"command": "imprint", "args": ["mcp", "--client=codex"]},
        }));
        assert_eq!(read.others, 1);
        let names: Vec<_> = read
            .entries
            .iter()
            .map(|one| one.entry.name.as_str())
            .collect();
        assert_eq!(names, ["imprint", "mine"]);
        assert!(!format!("{read:?}").contains(&token));
        assert_eq!(read.entries[0].variables["IMPRINT_HOME"], "/srv/imprint");
        assert!(read.entries[0].is_disabled && !read.entries[1].is_disabled);
        assert_eq!(read.entries[1].named_client(), Some("codex"));
    }

    #[test]
    fn a_list_of_servers_has_their_names_inside() {
        let read = by_form(&json!([
            {"name": "imprint", "command": "imprint", "args": ["mcp"]},
            {"name": "other", "command": "x"},
            7,
        ]));
        assert_eq!((read.entries.len(), read.others), (1, 2));
        assert_eq!(by_form(&json!("text")), Servers::default());
    }

    #[test]
    fn a_backslash_that_was_read_as_an_escape_is_seen() {
        let read = by_form(&json!({
            "files": {"command": r"C:\temp\x.exe", "args": []},
            "bad": {"command": "C:\temp\\x.exe", "args": []},
            "worse": {"command": "x", "args": ["C:\new"]},
        }));
        assert_eq!(read.mangled, ["bad", "worse"]);
    }
}
