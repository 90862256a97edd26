//! Waiting for other processes: ten may write to one database, and none of their users should
//! hear of it.

use std::{
    thread,
    time::{Duration, Instant, SystemTime},
};

use super::fault::Fault;

/// After so long, whoever waits is told why.
const UNUSUAL: Duration = Duration::from_secs(5);

/// How long to go on trying while other connections are in the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience(pub(super) Duration);

impl Patience {
    /// Repeats an attempt for as long as others are in its way. SQLite asks its busy handler
    /// only where waiting can't deadlock; in the other cases (the switch to a write-ahead log, the
    /// recovery of one, its removal by the last connection) it fails at once.
    pub(super) fn retry<T>(
        self,
        mut attempt: impl FnMut() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let began = Instant::now();
        let mut earlier = 0;
        let mut waiting = Waiting::default();
        loop {
            match attempt() {
                Err(fault) if fault.is_passing() && began.elapsed() < self.0 => {
                    waiting.tell(began);
                    pause(earlier);
                    earlier += 1;
                }
                done => return done,
            }
        }
    }

    /// A busy handler for SQLite. Its built-in one soon asks only every 100 milliseconds, which
    /// starves a process among nine that write without a break.
    pub(super) fn busy_handler(self) -> impl FnMut(i32) -> bool + Send + 'static {
        let mut began = Instant::now();
        let mut waiting = Waiting::default();
        move |earlier| {
            if earlier == 0 {
                began = Instant::now();
                waiting = Waiting::default();
            }
            if began.elapsed() >= self.0 {
                return false;
            }
            waiting.tell(began);
            pause(earlier.unsigned_abs());
            true
        }
    }
}

/// A wait, of which a person is told once it lasts longer than others do.
#[derive(Default)]
struct Waiting {
    told: bool,
}

impl Waiting {
    fn tell(&mut self, began: Instant) {
        if !self.told && began.elapsed() > UNUSUAL {
            self.told = true;
            tracing::warn!("waiting for another process that is writing to the database");
        }
    }
}

/// Sleeps 1 to 16 milliseconds, longer after many attempts, and never in step with others.
fn pause(earlier: u32) {
    let longest = 2_000 + 1_000 * u64::from(earlier.min(14));
    let moment = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| u64::from(since.subsec_nanos()) / 100);
    thread::sleep(Duration::from_micros(1_000 + moment % (longest - 1_000)));
}
