//! Unified diffs of files for people.

use imprint_format::BundleFile;
use similar::TextDiff;

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
