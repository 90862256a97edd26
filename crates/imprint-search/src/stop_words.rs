//! English words that say nothing of what a request is about.

/// In order, so that they can be searched; folded as all words are, before their endings go.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "both", "but", "by", "can", "cannot", "could", "d",
    "did", "do", "does", "doing", "don", "each", "every", "few", "for", "from", "get", "give",
    "had", "has", "have", "having", "he", "help", "her", "here", "him", "his", "how", "i", "if",
    "in", "into", "is", "it", "its", "just", "let", "like", "ll", "m", "make", "may", "me",
    "might", "more", "most", "must", "my", "need", "no", "not", "now", "of", "off", "on", "one",
    "only", "or", "other", "our", "out", "over", "own", "please", "re", "s", "same", "shall",
    "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "through", "to", "too", "up", "us", "use", "ve",
    "very", "want", "was", "way", "we", "were", "what", "when", "where", "which", "while", "who",
    "why", "will", "with", "would", "you", "your",
];

/// Whether a folded word is one of them.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("a") && !is_stop_word("test"));
    }
}
