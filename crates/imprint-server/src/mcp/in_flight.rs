//! The requests that were passed on and not answered yet.

use std::{collections::HashMap, sync::Arc};

use rmcp::model::RequestId;
use tokio::sync::watch;

/// More requests than this at once wait in the pipe.
const MOST: usize = 256;
/// The most subscriptions that may be open at once. They don't count as requests: those would wait
/// for one of them to end, and with them the cancellation that ends it.
const MOST_SUBSCRIPTIONS: usize = 64;

/// How long a request is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lasts {
    /// Until it is answered.
    Shortly,
    /// Until the client has enough: a subscription.
    Long,
}

/// Why a request may not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Full {
    #[error("a subscription that is open has this `id`")]
    IdInUse,
    #[error("{MOST_SUBSCRIPTIONS} subscriptions are open; cancel one first")]
    Subscriptions,
}

/// Shared by who passes requests on and who sends their answers.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    ids: Arc<watch::Sender<HashMap<RequestId, Lasts>>>,
}

impl InFlight {
    pub(crate) fn new() -> Self {
        Self {
            ids: Arc::new(watch::Sender::new(HashMap::new())),
        }
    }

    /// Takes an id in as soon as there is room and no other request of that id is under way: rmcp
    /// would answer only one of the two.
    pub(crate) async fn begin(&self, id: &RequestId, lasts: Lasts) -> Result<(), Full> {
        if self.ids.borrow().get(id) == Some(&Lasts::Long) {
            return Err(Full::IdInUse);
        }
        if lasts == Lasts::Long && self.subscriptions().len() >= MOST_SUBSCRIPTIONS {
            return Err(Full::Subscriptions);
        }
        self.until(|ids| {
            let short = ids.values().filter(|lasts| **lasts == Lasts::Shortly);
            (lasts == Lasts::Long || short.count() < MOST) && !ids.contains_key(id)
        })
        .await;
        self.ids.send_modify(|ids| {
            ids.insert(id.clone(), lasts);
        });
        Ok(())
    }

    /// The subscriptions that are open.
    pub(crate) fn subscriptions(&self) -> Vec<RequestId> {
        let ids = self.ids.borrow();
        let long = ids.iter().filter(|(_, lasts)| **lasts == Lasts::Long);
        long.map(|(id, _)| id.clone()).collect()
    }

    /// Takes an id out: it is answered, or nobody waits for it any more. Whether it was there.
    pub(crate) fn end(&self, id: &RequestId) -> bool {
        self.ids.send_if_modified(|ids| ids.remove(id).is_some())
    }

    /// Returns when no request of this id is under way.
    pub(crate) async fn ended(&self, id: &RequestId) {
        self.until(|ids| !ids.contains_key(id)).await;
    }

    async fn until(&self, mut fits: impl FnMut(&HashMap<RequestId, Lasts>) -> bool) {
        // Waiting fails when no sender is left, and there is one in `self`.
        let _ = self.ids.subscribe().wait_for(|ids| fits(ids)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn subscriptions_take_no_room_from_requests_and_have_an_end() {
        let in_flight = InFlight::new();
        let id = |number: usize| RequestId::Number(i64::try_from(number).unwrap());
        for number in 0..MOST_SUBSCRIPTIONS {
            assert_eq!(in_flight.begin(&id(number), Lasts::Long).await, Ok(()));
        }
        let next = id(MOST_SUBSCRIPTIONS);
        let refused = in_flight.begin(&next, Lasts::Long).await;
        assert_eq!(refused, Err(Full::Subscriptions));
        assert_eq!(
            in_flight.begin(&id(0), Lasts::Shortly).await,
            Err(Full::IdInUse)
        );
        for number in 1_000..1_000 + MOST {
            assert_eq!(in_flight.begin(&id(number), Lasts::Shortly).await, Ok(()));
        }
        assert!(in_flight.end(&id(0)) && !in_flight.end(&id(0)));
        assert_eq!(in_flight.begin(&next, Lasts::Long).await, Ok(()));
        assert_eq!(in_flight.subscriptions().len(), MOST_SUBSCRIPTIONS);
    }
}
