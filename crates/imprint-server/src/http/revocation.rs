//! Streams that are open end when what opened them is taken back, in whichever process.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use super::identity::{Identity, Principal};

/// How often the keys of open streams are looked at.
const LOOK: Duration = Duration::from_millis(200);

/// The streams that are open, by who opened them.
#[derive(Debug, Default)]
pub(crate) struct OpenStreams {
    by_principal: Mutex<HashMap<Principal, Opened>>,
    /// Cancelled when the server stops, and with it all streams.
    closing: CancellationToken,
}

#[derive(Debug)]
struct Opened {
    identity: Arc<Identity>,
    ended: CancellationToken,
    streams: usize,
}

/// Held as long as a stream is open.
#[derive(Debug)]
pub(crate) struct OpenStream {
    streams: Arc<OpenStreams>,
    principal: Principal,
    /// Cancelled when the stream has to end.
    pub(crate) ended: CancellationToken,
}

impl OpenStreams {
    /// Takes note of a stream.
    pub(crate) fn open(self: &Arc<Self>, identity: &Arc<Identity>) -> OpenStream {
        let principal = identity.principal;
        let mut all = self.all();
        let opened = all.entry(principal).or_insert_with(|| Opened {
            identity: Arc::clone(identity),
            ended: self.closing.child_token(),
            streams: 0,
        });
        opened.streams += 1;
        OpenStream {
            streams: Arc::clone(self),
            principal,
            ended: opened.ended.clone(),
        }
    }

    /// Ends all streams, and those that are opened from now on at once.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    /// Ends the streams of those for whom `is_live` says no, until `stop`.
    pub(crate) async fn watch(
        self: Arc<Self>,
        is_live: impl AsyncFn(&Identity) -> bool,
        stop: CancellationToken,
    ) {
        while stop
            .run_until_cancelled(tokio::time::sleep(LOOK))
            .await
            .is_some()
        {
            let opened: Vec<_> = {
                let all = self.all();
                all.values().map(|one| Arc::clone(&one.identity)).collect()
            };
            for identity in opened {
                if !is_live(&identity).await {
                    self.end(identity.principal);
                }
            }
        }
    }

    fn end(&self, principal: Principal) {
        if let Some(opened) = self.all().remove(&principal) {
            opened.ended.cancel();
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Principal, Opened>> {
        self.by_principal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut all = self.streams.all();
        if let Some(opened) = all.get_mut(&self.principal)
            && !opened.ended.is_cancelled()
        {
            opened.streams -= 1;
            if opened.streams == 0 {
                all.remove(&self.principal);
            }
        }
    }
}
