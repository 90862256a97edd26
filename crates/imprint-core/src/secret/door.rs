//! The scan of whole items at the registry's door.

use imprint_format::Bundle;

use super::{Finding, scan, scan_bytes};

/// Every credential in these files and their paths, except in files that `before` holds with the
/// same bytes.
pub fn scan_bundle(bundle: &Bundle, before: Option<&Bundle>) -> Vec<Finding> {
    let files = bundle.files().filter(|(path, file)| {
        let known = before.and_then(|before| before.get(path));
        known.is_none_or(|known| known.bytes != file.bytes)
    });
    scan_files(files.map(|(path, file)| (path.as_str(), &*file.bytes)))
}

/// Every credential in these files, given as path and content, and in their paths.
pub fn scan_files<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, bytes) in files {
        let in_path = scan(path);
        let in_text = scan_bytes(bytes);
        let shown = if in_path.is_empty() {
            path
        } else {
            "(a file's name)"
        };
        findings.extend(in_path.into_iter().chain(in_text).map(|finding| Finding {
            file: Some(shown.to_owned()),
            ..finding
        }));
    }
    findings
}

/// One sentence about findings, without a value.
pub fn summary(findings: &[Finding]) -> String {
    match findings {
        [one] => format!("there is a credential in it ({}, {})", one.rule, place(one)),
        [first, ..] => format!(
            "there are {} credentials in it, the first is {} ({})",
            findings.len(),
            first.rule,
            place(first)
        ),
        [] => "there is no credential in it".to_owned(),
    }
}

fn place(finding: &Finding) -> String {
    match &finding.file {
        Some(file) => format!("{file} line {}", finding.line),
        None => format!("line {}", finding.line),
    }
}
