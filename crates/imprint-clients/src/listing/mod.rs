//! What a client lists to its model from given folders, by its own rules: which skills, how often,
//! which are left out and why, and how much of their descriptions is left.

mod agents;
mod budget;
mod read;
mod why;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

use imprint_format::{ItemName, NameFault, limits::NAME_CHARS};

use crate::client::{Client, Listing, NamedBy, Reject, SameName};
pub use agents::{AgentListing, ListedAgent, UnlistedAgent, read_agents};
use budget::Row;
pub use budget::{Described, Room};
pub use read::read_listing;
pub use why::WhyUnlisted;

/// What stands in one of the folders that a client reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderContent {
    /// The folder, as the client names it.
    pub folder: PathBuf,
    /// The skills in it, in the order of their paths.
    pub places: Vec<SkillPlace>,
}

/// One skill's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillPlace {
    /// The folder, as reached from the one that the client reads.
    pub path: PathBuf,
    /// The folder, links resolved.
    pub real: PathBuf,
    /// Whether it is reached over a link.
    pub is_link: bool,
    /// Whether it stands in a folder of the folder that the client reads.
    pub is_nested: bool,
    /// What its `SKILL.md` says, or why no client gets anything from it.
    pub text: Result<SkillText, String>,
}

/// What a `SKILL.md` says about its skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillText {
    /// The name in its header.
    pub name: Option<String>,
    /// The description in its header.
    pub description: Option<String>,
    /// Whether it asks to be kept from the model.
    pub hidden: bool,
    /// What its bytes show and its name and description don't: [`Reject::NoHeader`],
    /// [`Reject::UnquotedColon`], [`Reject::ByteOrderMark`].
    pub defects: Vec<Reject>,
}

/// What a client lists to its model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientListing {
    /// The entries, in the order of their names.
    pub listed: Vec<Listed>,
    /// Skills that it found or passed by, and doesn't list, in the order in which it meets them.
    pub unlisted: Vec<Unlisted>,
    /// The room of the list, where there is a bound.
    pub room: Option<Room>,
}

/// An entry of a client's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name that the client shows.
    pub name: String,
    /// The name that the skill gives itself: in its header, else its folder's.
    pub skill: String,
    /// Its folder, as reached from the one that the client reads.
    pub path: PathBuf,
    /// Its folder, links resolved.
    pub real: PathBuf,
    /// How much of its description the model sees.
    pub described: Described,
}

/// A skill in a folder that a client reads, and that it doesn't list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlisted {
    /// The name that the skill gives itself: in its header, else its folder's.
    pub skill: String,
    /// Its folder, as reached from the one that the client reads.
    pub path: PathBuf,
    /// Why.
    pub why: WhyUnlisted,
}

impl ClientListing {
    /// The skills that stand in the list more than once, by the names that they give themselves,
    /// each with its entries.
    pub fn repeated(&self) -> BTreeMap<&str, Vec<&Listed>> {
        let mut by_skill: BTreeMap<&str, Vec<&Listed>> = BTreeMap::new();
        for listed in &self.listed {
            by_skill.entry(&listed.skill).or_default().push(listed);
        }
        by_skill.retain(|_, entries| entries.len() > 1);
        by_skill
    }

    /// How often a skill of this name stands in the list.
    pub fn count(&self, skill: &str) -> usize {
        self.listed.iter().filter(|one| one.skill == skill).count()
    }

    /// The entries whose description the model doesn't see, or not whole.
    pub fn not_whole(&self) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(|one| one.described.loses())
    }
}

/// What this client lists of these folders, which come in the order in which it reads them; `None`
/// where nobody established how it lists.
pub fn listing<'f>(
    client: &Client,
    folders: impl IntoIterator<Item = &'f FolderContent>,
) -> Option<ClientListing> {
    let rules = client.listing.as_ref()?;
    let mut settled = Settled {
        rules,
        found: Vec::new(),
        unlisted: Vec::new(),
        by_name: HashMap::new(),
        by_folder: HashMap::new(),
    };
    for place in folders.into_iter().flat_map(|folder| &folder.places) {
        settled.take(place, client.facts.honours_hidden);
    }
    let Settled {
        mut found,
        unlisted,
        ..
    } = settled;
    // Stable, so that copies of one name stay in the order of the folders.
    found.sort_by(|one, other| one.name.cmp(&other.name));
    let rows: Vec<_> = found.iter().map(Candidate::row).collect();
    let (described, room) = budget::describe(rules.budget.as_ref(), &rows);
    let listed = found.iter().zip(described);
    Some(ClientListing {
        listed: listed.map(|(found, how)| found.listed(how)).collect(),
        unlisted,
        room,
    })
}

