//! What `imprint adopt` shows.

use imprint_clients::adopt::{EditedCopy, FileChange, Offers};
use imprint_format::BundleFile;

use super::Taken;
use crate::{
    cli::AdoptArgs,
    commands::diff,
    home::{shown, tilde},
    output::{Output, count},
};

/// How many lines of one file's difference are shown without `--verbose`.
const DIFF_LINES: usize = 40;

pub(super) fn print_offers(out: &Output, offers: &Offers) {
    for copy in &offers.edited {
        print_edited(out, copy);
    }
    let added = offers.added.to_string();
    if !added.is_empty() {
        out.heading("Put into your clients' folders by hand");
        out.prose(&tilde(added.trim_end()));
    }
    let contested = offers.contested().count();
    if contested > 0 {
        out.warning(&format!(
            "{} of one item were edited differently: name the place of the one to keep, such as \
             `imprint adopt {}`",
            count(contested, "copy"),
            offers
                .contested()
                .next()
                .map(|copy| shown(&copy.place))
                .unwrap_or_default()
        ));
    }
}

fn print_edited(out: &Output, copy: &EditedCopy) {
    let (kind, name) = (copy.item.kind, &copy.item.name);
    out.heading(&format!("{kind} {name}, edited in {}", shown(&copy.place)));
    for change in &copy.changes {
        print_change(out, change);
    }
    for note in &copy.notes {
        out.prose(&format!("  {note}"));
    }
    for fault in &copy.faults {
        out.prose(&format!(
            "  can't be taken back: {}",
            tilde(&fault.to_string())
        ));
    }
}

fn print_change(out: &Output, change: &FileChange) {
    let file = |bytes: &[u8]| BundleFile {
        bytes: bytes.into(),
        executable: change.executable,
    };
    let path = change.path.as_str();
    let before = change.before.as_deref().map(file);
    let headings = (&*format!("{path} (kept)"), &*format!("{path} (there)"));
    let Some(diff) = diff::of_files(path, before.as_ref(), Some(&file(&change.after)), headings)
    else {
        return;
    };
    let lines: Vec<_> = diff.lines().collect();
    if out.is_verbose() || lines.len() <= DIFF_LINES {
        out.diff(&diff);
        return;
    }
    out.diff(&lines[..DIFF_LINES].join("\n"));
    let more = lines.len() - DIFF_LINES;
    out.line(&format!("{more} more lines; `--verbose` shows them"));
}

pub(super) fn print_taken(out: &Output, args: &AdoptArgs, taken: &Taken) {
    for copy in &taken.edited {
        let (kind, name) = (copy.item.kind, &copy.item.name);
        match &copy.error {
            None => out.message(&format!(
                "{kind} {name}: the edit is kept, its copies follow"
            )),
            Some(error) => out.warning(&format!("{kind} {name}: {error}")),
        }
    }
    let added = taken.added.to_string();
    if !added.is_empty() {
        out.prose(added.trim_end());
    }
    if taken.edited.is_empty() && taken.added.results.is_empty() {
        out.message(if args.dry_run {
            "Nothing was taken back; run it again without `--dry-run` to do it"
        } else {
            "Nothing was taken back"
        });
    }
}
