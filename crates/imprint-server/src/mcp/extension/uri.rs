//! Addresses of what is served: `skill://skills/NAME/FILE` and `skill://personas/NAME/FILE`.

use std::fmt;

use imprint_format::{ItemKind, ItemName, ItemPath};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SCHEME: &str = "skill://";
/// Everything but RFC 3986's unreserved characters.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What an address names, whether it is there or not. Shown as the one spelling that is given out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The folder of all items of a kind.
    Kind(ItemKind),
    /// An item's folder.
    Item(ItemKind, ItemName),
    /// A file or folder inside an item.
    Inside(ItemKind, ItemName, ItemPath),
}

impl Place {
    /// The place that a text names. Other spellings of the same address (escapes that need not be)
    /// are taken. Names are decoded one by one and checked as an item's paths are, so no address
    /// leads out of its item.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME)?;
        if rest.contains(['?', '#']) {
            return None;
        }
        let mut segments = rest.split('/');
        let kind = match segments.next()? {
            "skills" => ItemKind::Skill,
            "personas" => ItemKind::Persona,
            _ => return None,
        };
        let Some(name) = segments.next() else {
            return Some(Self::Kind(kind));
        };
        let name = decoded(name)?.parse().ok()?;
        let inside: Option<Vec<_>> = segments.map(decoded).collect();
        let inside = inside?;
        if inside.is_empty() {
            return Some(Self::Item(kind, name));
        }
        let path = inside.join("/").parse().ok()?;
        Some(Self::Inside(kind, name, path))
    }
}

/// One name; none where a slash hides in an escape.
fn decoded(segment: &str) -> Option<String> {
    let decoded = percent_decode_str(segment).decode_utf8().ok()?;
    (!decoded.contains('/')).then(|| decoded.into_owned())
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Kind(kind) | Self::Item(kind, _) | Self::Inside(kind, ..)) = self;
        f.write_str(SCHEME)?;
        f.write_str(folder_of(*kind))?;
        if let Self::Item(_, name) | Self::Inside(_, name, _) = self {
            write!(f, "/{name}")?;
        }
        if let Self::Inside(_, _, path) = self {
            for component in path.components() {
                write!(f, "/{}", utf8_percent_encode(component, ESCAPED))?;
            }
        }
        Ok(())
    }
}

/// The name under which all items of a kind lie.
const fn folder_of(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Skill => "skills",
        ItemKind::Persona => "personas",
        ItemKind::Guideline => "guidelines",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn respelled(uri: &str) -> Option<String> {
        Place::parse(uri).map(|place| place.to_string())
    }

    #[test]
    fn addresses_are_read_in_any_spelling_and_written_in_one() {
        for (uri, canonical) in [
            ("skill://skills", "skill://skills"),
            ("skill://personas/judge", "skill://personas/judge"),
            ("skill://skills/a/SKILL.md", "skill://skills/a/SKILL.md"),
            ("skill://skills/%61/%53KILL.md", "skill://skills/a/SKILL.md"),
            ("skill://skills/a/b c/ü", "skill://skills/a/b%20c/%C3%BC"),
            ("skill://skills/a/%e2%82%ac", "skill://skills/a/%E2%82%AC"),
            ("skill://skills/a/50%25", "skill://skills/a/50%25"),
            ("skill://skills/a/u\u{308}", "skill://skills/a/%C3%BC"),
        ] {
            assert_eq!(respelled(uri).as_deref(), Some(canonical), "{uri}");
        }
    }

    #[test]
    fn what_is_no_address_of_ours_is_none() {
        for uri in [
            "",
            "skill://",
            "skill:///a",
            "skill://skills/",
            "skill://skills/a/",
            "skill://skills/a//b",
            "skill://guidelines/a",
            "skill://other/a/SKILL.md",
            "file:///etc/passwd",
            "skill://skills/../personas/a",
            "skill://skills/a/../b/SKILL.md",
            "skill://skills/a/%2e%2e/b",
            "skill://skills/a/x%2F..%2Fy",
            "skill://skills/a/%5C",
            "skill://skills/a/%00",
            "skill://skills/a/%FF",
            "skill://skills/A/SKILL.md",
            "skill://skills/a/SKILL.md?x",
            "skill://skills/a/SKILL.md#x",
            "skill://skills/a/C:/x",
            "skill://skills/a/.git/config",
        ] {
            assert_eq!(respelled(uri), None, "{uri}");
        }
    }

    proptest! {
        #[test]
        fn every_path_has_an_address_that_leads_back(path in "[ -~äß€😀]{1,12}(/[ -~äß€😀]{1,12}){0,3}") {
            if let Ok(path) = path.parse::<ItemPath>() {
                let name: ItemName = "a-1".parse().unwrap();
                let place = Place::Inside(ItemKind::Persona, name, path);
                let uri = place.to_string();
                prop_assert!(uri.is_ascii());
                prop_assert_eq!(Place::parse(&uri), Some(place));
            }
        }

        #[test]
        fn any_text_is_an_address_or_none_and_the_spelling_settles(
            uri in "(skill://(skills|personas)/)?[a-c%./\\\\#?:EeFf20-9é-]{0,40}"
        ) {
            if let Some(place) = Place::parse(&uri) {
                let settled = place.to_string();
                prop_assert_eq!(Place::parse(&settled), Some(place));
                prop_assert!(!settled.contains("/../") && !settled.contains("//."));
            }
        }
    }
}
