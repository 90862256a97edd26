//! `discover`: which skills are found in folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use imprint_format::Diagnostic;
use imprint_host::{Discovery, Limits, Root, Scope, discover};
use serde::Deserialize;

use super::{
    Run, diagnostics,
    schema::Case,
    setup::below,
    verdict::{CaseError, Verdict},
};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscoverSpec {
    roots: Vec<CaseRoot>,
    found: Vec<ExpectedItem>,
    #[serde(default)]
    must_not_find: Vec<String>,
    #[serde(default)]
    resources: BTreeMap<String, BTreeSet<String>>,
    /// How many runs must give the same.
    repeat: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseRoot {
    path: String,
    scope: CaseScope,
    trusted: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CaseScope {
    User,
    Project,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedItem {
    name: String,
    path: String,
    description: Option<String>,
}

pub(super) fn run(case: &Case, spec: &DiscoverSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let work = run.sandbox.work();
    let roots: Vec<Root> = spec
        .roots
        .iter()
        .map(|root| root.to_root(&work))
        .collect::<Result<_, _>>()?;
    let first = discover(&roots, &Limits::default());
    for again in 1..spec.repeat.unwrap_or(1) {
        let next = discover(&roots, &Limits::default());
        verdict.holds(next == first, || format!("run {} differs", again + 1));
    }
    spec.compare(&mut verdict, &first, &work);
    let said: Vec<Diagnostic> = first.all_diagnostics().cloned().collect();
    diagnostics::compare(&mut verdict, &case.diagnostics, &said);
    verdict.output_bytes += said.iter().map(|one| one.to_string().len()).sum::<usize>();
    Ok(verdict)
}

impl CaseRoot {
    fn to_root(&self, work: &Path) -> Result<Root, CaseError> {
        let path = below(work, &self.path)?;
        Ok(match self.scope {
            CaseScope::User => Root {
                path,
                scope: Scope::User,
                trusted: self.trusted.unwrap_or(true),
            },
            CaseScope::Project => Root::project(path, self.trusted.unwrap_or(false)),
        })
    }
}

impl DiscoverSpec {
    fn compare(&self, verdict: &mut Verdict, discovery: &Discovery, work: &Path) {
        let expected: BTreeSet<_> = self
            .found
            .iter()
            .map(|item| (item.name.clone(), item.path.clone()))
            .collect();
        let actual: BTreeSet<_> = discovery
            .found
            .iter()
            .map(|found| (found.name().to_owned(), relative(&found.path, work)))
            .collect();
        verdict.equal("found", &expected, &actual);
        for item in &self.found {
            let found = discovery
                .found
                .iter()
                .find(|found| found.name() == item.name);
            if let (Some(description), Some(found)) = (&item.description, found) {
                let what = format!("description of `{}`", item.name);
                verdict.equal(&what, description.as_str(), found.description());
            }
        }
        for name in &self.must_not_find {
            let found = discovery.found.iter().any(|found| found.name() == name);
            verdict.holds(!found, || format!("`{name}` was found"));
        }
        for (name, expected) in &self.resources {
            let found = discovery.found.iter().find(|found| found.name() == name);
            let actual = found.map(|found| found.resources.iter().cloned().collect());
            let what = format!("resources of `{name}`");
            verdict.equal(&what, &Some(expected.clone()), &actual);
        }
    }
}

/// A path in the case's folder, with `/`.
fn relative(path: &Path, work: &Path) -> String {
    let path = path.strip_prefix(work).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}
