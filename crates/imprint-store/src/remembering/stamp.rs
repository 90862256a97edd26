//! What an answer lasts for.

use std::time::Instant;

use imprint_core::{DeviceId, LogPosition};

use super::LOADS_MAY_LAG;
use crate::Generation;

/// What was current before a question was asked.
pub(super) trait Stamp<V> {
    /// Whether an answer that was given then still stands now.
    fn stands(&self, now: &Self) -> bool;

    /// Whether it may be kept.
    fn lasts(_answer: &V) -> bool {
        true
    }
}

impl<V> Stamp<V> for Generation {
    fn stands(&self, now: &Self) -> bool {
        self == now
    }
}

/// Where a log ends. Two equal ones are ends of one log: its last record counts too, because an
/// older state that was put back may have grown to the same length. It then has another device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogEnd {
    /// [`Generation::file`].
    pub(super) file: u64,
    pub(super) position: LogPosition,
    /// Who wrote the last record, and which of that device's it is.
    pub(super) last: Option<(DeviceId, u64)>,
}

impl<V> Stamp<V> for LogEnd {
    fn stands(&self, now: &Self) -> bool {
        self == now
    }
}

/// What items depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemsMoment {
    pub(super) log: LogEnd,
    pub(super) generation: Generation,
    /// How often loads were counted through this store.
    pub(super) loads: u64,
    pub(super) at: Instant,
}

impl<V> Stamp<V> for ItemsMoment {
    fn stands(&self, now: &Self) -> bool {
        let may_lag = || now.at.saturating_duration_since(self.at) < LOADS_MAY_LAG;
        self.log == now.log
            && self.loads == now.loads
            && (self.generation == now.generation || may_lag())
    }
}

/// The file ([`Generation::file`]) of something that never changes there once it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SameFile(pub(super) u64);

impl<T> Stamp<Option<T>> for SameFile {
    fn stands(&self, now: &Self) -> bool {
        self == now
    }

    fn lasts(answer: &Option<T>) -> bool {
        answer.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEN: Generation = Generation { file: 1, change: 5 };
    const LATER: Generation = Generation { file: 1, change: 6 };

    fn moment(generation: Generation, at: Instant) -> ItemsMoment {
        let log = LogEnd {
            file: 1,
            position: LogPosition(3),
            last: None,
        };
        ItemsMoment {
            log,
            generation,
            loads: 0,
            at,
        }
    }

    fn stands(then: &ItemsMoment, now: &ItemsMoment) -> bool {
        Stamp::<bool>::stands(then, now)
    }

    #[test]
    fn items_may_lag_behind_the_loads_of_others_for_a_moment() {
        let start = Instant::now();
        let then = moment(THEN, start);
        let in_time = start + LOADS_MAY_LAG / 2;
        assert!(stands(&then, &moment(LATER, in_time)));
        assert!(!stands(&then, &moment(LATER, start + LOADS_MAY_LAG)));
        let long_after = start + 1_000 * LOADS_MAY_LAG;
        assert!(stands(&then, &moment(THEN, long_after)));
    }

    #[test]
    fn items_lag_behind_nothing_else() {
        let start = Instant::now();
        let then = moment(THEN, start);
        let counted = ItemsMoment { loads: 1, ..then };
        assert!(!stands(&then, &counted));
        let mut grown = moment(LATER, start);
        grown.log.position = LogPosition(4);
        assert!(!stands(&then, &grown));
    }
}
