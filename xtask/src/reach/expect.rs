//! What is expected of each item, and whether it came about: once, except where the client's own
//! list drops the description or no text of ours had room for it.

use std::collections::BTreeMap;

use imprint_clients::{
    Client, Machine,
    listing::{Described, read_agents, read_listing},
};
use imprint_core::{
    Cut, Reach,
    catalog::{BLOCK_START, BLOCK_TOKENS, CHARS_PER_TOKEN},
};
use imprint_format::ItemKind;
use serde::{Deserialize, Serialize};

use super::{
    items::Item,
    sighting::{Served, Sighting},
};

/// What a line of the block takes beside name and description.
const AROUND: usize = "- persona : \n".len();
/// What guidelines take beside their texts: the heading, and the sentence that says that some are
/// left out.
const AROUND_GUIDELINES: usize = 100;

/// How a model is told of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Told {
    /// Its description, whole.
    Once,
    /// Its description, cut.
    OnceCut,
    /// Its name.
    ByName,
    /// Nothing of itself: a text of ours says where it is.
    PointedTo,
    /// Nothing at all.
    Not,
    /// Its description, more than once.
    Repeatedly,
}

/// What the client finds in its folders by its own rules: for each name, what its model sees of
/// the description, once for each time that the client lists it.
#[derive(Debug, Default)]
pub(super) struct InFolders {
    skills: BTreeMap<String, Vec<Described>>,
    personas: BTreeMap<String, Vec<Described>>,
}

impl InFolders {
    /// As `imprint clients` says it.
    pub(super) fn of(client: &Client, machine: &Machine) -> Self {
        let mut found = Self::default();
        for skill in read_listing(client, machine).unwrap_or_default().listed {
            let seen = found.skills.entry(skill.skill).or_default();
            seen.push(skill.described);
        }
        for persona in read_agents(client, machine).unwrap_or_default().listed {
            let seen = found.personas.entry(persona.name).or_default();
            seen.push(Described::Whole);
        }
        found
    }

    fn get(&self, item: &Item) -> Option<&[Described]> {
        let found = match item.kind {
            ItemKind::Skill => &self.skills,
            ItemKind::Persona => &self.personas,
            ItemKind::Guideline => return None,
        };
        found.get(&item.name).map(Vec::as_slice)
    }
}

/// What is known of one run, beside what was seen.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) client: &'a Client,
    pub(super) version: &'a str,
    pub(super) in_folders: &'a InFolders,
    pub(super) served: &'a Served,
    /// Whether the first line of our instructions, or our tool, is in the request.
    pub(super) pointer_arrived: bool,
    /// Kinds whose list in the client the model must search for first.
    pub(super) hidden: &'static [ItemKind],
}

impl Known<'_> {
    /// How the model was told of an item, and what is wrong with that, if something is.
    pub(super) fn judge(&self, item: &Item, seen: &Sighting) -> (Told, Option<String>) {
        let told = self.told(seen);
        let fault = match (told, self.in_folders.get(item)) {
            (Told::Repeatedly, _) => Some(format!("{} times", seen.described())),
            (Told::Not, _) => Some("its model is told nothing of it".to_owned()),
            (Told::PointedTo, Some(_)) if self.hidden.contains(&item.kind) => None,
            (_, Some([described])) => in_folder(told, *described),
            (_, Some(listed)) => Some(format!("the client lists it {} times", listed.len())),
            (_, None) => self.over_mcp(told, item),
        };
        (told, fault)
    }

    fn told(&self, seen: &Sighting) -> Told {
        match (seen.whole.len(), seen.described()) {
            (1, 1) => Told::Once,
            (0, 1) => Told::OnceCut,
            (_, 0) if !seen.named.is_empty() => Told::ByName,
            (_, 0) if self.pointer_arrived => Told::PointedTo,
            (_, 0) => Told::Not,
            _ => Told::Repeatedly,
        }
    }

    /// What our own texts hold must arrive; what they don't hold must have had no room.
    fn over_mcp(&self, told: Told, item: &Item) -> Option<String> {
        let holds = |text: &str| text.contains(&item.text);
        let given = holds(&self.served.instructions) || holds(&self.served.skills_description);
        match told {
            Told::Once => None,
            // Such a client shows its model one line of ours, and the rest as it likes.
            Told::PointedTo if self.shows_one_line() => None,
            _ if given => Some("the server gave its description, and it did not arrive".to_owned()),
            Told::ByName | Told::PointedTo if !self.has_room(item) => None,
            _ => Some("the server left its description out though there was room".to_owned()),
        }
    }

    fn shows_one_line(&self) -> bool {
        let cut = self.client.facts.instruction_cut(Some(self.version));
        matches!(cut, Some(Cut::FirstLine(_)))
    }

    /// The text of ours that holds the block, and how much of it the model sees.
    fn carrier(&self) -> (&str, Option<Cut>) {
        let facts = &self.client.facts;
        let version = Some(self.version);
        if facts.instructions_reach_model == Reach::No {
            let cut = facts.description_cut(version);
            return (&self.served.skills_description, cut);
        }
        (&self.served.instructions, facts.instruction_cut(version))
    }

    /// Whether one more description would have had room.
    fn has_room(&self, item: &Item) -> bool {
        let units = |text: &str| text.encode_utf16().count();
        let (text, cut) = self.carrier();
        let more = match item.kind {
            ItemKind::Guideline => units(&item.text) + AROUND_GUIDELINES,
            _ => units(&item.text) + units(&item.name) + AROUND,
        };
        let block = text.find(BLOCK_START).map_or(0, |at| units(&text[at..]));
        let in_block = block + more <= BLOCK_TOKENS * CHARS_PER_TOKEN;
        let in_all = match cut {
            Some(Cut::Utf16(most) | Cut::FirstLine(most)) => units(text) + more <= most,
            None => true,
        };
        (in_block || item.kind == ItemKind::Guideline) && in_all
    }
}

