//! The token formats, as data. Sources: the issuers' documentation and announcements.

mod clouds;
mod code_hosts;
mod models;
mod services;

use super::format::Format;

/// All formats. The same value may fit two; the longer match wins.
pub(super) fn all() -> impl Iterator<Item = &'static Format> {
    [
        code_hosts::FORMATS,
        models::FORMATS,
        clouds::FORMATS,
        services::FORMATS,
    ]
    .into_iter()
    .flatten()
}
