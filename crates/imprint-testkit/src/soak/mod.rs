//! A long time with clients as bad as they come: some come and go, stall, break off, open and drop
//! subscriptions, while others write and read through two servers on one database. Afterwards
//! nothing that was acknowledged may be lost, and nothing may be kept that was given up.

mod clients;
mod ledger;

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use self::{clients::Manner, ledger::Ledger};
use crate::{
    Product, Sandbox, SeedSkill, Serving,
    process::{open_descriptors, resident_memory_kib},
    serving::{self, ServingError},
    wire::{Endpoint, Era},
};

/// Servers on one database.
const SERVERS: usize = 2;
/// How long everything runs before what the servers hold is looked at for the first time.
const WARM_UP: Duration = Duration::from_secs(20);
/// How long servers may take to let go of what clients gave up: they wait a minute for a client
/// that takes nothing.
const SETTLING: Duration = Duration::from_secs(90);
/// Descriptors that a server may have open beyond what it had after the warm-up.
const MORE_DESCRIPTORS: usize = 16;
/// Memory that a server may hold beyond twice what it had after the warm-up, in KiB: for what was
/// written meanwhile.
const MORE_MEMORY_KIB: u64 = 64 * 1024;
/// Requests of a key in a minute, more than can be made.
const NO_LIMIT: &str = "4000000000";

/// Why a soak can't be run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each wraps the error that it comes from")]
pub enum SoakError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Serving(#[from] ServingError),
    #[error(transparent)]
    Seed(#[from] crate::SeedError),
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Soak {
    /// How often each manner of client was there, by name.
    pub clients: Vec<(&'static str, usize)>,
    /// Skills whose last acknowledged content was there at the end, on every server.
    pub kept: usize,
    /// What each server held after the warm-up and at the end.
    pub held: Vec<(Held, Held)>,
    /// What was not as it must be.
    pub faults: Vec<String>,
}

/// What a server holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// Memory, in KiB.
    pub memory_kib: u64,
    /// Files and sockets.
    pub descriptors: usize,
}

/// Runs two servers and all manners of clients for so long.
pub fn soak(product: &Product, time: Duration) -> Result<Soak, SoakError> {
    serving::raise_descriptors();
    let sandbox = Sandbox::new()?;
    sandbox.plant(&(0..100).map(SeedSkill::numbered).collect::<Vec<_>>())?;
    let key = serving::make_key(product, &sandbox, "soak", "full")?;
    let (mut servers, mut endpoints) = (Vec::new(), Vec::new());
    for _ in 0..SERVERS {
        let port = serving::free_port()?;
        let mut command = product.command(&sandbox);
        command.args(["serve", "--rate-limit", NO_LIMIT, "--listen"]);
        command.arg(format!("127.0.0.1:{port}"));
        servers.push(Serving::start(command, port)?);
        endpoints.push(Endpoint {
            port,
            key: Some(key.clone()),
            era: Era::Stateless,
        });
    }
    let processes: Vec<_> = servers.iter().map(Serving::process).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let ledger = Arc::new(Ledger::new(endpoints));
    let mut soak = runtime.block_on(run(&ledger, &processes, time));
    for server in servers {
        let served = server.stop()?;
        let log = String::from_utf8_lossy(&served.written).into_owned();
        soak.judge_log(served.status.success(), &log, &key);
    }
    Ok(soak)
}

async fn run(ledger: &Arc<Ledger>, processes: &[u32], time: Duration) -> Soak {
    let mut soak = Soak::default();
    let warm_up = WARM_UP.min(time / 4);
    soak.act(ledger, warm_up).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let before: Vec<_> = processes.iter().map(|process| Held::by(*process)).collect();
    soak.act(ledger, time.saturating_sub(warm_up)).await;
    soak.settle(processes, before).await;
    soak.kept = ledger.check(&mut soak.faults).await;
    soak
}

impl Held {
    fn by(process: u32) -> Self {
        Self {
            memory_kib: resident_memory_kib(process).unwrap_or_default(),
            descriptors: open_descriptors(process).unwrap_or_default(),
        }
    }

    /// Whether this is near what it was.
    fn is_near(self, before: Self) -> bool {
        self.descriptors <= before.descriptors + MORE_DESCRIPTORS
            && self.memory_kib <= 2 * before.memory_kib + MORE_MEMORY_KIB
    }
}

impl Soak {
    /// Lets all manners of clients act for so long.
    async fn act(&mut self, ledger: &Arc<Ledger>, time: Duration) {
        let end = Instant::now() + time;
        let mut acting = JoinSet::new();
        for (manner, number) in Manner::ALL {
            for worker in 0..number {
                let ledger = Arc::clone(ledger);
                acting.spawn(async move { (manner, manner.act(&ledger, worker, end).await) });
            }
        }
        while let Some(done) = acting.join_next().await {
            match done {
                Ok((manner, acted)) => self.count(manner.name(), acted),
                Err(error) => self.faults.push(format!("a client of the soak: {error}")),
            }
        }
    }

    fn count(&mut self, name: &'static str, acted: clients::Acted) {
        match self.clients.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => *times += acted.times,
            None => self.clients.push((name, acted.times)),
        }
        self.faults
            .extend(acted.fault.map(|fault| format!("{name}: {fault}")));
    }

    /// Waits until the servers have let go of what was given up.
    async fn settle(&mut self, processes: &[u32], before: Vec<Held>) {
        let start = Instant::now();
        loop {
            let after = processes.iter().map(|process| Held::by(*process));
            self.held = before.iter().copied().zip(after).collect();
            let near = self
                .held
                .iter()
                .all(|(before, after)| after.is_near(*before));
            if near || start.elapsed() > SETTLING {
                break;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        for (before, after) in &self.held {
            if !after.is_near(*before) {
                self.faults
                    .push(format!("a server held {before}, and at the end {after}"));
            }
        }
    }

    fn judge_log(&mut self, well: bool, log: &str, key: &str) {
        if !well {
            self.faults.push("a server did not end well".to_owned());
        }
        if log.contains("panicked") {
            self.faults.push(format!("a server panicked: {log}"));
        }
        if log.contains(key) {
            self.faults.push("the key is in a log".to_owned());
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            memory_kib,
            descriptors,
        } = self;
        write!(f, "{} MiB and {descriptors} descriptors", memory_kib / 1024)
    }
}

impl fmt::Display for Soak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, times) in &self.clients {
            writeln!(f, "{name:<44}{times:>10}")?;
        }
        writeln!(
            f,
            "{:<44}{:>10}",
            "skills with their last content", self.kept
        )?;
        for (before, after) in &self.held {
            writeln!(f, "a server held {before}, at the end {after}")?;
        }
        self.faults
            .iter()
            .try_for_each(|fault| writeln!(f, "FAULT: {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_log_must_not_hold_is_a_fault() {
        let mut soak = Soak::default();
        soak.judge_log(true, "all is well", "the-key");
        assert!(soak.faults.is_empty());
        soak.judge_log(false, "thread 'main' panicked; the-key", "the-key");
        assert_eq!(soak.faults.len(), 3);
    }

    #[test]
    fn descriptors_that_stay_open_are_far() {
        let before = Held {
            memory_kib: 1_000,
            descriptors: 20,
        };
        assert!(
            Held {
                descriptors: 30,
                ..before
            }
            .is_near(before)
        );
        assert!(
            !Held {
                descriptors: 90,
                ..before
            }
            .is_near(before)
        );
        assert!(
            !Held {
                memory_kib: 1_000_000,
                ..before
            }
            .is_near(before)
        );
    }
}
