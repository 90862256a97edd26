use std::collections::{BTreeMap, BTreeSet};

use imprint_clients::{
    import::{ImportLimits, Stored, plan_import, read_source},
    known_client,
};

use super::*;
use crate::{
    Sandbox,
    tree::{Entry, Snapshot, snapshot},
};

/// A few of each kind of home; every one takes a moment to make.
const SEEDS: std::ops::Range<u64> = 0..4;

fn made(seed: u64) -> (Sandbox, GeneratedHome, Snapshot) {
    let sandbox = Sandbox::new().unwrap();
    let home = generate(seed, &sandbox.home()).unwrap();
    let tree = snapshot(&sandbox.home(), &[]).unwrap();
    (sandbox, home, tree)
}

#[test]
fn a_seed_makes_one_home_and_another_seed_another() {
    // Absolute links name the folder that the home is in.
    let comparable = |seed| {
        let (sandbox, home, tree) = made(seed);
        let root = sandbox.home();
        let entries = tree.entries().map(|(path, entry)| match entry {
            Entry::Link(target) => (
                path.to_owned(),
                match target.strip_prefix(&root) {
                    Ok(inside) => format!("link to ~/{}", inside.display()),
                    Err(_) => format!("{entry}"),
                },
            ),
            Entry::File { bytes, mode } => (path.to_owned(), format!("{mode:o} {bytes:?}")),
            _ => (path.to_owned(), format!("{entry}")),
        });
        let entries: Vec<_> = entries.collect();
        let home = GeneratedHome {
            root: PathBuf::new(),
            ..home
        };
        (home, entries)
    };
    assert!(comparable(7) == comparable(7));
    assert!(comparable(7) != comparable(8));
}

#[test]
fn everything_that_is_told_is_there() {
    for seed in SEEDS {
        let (sandbox, home, tree) = made(seed);
        assert!(home.clients.len() >= 5);
        let skills = home.of_kind(ItemKind::Skill).count();
        let refused = home.refused.iter();
        let refused = refused
            .filter(|place| place.kind == ItemKind::Skill)
            .count();
        assert_eq!(skills + refused, SKILLS);
        for item in &home.items {
            let times: BTreeSet<_> = item.variants.iter().map(|one| one.modified).collect();
            assert_eq!(times.len(), item.variants.len());
            for place in item.variants.iter().flat_map(|variant| &variant.places) {
                let at = sandbox.home().join(&place.path);
                assert_eq!(at.is_symlink(), place.is_link, "{}", place.path);
                assert!(at.exists(), "{}", place.path);
            }
        }
        for client in &home.clients {
            let there = tree.entry(&client.real_config).is_some();
            assert_eq!(there, client.state != ConfigState::Missing);
            assert_eq!(home.path(&client.config).exists(), there);
        }
        for path in &home.foreign {
            assert!(tree.entry(path).is_some(), "{path}");
        }
        for place in &home.refused {
            assert!(home.path(&place.path).exists(), "{}", place.path);
        }
    }
}

/// The installed clients are those that the table of clients finds, and no more.
#[test]
fn the_clients_are_seen_to_be_installed() {
    for seed in SEEDS {
        let (sandbox, home, _) = made(seed);
        let machine = sandbox.machine();
        for client in &home.clients {
            let known = known_client(client.id).unwrap();
            assert!(
                known.is_installed(&machine, Path::exists, |_| false),
                "{}",
                client.id
            );
        }
    }
}

/// What import finds in the folders is what the home says is in them.
#[test]
fn import_takes_what_can_be_taken_and_refuses_the_rest() {
    for seed in SEEDS {
        let (_sandbox, home, _) = made(seed);
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        folders.extend(
            home.skill_folders
                .iter()
                .map(|folder| folder.named.as_str()),
        );
        let agents = home
            .of_kind(ItemKind::Persona)
            .flat_map(|item| &item.variants);
        let agents = agents.flat_map(|variant| &variant.places);
        let agents = agents.map(|place| &place.path);
        let broken = home.refused.iter();
        let broken = broken.filter(|place| place.kind == ItemKind::Persona);
        let agents = agents.chain(broken.map(|place| &place.path));
        folders.extend(agents.filter_map(|path| Some(path.rsplit_once('/')?.0)));
        let limits = ImportLimits::default();
        let sources: Vec<_> = folders
            .iter()
            .map(|folder| read_source(&home.path(folder), &limits).unwrap())
            .collect();
        let plan = plan_import(
            &sources,
            &Stored {
                items: &[],
                acceptances: &[],
            },
        );

        let wanted: BTreeMap<_, _> = home
            .items
            .iter()
            .map(|item| ((item.kind, item.name.clone()), item.variants.len()))
            .collect();
        let mut found: BTreeMap<_, usize> = BTreeMap::new();
        let collisions = plan.collisions.iter().map(|collision| &collision.item);
        for item in plan.new.iter().chain(collisions) {
            *found.entry((item.kind, item.name.to_string())).or_default() += 1;
        }
        assert_eq!(found, wanted, "seed {seed}");
        let refused: BTreeSet<_> = home
            .refused
            .iter()
            .map(|place| home.path(&place.path))
            .collect();
        let skipped: BTreeSet<_> = plan
            .skipped
            .iter()
            .map(|place| PathBuf::from(&place.place))
            .collect();
        assert_eq!(skipped, refused, "seed {seed}");
    }
}
