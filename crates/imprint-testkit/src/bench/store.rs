//! Creating and reading at several sizes of a registry.

use std::time::Instant;

use imprint_core::{
    Author, ItemRef, Registry,
    registry::{NewItem, RevisionRef},
};
use imprint_format::{ItemKind, ItemName};
use tokio::runtime::Builder;

use super::{Bench, BenchError, ms};
use crate::{Sandbox, SeedSkill, plant};

const SIZES: [usize; 3] = [100, 1_000, 10_000];
const CREATES: usize = 1_000;
const READS: usize = 10_000;

/// Measures 1,000 creates one after another and 10,000 reads at each size.
pub fn store() -> Result<Bench, BenchError> {
    let runtime = Builder::new_multi_thread().worker_threads(2).build()?;
    let mut bench = Bench::default();
    let (mut creates, mut reads) = (Vec::new(), Vec::new());
    for size in SIZES {
        let sandbox = Sandbox::new()?;
        let (create, read) = runtime.block_on(at_size(&sandbox, size))?;
        bench.measured(format!("read by name, {size} items"), read, "ms", READS);
        bench.measured(format!("create, {size} items"), create, "ms", CREATES);
        creates.push(create);
        reads.push(read);
    }
    let bare = bare_commits()?;
    bench.measured("one row a transaction, SQLite alone", bare, "ms", CREATES);
    let ratio = |times: &[f64]| match times {
        [first, .., last] => last / first,
        _ => f64::NAN,
    };
    bench.bound("reads, largest against smallest, times", ratio(&reads), 1.5);
    bench.bound(
        "creates, largest against smallest, times",
        ratio(&creates),
        2.0,
    );
    Ok(bench)
}

/// Milliseconds of one create and of one read.
async fn at_size(sandbox: &Sandbox, size: usize) -> Result<(f64, f64), BenchError> {
    let registry = sandbox.registry();
    let skills: Vec<_> = (0..size).map(SeedSkill::numbered).collect();
    plant(&registry, &skills).await?;
    let read = read(&registry, &skills).await?;
    let new: Vec<_> = (size..size + CREATES).map(SeedSkill::numbered).collect();
    Ok((create(&registry, &new).await?, read))
}

async fn read(registry: &Registry, skills: &[SeedSkill]) -> Result<f64, BenchError> {
    let start = Instant::now();
    for i in 0..READS {
        // A step that has no factor in common with the sizes visits the items in mixed order.
        let skill = &skills[i * 7_919 % skills.len()];
        let item = ItemRef {
            kind: Some(ItemKind::Skill),
            name: skill.name.clone(),
        };
        let snapshot = registry.snapshot(&item, &RevisionRef::Head).await;
        snapshot.map_err(BenchError::product)?;
    }
    Ok(each(start, READS))
}

async fn create(registry: &Registry, skills: &[SeedSkill]) -> Result<f64, BenchError> {
    let start = Instant::now();
    for skill in skills {
        let name: ItemName = skill.name.parse().map_err(BenchError::product)?;
        let new = NewItem::Texts {
            kind: ItemKind::Skill,
            name,
            description: skill.description.clone(),
            instructions: skill.instructions.clone(),
            files: Vec::new(),
        };
        let created = registry.create(&Author::User, new).await;
        created.map_err(BenchError::product)?;
    }
    Ok(each(start, skills.len()))
}

/// What as many durable transactions of one row cost without any of our code.
fn bare_commits() -> Result<f64, BenchError> {
    let sandbox = Sandbox::new()?;
    let connection = rusqlite::Connection::open(sandbox.work().join("bare.db"));
    let connection = connection.map_err(BenchError::product)?;
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE skills (id INTEGER PRIMARY KEY, name TEXT, content TEXT);",
        )
        .map_err(BenchError::product)?;
    let start = Instant::now();
    for i in 0..CREATES {
        let skill = SeedSkill::numbered(i);
        connection
            .execute(
                "INSERT INTO skills (name, content) VALUES (?1, ?2)",
                (skill.name, skill.instructions),
            )
            .map_err(BenchError::product)?;
    }
    Ok(each(start, CREATES))
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn each(start: Instant, count: usize) -> f64 {
    ms(start.elapsed()) / count as f64
}
