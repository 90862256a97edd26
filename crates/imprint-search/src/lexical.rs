//! BM25 over several fields (BM25F): a term counts more in a short field and when few have it.

use std::collections::HashMap;

use crate::tokens::terms;

/// How much one field counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldWeight {
    /// What a term in it counts.
    pub(crate) weight: f32,
    /// How much the length of the text takes from that: 0 nothing, 1 in full (`b`).
    pub(crate) length: f32,
}

/// How soon further occurrences of a term stop counting (`k1`, at its usual value).
const SATURATION: f32 = 1.2;

/// Which document has which term, how much.
#[derive(Debug)]
pub(crate) struct Index {
    postings: HashMap<String, Vec<Posting>>,
    documents: usize,
}

#[derive(Clone, Copy, Debug)]
struct Posting {
    document: usize,
    /// Weighted occurrences over all fields.
    frequency: f32,
}

impl Index {
    /// An index of documents, each given as the texts of these fields.
    pub(crate) fn new<const F: usize>(documents: &[[&str; F]], weights: [FieldWeight; F]) -> Self {
        let tokenised: Vec<[Vec<String>; F]> =
            documents.iter().map(|fields| fields.map(terms)).collect();
        let mean = std::array::from_fn(|field| mean_length(&tokenised, field));
        let mut postings: HashMap<String, Vec<Posting>> = HashMap::new();
        for (document, fields) in tokenised.into_iter().enumerate() {
            for (term, frequency) in frequencies(fields, weights, mean) {
                let posting = Posting {
                    document,
                    frequency,
                };
                postings.entry(term).or_default().push(posting);
            }
        }
        Self {
            postings,
            documents: documents.len(),
        }
    }

    /// The score of each document for these terms, 0 without any of them. The unit is what a term
    /// that only one document has adds at most, so that scores mean the same in a small index
    /// and in a large one.
    pub(crate) fn scores(&self, terms: &[String]) -> Vec<f32> {
        let unit = self.rarity(1);
        let mut scores = vec![0.0; self.documents];
        for postings in terms.iter().filter_map(|term| self.postings.get(term)) {
            let weight = self.rarity(postings.len()) / unit;
            for posting in postings {
                let frequency = posting.frequency;
                scores[posting.document] += weight * frequency / (SATURATION + frequency);
            }
        }
        scores
    }

    /// How much a term tells that so many of the documents have (inverse document frequency).
    #[expect(clippy::cast_precision_loss, reason = "counts of documents are small")]
    fn rarity(&self, having: usize) -> f32 {
        let (having, all) = (having as f32, self.documents as f32);
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths of texts are small")]
fn mean_length<const F: usize>(documents: &[[Vec<String>; F]], field: usize) -> f32 {
    let all: usize = documents.iter().map(|fields| fields[field].len()).sum();
    (all as f32 / documents.len() as f32).max(1.0)
}

/// The terms of one document, each with its weighted occurrences.
#[expect(clippy::cast_precision_loss, reason = "lengths of texts are small")]
fn frequencies<const F: usize>(
    fields: [Vec<String>; F],
    weights: [FieldWeight; F],
    mean: [f32; F],
) -> HashMap<String, f32> {
    let mut frequencies = HashMap::new();
    for ((terms, field), mean) in fields.into_iter().zip(weights).zip(mean) {
        let length = terms.len() as f32 / mean;
        let each = field.weight / (1.0 - field.length + field.length * length);
        for term in terms {
            *frequencies.entry(term).or_insert(0.0) += each;
        }
    }
    frequencies
}
