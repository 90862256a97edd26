//! What a client lists of the skills in its folders, as far as its own settings and copies of one
//! skill change what its rules say.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use imprint_format::{ItemKind, limits::TEXT_FILE_BYTES};

use super::room::{allowance, more_room};
use crate::{
    client::{Allowance, Client},
    config::{self, MAX_BYTES, Slot, Value},
    connect::Wanted,
    home::read_bounded,
    listing::{ClientListing, Described, Unlisted, WhyUnlisted, read_listing},
    machine::Machine,
};

/// What a client lists.
#[derive(Debug, Default)]
pub(super) struct SkillsSeen {
    /// Its list; `None`: nobody established how it lists.
    pub(super) listing: Option<ClientListing>,
    /// Skills that it leaves out because of another of their name, of which they are mere copies.
    pub(super) copies: BTreeSet<PathBuf>,
    /// Whether its own setting gives its list more room.
    pub(super) has_more_room: bool,
}

/// Looks at what a client lists. Reads files alone.
pub(super) fn skills(client: &Client, machine: &Machine) -> SkillsSeen {
    let Some(mut listing) = read_listing(client, machine) else {
        return SkillsSeen::default();
    };
    let room = more_room(client, machine).filter(|room| is_set(&room.wanted));
    if let (Some(room), Some(allowance)) = (&room, allowance(client)) {
        widen(&mut listing, allowance, room.characters);
    }
    SkillsSeen {
        copies: copies(&listing),
        has_more_room: room.is_some(),
        listing: Some(listing),
    }
}

/// Whether a setting has the value that would be written, or a greater one.
fn is_set(wanted: &Wanted) -> bool {
    let present = || -> Option<Value> {
        let bytes = read_bounded(&wanted.file, MAX_BYTES as u64).ok()?;
        let parents = wanted.servers.iter().map(String::as_str);
        let path: Vec<_> = parents.chain([wanted.name.as_str()]).collect();
        let slot = Slot {
            syntax: wanted.syntax,
            path: &path,
        };
        config::get(&String::from_utf8(bytes).ok()?, &slot).ok()?
    };
    present().is_some_and(|present| match (present.as_f64(), wanted.entry.as_f64()) {
        (Some(present), Some(wanted)) => present >= wanted,
        _ => present == wanted.entry,
    })
}

/// Gives a list so many characters. When they don't suffice, what was worked out for less room
/// stays: rather too many descriptions are said to be lost than too few.
fn widen(listing: &mut ClientListing, allowance: &Allowance, characters: usize) {
    let Some(room) = &mut listing.room else {
        return;
    };
    room.has = room.has.max(characters);
    if !room.suffices() {
        return;
    }
    for one in &mut listing.listed {
        let is_by_itself_too_long =
            matches!(one.described, Described::Shortened(shown) if shown >= allowance.description);
        if one.described.loses() && !is_by_itself_too_long {
            one.described = Described::Whole;
        }
    }
}

/// The shadowed skills whose main file is that of the one that is listed in their place.
fn copies(listing: &ClientListing) -> BTreeSet<PathBuf> {
    let text = |skill: &Path| {
        let file = skill.join(ItemKind::Skill.entry_file());
        read_bounded(&file, TEXT_FILE_BYTES as u64).ok()
    };
    let is_copy = |one: &&Unlisted| match &one.why {
        WhyUnlisted::Shadowed(by) => text(by).is_some_and(|by| text(&one.path) == Some(by)),
        _ => false,
    };
    let copies = listing.unlisted.iter().filter(is_copy);
    copies.map(|one| one.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{known::known_client, machine::Os};

    fn skill(folder: &Path, name: &str, description: &str) {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nDo it.\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }

    #[test]
    fn a_list_that_was_given_more_room_loses_no_description() {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path());
        let client = known_client("claude-code").unwrap();
        for number in 0..20 {
            let folder = disk.path().join(".claude/skills");
            skill(&folder, &format!("tea-{number}"), &"Times tea. ".repeat(30));
        }
        let lost = || {
            let seen = skills(client, &machine);
            (
                seen.listing.unwrap().not_whole().count() > 0,
                seen.has_more_room,
            )
        };
        assert_eq!(lost(), (true, false));
        let settings = disk.path().join(".claude/settings.json");
        for (value, seen) in [
            ("0.02", (true, false)),
            ("0.1", (false, true)),
            ("0.5", (false, true)),
        ] {
            fs::write(
                &settings,
                format!("{{\"skillListingBudgetFraction\": {value}}}"),
            )
            .unwrap();
            assert_eq!(lost(), seen, "{value}");
        }
    }

    #[test]
    fn a_copy_is_told_from_another_skill_of_the_same_name() {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path());
        let [shared, claude] =
            [".agents/skills", ".claude/skills"].map(|below| disk.path().join(below));
        skill(&shared, "tea", "Times tea.");
        skill(&claude, "tea", "Times tea.");
        skill(&shared, "soup", "Cooks soup.");
        skill(&claude, "soup", "Cooks another soup.");
        let seen = skills(known_client("opencode").unwrap(), &machine);
        assert_eq!(seen.listing.unwrap().unlisted.len(), 2);
        let copies: Vec<_> = seen.copies.iter().collect();
        assert_eq!(copies, [&claude.join("tea")]);
    }
}