/// A skill that the client lists.
struct Candidate<'p> {
    name: String,
    place: &'p SkillPlace,
    text: &'p SkillText,
}

impl Candidate<'_> {
    fn row(&self) -> Row {
        let description = self.text.description.as_deref();
        Row {
            name: self.name.chars().count(),
            description: description.map(|text| text.chars().count()),
        }
    }

    fn listed(&self, described: Described) -> Listed {
        Listed {
            name: self.name.clone(),
            skill: self.place.skill(),
            path: self.place.path.clone(),
            real: self.place.real.clone(),
            described,
        }
    }
}

/// The skills of all folders, as far as they were gone through.
struct Settled<'p> {
    rules: &'p Listing,
    found: Vec<Candidate<'p>>,
    unlisted: Vec<Unlisted>,
    by_name: HashMap<String, &'p Path>,
    by_folder: HashMap<&'p Path, &'p Path>,
}

impl<'p> Settled<'p> {
    fn take(&mut self, place: &'p SkillPlace, honours_hidden: bool) {
        match self.judge(place, honours_hidden) {
            Ok(candidate) => {
                self.by_name
                    .entry(candidate.name.clone())
                    .or_insert(&place.path);
                self.by_folder.entry(&place.real).or_insert(&place.path);
                self.found.push(candidate);
            }
            Err(why) => self.unlisted.push(Unlisted {
                skill: place.skill(),
                path: place.path.clone(),
                why,
            }),
        }
    }

    fn judge(
        &self,
        place: &'p SkillPlace,
        honours_hidden: bool,
    ) -> Result<Candidate<'p>, WhyUnlisted> {
        if place.is_link && !self.rules.follows_links {
            return Err(WhyUnlisted::Link);
        }
        if place.is_nested && !self.rules.nested {
            return Err(WhyUnlisted::Nested);
        }
        let text = match &place.text {
            Ok(text) => text,
            Err(why) => return Err(WhyUnlisted::Unusable(why.clone())),
        };
        let rejects = self.rules.rejects.iter();
        if let Some(reject) = rejects.copied().find(|reject| place.is(*reject, text)) {
            return Err(WhyUnlisted::Rejected(reject));
        }
        if text.hidden && honours_hidden {
            return Err(WhyUnlisted::Hidden);
        }
        let name = match self.rules.named_by {
            NamedBy::Header => place.skill(),
            NamedBy::Folder => place.folder_name(),
        };
        match self.rules.same_name {
            // A client that lists each copy still knows a folder that it has read already.
            SameName::Each => match self.by_folder.get(place.real.as_path()) {
                Some(first) => Err(WhyUnlisted::SameFolder(first.to_path_buf())),
                None => Ok(Candidate { name, place, text }),
            },
            SameName::First => match self.by_name.get(&name) {
                Some(by) => Err(WhyUnlisted::Shadowed(by.to_path_buf())),
                None => Ok(Candidate { name, place, text }),
            },
        }
    }
}

impl SkillPlace {
    /// The name of its folder.
    pub fn folder_name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The name that the skill gives itself: in its header, else its folder's.
    pub fn skill(&self) -> String {
        let text = self.text.as_ref().ok();
        text.and_then(|text| text.name.clone())
            .unwrap_or_else(|| self.folder_name())
    }

    /// Whether the skill is what a client may reject.
    fn is(&self, reject: Reject, text: &SkillText) -> bool {
        match reject {
            Reject::NoName => text.name.is_none(),
            Reject::NoDescription => text.description.is_none(),
            Reject::NoHeader | Reject::UnquotedColon | Reject::ByteOrderMark => {
                text.defects.contains(&reject)
            }
            Reject::NameStyle => breaks_style(&self.skill()),
            Reject::NameNotFolder => self.skill() != self.folder_name(),
            Reject::LongName => self.skill().chars().count() > NAME_CHARS,
            Reject::LongDescription(most) => {
                let description = text.description.as_deref().unwrap_or_default();
                description.chars().count() > most
            }
        }
    }
}

/// Whether a name has characters, or hyphens where, the specification has none.
fn breaks_style(name: &str) -> bool {
    matches!(
        name.parse::<ItemName>(),
        Err(NameFault::Character(_) | NameFault::Hyphen | NameFault::Empty)
    )
}

#[cfg(test)]
mod tests;
