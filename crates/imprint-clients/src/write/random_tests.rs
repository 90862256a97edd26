//! Whatever happens to the registry, the folders and the process, in any order: nothing of the
//! user's is touched, no reader sees half a file, and the next whole pass sets everything right.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use imprint_format::ItemKind;
use proptest::prelude::*;

use super::world::{World, skill};
use crate::steps::Steps;

const SKILLS: [&str; 3] = ["tea", "jam", "rye"];
const FOLDERS: [&str; 2] = [".agents/skills", ".claude/skills"];

#[derive(Clone, Debug)]
enum Event {
    /// A version of a skill: its number decides which files it has.
    Set(usize, u8),
    Unset(usize),
    SetPersona(u8),
    UnsetPersona,
    /// The user edits the n-th file that is in the folders.
    Edit(usize),
    /// The user puts a file of theirs into a skill's folder.
    Add(usize, usize),
    /// The user takes a skill's folder away.
    Delete(usize, usize),
    /// A pass, perhaps killed after so many changes to the disk.
    Pass(Option<u64>),
}

fn event() -> impl Strategy<Value = Event> {
    let skill = 0..SKILLS.len();
    let folder = 0..FOLDERS.len();
    prop_oneof![
        4 => (skill.clone(), any::<u8>()).prop_map(|(s, v)| Event::Set(s, v)),
        2 => skill.clone().prop_map(Event::Unset),
        1 => any::<u8>().prop_map(Event::SetPersona),
        1 => Just(Event::UnsetPersona),
        1 => (0..50_usize).prop_map(Event::Edit),
        1 => (folder.clone(), skill.clone()).prop_map(|(f, s)| Event::Add(f, s)),
        1 => (folder, skill).prop_map(|(f, s)| Event::Delete(f, s)),
        3 => Just(Event::Pass(None)),
        5 => (0..60_u64).prop_map(|left| Event::Pass(Some(left))),
    ]
}

fn files(name: &str, version: u8) -> Vec<(String, String)> {
    let mut files = vec![(
        "SKILL.md".to_owned(),
        skill(name, &format!("Version {version}.")),
    )];
    for (bit, path) in [
        (1, "a.md"),
        (2, "refs/b.md"),
        (4, "refs/deep/c.md"),
        (8, "run.sh"),
    ] {
        if version & bit != 0 {
            files.push((
                path.to_owned(),
                format!("{path} of {name} {}", version >> 4),
            ));
        }
    }
    files
}

struct Play {
    world: World,
    /// What should be there: skills by name.
    wanted: BTreeMap<&'static str, Vec<(String, String)>>,
    persona: bool,
    /// The user's files, with what they hold.
    theirs: BTreeMap<String, String>,
    /// Everything that was ever to stand at a path.
    versions: BTreeMap<String, BTreeSet<String>>,
    count: u32,
}

impl Play {
    fn new() -> Self {
        Self {
            world: World::new(&[".claude"]),
            wanted: BTreeMap::new(),
            persona: false,
            theirs: BTreeMap::new(),
            versions: BTreeMap::new(),
            count: 0,
        }
    }

    fn on(&mut self, event: &Event) {
        self.count += 1;
        match event {
            Event::Set(skill, version) => self.set(SKILLS[*skill], *version),
            Event::Unset(skill) => {
                self.world.unset(ItemKind::Skill, SKILLS[*skill]);
                self.wanted.remove(SKILLS[*skill]);
            }
            Event::SetPersona(version) => {
                self.world
                    .set_persona("diver", &format!("You dive {version} deep."));
                self.persona = true;
            }
            Event::UnsetPersona => {
                self.world.unset(ItemKind::Persona, "diver");
                self.persona = false;
            }
            Event::Edit(at) => self.edit(*at),
            Event::Add(folder, skill) => {
                let folder = format!("{}/{}", FOLDERS[*folder], SKILLS[*skill]);
                if self.world.path(&folder).is_dir() {
                    self.write_theirs(format!("{folder}/mine-{}.txt", self.count));
                }
            }
            Event::Delete(folder, skill) => {
                let folder = format!("{}/{}", FOLDERS[*folder], SKILLS[*skill]);
                let _ = fs::remove_dir_all(self.world.path(&folder));
                self.theirs
                    .retain(|path, _| !path.starts_with(&format!("{folder}/")));
            }
            Event::Pass(None) => {
                self.world.pass();
            }
            Event::Pass(Some(left)) => {
                let _ = self.world.try_pass(&Steps::limited(*left));
            }
        }
    }

