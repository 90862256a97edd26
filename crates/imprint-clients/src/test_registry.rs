//! An empty registry for tests. Its clock stands still, and its ids count.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use imprint_core::{Clock, OwnerId, Registry, Timestamp};
use imprint_store::InMemoryStore;

/// Stands late in time, so that what tests write is older than what is taken in.
#[derive(Debug, Default)]
struct StoppedClock {
    ids: AtomicU64,
}

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        Timestamp(1_796_074_445_000)
    }

    fn new_uuid(&self) -> uuid::Uuid {
        let count = self.ids.fetch_add(1, Ordering::Relaxed);
        uuid::Uuid::from_u64_pair(0x7000, count)
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

pub(crate) fn registry() -> Registry {
    let clock = Arc::new(StoppedClock::default());
    Registry::new(Arc::new(InMemoryStore::new()), clock, OwnerId::LOCAL)
}
