//! `crash`: the product is killed in the middle of a write, again and again.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    process::{Child, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use imprint_core::registry::{NewItem, RevisionRef};
use imprint_core::{Author, ItemRef};
use imprint_format::{Bundle, Document, ItemKind};
use imprint_store::SqliteStore;
use serde::Deserialize;

use super::{
    Run,
    setup::make_folder,
    tree::{sizes, tree_of},
    verdict::{CaseError, Verdict},
};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CrashSpec {
    #[serde(rename = "loop")]
    plan: Loop,
    invariants: Vec<Invariant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Loop {
    writes: u32,
    signal: Signal,
    /// From and to, in milliseconds after the start of the program.
    kill_after_random_ms: (u64, u64),
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum Signal {
    #[serde(rename = "KILL")]
    Kill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Invariant {
    FileEqualsSomeCompleteVersion,
    NoTempFilesAfterRestart,
    RegistryEqualsFolder,
    RestartSucceeds,
}

/// So many kills come between two restarts.
const KILLS_A_RESTART: u32 = 50;

pub(super) fn run(spec: &CrashSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut crash = Crash::start(spec, run)?;
    let (from, to) = spec.plan.kill_after_random_ms;
    // Where a whole write takes longer than the case reckons with, the moments cover all of it.
    let whole = crash.time_a_write()?;
    let mut moments = Moments::new((from, to.max(whole)));
    for write in 1..=spec.plan.writes {
        crash.write_and_kill(write, spec.plan.signal, moments.next())?;
        crash.check_files(write)?;
        if write % KILLS_A_RESTART == 0 || write == spec.plan.writes {
            crash.restart(write)?;
        }
    }
    let kept = crash.kept_versions()?;
    crash.verdict.holds(kept > 2, || {
        "no write came through: the loop tests nothing".to_owned()
    });
    Ok(crash.verdict)
}

struct Crash<'a> {
    spec: &'a CrashSpec,
    run: &'a Run<'a>,
    item: ItemRef,
    first: Document,
    /// Every version that a write was started for.
    versions: BTreeSet<Vec<u8>>,
    /// Files that there are in the registry's folder after an ordinary write.
    usual: BTreeSet<String>,
    verdict: Verdict,
}

impl<'a> Crash<'a> {
    /// A registry with one item, which stands in two clients' folders.
    fn start(spec: &'a CrashSpec, run: &'a Run<'a>) -> Result<Self, CaseError> {
        make_folder(&run.sandbox.home().join(".claude"))?;
        let file = run.sandbox.work().join("SKILL.md");
        let text = std::fs::read_to_string(&file).map_err(CaseError::at(&file))?;
        let first = Document::read(text.as_bytes())
            .value
            .ok_or_else(|| CaseError::Schema("the input is no SKILL.md".to_owned()))?;
        let bundle = Bundle::of_entry(ItemKind::Skill, &text).map_err(CaseError::product)?;
        let registry = run.sandbox.registry();
        let new = NewItem::Files { bundle, name: None };
        let item = run.block_on(registry.create(&Author::User, new));
        let item = item.map_err(CaseError::product)?;
        let mut crash = Self {
            spec,
            run,
            item: ItemRef {
                kind: Some(ItemKind::Skill),
                name: item.name.to_string(),
            },
            first,
            versions: BTreeSet::from([text.into_bytes()]),
            usual: BTreeSet::new(),
            verdict: Verdict::default(),
        };
        crash.write_pass()?;
        crash.usual = crash.data_files()?;
        Ok(crash)
    }

    fn asks(&self, invariant: Invariant) -> bool {
        self.spec.invariants.contains(&invariant)
    }

    /// The item's folders in the clients' folders.
    fn places(&self) -> [PathBuf; 2] {
        let home = self.run.sandbox.home();
        [".agents", ".claude"].map(|client| home.join(client).join("skills").join(&self.item.name))
    }

    /// Starts a program that writes this version.
    fn start_write(&mut self, write: u32) -> Result<Child, CaseError> {
        let description = format!(
            "Version {write} of the text. {}",
            "Books rooms. ".repeat(40)
        );
        let description = description.trim();
        let version = self.first.with_field("description", description);
        let version = version.map_err(CaseError::product)?;
        self.versions.insert(version.text().as_bytes().to_vec());
        self.run
            .command()
            .args([
                "skills",
                "edit",
                &self.item.name,
                "--description",
                description,
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(CaseError::at(self.run.product.binary()))
    }

    /// How many milliseconds a write takes from start to end.
    fn time_a_write(&mut self) -> Result<u64, CaseError> {
        let start = Instant::now();
        let status = self.start_write(0)?.wait();
        let status = status.map_err(CaseError::at(self.run.product.binary()))?;
        self.verdict.holds(status.success(), || {
            "a write that nobody disturbs fails".to_owned()
        });
        Ok(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn write_and_kill(
        &mut self,
        write: u32,
        signal: Signal,
        after: Duration,
    ) -> Result<(), CaseError> {
        let mut child = self.start_write(write)?;
        thread::sleep(after);
        match signal {
            // One that has ended before can't be killed; that is one of the moments.
            Signal::Kill => drop(child.kill()),
        }
        child
            .wait()
            .map_err(CaseError::at(self.run.product.binary()))?;
        Ok(())
    }

    /// At each moment a reader sees one whole version.
    fn check_files(&mut self, write: u32) -> Result<(), CaseError> {
        if !self.asks(Invariant::FileEqualsSomeCompleteVersion) {
            return Ok(());
        }
        for place in self.places() {
            let file = place.join("SKILL.md");
            let bytes = std::fs::read(&file).map_err(CaseError::at(&file))?;
            let complete = self.versions.contains(&bytes);
            self.verdict.holds(complete, || {
                format!(
                    "after kill {write} {} holds no whole version ({} bytes)",
                    file.display(),
                    bytes.len()
                )
            });
        }
        Ok(())
    }

    /// The next start puts everything right.
    fn restart(&mut self, write: u32) -> Result<(), CaseError> {
        let output = self.write_pass()?;
        if self.asks(Invariant::RestartSucceeds) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            self.verdict.holds(output.status.success(), || {
                format!("the restart after kill {write} failed: {said}")
            });
            let store = SqliteStore::new(self.run.sandbox.database());
            let faults = self.run.block_on(store.integrity_check())?;
            self.verdict.holds(faults.is_empty(), || {
                format!("after kill {write} the database is damaged: {faults:?}")
            });
        }
        self.check_leftovers(write)?;
        self.check_agreement(write)
    }

    fn check_leftovers(&mut self, write: u32) -> Result<(), CaseError> {
        if !self.asks(Invariant::NoTempFilesAfterRestart) {
            return Ok(());
        }
        for place in self.places() {
            let skills = place.parent().map(tree_of).transpose()?.unwrap_or_default();
            let expected = format!("{}/SKILL.md", self.item.name);
            for (path, _) in skills.files().filter(|(path, _)| *path != expected) {
                let place = place.display();
                self.verdict
                    .differs(format!("after kill {write} `{path}` lies beside {place}"));
            }
        }
        let data = self.data_files()?;
        for path in data.difference(&self.usual) {
            // The database's own side files come and go with its connections.
            if !(path.ends_with("-wal") || path.ends_with("-shm")) {
                self.verdict.differs(format!(
                    "after kill {write} `{path}` lies in the registry's folder"
                ));
            }
        }
        Ok(())
    }

    fn check_agreement(&mut self, write: u32) -> Result<(), CaseError> {
        if !self.asks(Invariant::RegistryEqualsFolder) {
            return Ok(());
        }
        let registry = self.run.sandbox.registry();
        let snapshot = registry.snapshot(&self.item, &RevisionRef::Head);
        let snapshot = self.run.block_on(snapshot).map_err(CaseError::product)?;
        for place in self.places() {
            let file = place.join("SKILL.md");
            let bytes = std::fs::read(&file).map_err(CaseError::at(&file))?;
            let what = format!("after kill {write} {}", file.display());
            let kept = &snapshot.bundle.entry().bytes;
            self.verdict.same_bytes(&what, kept, &bytes);
        }
        Ok(())
    }

    fn write_pass(&self) -> Result<Output, CaseError> {
        let mut command = self.run.command();
        let output = command.arg("write").output();
        output.map_err(CaseError::at(self.run.product.binary()))
    }

    fn data_files(&self) -> Result<BTreeSet<String>, CaseError> {
        Ok(sizes(&self.run.sandbox.data())?.into_keys().collect())
    }

    fn kept_versions(&self) -> Result<usize, CaseError> {
        let registry = self.run.sandbox.registry();
        let history = registry.history(&self.item, 0, 10_000);
        Ok(self
            .run
            .block_on(history)
            .map_err(CaseError::product)?
            .len())
    }
}

/// Moments between two bounds, the same in every run (SplitMix64).
struct Moments {
    state: u64,
    from: u64,
    micros: u64,
}

impl Moments {
    fn new((from, to): (u64, u64)) -> Self {
        Self {
            state: 0x1234_5678,
            from: from * 1_000,
            micros: (to.saturating_sub(from) * 1_000).max(1),
        }
    }

    fn next(&mut self) -> Duration {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Duration::from_micros(self.from + (z ^ (z >> 31)) % self.micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_stay_within_their_bounds_and_spread() {
        let mut moments = Moments::new((5, 40));
        let all: Vec<_> = (0..200).map(|_| moments.next().as_millis()).collect();
        assert!(all.iter().all(|ms| (5..40).contains(ms)));
        assert!(all.iter().collect::<BTreeSet<_>>().len() > 25);
    }
}
