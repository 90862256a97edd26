//! Which of some named and described things a request asks for.

use crate::lexical::{FieldWeight, Index};
use crate::tokens::query_terms;

/// A name says in few words what a description says in many.
const NAME: FieldWeight = FieldWeight {
    weight: 3.0,
    length: 0.0,
};
/// The usual value of `b`; those around it rank as well.
const DESCRIPTION: FieldWeight = FieldWeight {
    weight: 1.0,
    length: 0.75,
};
/// The least score of a best that is likely to be meant. One rare word, once in a description of
/// usual length, scores 0.45, and that happens by chance; in a name, or two of them, it doesn't.
const FITS: f32 = 0.55;

/// One thing that can be asked for.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
}

/// One thing's place in a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// Which of the documents, counted from 0 in the order in which they were given.
    pub index: usize,
    /// How well it fits, above 0. About 1 for each word of the request that it alone has.
    pub score: f32,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Everything that shares a term with the request, best first; equals as they were given.
    pub best: Vec<Scored>,
    /// Whether the best is likely to be what was asked for. A guess from its score: no answer to
    /// show less, but one to say so.
    pub fits: bool,
}

/// Ranks a fixed set of documents for any request.
///
/// The words of names and descriptions count, folded and without endings (BM25 over both fields);
/// a request is text, never syntax.
#[derive(Debug)]
pub struct Router {
    index: Index,
}

impl Router {
    /// A router over these documents.
    pub fn new<'a>(documents: impl IntoIterator<Item = Document<'a>>) -> Self {
        let fields: Vec<_> = documents
            .into_iter()
            .map(|document| [document.name, document.description])
            .collect();
        Self {
            index: Index::new(&fields, [NAME, DESCRIPTION]),
        }
    }

    /// The documents that share a term with this request.
    pub fn rank(&self, request: &str) -> Ranking {
        let scores = self.index.scores(&query_terms(request));
        let mut best: Vec<_> = scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .map(|(index, score)| Scored { index, score })
            .collect();
        best.sort_by(|a, b| b.score.total_cmp(&a.score));
        let fits = best.first().is_some_and(|first| first.score >= FITS);
        Ranking { best, fits }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DOCUMENTS: [Document<'_>; 4] = [
        Document {
            name: "release-notes",
            description: "Writes release notes from merged changes.",
        },
        Document {
            name: "code-review",
            description: "Reviews a change for faults; 代码审查.",
        },
        Document {
            name: "tidy-imports",
            description: "Sorts the imports of a Python file and takes out unused ones.",
        },
        Document {
            name: "pdf",
            description: "Reads PDF files: text, tables, forms.",
        },
    ];

    fn ranked(request: &str) -> Vec<&'static str> {
        let ranking = Router::new(DOCUMENTS).rank(request);
        let names = ranking
            .best
            .iter()
            .map(|scored| DOCUMENTS[scored.index].name);
        names.collect()
    }

    #[test]
    fn the_best_comes_first() {
        assert_eq!(ranked("review my change"), ["code-review", "release-notes"]);
        assert_eq!(ranked("sort imports"), ["tidy-imports"]);
        assert_eq!(ranked("请做代码审查"), ["code-review"]);
        assert_eq!(ranked("a file")[0], "pdf");
        assert_eq!(ranked("ReleaseNotes"), ["release-notes"]);
    }

    #[test]
    fn it_says_when_nothing_fits() {
        let router = Router::new(DOCUMENTS);
        assert!(router.rank("fill in the PDF").fits);
        assert!(router.rank("merged changes").fits);
        for request in ["", "the", "feed the cat", "unused tickets", "\" OR 1=1 --"] {
            assert!(!router.rank(request).fits, "{request}");
        }
        assert_eq!(Router::new([]).rank("anything").best, []);
    }

    #[test]
    fn the_size_of_the_set_does_not_change_what_fits() {
        let names: Vec<_> = (0..2_000).map(|i| format!("other-{i}")).collect();
        let others = names.iter().map(|name| Document {
            name,
            description: "Does something else altogether.",
        });
        let router = Router::new(DOCUMENTS.into_iter().chain(others));
        assert!(router.rank("fill in the PDF").fits);
        assert!(!router.rank("unused tickets").fits);
    }

    proptest! {
        #[test]
        fn any_text_is_ranked_the_same_way_each_time(
            texts in prop::collection::vec((any::<String>(), any::<String>()), 0..8),
            request in any::<String>(),
        ) {
            let documents = texts.iter().map(|(name, description)| Document { name, description });
            let router = Router::new(documents.clone());
            let ranking = router.rank(&request);
            prop_assert!(ranking.best.is_sorted_by(|a, b| a.score >= b.score));
            prop_assert!(ranking.best.iter().all(|s| s.score > 0.0 && s.score.is_finite()));
            prop_assert_eq!(Router::new(documents).rank(&request), ranking);
            for (index, (name, _)) in texts.iter().enumerate() {
                let own = router.rank(name).best;
                let found = own.iter().any(|scored| scored.index == index);
                prop_assert!(found || query_terms(name).is_empty());
            }
        }
    }
}
