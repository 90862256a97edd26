//! A plan and its outcome as text for people: plain lines, two blanks for each level.

use std::fmt;

use imprint_format::Diagnostic;

use super::{CollidesWith, Done, ImportOutcome, ImportPlan, ItemResult, Planned, Skipped};

/// How many of the items that are stored already are named.
const NAMED_STORED: usize = 12;
/// How many of an item's places are named.
const NAMED_PLACES: usize = 3;

impl fmt::Display for ImportPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, self.new.len(), "to take in")?;
        for item in &self.new {
            planned(f, item)?;
        }
        stored_already(f, self)?;
        heading(f, self.collisions.len(), "of a name that is taken")?;
        for collision in &self.collisions {
            planned(f, &collision.item)?;
            let other = match &collision.with {
                CollidesWith::Stored(_) => "stored one",
                CollidesWith::Imported(place) => &format!("one in {place}"),
            };
            writeln!(f, "    differs from the {other}")?;
        }
        heading(f, self.skipped.len(), "left out")?;
        for skipped in &self.skipped {
            reasons(f, skipped)?;
        }
        remarks(f, &self.remarks)
    }
}

/// Names alone, and not all of many: there is nothing to do about them.
fn stored_already(f: &mut fmt::Formatter<'_>, plan: &ImportPlan) -> fmt::Result {
    let stored = plan.same.iter().map(|same| same.item.name.as_str());
    let named: Vec<_> = stored.take(NAMED_STORED).collect();
    if named.is_empty() {
        return Ok(());
    }
    write!(
        f,
        "{} stored already: {}",
        plan.same.len(),
        named.join(", ")
    )?;
    match plan.same.len() - named.len() {
        0 => writeln!(f),
        more => writeln!(f, " and {more} more"),
    }
}

/// Each remark once, after all the paths that it holds for.
fn remarks(f: &mut fmt::Formatter<'_>, remarks: &[Diagnostic]) -> fmt::Result {
    let mut told: Vec<&str> = Vec::new();
    for remark in remarks {
        if told.contains(&remark.message.as_str()) {
            continue;
        }
        told.push(&remark.message);
        let alike = remarks
            .iter()
            .filter(|other| other.message == remark.message);
        let paths: Vec<_> = alike.filter_map(|other| other.path.as_deref()).collect();
        if paths.len() > 1 {
            writeln!(f, "{}: {}", paths.join(", "), remark.message)?;
        } else {
            writeln!(f, "{remark}")?;
        }
        hint(f, remark)?;
    }
    Ok(())
}

fn heading(f: &mut fmt::Formatter<'_>, count: usize, what: &str) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    writeln!(f, "{count} {what}")
}

fn planned(f: &mut fmt::Formatter<'_>, item: &Planned) -> fmt::Result {
    line(f, item.kind.as_str(), item.name.as_str(), &item.places)?;
    for note in &item.notes {
        writeln!(f, "    {note}")?;
    }
    Ok(())
}

fn line(f: &mut fmt::Formatter<'_>, kind: &str, name: &str, places: &[String]) -> fmt::Result {
    let named: Vec<_> = places
        .iter()
        .take(NAMED_PLACES)
        .map(String::as_str)
        .collect();
    write!(f, "  {kind} {name} from {}", named.join(", "))?;
    match places.len() - named.len() {
        0 => writeln!(f),
        more => writeln!(f, " and {more} more"),
    }
}

fn reasons(f: &mut fmt::Formatter<'_>, skipped: &Skipped) -> fmt::Result {
    writeln!(f, "  {} {}", skipped.kind, skipped.place)?;
    for reason in &skipped.reasons {
        // The place stands above already; what is in it is told from there on.
        let path = reason.path.as_deref().unwrap_or_default();
        let file = path.strip_prefix(&skipped.place).unwrap_or(path);
        let file = file.trim_start_matches('/');
        let told = Diagnostic {
            path: (!file.is_empty()).then(|| file.to_owned()),
            ..reason.clone()
        };
        writeln!(f, "    {told}")?;
        hint(f, reason)?;
    }
    for finding in &skipped.findings {
        writeln!(
            f,
            "      {} {}, fingerprint {}",
            finding.rule,
            finding.masked,
            finding.fingerprint.short()
        )?;
    }
    Ok(())
}

fn hint(f: &mut fmt::Formatter<'_>, diagnostic: &Diagnostic) -> fmt::Result {
    match &diagnostic.hint {
        Some(hint) => writeln!(f, "      {hint}"),
        None => Ok(()),
    }
}

impl fmt::Display for ImportOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for result in &self.results {
            writeln!(f, "{result}")?;
        }
        Ok(())
    }
}

impl fmt::Display for ItemResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.kind, self.name)?;
        match &self.done {
            Done::Created { .. } => f.write_str("imported"),
            Done::Replaced { .. } => f.write_str("replaced; the version before is in its history"),
            Done::KeptBoth { item } => write!(f, "imported as {}", item.name),
            Done::Unchanged { item } if item.name == self.name => f.write_str("stored already"),
            Done::Unchanged { item } => write!(f, "stored already as {}", item.name),
            Done::Skipped => f.write_str("left out, because its name is taken"),
            Done::Failed { error } => write!(f, "not imported: {error}"),
        }
    }
}
