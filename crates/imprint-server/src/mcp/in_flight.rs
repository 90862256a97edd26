//! The requests that were passed on and not answered yet.

use std::{collections::HashSet, sync::Arc};

use rmcp::model::RequestId;
use tokio::sync::watch;

/// More requests than this at once wait in the pipe.
const MOST: usize = 256;

/// Shared by who passes requests on and who sends their answers.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    ids: Arc<watch::Sender<HashSet<RequestId>>>,
}

impl InFlight {
    pub(crate) fn new() -> Self {
        Self {
            ids: Arc::new(watch::Sender::new(HashSet::new())),
        }
    }

    /// Takes an id in as soon as there is room and no other request of that id is under way: rmcp
    /// would answer only one of the two.
    pub(crate) async fn begin(&self, id: &RequestId) {
        self.until(|ids| ids.len() < MOST && !ids.contains(id))
            .await;
        self.ids.send_modify(|ids| {
            ids.insert(id.clone());
        });
    }

    /// Takes an id out: it is answered, or nobody waits for it any more. Whether it was there.
    pub(crate) fn end(&self, id: &RequestId) -> bool {
        self.ids.send_if_modified(|ids| ids.remove(id))
    }

    /// Returns when no request of this id is under way.
    pub(crate) async fn ended(&self, id: &RequestId) {
        self.until(|ids| !ids.contains(id)).await;
    }

    async fn until(&self, mut fits: impl FnMut(&HashSet<RequestId>) -> bool) {
        // Waiting fails when no sender is left, and there is one in `self`.
        let _ = self.ids.subscribe().wait_for(|ids| fits(ids)).await;
    }
}
