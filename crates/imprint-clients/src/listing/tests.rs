use super::*;
use crate::{
    client::{Allowance, Budget, NOTHING_KNOWN, UNKNOWN},
    known_client,
    machine::{Machine, Os},
};

/// A client that lists everything that can be listed, each copy.
const OPEN: Listing = Listing {
    named_by: NamedBy::Header,
    same_name: SameName::Each,
    nested: true,
    follows_links: true,
    rejects: &[],
    budget: Some(Budget::Whole),
};

/// A client that takes the first of each name, and nothing unusual.
const STRICT: Listing = Listing {
    named_by: NamedBy::Header,
    same_name: SameName::First,
    nested: false,
    follows_links: false,
    rejects: &[
        Reject::NoName,
        Reject::NoDescription,
        Reject::NoHeader,
        Reject::UnquotedColon,
        Reject::ByteOrderMark,
        Reject::NameStyle,
        Reject::NameNotFolder,
        Reject::LongName,
        Reject::LongDescription(20),
    ],
    budget: None,
};

fn client(rules: Listing) -> Client {
    Client {
        listing: Some(rules),
        ..UNKNOWN
    }
}

/// A sound skill in this folder.
fn place(path: &str) -> SkillPlace {
    let path = PathBuf::from(path);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    SkillPlace {
        real: path.clone(),
        path,
        is_link: false,
        is_nested: false,
        text: Ok(SkillText {
            name: Some(name),
            description: Some("Does it.".to_owned()),
            ..SkillText::default()
        }),
    }
}

fn folder(places: Vec<SkillPlace>) -> FolderContent {
    FolderContent {
        places,
        ..FolderContent::default()
    }
}

/// The folders that are listed, in the list's order.
fn paths(listing: &ClientListing) -> Vec<&Path> {
    listing
        .listed
        .iter()
        .map(|one| one.path.as_path())
        .collect()
}

#[test]
fn copies_are_listed_each_or_once() {
    let folders = [
        folder(vec![place("/b/tea"), place("/b/jam")]),
        folder(vec![place("/a/tea")]),
    ];
    let each = listing(&client(OPEN), &folders).unwrap();
    assert_eq!(
        paths(&each),
        [
            Path::new("/b/jam"),
            Path::new("/b/tea"),
            Path::new("/a/tea")
        ]
    );
    assert_eq!(each.count("tea"), 2);
    assert_eq!(each.repeated().into_keys().collect::<Vec<_>>(), ["tea"]);

    let once = listing(&client(STRICT), &folders).unwrap();
    assert_eq!(paths(&once), [Path::new("/b/jam"), Path::new("/b/tea")]);
    assert!(once.repeated().is_empty());
    assert_eq!(once.unlisted[0].why, WhyUnlisted::Shadowed("/b/tea".into()));
}

#[test]
fn one_folder_reached_twice_is_one_entry() {
    let mut link = place("/a/tea");
    link.real = "/b/tea".into();
    link.is_link = true;
    let folders = [folder(vec![place("/b/tea")]), folder(vec![link])];
    let each = listing(&client(OPEN), &folders).unwrap();
    assert_eq!(paths(&each), [Path::new("/b/tea")]);
    assert_eq!(
        each.unlisted[0].why,
        WhyUnlisted::SameFolder("/b/tea".into())
    );
}

#[test]
fn a_client_that_goes_by_folders_lists_one_skill_under_two_names() {
    let mut copy = place("/b/tea-old");
    copy.text.as_mut().unwrap().name = Some("tea".to_owned());
    let folders = [folder(vec![place("/b/tea"), copy])];
    let rules = Listing {
        named_by: NamedBy::Folder,
        same_name: SameName::First,
        ..OPEN
    };
    let listed = listing(&client(rules), &folders).unwrap();
    assert_eq!(
        paths(&listed),
        [Path::new("/b/tea"), Path::new("/b/tea-old")]
    );
    assert_eq!(listed.listed[1].name, "tea-old");
    assert_eq!(listed.repeated()["tea"].len(), 2);
}

#[test]
fn each_rule_rejects_what_it_names_and_an_open_client_nothing() {
    let text = |name: Option<&str>, description: Option<&str>, defects: &[Reject]| SkillText {
        name: name.map(str::to_owned),
        description: description.map(str::to_owned),
        defects: defects.to_vec(),
        hidden: false,
    };
    let sound = (Some("tea"), Some("Does it."));
    let (fits, long) = ("é".repeat(20), "é".repeat(21));
    let cases = [
        (text(None, sound.1, &[]), Some(Reject::NoName)),
        (text(sound.0, None, &[]), Some(Reject::NoDescription)),
        (
            text(Some("Tea time"), sound.1, &[]),
            Some(Reject::NameStyle),
        ),
        (text(Some("jam"), sound.1, &[]), Some(Reject::NameNotFolder)),
        (text(sound.0, Some(&fits), &[]), None),
        (
            text(sound.0, Some(&long), &[]),
            Some(Reject::LongDescription(20)),
        ),
    ];
    let seen = [
        Reject::NoHeader,
        Reject::UnquotedColon,
        Reject::ByteOrderMark,
    ];
    let seen = seen.map(|defect| (text(sound.0, sound.1, &[defect]), Some(defect)));
    for (text, reject) in cases.into_iter().chain(seen) {
        let mut tea = place("/b/tea");
        tea.text = Ok(text);
        let folders = [folder(vec![tea])];
        let open = listing(&client(OPEN), &folders).unwrap();
        assert_eq!((open.listed.len(), open.unlisted.len()), (1, 0));
        let strict = listing(&client(STRICT), &folders).unwrap();
        let why = strict.unlisted.first().map(|one| one.why.clone());
        assert_eq!(why, reject.map(WhyUnlisted::Rejected));
    }
    let long = folder(vec![place(&format!("/b/{}", "a".repeat(65)))]);
    let strict = listing(&client(STRICT), [&long]).unwrap();
    assert_eq!(
        strict.unlisted[0].why,
        WhyUnlisted::Rejected(Reject::LongName)
    );
}

