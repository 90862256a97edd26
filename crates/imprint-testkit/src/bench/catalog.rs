//! The block out of many items: purely, and through the store.

use std::{hint::black_box, time::Instant};

use imprint_core::{
    ItemFilter, ItemState, ItemSummary, Registry,
    catalog::{BlockBudget, Catalog, Detail, escape},
};
use imprint_format::text::{clip, one_line};
use tokio::runtime::Builder;

use super::{Bench, BenchError, median, ms};
use crate::{Sandbox, SeedSkill, plant};

const ITEMS: usize = 10_000;
const RUNS: usize = 30;
/// What has room in any block.
const BUDGET: BlockBudget = BlockBudget {
    units: usize::MAX,
    detail: Detail::Descriptions,
};

/// Measures the block out of 10,000 items.
pub fn catalog() -> Result<Bench, BenchError> {
    let sandbox = Sandbox::new()?;
    let runtime = Builder::new_multi_thread().worker_threads(1).build()?;
    let mut bench = Bench::default();
    runtime.block_on(async {
        let registry = sandbox.registry();
        let skills: Vec<_> = (0..ITEMS).map(SeedSkill::numbered).collect();
        plant(&registry, &skills).await?;
        let items = active(&registry).await?;
        let pure = time(|| block(&items));
        let all = time(|| all_lines(&items));
        let mut through = Vec::with_capacity(RUNS);
        for _ in 0..RUNS {
            let start = Instant::now();
            black_box(block(&active(&registry).await?));
            through.push(start.elapsed());
        }
        let through = ms(median(&mut through));
        bench.measured(format!("block out of {ITEMS} items"), pure, "ms", RUNS);
        bench.measured(
            "the same items, a line for each, no budget",
            all,
            "ms",
            RUNS,
        );
        bench.measured("block through the store (SQLite)", through, "ms", RUNS);
        bench.bound("block, ms", pure, 5.0);
        bench.bound("block through the store, ms", through, 15.0);
        Ok(bench)
    })
}

/// The median time in milliseconds.
fn time<T>(work: impl Fn() -> T) -> f64 {
    let once = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    let mut times: Vec<_> = std::iter::repeat_with(once).take(RUNS).collect();
    ms(median(&mut times))
}

async fn active(registry: &Registry) -> Result<Vec<ItemSummary>, BenchError> {
    let filter = ItemFilter {
        states: vec![ItemState::Active],
        ..ItemFilter::default()
    };
    let items = registry.store().items(registry.owner(), &filter).await;
    items.map_err(BenchError::product)
}

fn block(items: &[ItemSummary]) -> Option<String> {
    Catalog::new(items).block(BUDGET)
}

/// What a list without a budget would be.
fn all_lines(items: &[ItemSummary]) -> String {
    let mut lines: Vec<_> = items
        .iter()
        .map(|item| {
            let description = escape(&clip(&one_line(&item.description), 250));
            format!("- {} {}: {description}\n", item.kind, item.name)
        })
        .collect();
    lines.sort_unstable();
    lines.concat()
}
