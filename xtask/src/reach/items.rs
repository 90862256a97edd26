//! The items of a measured home: each with words of its own, so that it is found again in what a
//! model is sent.

use imprint_format::ItemKind;

/// Personas of every home.
const PERSONAS: usize = 3;
/// Guidelines of every home.
const GUIDELINES: usize = 2;
/// What skills are about, so that no two descriptions are alike.
const THINGS: [&str; 8] = [
    "invoices", "harbours", "letters", "photos", "tickets", "recipes", "bicycles", "meadows",
];

/// One item that a client's model should be told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) name: String,
    /// Its description; a guideline's text.
    pub(super) text: String,
    /// The first word of the text, which stands nowhere else.
    pub(super) mark: String,
}

/// So many skills, and a few personas and guidelines.
pub(super) fn items(skills: usize) -> Vec<Item> {
    let skills = (0..skills).map(skill);
    let personas = (0..PERSONAS).map(persona);
    let guidelines = (0..GUIDELINES).map(guideline);
    skills.chain(personas).chain(guidelines).collect()
}

fn skill(i: usize) -> Item {
    let thing = THINGS[i % THINGS.len()];
    let mark = format!("Markskill{i:03}");
    Item {
        kind: ItemKind::Skill,
        name: format!("sort-{thing}-{i:03}"),
        text: format!(
            "{mark} sorts {thing} by age and place, and checks that none is missing. \
             Use when someone asks about {thing} of kind {i}, or wants a list of them."
        ),
        mark,
    }
}

fn persona(i: usize) -> Item {
    let thing = THINGS[(i + 3) % THINGS.len()];
    let mark = format!("Markpersona{i:03}");
    Item {
        kind: ItemKind::Persona,
        name: format!("reader-of-{thing}-{i:03}"),
        text: format!("{mark} reads {thing} with a cold eye. Use to review {thing} of kind {i}."),
        mark,
    }
}

fn guideline(i: usize) -> Item {
    let mark = format!("Markguideline{i:03}");
    Item {
        kind: ItemKind::Guideline,
        name: format!("house-rule-{i:03}"),
        text: format!("{mark} comes first: name the source of every figure in answer {i}."),
        mark,
    }
}

/// The last words of an item's instructions.
pub(super) fn body_end(name: &str) -> String {
    format!("Here end the steps of {name}")
}

/// An item's instructions, as long as those of a usual small skill.
pub(super) fn instructions(name: &str) -> String {
    let step = "- Look at the next one before you write anything down.\n";
    format!("# Steps\n\n{}\n{}\n", step.repeat(12), body_end(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_words_of_an_item_stand_in_another() {
        let items = items(60);
        let names: BTreeSet<_> = items.iter().map(|item| &item.name).collect();
        assert_eq!(names.len(), items.len());
        for item in &items {
            for other in items.iter().filter(|other| *other != item) {
                assert!(!other.text.contains(&item.mark), "{}", item.name);
                assert!(!other.text.contains(&item.name), "{}", item.name);
                assert!(!other.name.contains(&item.name), "{}", item.name);
            }
        }
    }
}
