//! Items of one name whose contents differ: which is taken, why, and what differs.

use std::{collections::BTreeSet, path::Path};

use imprint_clients::setup::{PlannedItem, PlannedVariant, SetupPlan, Why};
use imprint_format::ItemPath;

use super::plan::NAMED;
use crate::{commands::diff, home::shown, output::Output, time};

/// So many lines of one difference are shown; `--verbose` shows all, with what is around them.
const LINES: usize = 6;

pub(super) fn print(out: &Output, plan: &SetupPlan) {
    let differing: Vec<_> = plan
        .items
        .iter()
        .filter(|item| item.variants.len() > 1)
        .collect();
    if differing.is_empty() {
        return;
    }
    out.line("");
    let number = differing.len();
    let verb = if number == 1 { "differs" } else { "differ" };
    out.heading(&format!("{number} {verb} from place to place"));
    let most = if out.is_verbose() { number } else { NAMED };
    for item in differing.iter().take(most) {
        one(out, item);
    }
    if number > most {
        out.line(&format!(
            "  and {} more; `--verbose` shows all",
            number - most
        ));
    }
    out.prose(
        "  The others stay as earlier revisions; `--prefer CLIENT` takes another, `--keep-both` \
         keeps them as NAME-2",
    );
}

fn one(out: &Output, item: &PlannedItem) {
    let chosen = item.chosen();
    let why = match item.why {
        Why::Only => "",
        Why::Newest => ", changed last",
        Why::Preferred => ", which you prefer",
        Why::Stored => ", which is stored",
    };
    out.prose(&format!(
        "  {} {}: taken is {}{why}",
        item.kind,
        item.name,
        whence(chosen)
    ));
    for other in item.variants.iter().filter(|one| one.tree != chosen.tree) {
        out.prose(&format!("    not {}", whence(other)));
        difference(out, other, chosen);
    }
}

/// `~/.claude/skills/tea (2026-01-31)`.
fn whence(variant: &PlannedVariant) -> String {
    let place = match variant.places.as_slice() {
        [] => "the stored one".to_owned(),
        [one] => shown(Path::new(one)),
        [first, rest @ ..] => format!("{} and {} more", shown(Path::new(first)), rest.len()),
    };
    format!("{place} ({})", time::day(variant.at))
}

/// What differs, file by file: whole with `--verbose`, else the first lines that differ.
fn difference(out: &Output, from: &PlannedVariant, to: &PlannedVariant) {
    let files = from.bundle.files().chain(to.bundle.files());
    let paths: BTreeSet<&ItemPath> = files.map(|(path, _)| path).collect();
    let texts = paths.into_iter().filter_map(|path| {
        let (old, new) = (from.bundle.get(path), to.bundle.get(path));
        let headings = (&*format!("{path}, not taken"), &*format!("{path}, taken"));
        diff::of_files(path.as_str(), old, new, headings)
    });
    let texts: Vec<String> = texts.collect();
    if out.is_verbose() {
        for text in &texts {
            out.diff(text);
        }
        return;
    }
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines: Vec<&str> = lines.filter(|line| differs(line)).collect();
    for line in lines.iter().take(LINES) {
        out.diff(line);
    }
    if lines.len() > LINES {
        out.line(&format!("    … {} more lines", lines.len() - LINES));
    }
}

/// Whether a line of a diff is one that was added or taken away, or says so of a whole file.
fn differs(line: &str) -> bool {
    let is_heading = line.starts_with("+++ ") || line.ends_with(", not taken");
    line.starts_with(['+', '-']) && !is_heading
}
