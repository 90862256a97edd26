//! A client's own setting by which its list of skills gets more room.

use imprint_core::ClientFacts;

use crate::{
    client::{Allowance, Budget, Client, RoomSetting},
    connect::{Scope, Wanted},
    machine::Machine,
};

/// What would give a client's list of skills more room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoreRoom {
    /// The setting, as it is written into the client's file; taken out like an entry of ours.
    pub wanted: Wanted,
    /// The setting's name, with dots between the names that lead to it.
    pub setting: String,
    /// The characters that the user's skills have then.
    pub characters: usize,
}

/// The setting of a client that gives its list more room; `None`: none is known.
pub fn more_room(client: &Client, machine: &Machine) -> Option<MoreRoom> {
    let allowance = allowance(client)?;
    let setting = allowance.setting.as_ref()?;
    let (name, parents) = setting.path.split_last()?;
    Some(MoreRoom {
        wanted: wanted(&client.facts, machine, setting, name, parents)?,
        setting: setting.path.join("."),
        characters: setting.characters.saturating_sub(allowance.taken),
    })
}

/// The bound of a client's list, where it has one.
pub(crate) fn allowance(client: &Client) -> Option<&Allowance> {
    match client.listing.as_ref()?.budget.as_ref()? {
        Budget::WhileItFits(allowance) | Budget::Shortened(allowance) => Some(allowance),
        Budget::Whole | Budget::NamesOnly => None,
    }
}

fn wanted(
    facts: &ClientFacts,
    machine: &Machine,
    setting: &RoomSetting,
    name: &str,
    parents: &[&str],
) -> Option<Wanted> {
    Some(Wanted {
        client: facts.id.to_owned(),
        scope: Scope::User,
        file: (setting.file)(machine),
        syntax: setting.syntax,
        servers: parents.iter().map(|part| (*part).to_owned()).collect(),
        name: name.to_owned(),
        entry: serde_json::from_str(setting.value).ok()?,
        makes_folders: true,
    })
}

#[cfg(test)]
mod tests {
    use imprint_core::Timestamp;

    use super::*;
    use crate::{
        connect::{Aim, Connections},
        known::{known_client, known_clients},
        machine::Os,
    };

    #[test]
    fn every_setting_of_the_table_can_be_written() {
        let machine = Machine::new(Os::Linux, "/home/ada");
        for client in known_clients() {
            let has = allowance(client).is_some_and(|allowance| allowance.setting.is_some());
            assert_eq!(
                more_room(client, &machine).is_some(),
                has,
                "{}",
                client.facts.id
            );
        }
    }

    #[test]
    fn a_setting_is_written_beside_others_and_taken_out_again() {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path());
        let file = disk.path().join(".claude/settings.json");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let before = "{\n    \"model\": \"x\"\n}\n";
        std::fs::write(&file, before).unwrap();
        let room = more_room(known_client("claude-code").unwrap(), &machine).unwrap();
        let home = disk.path().join("imprint");
        let connections = Connections {
            home: &home,
            at: Timestamp(0),
        };
        connections.connect(&room.wanted).unwrap();
        let after = std::fs::read_to_string(&file).unwrap();
        assert!(
            after.contains("\"skillListingBudgetFraction\": 0.1"),
            "{after}"
        );
        let leaving = connections.leaving("claude-code", None).unwrap();
        assert_eq!(leaving.len(), 1);
        connections.disconnect(&leaving[0], Aim::NoEntry).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
    }

    #[test]
    fn a_value_of_the_users_own_is_not_replaced() {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path());
        let file = disk.path().join(".claude/settings.json");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "{\"skillListingBudgetFraction\": 0.05}").unwrap();
        let room = more_room(known_client("claude-code").unwrap(), &machine).unwrap();
        let connections = Connections {
            home: &disk.path().join("imprint"),
            at: Timestamp(0),
        };
        connections.connect(&room.wanted).unwrap_err();
    }
}
