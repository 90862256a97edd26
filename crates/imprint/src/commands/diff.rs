//! Unified diffs of files for people.

use std::path::Path;

use imprint_clients::config::{self, Syntax};
use imprint_format::BundleFile;
use similar::TextDiff;

use crate::home::shown;

/// What differs between two versions of a file, as a unified diff under these headings; `None`
/// where nothing does. An absent file is an empty one.
pub(super) fn of_files(
    path: &str,
    before: Option<&BundleFile>,
    after: Option<&BundleFile>,
    headings: (&str, &str),
) -> Option<String> {
    if before == after {
        return None;
    }
    let as_text = |file: Option<&BundleFile>| match file {
        None => Some(String::new()),
        Some(file) => file.as_text().map(str::to_owned),
    };
    Some(match (as_text(before), as_text(after)) {
        (Some(old), Some(new)) if old != new => TextDiff::from_lines(&old, &new)
            .unified_diff()
            .header(headings.0, headings.1)
            .to_string(),
        (Some(_), Some(_)) => format!("--- {path}: only the executable bit differs\n"),
        _ => format!("--- {path}: binary files differ\n"),
    })
}

/// What changes in a client's configuration file, without the keys that may stand in it; `None`
/// where nothing does. An absent file is an empty one.
pub(super) fn of_config(
    file: &Path,
    syntax: Syntax,
    before: Option<&str>,
    after: Option<&str>,
) -> Option<String> {
    if before.unwrap_or_default() == after.unwrap_or_default() {
        return None;
    }
    let text = |text: Option<&str>| config::shown(text.unwrap_or_default(), syntax);
    let heading = shown(file);
    let (before, after) = (text(before), text(after));
    let diff = TextDiff::from_lines(&before, &after);
    Some(diff.unified_diff().header(&heading, &heading).to_string())
}
