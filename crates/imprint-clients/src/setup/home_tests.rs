//! Setup over homes as people have them, made from seeds: whatever is in them, each client lists
//! everything once, nothing is lost, nothing foreign is touched, and undo gives every byte back,
//! wherever the one or the other is stopped.

use std::{
    collections::{BTreeSet, HashSet},
    env, fs,
    path::{Path, PathBuf},
};

use imprint_core::{ItemFilter, OwnerId, Registry};
use imprint_format::ItemKind;
use imprint_testkit::{
    homes::{GeneratedHome, generate},
    tree::{Snapshot, snapshot},
};
use tokio::runtime::Runtime;

use super::{SetupError, SetupOutcome, engine::Engine, world::everything};
use crate::{
    known::known_clients,
    listing::read_listing,
    machine::{Machine, Os},
    steps::Steps,
    test_registry::registry,
};

/// So often a run is stopped, each time in another part of it.
const PARTS: u64 = 4;

/// The seeds to try; more with `IMPRINT_TEST_SEEDS`, a first one and how many.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let given = env::var("IMPRINT_TEST_SEEDS").ok();
    let given = given.as_deref().and_then(|given| given.split_once(' '));
    let given = given.and_then(|(first, count)| Some((first.parse().ok()?, count.parse().ok()?)));
    let (first, count): (u64, u64) = given.unwrap_or((0, usual));
    first..first + count
}

/// A generated home, always at the same place, so that absolute links are the same each time.
struct Place {
    folder: tempfile::TempDir,
    seed: u64,
}

/// What stands there, and a registry that is new.
struct User {
    home: GeneratedHome,
    imprint: PathBuf,
    machine: Machine,
    registry: Registry,
}

impl Place {
    fn new(seed: u64) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            seed,
        }
    }

    /// Makes the home anew.
    fn user(&self) -> User {
        let root = fs::canonicalize(self.folder.path()).unwrap();
        let (home, imprint) = (root.join("ada"), root.join("imprint"));
        for old in [&home, &imprint] {
            if old.exists() {
                fs::remove_dir_all(old).unwrap();
            }
        }
        User {
            home: generate(self.seed, &home).unwrap(),
            machine: Machine::new(Os::current(), home),
            registry: registry(),
            imprint,
        }
    }
}

