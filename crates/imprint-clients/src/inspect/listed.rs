//! What a client lists, as scripts read it.

use serde::{Serialize, Serializer};

use crate::listing::{AgentListing, ClientListing, Described, Listed};

#[derive(Serialize)]
struct Skills<'a> {
    listed: Vec<Skill<'a>>,
    unlisted: Vec<Left<'a>>,
    /// The characters that the list has and would need, where it is bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<Room>,
}

#[derive(Serialize)]
struct Skill<'a> {
    name: &'a str,
    place: String,
    description: &'static str,
    /// How much of a shortened description is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    characters: Option<usize>,
}

#[derive(Serialize)]
struct Left<'a> {
    name: &'a str,
    place: String,
    why: String,
}

#[derive(Serialize)]
struct Room {
    has: usize,
    needs: usize,
}

#[derive(Serialize)]
struct Personas<'a> {
    listed: Vec<Persona<'a>>,
    unlisted: Vec<Unusable<'a>>,
}

#[derive(Serialize)]
struct Persona<'a> {
    name: &'a str,
    place: String,
}

#[derive(Serialize)]
struct Unusable<'a> {
    place: String,
    why: &'a str,
}

#[expect(clippy::ref_option, reason = "serde hands the field itself over")]
pub(super) fn skills<S: Serializer>(
    listing: &Option<ClientListing>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let shown = listing.as_ref().map(|listing| Skills {
        listed: listing.listed.iter().map(skill).collect(),
        unlisted: listing
            .unlisted
            .iter()
            .map(|one| Left {
                name: &one.skill,
                place: one.path.display().to_string(),
                why: one.why.to_string(),
            })
            .collect(),
        room: listing.room.map(|room| Room {
            has: room.has,
            needs: room.needs,
        }),
    });
    shown.serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde hands the field itself over")]
pub(super) fn personas<S: Serializer>(
    listing: &Option<AgentListing>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let shown = listing.as_ref().map(|listing| Personas {
        listed: listing
            .listed
            .iter()
            .map(|one| Persona {
                name: &one.name,
                place: one.path.display().to_string(),
            })
            .collect(),
        unlisted: listing
            .unlisted
            .iter()
            .map(|one| Unusable {
                place: one.path.display().to_string(),
                why: &one.why,
            })
            .collect(),
    });
    shown.serialize(serializer)
}

fn skill(one: &Listed) -> Skill<'_> {
    let (description, characters) = match one.described {
        Described::Whole => ("whole", None),
        Described::Shortened(characters) => ("shortened", Some(characters)),
        Described::NameOnly => ("name-only", None),
        Described::NoneWritten => ("none-written", None),
        Described::NotEstablished => ("not-established", None),
    };
    Skill {
        name: &one.name,
        place: one.path.display().to_string(),
        description,
        characters,
    }
}
