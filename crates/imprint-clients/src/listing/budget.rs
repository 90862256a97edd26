//! How much of the descriptions in a client's list its model sees.

use crate::client::{Allowance, Budget};

/// How much of a skill's description a client's model sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Described {
    /// All of it.
    Whole,
    /// Its beginning: so many characters.
    Shortened(usize),
    /// Nothing: the name alone.
    NameOnly,
    /// There is none to see.
    NoneWritten,
    /// Nobody established it.
    NotEstablished,
}

impl Described {
    /// Whether something of a description is known to be lost.
    pub fn loses(self) -> bool {
        matches!(self, Self::Shortened(_) | Self::NameOnly)
    }
}

/// The room of a client's list, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// What the client leaves to the user's skills.
    pub has: usize,
    /// What they would take with all that it shows of a description at most.
    pub needs: usize,
}

impl Room {
    /// Whether everything fits.
    pub fn suffices(self) -> bool {
        self.needs <= self.has
    }
}

/// An entry, by the numbers of its characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: usize,
    pub(super) description: Option<usize>,
}

/// What becomes of each of these descriptions, in the order of the entries.
pub(super) fn describe(budget: Option<&Budget>, rows: &[Row]) -> (Vec<Described>, Option<Room>) {
    let all = |how| rows.iter().map(|row| row.described(how)).collect();
    match budget {
        None => (all(Described::NotEstablished), None),
        Some(Budget::Whole) => (all(Described::Whole), None),
        Some(Budget::NamesOnly) => (all(Described::NameOnly), None),
        Some(Budget::WhileItFits(allowance)) => {
            let described = while_it_fits(allowance, rows);
            (described, Some(room(allowance, rows)))
        }
        Some(Budget::Shortened(allowance)) => {
            let described = shortened(allowance, rows);
            (described, Some(room(allowance, rows)))
        }
    }
}

impl Row {
    fn described(self, how: Described) -> Described {
        match self.description {
            None => Described::NoneWritten,
            Some(_) => how,
        }
    }

    /// The characters of its description that the client shows at most.
    fn at_most(self, allowance: &Allowance) -> usize {
        self.description.unwrap_or(0).min(allowance.description)
    }

    /// What becomes of a description of which `shown` characters fit.
    fn showing(self, shown: usize) -> Described {
        match self.description {
            None => Described::NoneWritten,
            Some(all) if all <= shown => Described::Whole,
            Some(_) if shown == 0 => Described::NameOnly,
            Some(_) => Described::Shortened(shown),
        }
    }
}

fn room(allowance: &Allowance, rows: &[Row]) -> Room {
    let descriptions: usize = rows.iter().map(|row| row.at_most(allowance)).sum();
    Room {
        has: allowance.characters.saturating_sub(allowance.taken),
        needs: names(allowance, rows) + descriptions,
    }
}

/// What an entry without a description takes beside its name: `- ` and the line's end, or a comma in
/// a line of names.
const BARE: usize = 3;

/// The characters of the list with an empty description everywhere.
fn names(allowance: &Allowance, rows: &[Row]) -> usize {
    rows.iter().map(|row| row.name + allowance.entry).sum()
}

/// Every name, then whole descriptions from the first on until one doesn't fit. Whether a shorter
/// one behind it would still be shown was not measured, so it counts as lost.
fn while_it_fits(allowance: &Allowance, rows: &[Row]) -> Vec<Described> {
    let bare: usize = rows.iter().map(|row| row.name + BARE).sum();
    let around = allowance.entry.saturating_sub(BARE);
    let taken = allowance.taken + bare;
    let mut left = Some(allowance.characters.saturating_sub(taken));
    let described = rows.iter().map(|row| {
        let shown = row.at_most(allowance);
        let cost = row.description.map_or(0, |_| shown + around);
        left = left.and_then(|left| left.checked_sub(cost));
        row.showing(if left.is_some() { shown } else { 0 })
    });
    described.collect()
}

/// Every name, then the same number of characters for each description; what short ones leave goes
/// to the long ones.
fn shortened(allowance: &Allowance, rows: &[Row]) -> Vec<Described> {
    let mut lengths: Vec<usize> = rows.iter().map(|row| row.at_most(allowance)).collect();
    lengths.sort_unstable();
    let taken = allowance.taken + names(allowance, rows);
    let mut left = allowance.characters.saturating_sub(taken);
    let mut share = allowance.description;
    for (at, length) in lengths.iter().enumerate() {
        share = left / (lengths.len() - at);
        if *length > share {
            break;
        }
        left -= length;
        share = allowance.description;
    }
    let described = rows
        .iter()
        .map(|row| row.showing(row.at_most(allowance).min(share)));
    described.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn allowance(characters: usize, description: usize) -> Allowance {
        Allowance {
            characters,
            taken: 100,
            entry: 5,
            description,
            setting: None,
        }
    }

    fn rows(descriptions: &[usize]) -> Vec<Row> {
        let row = |length: &usize| Row {
            name: 5,
            description: Some(*length),
        };
        descriptions.iter().map(row).collect()
    }

    #[test]
    fn descriptions_fit_until_the_first_that_does_not() {
        use Described::{NameOnly, Shortened, Whole};
        let rows = rows(&[50, 60, 20, 0, 300]);
        let shown = |characters| while_it_fits(&allowance(characters, 200), &rows);
        // 100 are taken, and 50 go to the names and what stands around the descriptions.
        assert_eq!(
            shown(150 + 330),
            [Whole, Whole, Whole, Whole, Shortened(200)]
        );
        assert_eq!(shown(150 + 329), [Whole, Whole, Whole, Whole, NameOnly]);
        assert_eq!(
            shown(150 + 75),
            [Whole, NameOnly, NameOnly, Whole, NameOnly]
        );
        assert_eq!(shown(10), [NameOnly, NameOnly, NameOnly, Whole, NameOnly]);
    }

    #[test]
    fn what_short_descriptions_leave_goes_to_the_long_ones() {
        use Described::{NameOnly, Shortened, Whole};
        let rows = rows(&[100, 10, 40]);
        let shown = |characters| shortened(&allowance(characters, 90), &rows);
        assert_eq!(shown(130 + 140), [Shortened(90), Whole, Whole]);
        assert_eq!(shown(130 + 100), [Shortened(50), Whole, Whole]);
        assert_eq!(shown(130 + 60), [Shortened(25), Whole, Shortened(25)]);
        assert_eq!(shown(130 + 6), [Shortened(2), Shortened(2), Shortened(2)]);
        assert_eq!(shown(100), [NameOnly, NameOnly, NameOnly]);
    }

    #[test]
    fn room_tells_what_everything_would_take() {
        let rows = rows(&[100, 10, 40]);
        let budget = Budget::Shortened(allowance(200, 90));
        let (_, room) = describe(Some(&budget), &rows);
        let room = room.unwrap();
        assert_eq!((room.has, room.needs), (100, 170));
        assert!(!room.suffices());
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        let mut rows = rows(&[5]);
        rows.push(Row {
            name: 1,
            description: None,
        });
        let how = |budget: Option<&Budget>| describe(budget, &rows).0;
        let absent = Described::NoneWritten;
        assert_eq!(how(None), [Described::NotEstablished, absent]);
        assert_eq!(how(Some(&Budget::Whole)), [Described::Whole, absent]);
        assert_eq!(how(Some(&Budget::NamesOnly)), [Described::NameOnly, absent]);
    }
}
