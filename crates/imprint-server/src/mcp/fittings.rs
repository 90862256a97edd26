//! What clients were told a moment ago: over HTTP each list of tools is fitted anew, and a fitting
//! reads all items and a report.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use imprint_core::{
    Access, LogPosition,
    fit::{Fitted, Peer},
};

/// How long a fitting lasts while no item changes: how often items are loaded, and which folders
/// were written, it may tell so late.
const LASTS: Duration = Duration::from_secs(1);
/// Clients choose their names: at so many the memory begins anew.
const MOST: usize = 256;

/// Fittings by who asks.
#[derive(Debug, Default)]
pub(crate) struct Fittings {
    kept: Mutex<HashMap<(Access, Peer), Kept>>,
}

#[derive(Debug)]
struct Kept {
    position: LogPosition,
    since: Instant,
    fitted: Fitted,
}

impl Fittings {
    /// The fitting for this asker, if no item has changed since and it is fresh.
    pub(crate) fn get(&self, who: &(Access, Peer), position: LogPosition) -> Option<Fitted> {
        let kept = self.kept();
        let found = kept.get(who)?;
        let holds = found.position == position && found.since.elapsed() < LASTS;
        holds.then(|| found.fitted.clone())
    }

    /// Keeps a fitting that was begun at this position.
    pub(crate) fn put(&self, who: (Access, Peer), position: LogPosition, fitted: &Fitted) {
        let mut kept = self.kept();
        if kept.len() >= MOST {
            kept.clear();
        }
        let fitted = fitted.clone();
        let since = Instant::now();
        kept.insert(
            who,
            Kept {
                position,
                since,
                fitted,
            },
        );
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<(Access, Peer), Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use imprint_core::{
        ClientTable,
        fit::{FitInput, fit},
    };

    use super::*;

    #[test]
    fn a_fitting_lasts_until_an_item_changes() {
        let who = (Access::local_client(), Peer::default());
        let fitted = fit(FitInput {
            items: &[],
            guidelines: &[],
            report: None,
            peer: &who.1,
            clients: ClientTable::new(&[]),
        });
        let fittings = Fittings::default();
        fittings.put(who.clone(), LogPosition(3), &fitted);
        assert!(fittings.get(&who, LogPosition(3)).is_some());
        assert!(fittings.get(&who, LogPosition(4)).is_none());
        let other = (who.0.clone().read_only(), who.1);
        assert!(fittings.get(&other, LogPosition(3)).is_none());
    }
}
