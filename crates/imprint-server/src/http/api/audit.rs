//! The audit, for administrators.

use imprint_core::Scope;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{
    super::problem::{Problem, ProblemDetails},
    asker::Asker,
    page::{Json, Page, PageQuery, Query},
};

/// One row of the audit with its link in the chain.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Link {
    /// Who did what to what: the JSON that the hash covers, byte for byte.
    #[schema(value_type = Object)]
    row: Box<RawValue>,
    /// SHA-256 of `imprint-audit-1`, a zero byte, the hash before and the row.
    hash: String,
}

/// The audit's rows, oldest first. `cursor` is the number of a row: those after it.
#[utoipa::path(get, path = "/audit", tag = "audit", params(PageQuery),
    responses((status = OK, body = Page<Link>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(
    asker: Asker,
    Query(page): Query<PageQuery>,
) -> Result<Json<Page<Link>>, Problem> {
    asker.needs(Scope::Admin)?;
    let (after, limit) = (page.number()?, page.limit());
    let registry = asker.registry();
    let links = registry
        .store()
        .audit(registry.owner(), after, limit)
        .await?;
    let whole = links.len() as u64 == limit;
    let entries = links.into_iter().map(|link| {
        Ok(Link {
            row: RawValue::from_string(link.row)?,
            hash: link.hash.to_string(),
        })
    });
    let entries: Result<Vec<_>, serde_json::Error> = entries.collect();
    let damaged = |_| imprint_core::StoreError::Damaged {
        message: "a row of the audit is no JSON".to_owned(),
    };
    Ok(Json(Page {
        entries: entries.map_err(damaged)?,
        next: whole.then(|| after.saturating_add(limit).to_string()),
    }))
}
