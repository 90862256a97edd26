//! Telling clients that their lists have changed: on subscriptions, and over pipes after the
//! handshake of the older era.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use imprint_core::{ItemFilter, Timestamp};
use imprint_format::Digest;
use rmcp::{
    Peer, RoleServer,
    model::SubscriptionFilter,
    service::{SubscriptionContext, SubscriptionSendError, SubscriptionSink},
};
use tokio_util::sync::CancellationToken;

use super::{Asker, Handler};

/// An acknowledgement is sent before the lists can be looked at. What changed so shortly before is
/// told again, rather twice than never.
const JUST_BEFORE_MS: i64 = 1_000;

/// Tells the client of a pair of pipes of changes, if it has shaken hands.
#[derive(Clone, Debug)]
pub(crate) struct Announcer {
    begun: Arc<AtomicBool>,
    /// Cancelled with the connection.
    ended: CancellationToken,
}

impl Announcer {
    /// One that ends with this token.
    pub(crate) fn new(ended: CancellationToken) -> Self {
        Self {
            begun: Arc::default(),
            ended,
        }
    }
}

/// What an asker's lists look like.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lists {
    served: Option<Digest>,
    /// The description that names items.
    tools: Option<String>,
}

/// Which of the lists somebody wants to hear of.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    tools: bool,
    resources: bool,
}

impl Handler {
    /// What can be listened to here.
    pub(super) fn honoured() -> SubscriptionFilter {
        SubscriptionFilter::builder()
            .tools_list_changed()
            .resources_list_changed()
            .build()
    }

    /// Tells of changes until the client has enough.
    pub(super) async fn keep_telling(&self, subscription: &SubscriptionContext) {
        let accepted = subscription.accepted();
        let wanted = Wanted {
            tools: accepted.tools_list_changed == Some(true),
            resources: accepted.resources_list_changed == Some(true),
        };
        if !wanted.tools && !wanted.resources {
            return subscription.cancelled().await;
        }
        let asker = self.asker(subscription.request_context());
        asker.be_heard();
        let mut changes = self.changes.wait();
        let mut known = self.lists(&asker, wanted).await;
        if self.changed_just_now(&asker).await {
            known = Lists::default();
        }
        loop {
            let now = self.lists(&asker, wanted).await;
            if tell(subscription.sink(), &known, &now).await.is_err() {
                return;
            }
            known = now;
            tokio::select! {
                () = subscription.cancelled() => return,
                () = changes.changed() => {}
            }
        }
    }

    /// Begins to tell the client at the other end of the pipes, once.
    pub(super) fn announce(&self, peer: Peer<RoleServer>) {
        let Some(announcer) = self.announcer.clone() else {
            return;
        };
        if announcer.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let handler = self.clone();
        tokio::spawn(async move {
            let telling = handler.keep_announcing(peer);
            announcer.ended.run_until_cancelled(telling).await
        });
    }

    async fn keep_announcing(&self, peer: Peer<RoleServer>) {
        let wanted = Wanted {
            tools: true,
            resources: true,
        };
        let mut changes = self.changes.wait();
        let mut known = self.lists(&self.shaken(&peer), wanted).await;
        loop {
            changes.changed().await;
            // Whoever shakes hands again may be another.
            let now = self.lists(&self.shaken(&peer), wanted).await;
            let tools = now.tools != known.tools;
            let resources = now.served != known.served;
            known = now;
            let told = async {
                if tools {
                    peer.notify_tool_list_changed().await?;
                }
                if resources {
                    peer.notify_resource_list_changed().await?;
                }
                Ok::<_, rmcp::ServiceError>(())
            };
            if told.await.is_err() {
                return;
            }
        }
    }

    /// The lists as they are for this asker. One that can't be read is no news.
    async fn lists(&self, asker: &Asker, wanted: Wanted) -> Lists {
        let mut lists = Lists::default();
        if wanted.resources {
            lists.served = self.extension.digest(&asker.caller).await.ok();
        }
        if wanted.tools {
            let fitted = self.fitted(asker).await.ok();
            lists.tools = fitted.map(|fitted| fitted.skills_description);
        }
        lists
    }

    async fn changed_just_now(&self, asker: &Asker) -> bool {
        let registry = &asker.caller.registry;
        let Timestamp(now) = registry.clock().now();
        let all = ItemFilter::default();
        let items = registry.store().items(registry.owner(), &all).await;
        let items = items.unwrap_or_default();
        let since = Timestamp(now.saturating_sub(JUST_BEFORE_MS));
        items.iter().any(|item| item.changed_at >= since)
    }
}

async fn tell(
    sink: &SubscriptionSink,
    known: &Lists,
    now: &Lists,
) -> Result<(), SubscriptionSendError> {
    if now.tools != known.tools {
        sink.notify_tool_list_changed().await?;
    }
    if now.served != known.served {
        sink.notify_resource_list_changed().await?;
    }
    Ok(())
}
