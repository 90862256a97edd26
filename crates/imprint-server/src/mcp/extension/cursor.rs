//! Pages of sorted lists: a cursor names the last entry that was given, so that what comes and
//! goes between two pages moves nothing else.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// Stands in front of the key, so that cursors of a later shape can be told apart.
const VERSION: &str = "1:";
/// Nothing that was given out is longer, in characters.
const MOST_CHARS: usize = 2_000;

/// A page's entries and where the next one starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page<T> {
    pub(crate) entries: Vec<T>,
    /// `None`: this was the last page.
    pub(crate) next: Option<String>,
}

/// The cursor is none that was given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotACursor;

/// The cursor behind the entry of this key.
pub(crate) fn behind(key: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{VERSION}{key}"))
}

/// The key of the last entry that was given; an empty cursor is as good as none.
pub(crate) fn key_of(cursor: Option<&str>) -> Result<Option<String>, NotACursor> {
    let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else {
        return Ok(None);
    };
    if cursor.len() > MOST_CHARS {
        return Err(NotACursor);
    }
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| NotACursor)?;
    let text = String::from_utf8(bytes).map_err(|_| NotACursor)?;
    let key = text.strip_prefix(VERSION).ok_or(NotACursor)?;
    Ok(Some(key.to_owned()))
}

/// One page of entries that are sorted by their keys, at most `most` of them.
pub(crate) fn page_of<T>(
    sorted: Vec<T>,
    cursor: Option<&str>,
    most: usize,
    key: impl Fn(&T) -> String,
) -> Result<Page<T>, NotACursor> {
    let after = key_of(cursor)?;
    let is_given = |entry: &T| after.as_ref().is_some_and(|after| key(entry) <= *after);
    let mut entries: Vec<_> = sorted.into_iter().skip_while(is_given).collect();
    let more = entries.len() > most;
    entries.truncate(most);
    let next = entries
        .last()
        .filter(|_| more)
        .map(|last| behind(&key(last)));
    Ok(Page { entries, next })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_comes_and_goes_between_pages_moves_nothing_else() {
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let page = |list: &str, cursor: Option<&str>| {
            page_of(words(list), cursor, 2, Clone::clone).expect("a cursor of ours")
        };
        let first = page("b c d e", None);
        assert_eq!(first.entries, ["b", "c"]);
        let second = page("a b d e", first.next.as_deref());
        assert_eq!((second.entries, second.next), (words("d e"), None));
        assert_eq!(page("b c", Some("")).next, None);
    }

    #[test]
    fn what_was_not_given_out_is_no_cursor() {
        for bad in [
            "x",
            "!!",
            &URL_SAFE_NO_PAD.encode("2:a"),
            &"A".repeat(3_000),
        ] {
            assert_eq!(key_of(Some(bad)), Err(NotACursor));
        }
        assert_eq!(key_of(Some("")), Ok(None));
    }

    proptest! {
        #[test]
        fn a_key_comes_back_and_no_text_is_a_fault(key in ".{0,40}", any in ".{0,40}") {
            prop_assert_eq!(key_of(Some(&behind(&key))), Ok(Some(key)));
            let _ = key_of(Some(&any));
        }
    }
}
