//! Finding items by what a request says.

use imprint_search::{Document, Router};

use crate::{ItemState, ItemSummary};

/// The items that share a word with a request.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// Best first.
    pub items: Vec<&'a ItemSummary>,
    /// Whether the first is likely to be what was asked for.
    pub fits: bool,
}

/// Ranks items by their names and descriptions, whatever their kind. Removed ones and those that
/// only the user starts ([`ItemSummary::hidden_from_model`]) are not found.
pub fn search<'a>(items: impl IntoIterator<Item = &'a ItemSummary>, request: &str) -> Found<'a> {
    let items: Vec<_> = items
        .into_iter()
        .filter(|item| item.state != ItemState::Removed && !item.hidden_from_model)
        .collect();
    let router = Router::new(items.iter().map(|item| Document {
        name: item.name.as_str(),
        description: &item.description,
    }));
    let ranking = router.rank(request);
    Found {
        items: ranking
            .best
            .iter()
            .map(|scored| items[scored.index])
            .collect(),
        fits: ranking.fits,
    }
}

#[cfg(test)]
mod tests {
    use imprint_format::ItemKind;

    use super::*;
    use crate::catalog::tests::{item, skill};

    #[test]
    fn what_models_may_not_start_is_not_found() {
        let mut items = vec![
            skill("tidy-imports", "Sorts imports."),
            skill("deploy", "Sorts out a deployment; imports secrets."),
            skill("old-tidy", "Sorted imports once."),
            item(ItemKind::Persona, "librarian", "Sorts books."),
            skill("release-notes", "Writes release notes."),
        ];
        items[1].hidden_from_model = true;
        items[2].state = ItemState::Removed;
        let found = search(&items, "sort these imports");
        let names: Vec<_> = found.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["tidy-imports", "librarian"]);
        assert!(found.fits);
        assert!(search(&items, "\" OR 1=1").items.is_empty());
    }
}
