//! What happens, as server-sent events.

use std::{convert::Infallible, time::Duration};

use axum::{
    Extension,
    extract::State,
    response::{
        IntoResponse as _, Response,
        sse::{Event as ServerEvent, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt as _, stream};
use imprint_core::{Event, LogPosition, Record, Registry, Scope};
use serde_json::json;
use std::sync::Arc;

use super::{
    super::{
        authority::Admitted,
        endpoint::guarded,
        problem::{Problem, ProblemDetails},
        server::HttpState,
    },
    asker::Asker,
};

/// How often the log is looked at.
const LOOK: Duration = Duration::from_millis(250);
/// How many records are told of in one look.
const TOLD: u64 = 100;

/// Changes from now on, each as an event named after what happened. The stream ends when the key
/// is taken back.
#[utoipa::path(get, path = "/events", tag = "events",
    responses((status = OK, content_type = "text/event-stream", body = String),
              (status = "4XX", body = ProblemDetails)))]
pub(super) async fn listen(
    State(state): State<HttpState>,
    Extension(admitted): Extension<Arc<Admitted>>,
    asker: Asker,
) -> Result<Response, Problem> {
    asker.needs(Scope::Admin)?;
    let registry = asker.registry().clone();
    let from = registry.store().position(registry.owner()).await?;
    let events = changes(registry, from).map(Ok::<_, Infallible>);
    let response = Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response();
    Ok(guarded(&state, response, Some(admitted)))
}

fn changes(registry: Registry, from: LogPosition) -> impl Stream<Item = ServerEvent> {
    let looks = stream::unfold((registry, from), async |(registry, after)| {
        loop {
            tokio::time::sleep(LOOK).await;
            let records = registry
                .store()
                .records(registry.owner(), after, TOLD)
                .await;
            let records = records.unwrap_or_default();
            if !records.is_empty() {
                let after = LogPosition(after.0 + records.len() as u64);
                return Some((stream::iter(records), (registry, after)));
            }
        }
    });
    looks.flatten().map(|record| told(&record))
}

/// A record as an event: what happened to which item, no contents.
fn told(record: &Record) -> ServerEvent {
    let (name, data) = match &record.event {
        Event::Revised { revision } => (
            "item-revised",
            json!({ "item": revision.item, "kind": revision.kind, "name": revision.name,
                    "revision": revision.id }),
        ),
        Event::StateSet { item, state } => ("item-state", json!({ "item": item, "state": state })),
        Event::PinSet { item, pinned } => ("item-pin", json!({ "item": item, "pinned": pinned })),
        Event::FindingAccepted(accepted) => ("finding-accepted", json!({ "rule": accepted.rule })),
        Event::Proposed { proposal } => (
            "proposed",
            json!({ "proposal": proposal.id, "kind": proposal.kind, "name": proposal.name }),
        ),
        Event::ProposalDecided { proposal, accepted } => (
            "proposal-decided",
            json!({ "proposal": proposal, "accepted": accepted }),
        ),
    };
    ServerEvent::default().event(name).data(data.to_string())
}
