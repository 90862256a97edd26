//! The key's skills and personas in one archive, for agents that can't see the user's disk.

use axum::{
    http::header,
    response::{IntoResponse as _, Response},
};

use super::{
    super::problem::{Problem, ProblemDetails},
    asker::Asker,
};
use crate::provision;

/// The active skills and personas that the key sees, as `skills/NAME/…` and `personas/NAME/…`.
#[utoipa::path(get, path = "/bundle.tar.gz", tag = "items",
    responses((status = OK, content_type = "application/gzip", body = String),
              (status = "4XX", body = ProblemDetails)))]
pub(super) async fn download(asker: Asker) -> Result<Response, Problem> {
    let provision = provision(asker.registry()).await?;
    for (item, why) in &provision.left_out {
        tracing::info!(item, why, "left out of a bundle");
    }
    let packed = tokio::task::spawn_blocking(move || provision.tar_gz()).await;
    let Ok(Ok(bytes)) = packed else {
        return Err(Problem::internal("-"));
    };
    let headers = [
        (header::CONTENT_TYPE, "application/gzip"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"bundle.tar.gz\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, bytes).into_response())
}