impl User {
    fn with<T>(&self, steps: &Steps, work: impl FnOnce(&Engine<'_>) -> T) -> T {
        let runtime = runtime();
        work(&Engine {
            home: &self.imprint,
            machine: &self.machine,
            left_alone: &[],
            registry: &self.registry,
            runtime: runtime.handle().clone(),
            steps,
        })
    }

    fn try_set_up(&self, steps: &Steps) -> Result<SetupOutcome, SetupError> {
        let all = everything();
        self.with(steps, |engine| engine.carry_out(&all, None, &mut |_| {}))
    }

    fn set_up(&self) -> SetupOutcome {
        self.try_set_up(&Steps::unsynced()).unwrap()
    }

    /// Undoes what there is to undo.
    fn undo(&self, steps: &Steps) -> Result<(), SetupError> {
        match self.with(steps, |engine| engine.undo()) {
            Ok(report) => {
                assert_eq!(report.kept, []);
                Ok(())
            }
            Err(SetupError::NothingToUndo) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn tree(&self) -> Snapshot {
        snapshot(&self.home.root, &[]).unwrap()
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
}

#[track_caller]
fn assert_same(before: &Snapshot, after: &Snapshot, when: &str) {
    let differences = before.differences(after);
    assert!(
        differences.is_empty(),
        "{when}:\n{}",
        differences.join("\n")
    );
}

#[test]
fn every_client_lists_everything_once_and_nothing_is_lost() {
    for seed in seeds(3) {
        let user = Place::new(seed).user_kept();
        let before = user.1.tree();
        let (_place, user) = user;
        let outcome = user.set_up();
        let after = user.tree();
        assert_eq!(outcome.failures, [], "{seed}");
        assert_each_once(&user, &outcome, seed);
        assert_nothing_lost(&user, &before, &after, seed);
        assert_foreign_untouched(&user, &before, &after, seed);

        let again = user.set_up();
        assert!(again.moved.is_empty() && again.adopted.is_empty(), "{seed}");
        assert!(again.taken_in.is_empty() && again.connected.is_empty());
        assert_same(&after, &user.tree(), &format!("{seed}, a second time"));
        user.undo(&Steps::unsynced()).unwrap();
        assert_same(&before, &user.tree(), &format!("{seed}, undone"));
    }
}

impl Place {
    fn user_kept(self) -> (Self, User) {
        let user = self.user();
        (self, user)
    }
}

/// By its own rules, as far as they are established.
fn assert_each_once(user: &User, outcome: &SetupOutcome, seed: u64) {
    let clients: BTreeSet<&str> = user.home.clients.iter().map(|client| client.id).collect();
    let found: BTreeSet<&str> = outcome.plan.clients.iter().map(String::as_str).collect();
    assert_eq!(found, clients, "{seed}");
    let hidden = |text: &[u8]| String::from_utf8_lossy(text).contains("disable-model-invocation");
    for client in known_clients() {
        if !clients.contains(client.facts.id) {
            continue;
        }
        let Some(listing) = read_listing(client, &user.machine) else {
            continue;
        };
        for skill in user.home.of_kind(ItemKind::Skill) {
            let is_hidden = skill.variants.iter().any(|one| hidden(&one.entry));
            let times = listing.count(&skill.name);
            let id = client.facts.id;
            assert!(
                times <= 1,
                "{seed}: {id} lists {} {times} times",
                skill.name
            );
            assert!(
                times == 1 || is_hidden,
                "{seed}: {id} misses {}",
                skill.name
            );
        }
    }
    for view in &outcome.after {
        for kind in [&view.skills, &view.personas].into_iter().flatten() {
            assert_eq!(kind.twice, [""; 0], "{seed}: {}", view.client);
            assert_eq!(kind.missing, [""; 0], "{seed}: {}", view.client);
        }
    }
}

/// Every file is where it was, or in the backup; every version of an item is in its history.
fn assert_nothing_lost(user: &User, before: &Snapshot, after: &Snapshot, seed: u64) {
    let backup = snapshot(&user.imprint.join("backups"), &[]).unwrap();
    let kept: HashSet<&[u8]> = backup.files().map(|(_, bytes)| bytes).collect();
    for (path, bytes) in before.files() {
        let stays = after.entry(path) == before.entry(path);
        assert!(stays || kept.contains(bytes), "{seed}: `{path}` is lost");
    }
    let runtime = runtime();
    let store = user.registry.store();
    let all = ItemFilter::default();
    let items = runtime.block_on(store.items(OwnerId::LOCAL, &all)).unwrap();
    for made in &user.home.items {
        let item = items
            .iter()
            .find(|item| item.kind == made.kind && item.name.as_str() == made.name);
        let Some(item) = item else {
            panic!("{seed}: {} {} is not taken in", made.kind, made.name);
        };
        let revisions = store.revisions(OwnerId::LOCAL, item.id, 0, u64::MAX);
        let revisions = runtime.block_on(revisions).unwrap();
        assert_eq!(
            revisions.len(),
            made.variants.len(),
            "{seed}: {}",
            made.name
        );
    }
}

fn assert_foreign_untouched(user: &User, before: &Snapshot, after: &Snapshot, seed: u64) {
    let refused = user.home.refused.iter().map(|refused| &refused.path);
    for foreign in user.home.foreign.iter().chain(refused) {
        let below = Path::new(foreign);
        for (path, was) in before.entries() {
            if Path::new(path).starts_with(below) {
                assert_eq!(after.entry(path), Some(was), "{seed}: {path}");
            }
        }
    }
}

#[test]
fn stopped_anywhere_both_ways_lead_to_an_end() {
    for seed in seeds(1) {
        let place = Place::new(seed);
        let user = place.user();
        let before = user.tree();
        let steps = Steps::unsynced();
        user.try_set_up(&steps).unwrap();
        let needed = u64::MAX - steps.left();
        let after = user.tree();
        let steps = Steps::unsynced();
        user.undo(&steps).unwrap();
        let to_undo = u64::MAX - steps.left();
        for part in 0..PARTS {
            let stop = needed * part / PARTS + seed * 7 % (needed / PARTS);
            let when = format!("{seed}, stopped after {stop} of {needed}");
            let user = place.user();
            user.try_set_up(&Steps::limited(stop)).unwrap_err();
            user.set_up();
            assert_same(&after, &user.tree(), &format!("{when}, set up again"));
            user.undo(&Steps::unsynced()).unwrap();
            assert_same(&before, &user.tree(), &format!("{when}, set up, undone"));
            let user = place.user();
            user.try_set_up(&Steps::limited(stop)).unwrap_err();
            user.undo(&Steps::unsynced()).unwrap();
            assert_same(&before, &user.tree(), &format!("{when}, undone"));

            let stop = to_undo * part / PARTS + seed * 7 % (to_undo / PARTS);
            let when = format!("{seed}, undo stopped after {stop} of {to_undo}");
            let user = place.user();
            user.set_up();
            user.undo(&Steps::limited(stop)).unwrap_err();
            user.undo(&Steps::unsynced()).unwrap();
            assert_same(&before, &user.tree(), &when);
            let user = place.user();
            user.set_up();
            user.undo(&Steps::limited(stop)).unwrap_err();
            user.set_up();
            assert_same(&after, &user.tree(), &format!("{when}, set up again"));
        }
    }
}

#[test]
fn two_setups_and_passes_at_once_come_to_the_same() {
    for seed in seeds(1) {
        let place = Place::new(seed);
        let user = place.user();
        let before = user.tree();
        user.set_up();
        let after = user.tree();
        let user = place.user();
        let moved: usize = std::thread::scope(|scope| {
            let setups: Vec<_> = (0..2).map(|_| scope.spawn(|| user.set_up())).collect();
            for _ in 0..3 {
                let pass = user.with(&Steps::unsynced(), |engine| {
                    engine.with_pass(|pass| pass.run())
                });
                pass.unwrap();
            }
            let outcomes = setups.into_iter().map(|setup| setup.join().unwrap());
            outcomes.map(|outcome| outcome.moved.len()).sum()
        });
        assert!(moved > 0);
        assert_same(&after, &user.tree(), &format!("{seed}, at once"));
        user.undo(&Steps::unsynced()).unwrap();
        assert_same(&before, &user.tree(), &format!("{seed}, undone"));
    }
}