    fn set(&mut self, name: &'static str, version: u8) {
        let files = files(name, version);
        let borrowed: Vec<_> = files
            .iter()
            .map(|(p, t)| (p.as_str(), t.as_str()))
            .collect();
        self.world.set(ItemKind::Skill, name, &borrowed);
        for folder in FOLDERS {
            for (path, text) in &files {
                let versions = self.versions.entry(format!("{folder}/{name}/{path}"));
                versions.or_default().insert(text.clone());
            }
        }
        self.wanted.insert(name, files);
    }

    fn edit(&mut self, at: usize) {
        let tree = self.world.tree();
        let mut files = tree
            .keys()
            .filter(|path| !path.ends_with('/') && !is_temporary(path));
        if let Some(path) = files.nth(at) {
            self.write_theirs(path.clone());
        }
    }

    fn write_theirs(&mut self, path: String) {
        let text = format!("by hand, {}", self.count);
        self.world.put(&path, &text);
        self.theirs.insert(path, text);
    }

    /// What holds at every moment, also right after a kill.
    fn check(&self) {
        let tree = self.world.tree();
        for (path, text) in &self.theirs {
            assert_eq!(tree.get(path), Some(text), "{path} is the user's");
        }
        for (path, text) in &tree {
            let is_skill = FOLDERS.iter().any(|folder| path.starts_with(folder));
            if is_skill && !path.ends_with('/') && !is_temporary(path) {
                let theirs = self.theirs.contains_key(path);
                let whole = || {
                    self.versions
                        .get(path)
                        .is_some_and(|known| known.contains(text))
                };
                assert!(
                    theirs || whole(),
                    "{path} holds {text:?}, which no version has"
                );
            }
        }
    }

    /// What holds after a whole pass.
    fn check_settled(&self) {
        let tree = self.world.tree();
        assert!(!tree.keys().any(|path| is_temporary(path)), "{tree:?}");
        for folder in FOLDERS {
            for name in SKILLS {
                self.check_entry(&tree, &format!("{folder}/{name}/"), self.wanted.get(name));
            }
        }
        let persona = ".claude/agents/diver.md";
        if !self.theirs.contains_key(persona) {
            assert_eq!(tree.contains_key(persona), self.persona);
        }
    }

    fn check_entry(
        &self,
        tree: &BTreeMap<String, String>,
        entry: &str,
        wanted: Option<&Vec<(String, String)>>,
    ) {
        let found: BTreeMap<_, _> = tree
            .iter()
            .filter(|(path, _)| path.starts_with(entry) && !self.theirs.contains_key(*path))
            .collect();
        let edited = self
            .theirs
            .keys()
            .any(|path| path.starts_with(entry) && !path.contains("/mine-"));
        let is_blocked =
            edited && (wanted.is_some() || tree.contains_key(&format!("{entry}SKILL.md")));
        if is_blocked {
            return;
        }
        let paths: Vec<_> = wanted.into_iter().flatten().collect();
        assert_eq!(found.len(), paths.len(), "{entry}: {found:?}");
        for (path, text) in paths {
            assert_eq!(
                found.get(&format!("{entry}{path}")),
                Some(&text),
                "{entry}{path}"
            );
        }
    }
}

fn is_temporary(path: &str) -> bool {
    path.contains("/.imprint-")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_the_users_is_touched_and_everything_settles(
        events in proptest::collection::vec(event(), 1..40),
    ) {
        let mut play = Play::new();
        for event in &events {
            play.on(event);
            play.check();
        }
        play.world.pass();
        play.check();
        play.check_settled();
        play.world.pass();
        let last = play.world.try_pass(&Steps::limited(0));
        prop_assert!(last.is_ok(), "the third pass still wanted to change something: {:?}", last);
    }
}

/// One change of each kind, killed before each of the pass' changes to the disk.
#[test]
fn a_kill_at_every_step_leaves_old_or_new() {
    for left in 0.. {
        let mut play = Play::new();
        for event in [
            Event::Set(0, 0x1F),
            Event::Set(1, 0),
            Event::SetPersona(1),
            Event::Pass(None),
        ] {
            play.on(&event);
        }
        for event in [
            Event::Set(0, 0x27),
            Event::Unset(1),
            Event::Set(2, 0x3F),
            Event::UnsetPersona,
        ] {
            play.on(&event);
        }
        let killed = play.world.try_pass(&Steps::limited(left));
        play.check();
        play.world.pass();
        play.check();
        play.check_settled();
        if killed.is_ok_and(|report| report.unplaced.is_empty() && report.notes.is_empty()) {
            assert!(left > 40, "{left} changes were enough");
            break;
        }
    }
}
