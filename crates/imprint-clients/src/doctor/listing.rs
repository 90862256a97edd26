//! What a client lists of what stands in its folders, by its own rules.

use std::{collections::BTreeSet, path::Path};

use imprint_core::served::Unservable;
use imprint_format::ItemKind;

use super::{Ailment, Examination, Finding, folders::few};
use crate::{
    client::Reject,
    inspect::{Inspected, allowance},
    listing::{ClientListing, Unlisted, WhyUnlisted},
};

/// An active item, as far as clients' limits ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its name.
    pub name: String,
    /// The bytes of its main file.
    pub bytes: u64,
    /// Why it can't be served as a skill over MCP; `None` for one that can, and for a guideline.
    pub unservable: Option<Unservable>,
}

pub(super) fn findings(inspected: &Inspected, examination: &Examination<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(skills) = &inspected.skills {
        findings.extend(repeated(inspected, skills));
        findings.extend(unlisted(inspected, examination.items));
        findings.extend(lost(inspected, skills));
    }
    if let Some(personas) = &inspected.personas {
        let repeated = personas.repeated();
        if !repeated.is_empty() {
            let names: Vec<_> = repeated.keys().copied().collect();
            let what = format!(
                "{} finds personas in more than one file: {}",
                inspected.title,
                few(&names)
            );
            findings.push(Finding::warning(Ailment::ListedTwice, what).command("imprint setup"));
        }
        findings.extend(personas.unlisted.iter().map(|one| {
            let what = format!(
                "{} can't use `{}`: {}",
                inspected.title,
                one.path.display(),
                one.why
            );
            Finding::warning(Ailment::Rejected, what).by_hand("mend that file")
        }));
    }
    findings.extend(in_pages(inspected, examination.items));
    findings
        .into_iter()
        .map(|finding| finding.of(inspected.id))
        .collect()
}

fn repeated(inspected: &Inspected, skills: &ClientListing) -> Option<Finding> {
    let repeated = skills.repeated();
    let names: Vec<_> = repeated.keys().copied().collect();
    if names.is_empty() {
        return None;
    }
    let folders: BTreeSet<_> = repeated
        .values()
        .flatten()
        .filter_map(|one| Some(format!("`{}`", one.path.parent()?.display())))
        .collect();
    let folders: Vec<_> = folders.iter().map(String::as_str).collect();
    let what = format!(
        "{} lists skills more than once to its model: {} (from {})",
        inspected.title,
        few(&names),
        few(&folders)
    );
    Some(Finding::warning(Ailment::ListedTwice, what).command("imprint setup"))
}

/// What it leaves out, but for copies of what it lists and what asks to be left out.
fn unlisted(inspected: &Inspected, items: &[KeptItem]) -> Vec<Finding> {
    let finding = |one: &Unlisted| {
        let place = one.path.display().to_string();
        let what = format!(
            "{} doesn't list the skill at `{place}`: {}",
            inspected.title, one.why
        );
        let is_kept = items
            .iter()
            .any(|item| item.kind == ItemKind::Skill && item.name == one.skill);
        Some(match &one.why {
            WhyUnlisted::SameFolder(_) | WhyUnlisted::Hidden => return None,
            WhyUnlisted::Nested => Finding::note(Ailment::Shadowed, what),
            WhyUnlisted::Shadowed(_) => {
                Finding::note(Ailment::Shadowed, what).command("imprint setup")
            }
            WhyUnlisted::Link => Finding::warning(Ailment::Rejected, what).command("imprint setup"),
            WhyUnlisted::Rejected(_) if is_kept => Finding::warning(Ailment::Rejected, what)
                .command(format!("imprint skills edit {}", one.skill)),
            WhyUnlisted::Rejected(_) | WhyUnlisted::Unusable(_) => {
                let file = one.path.join(ItemKind::Skill.entry_file());
                Finding::warning(Ailment::Rejected, what).by_hand(by_hand(&one.why, &file))
            }
        })
    };
    inspected.left_out().filter_map(finding).collect()
}

/// What mends a skill of the user's own that a client doesn't list. Importing it mends some of
/// these, but changes nothing of the file that the client reads.
fn by_hand(why: &WhyUnlisted, file: &Path) -> String {
    let file = file.display();
    let WhyUnlisted::Rejected(reject) = why else {
        return format!("mend `{file}`");
    };
    match reject {
        Reject::NoName => format!("write a line `name: …` into the header of `{file}`"),
        Reject::NoDescription => {
            format!("write a line `description: …` into the header of `{file}`")
        }
        Reject::NoHeader => {
            format!(
                "begin `{file}` with a header: `name` and `description` between two lines `---`"
            )
        }
        Reject::UnquotedColon => {
            format!("put the text with the `: ` in the header of `{file}` in quotes")
        }
        Reject::ByteOrderMark => format!("save `{file}` without a byte order mark"),
        Reject::NameStyle | Reject::LongName => format!(
            "give it a name of at most 64 lower-case letters, digits and single hyphens, in `{file}` and as the name of its folder"
        ),
        Reject::NameNotFolder => {
            format!("give the folder of `{file}` the name that its header says")
        }
        Reject::LongDescription(most) => {
            format!("shorten the description in `{file}` to {most} characters")
        }
    }
}