#[test]
fn what_is_rejected_hides_no_other() {
    let mut broken = place("/a/tea");
    broken.text.as_mut().unwrap().description = None;
    let mut unusable = place("/a/jam");
    unusable.text = Err("the file is not UTF-8".to_owned());
    let folders = [
        folder(vec![broken, unusable]),
        folder(vec![place("/b/tea"), place("/b/jam")]),
    ];
    let listed = listing(&client(STRICT), &folders).unwrap();
    assert_eq!(paths(&listed), [Path::new("/b/jam"), Path::new("/b/tea")]);
    let whys = listed.unlisted.iter().map(|one| one.why.to_string());
    let whys: Vec<_> = whys.collect();
    insta::assert_snapshot!(whys.join("\n"), @r"
    there is no `description`
    the file is not UTF-8
    ");
}

#[test]
fn links_nested_and_hidden_skills_count_for_those_who_take_them() {
    let mut link = place("/a/one");
    link.is_link = true;
    let mut nested = place("/a/x/two");
    nested.is_nested = true;
    let mut hidden = place("/a/three");
    hidden.text.as_mut().unwrap().hidden = true;
    let folders = [folder(vec![link, nested, hidden])];
    assert_eq!(listing(&client(OPEN), &folders).unwrap().listed.len(), 3);

    let mut strict = client(STRICT);
    strict.facts = imprint_core::ClientFacts {
        honours_hidden: true,
        ..NOTHING_KNOWN
    };
    let whys: Vec<_> = listing(&strict, &folders).unwrap().unlisted;
    let whys: Vec<_> = whys.into_iter().map(|one| one.why).collect();
    assert_eq!(
        whys,
        [WhyUnlisted::Link, WhyUnlisted::Nested, WhyUnlisted::Hidden]
    );
}

#[test]
fn nothing_is_guessed_about_a_client_that_nobody_watched() {
    assert_eq!(listing(&UNKNOWN, []), None);
    assert_eq!(read_listing(&UNKNOWN, &Machine::new(Os::Linux, "/x")), None);
    assert_eq!(read_agents(&UNKNOWN, &Machine::new(Os::Linux, "/x")), None);
}

/// So many skills with descriptions of 201 characters, as the clients were measured with. How long
/// their names were was not kept: with 13 to 16 characters the rule gives every number.
fn measured(count: usize) -> FolderContent {
    let places = (0..count).map(|n| {
        let mut place = place(&format!("/home/ada/measured-{n:04}"));
        place.text.as_mut().unwrap().description = Some("d".repeat(201));
        place
    });
    folder(places.collect())
}

/// Claude Code 2.1.332 with a model of 200,000 tokens (Linux, November 2026).
#[test]
fn claude_code_keeps_as_many_descriptions_as_were_counted() {
    let claude = known_client("claude-code").unwrap();
    for (skills, kept) in [(5, 5), (15, 7), (25, 6), (40, 5), (200, 0)] {
        let listing = listing(claude, [&measured(skills)]).unwrap();
        assert_eq!(listing.listed.len(), skills);
        let whole = |one: &&Listed| one.described == Described::Whole;
        assert_eq!(listing.listed.iter().filter(whole).count(), kept);
        assert!(listing.listed.iter().take(kept).all(|one| whole(&one)));
        assert_eq!(listing.not_whole().count(), skills - kept);
        assert_eq!(listing.room.unwrap().suffices(), skills == kept);
    }
}

/// Copilot CLI 1.0.102 (Linux, November 2026): 45 of 200 were described. How much room its line of
/// names takes was not measured, so a few less may be told, and never more.
#[test]
fn copilot_describes_about_as_many_as_were_counted() {
    let copilot = known_client("copilot-cli").unwrap();
    let listing = listing(copilot, [&measured(200)]).unwrap();
    let whole = |one: &&Listed| one.described == Described::Whole;
    let kept = listing.listed.iter().filter(whole).count();
    assert!((35..=45).contains(&kept), "{kept}");
}

/// Codex 0.171.0 with a model that it doesn't know: 200 skills in 21,900 characters, each with 44
/// to 48 characters of its description.
#[test]
fn a_client_that_shortens_evenly_leaves_each_the_same() {
    let rules = Listing {
        budget: Some(Budget::Shortened(Allowance {
            characters: 21_900,
            taken: 0,
            entry: 51,
            description: 1_024,
            setting: None,
        })),
        ..OPEN
    };
    let listing = listing(&client(rules), [&measured(200)]).unwrap();
    for one in &listing.listed {
        assert!(matches!(one.described, Described::Shortened(44..=48)));
    }
}
