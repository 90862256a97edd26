//! What a browser says of its own request (`Sec-Fetch-*`), judged where it names no origin.
//!
//! Pages can neither set nor remove these headers. Programs that are no browser don't send them.

use http::{HeaderMap, HeaderName, Method};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The paths at which a person arrives from another site's page by following a link or a redirect.
const PAGES: &[&str] = &["/oauth/authorize"];

/// Whether another site's page is behind a request that names no origin, other than by leading its
/// visitor, in the whole tab, to a page meant for that.
pub(crate) fn is_foreign(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    if is_ours_to_answer(headers) {
        return false;
    }
    let visits = *method == Method::GET
        && only(headers, &MODE) == Some("navigate")
        && only(headers, &DEST) == Some("document");
    !(visits && PAGES.contains(&path))
}

/// A program that is no browser, a page of ours, or the person at the address bar. A value that is
/// unknown, or that stands beside another, counts as foreign.
fn is_ours_to_answer(headers: &HeaderMap) -> bool {
    !headers.contains_key(SITE) || matches!(only(headers, &SITE), Some("same-origin" | "none"))
}

fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}