/// Descriptions that its model doesn't see, or not whole.
fn lost(inspected: &Inspected, skills: &ClientListing) -> Option<Finding> {
    let names: Vec<_> = skills.not_whole().map(|one| one.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let (title, id) = (inspected.title, inspected.id);
    let Some(allowance) = allowance(inspected.client) else {
        let what = format!(
            "{title} shows its model the names of skills alone, without descriptions: {}",
            few(&names)
        );
        return Some(Finding::note(Ailment::DescriptionLost, what));
    };
    let what = format!(
        "{title} has no room for the whole descriptions of {} of {} skills, so its model can hardly tell when to use them: {}",
        names.len(),
        skills.listed.len(),
        few(&names)
    );
    Some(match &allowance.setting {
        Some(_) if !inspected.has_more_room => Finding::warning(Ailment::DescriptionLost, what)
            .command(format!("imprint clients {id} --more-room")),
        _ => Finding::note(Ailment::DescriptionLost, what),
    })
}

/// Items that come in parts, because the client cuts long results.
fn in_pages(inspected: &Inspected, items: &[KeptItem]) -> Option<Finding> {
    let most = u64::try_from(inspected.channel.result_chars?).ok()?;
    let long = items.iter().filter(|item| item.bytes > most);
    let names: Vec<_> = long.map(|item| item.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let what = format!(
        "{} cuts results at {most} characters, so these come to its model over MCP in several pages: {}",
        inspected.title,
        few(&names)
    );
    Some(Finding::note(Ailment::InPages, what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        doctor::{Mend, sample::Sample},
        listing::{Described, Listed, Room},
    };

    fn listed(name: &str, folder: &str, described: Described) -> Listed {
        let path: std::path::PathBuf = format!("/home/ada/{folder}/{name}").into();
        Listed {
            name: name.to_owned(),
            skill: name.to_owned(),
            real: path.clone(),
            path,
            described,
        }
    }

    fn with(listed: Vec<Listed>, unlisted: Vec<Unlisted>) -> Sample {
        let mut sample = Sample::connected();
        sample.inspected.skills = Some(ClientListing {
            listed,
            unlisted,
            room: Some(Room { has: 10, needs: 20 }),
        });
        sample
    }

    fn told(sample: &Sample) -> Vec<(Ailment, bool)> {
        let found = findings(&sample.inspected, &sample.examination());
        found
            .iter()
            .map(|one| (one.id, one.is_to_be_mended()))
            .collect()
    }

    #[test]
    fn what_is_listed_twice_or_without_description_is_told() {
        let whole = |folder| listed("tea", folder, Described::Whole);
        assert_eq!(told(&with(vec![whole("a")], Vec::new())), []);
        let twice = with(vec![whole("a"), whole("b")], Vec::new());
        assert_eq!(told(&twice), [(Ailment::ListedTwice, true)]);
        let lost = with(vec![listed("tea", "a", Described::NameOnly)], Vec::new());
        assert_eq!(told(&lost), [(Ailment::DescriptionLost, true)]);
    }

    #[test]
    fn what_is_left_out_is_told_by_its_reason() {
        let because = |why| {
            let unlisted = Unlisted {
                skill: "tea".to_owned(),
                path: "/home/ada/skills/tea".into(),
                why,
            };
            told(&with(Vec::new(), vec![unlisted]))
        };
        assert_eq!(because(WhyUnlisted::Hidden), []);
        assert_eq!(
            because(WhyUnlisted::Rejected(Reject::NoName)),
            [(Ailment::Rejected, true)]
        );
        let shadowed = || WhyUnlisted::Shadowed("/x".into());
        assert_eq!(because(shadowed()), [(Ailment::Shadowed, false)]);
    }

    #[test]
    fn a_skill_without_description_is_mended_in_its_own_file() {
        let unlisted = Unlisted {
            skill: "tea".to_owned(),
            path: "/home/ada/a/tea".into(),
            why: WhyUnlisted::Rejected(Reject::NoDescription),
        };
        let sample = with(Vec::new(), vec![unlisted]);
        let found = findings(&sample.inspected, &sample.examination());
        let Some(Mend::ByHand(what)) = &found[0].mend else {
            panic!("{found:?}");
        };
        let file = Path::new("/home/ada/a/tea").join("SKILL.md");
        let expected = format!(
            "write a line `description: …` into the header of `{}`",
            file.display()
        );
        assert_eq!(*what, expected);
    }

    #[test]
    fn long_items_come_in_pages_where_results_are_cut() {
        let mut sample = Sample::connected();
        sample.inspected.channel.result_chars = Some(8_000);
        let item = |bytes| KeptItem {
            kind: ItemKind::Skill,
            name: "tea".to_owned(),
            bytes,
            unservable: None,
        };
        let found = |bytes| in_pages(&sample.inspected, &[item(bytes)]).map(|one| one.id);
        assert_eq!(found(8_000), None);
        assert_eq!(found(8_001), Some(Ailment::InPages));
    }
}