/// What the client was said to do with the description.
fn in_folder(told: Told, described: Described) -> Option<String> {
    let fault = match (described, told) {
        (_, Told::Once)
        | (Described::NotEstablished, _)
        | (Described::Shortened(_), Told::OnceCut) => return None,
        (Described::NameOnly | Described::NoneWritten, Told::OnceCut | Told::ByName) => {
            return None;
        }
        (Described::Whole, Told::OnceCut) => "cut, though it was said to come whole",
        (_, Told::ByName) => "named alone, though its description was said to come",
        (_, Told::PointedTo) => "in the client's folder, and not in its list",
        _ => "not as it was said",
    };
    Some(fault.to_owned())
}

#[cfg(test)]
mod tests {
    use imprint_clients::known_client;

    use super::super::{items::items, sighting::Channel};
    use super::*;

    fn seen(whole: usize, cut: usize, named: usize) -> Sighting {
        Sighting {
            whole: vec![Channel::Folder; whole],
            cut: vec![Channel::Folder; cut],
            named: vec![Channel::Folder; named],
        }
    }

    fn judge(
        client: &str,
        in_folders: &InFolders,
        served: &Served,
        seen: &Sighting,
    ) -> (Told, bool) {
        let known = Known {
            client: known_client(client).unwrap(),
            version: "",
            in_folders,
            served,
            pointer_arrived: true,
            hidden: &[],
        };
        let (told, fault) = known.judge(&items(1)[0], seen);
        (told, fault.is_none())
    }

    #[test]
    fn an_item_in_a_folder_is_told_of_as_the_clients_list_says() {
        let listed = |described| InFolders {
            skills: BTreeMap::from([(items(1)[0].name.clone(), vec![described])]),
            ..InFolders::default()
        };
        let judge = |described, seen: Sighting| {
            judge("claude-code", &listed(described), &Served::default(), &seen)
        };
        assert_eq!(judge(Described::Whole, seen(1, 0, 0)), (Told::Once, true));
        assert_eq!(
            judge(Described::NameOnly, seen(0, 0, 1)),
            (Told::ByName, true)
        );
        assert_eq!(
            judge(Described::Whole, seen(0, 0, 1)),
            (Told::ByName, false)
        );
        assert_eq!(
            judge(Described::Whole, seen(2, 0, 0)),
            (Told::Repeatedly, false)
        );
        assert_eq!(
            judge(Described::Shortened(9), seen(0, 1, 0)),
            (Told::OnceCut, true)
        );
        assert_eq!(
            judge(Described::Whole, seen(0, 0, 0)),
            (Told::PointedTo, false)
        );
    }

    #[test]
    fn what_the_server_gives_must_arrive_and_what_has_room_must_be_given() {
        let none = InFolders::default();
        let given = Served {
            instructions: items(1)[0].text.clone(),
            ..Served::default()
        };
        let full = Served {
            instructions: format!("{BLOCK_START}{}", "x".repeat(6_000)),
            ..Served::default()
        };
        let judge = |served, seen: Sighting| judge("opencode", &none, served, &seen);
        assert_eq!(judge(&given, seen(1, 0, 0)), (Told::Once, true));
        assert_eq!(judge(&given, seen(0, 0, 1)), (Told::ByName, false));
        assert_eq!(judge(&given, seen(0, 1, 0)), (Told::OnceCut, false));
        assert_eq!(judge(&full, seen(0, 0, 1)), (Told::ByName, true));
        assert_eq!(
            judge(&Served::default(), seen(0, 0, 1)),
            (Told::ByName, false)
        );
    }
}
