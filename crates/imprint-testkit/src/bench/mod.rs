//! Benchmarks, each next to what it is compared with in the same run.

mod catalog;
mod handshake;
mod http;
mod store;

use std::{fmt, time::Duration};

pub use catalog::catalog;
pub use handshake::{Servers, handshake};
pub use http::{HttpServers, http};
use serde::Serialize;
pub use store::store;

use crate::{SeedError, SessionError};

/// Why a benchmark can't be run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each wraps the error that it comes from")]
pub enum BenchError {
    #[error("no sandbox: {0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Seed(#[from] SeedError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error("the product failed: {0}")]
    Product(String),
}

impl BenchError {
    fn product(error: impl fmt::Display) -> Self {
        Self::Product(error.to_string())
    }
}

/// What a benchmark came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Bench {
    /// What was measured, in order.
    pub measured: Vec<Measured>,
    /// What was asked of it.
    pub bounds: Vec<Bound>,
    /// What could not be measured, and why.
    pub missing: Vec<String>,
}

/// One thing that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// What.
    pub what: String,
    /// How much: the median where a time was taken more than once.
    pub value: f64,
    /// In `ms`, `MiB` or the like.
    pub unit: &'static str,
    /// How often.
    pub runs: usize,
}

/// A bound and whether it was kept. For information: a busy machine measures otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Bound {
    /// What is bounded.
    pub what: String,
    /// What it is.
    pub value: f64,
    /// What it may be.
    pub max: f64,
    /// Whether it is.
    pub kept: bool,
}

impl Bench {
    fn measured(&mut self, what: impl Into<String>, value: f64, unit: &'static str, runs: usize) {
        self.measured.push(Measured {
            what: what.into(),
            value,
            unit,
            runs,
        });
    }

    fn bound(&mut self, what: impl Into<String>, value: f64, max: f64) {
        self.bounds.push(Bound {
            what: what.into(),
            value,
            max,
            kept: value <= max,
        });
    }
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Measured {
            what,
            value,
            unit,
            runs,
        } in &self.measured
        {
            writeln!(f, "{what:<58}{value:>12.3} {unit:<5} (n = {runs})")?;
        }
        for Bound {
            what,
            value,
            max,
            kept,
        } in &self.bounds
        {
            let word = if *kept { "kept" } else { "MISSED" };
            writeln!(f, "{what:<58}{value:>12.3} of {max:<8} {word}")?;
        }
        for missing in &self.missing {
            writeln!(f, "not measured: {missing}")?;
        }
        Ok(())
    }
}

/// Milliseconds.
fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The middle one of these times.
fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        let mut times = [5, 1, 9].map(Duration::from_millis);
        assert_eq!(median(&mut times), Duration::from_millis(5));
        assert_eq!(median(&mut []), Duration::ZERO);
    }

    #[test]
    fn what_was_measured_and_what_was_missed_is_told() {
        let mut bench = Bench::default();
        bench.measured("a spawn", 4.5, "ms", 20);
        bench.bound("a spawn, against another", 4.0, 3.0);
        bench
            .missing
            .push("the other one: it is not installed".to_owned());
        let text = bench.to_string();
        assert!(text.contains("4.500 ms"), "{text}");
        assert!(text.contains("MISSED"), "{text}");
        assert!(text.contains("not measured: the other one"), "{text}");
    }
}
