//! The latest used values, as many as fit in a number of bytes.

use std::hash::Hash;

use lru::LruCache;

/// What a value takes beside its own bytes: key, links, table.
const PLACE: usize = 128;

/// Forgets what was not used for longest when there would be more than `limit` bytes.
#[derive(Debug)]
pub(super) struct Kept<K: Hash + Eq, V> {
    values: LruCache<K, (V, usize)>,
    bytes: usize,
    limit: usize,
}

impl<K: Hash + Eq, V> Kept<K, V> {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            values: LruCache::unbounded(),
            bytes: 0,
            limit,
        }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<&V> {
        self.values.get(key).map(|(value, _)| value)
    }

    /// Puts a value in the place of what the key had. One that is too large alone is not kept, and
    /// neither is the one before.
    pub(super) fn put(&mut self, key: K, value: V, bytes: usize) {
        let bytes = bytes.saturating_add(PLACE);
        let before = if bytes > self.limit {
            self.values.pop(&key)
        } else {
            self.bytes += bytes;
            self.values.put(key, (value, bytes))
        };
        self.bytes -= before.map_or(0, |(_, bytes)| bytes);
        while self.bytes > self.limit
            && let Some((_, (_, bytes))) = self.values.pop_lru()
        {
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let mut kept = Kept::new(3 * (PLACE + 10));
        for number in 0..3 {
            kept.put(number, number, 10);
        }
        assert_eq!(kept.get(&0), Some(&0));
        kept.put(3, 3, 10);
        let left = [0, 1, 2, 3].map(|number| kept.get(&number).is_some());
        assert_eq!(left, [true, false, true, true]);
        assert_eq!(kept.bytes, kept.limit);
    }

    #[test]
    fn a_value_takes_the_place_of_the_one_before() {
        let mut kept = Kept::new(1_000);
        kept.put(1, "one", 100);
        kept.put(1, "two", 300);
        assert_eq!(kept.get(&1), Some(&"two"));
        assert_eq!(kept.bytes, 300 + PLACE);
    }

    #[test]
    fn what_does_not_fit_alone_drives_nothing_else_out() {
        let mut kept = Kept::new(1_000);
        kept.put(1, "small", 10);
        kept.put(2, "small", 10);
        kept.put(2, "large", 1_000);
        assert_eq!(kept.get(&1), Some(&"small"));
        assert_eq!(kept.get(&2), None);
        assert_eq!(kept.bytes, 10 + PLACE);
        kept.put(1, "endless", usize::MAX);
        assert_eq!(kept.bytes, 0);
    }
}
