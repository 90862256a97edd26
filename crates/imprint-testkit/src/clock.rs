//! Clocks for tests and benchmarks.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use imprint_core::{Clock, Timestamp};
use uuid::Uuid;

/// A clock that moves one millisecond each time it is asked, from 2026-01-01 on.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl Default for FixedClock {
    fn default() -> Self {
        Self(AtomicI64::new(1_767_225_600_000))
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn entropy(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        #[expect(clippy::expect_used, reason = "without randomness no key may be made")]
        getrandom::fill(&mut bytes).expect("the system has a source of randomness");
        bytes
    }
}
