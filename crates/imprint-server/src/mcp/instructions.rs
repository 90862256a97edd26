//! What a client is told: the registry read and fitted to it.

use imprint_core::{
    ItemFilter, ItemState, ItemSummary, Registry, StoreError,
    fit::{FitInput, Fitted, Peer, fit},
};
use imprint_format::ItemKind;

use crate::ServerContext;

/// The instructions and the tool's description for this peer, as the registry stands now. When it
/// can't be read, what a client gets of an empty one: the handshake works, and the tools say what
/// is wrong.
pub(crate) async fn fitted(context: &ServerContext, registry: &Registry, peer: &Peer) -> Fitted {
    match read_and_fit(context, registry, peer).await {
        Ok(fitted) => fitted,
        Err(error) => {
            tracing::warn!(%error, "the registry can't be read for the handshake");
            fit_nothing(context, peer)
        }
    }
}

/// What doesn't depend on items: the size of a page above all.
pub(crate) fn fit_nothing(context: &ServerContext, peer: &Peer) -> Fitted {
    fit(FitInput {
        items: &[],
        guidelines: &[],
        report: None,
        peer,
        clients: context.clients,
    })
}

async fn read_and_fit(
    context: &ServerContext,
    registry: &Registry,
    peer: &Peer,
) -> Result<Fitted, StoreError> {
    let active = ItemFilter {
        states: vec![ItemState::Active],
        ..ItemFilter::default()
    };
    let items = registry.store().items(registry.owner(), &active).await?;
    if items.is_empty() {
        return Ok(fit_nothing(context, peer));
    }
    let guidelines = guidelines(registry, &items).await;
    let texts: Vec<_> = guidelines.into_iter().map(|(_, text)| text).collect();
    let report = context.folders.last_report().await;
    Ok(fit(FitInput {
        items: &items,
        guidelines: &texts,
        report: report.as_ref(),
        peer,
        clients: context.clients,
    }))
}

/// The guidelines among these items with their texts, in the order in which they were made. One
/// whose text can't be read is left out.
pub(crate) async fn guidelines<'a>(
    registry: &Registry,
    items: &'a [ItemSummary],
) -> Vec<(&'a ItemSummary, String)> {
    let mut guidelines: Vec<_> = items
        .iter()
        .filter(|item| item.kind == ItemKind::Guideline)
        .collect();
    guidelines.sort_by_key(|item| (item.created_at, item.id));
    let mut texts = Vec::with_capacity(guidelines.len());
    for item in guidelines {
        match registry.files_of(item).await {
            Ok(bundle) => {
                let text = String::from_utf8_lossy(&bundle.entry().bytes).into_owned();
                texts.push((item, text));
            }
            Err(error) => tracing::warn!(%error, "a guideline is left out"),
        }
    }
    texts
}
