//! Counting: how often an item stands in what a model was sent, whole or cut, and through which
//! channel.

use serde::{Deserialize, Serialize};

use super::{
    items::Item,
    model::{Place, Prompt, is_skills},
};

/// Characters of a known text by which its beginning is found.
const BEGINNING: usize = 40;

/// A way to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Channel {
    /// The client's own list of what is in its folders.
    Folder,
    /// The instructions of the server.
    Instructions,
    /// The description of the server's tool `skills`.
    Tool,
}

/// What the server says, as it gave it to this client: by this an occurrence is known to be ours.
#[derive(Clone, Debug, Default)]
pub(super) struct Served {
    pub(super) instructions: String,
    pub(super) skills_description: String,
}

/// How an item was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sighting {
    /// The channel of each whole description.
    pub(super) whole: Vec<Channel>,
    /// The channel of each beginning of a description.
    pub(super) cut: Vec<Channel>,
    /// The channel of each name without a description; empty where there is a description.
    pub(super) named: Vec<Channel>,
}

/// Looks for an item in a request.
pub(super) fn sight(item: &Item, prompt: &Prompt, served: &Served) -> Sighting {
    let mut sighting = Sighting::default();
    for text in &prompt.texts {
        let plain = plain(&text.text);
        let channel = Channels::of(&plain, &text.place, served);
        for (at, _) in plain.match_indices(&item.mark) {
            let seen = if plain[at..].starts_with(&item.text) {
                &mut sighting.whole
            } else {
                &mut sighting.cut
            };
            seen.push(channel.at(at));
        }
        let names = plain.match_indices(&item.name);
        sighting.named.extend(names.map(|(at, _)| channel.at(at)));
    }
    if sighting.described() > 0 {
        sighting.named.clear();
    }
    sighting
}

impl Sighting {
    /// How often the description stands there, whole or cut.
    pub(super) fn described(&self) -> usize {
        self.whole.len() + self.cut.len()
    }

    /// The channels that it came through, each once.
    pub(super) fn channels(&self) -> Vec<Channel> {
        let mut all: Vec<_> = [&self.whole, &self.cut, &self.named]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A text as it can be compared: some clients escape it or lay it out anew.
fn plain(text: &str) -> String {
    let unescaped = text.replace("\\n", " ").replace('\\', "");
    unescaped.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Which stretches of a text came from our server.
struct Channels {
    stretches: Vec<(std::ops::Range<usize>, Channel)>,
    elsewhere: Channel,
}

impl Channels {
    fn of(text: &str, place: &Place, served: &Served) -> Self {
        let instructions = stretch(text, &plain(&served.instructions));
        let description = stretch(text, &plain(&served.skills_description));
        let known = [
            (instructions, Channel::Instructions),
            (description, Channel::Tool),
        ];
        let stretches = known
            .into_iter()
            .filter_map(|(stretch, channel)| Some((stretch?, channel)))
            .collect();
        let elsewhere = match place {
            Place::Tool(name) if is_skills(name) => Channel::Tool,
            _ => Channel::Folder,
        };
        Self {
            stretches,
            elsewhere,
        }
    }

    fn at(&self, position: usize) -> Channel {
        self.stretches
            .iter()
            .find(|(stretch, _)| stretch.contains(&position))
            .map_or(self.elsewhere, |(_, channel)| *channel)
    }
}

/// Where a text holds another, or as much of its beginning as is there.
fn stretch(text: &str, known: &str) -> Option<std::ops::Range<usize>> {
    let beginning: String = known.chars().take(BEGINNING).collect();
    if beginning.is_empty() {
        return None;
    }
    let start = text.find(&beginning)?;
    let same = text[start..].chars().zip(known.chars());
    let length: usize = same
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::super::{items::items, model::PromptText};
    use super::*;

    fn prompt(texts: &[(Place, &str)]) -> Prompt {
        Prompt {
            texts: texts
                .iter()
                .map(|(place, text)| PromptText {
                    place: place.clone(),
                    text: (*text).to_owned(),
                })
                .collect(),
            ..Prompt::default()
        }
    }

    fn served(item: &Item) -> Served {
        Served {
            instructions: format!(
                "Imprint keeps the user's own skills and personas.\n\n- skill {}: {}\nThe end.",
                item.name, item.text
            ),
            skills_description: "Lists and loads the user's own skills and personas.".to_owned(),
        }
    }

    #[test]
    fn each_channel_is_told_from_the_others() {
        let item = &items(1)[0];
        let served = served(item);
        let listed = format!("Skills:\n- {}: {}", item.name, item.text);
        let ours = format!("# Servers\n{}", served.instructions);
        let tool = Place::Tool("mcp__imprint__skills".to_owned());
        let seen = sight(
            item,
            &prompt(&[
                (Place::System, &listed),
                (Place::Message, &ours),
                (tool, &listed),
            ]),
            &served,
        );
        let all = [Channel::Folder, Channel::Instructions, Channel::Tool];
        assert_eq!(seen.whole, all);
        assert_eq!((seen.cut.len(), seen.named.len()), (0, 0));
    }

    #[test]
    fn a_cut_description_and_a_bare_name_are_seen_as_such() {
        let item = &items(1)[0];
        let cut = format!("- {}: {}…", item.name, &item.text[..30]);
        let seen = sight(item, &prompt(&[(Place::System, &cut)]), &Served::default());
        assert_eq!((seen.whole.len(), seen.cut.len()), (0, 1));
        let named = format!("More: {}", item.name);
        let seen = sight(
            item,
            &prompt(&[(Place::System, &named)]),
            &Served::default(),
        );
        assert_eq!((seen.described(), seen.named.len()), (0, 1));
    }

    #[test]
    fn what_stands_after_the_instructions_is_not_theirs() {
        let item = &items(1)[0];
        let served = served(item);
        let text = format!("{}\n- {}: {}", served.instructions, item.name, item.text);
        let seen = sight(item, &prompt(&[(Place::System, &text)]), &served);
        assert_eq!(seen.whole, [Channel::Instructions, Channel::Folder]);
    }
}
