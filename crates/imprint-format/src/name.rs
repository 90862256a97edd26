//! Names of items, and the safe folder names made from the names of others.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::{Digest, limits::NAME_CHARS, path::is_reserved};

/// A name that may be written: 1 to 64 characters, `a`–`z`, `0`–`9` and single hyphens, none at
/// either end (Agent Skills specification; the ASCII subset that every client loads), and not the
/// name of a Windows device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemName(String);

/// Why a text is no name that may be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing is left.
    #[error("a name can't be empty")]
    Empty,
    /// More than 64 characters.
    #[error("a name has at most {NAME_CHARS} characters, this one has {0}")]
    TooLong(usize),
    /// A character that names don't have.
    #[error("a name has only lower-case letters a to z, digits and hyphens, not {0:?}")]
    Character(char),
    /// A hyphen at an end, or two in a row.
    #[error("a name has single hyphens, and none at its start or end")]
    Hyphen,
    /// A name that Windows gives to a device, so that no folder can have it there.
    #[error("Windows reserves this name, so no folder can have it there")]
    Reserved,
}

impl ItemName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn check(text: &str) -> Result<(), NameFault> {
        if text.is_empty() {
            return Err(NameFault::Empty);
        }
        if let Some(other) = text
            .chars()
            .find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-'))
        {
            return Err(NameFault::Character(other));
        }
        if text.len() > NAME_CHARS {
            return Err(NameFault::TooLong(text.len()));
        }
        if text.starts_with('-') || text.ends_with('-') || text.contains("--") {
            return Err(NameFault::Hyphen);
        }
        if is_reserved(text) {
            return Err(NameFault::Reserved);
        }
        Ok(())
    }
}

impl FromStr for ItemName {
    type Err = NameFault;

    fn from_str(text: &str) -> Result<Self, NameFault> {
        Self::check(text)?;
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for ItemName {
    type Error = NameFault;

    fn try_from(text: String) -> Result<Self, NameFault> {
        Self::check(&text)?;
        Ok(Self(text))
    }
}

impl From<ItemName> for String {
    fn from(name: ItemName) -> Self {
        name.0
    }
}

impl AsRef<str> for ItemName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ItemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The nearest name that may be written, for a text that may not: lower case, accents folded,
/// everything else a hyphen, cut to 64 (at a hyphen, unless that would lose more than half).
/// `None` when no letter or digit is left.
pub fn suggest_name(text: &str) -> Option<ItemName> {
    let mut slug = String::new();
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match without_accent(c) {
            Some(letters) => slug.push_str(letters),
            None if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            None if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            None => {}
        }
        if slug.len() > 2 * NAME_CHARS {
            break;
        }
    }
    let slug = cut(slug.trim_end_matches('-'));
    if is_reserved(slug) {
        return format!("{slug}-item").parse().ok();
    }
    slug.parse().ok()
}

/// At most 64 bytes of an ASCII slug.
fn cut(slug: &str) -> &str {
    if slug.len() <= NAME_CHARS {
        return slug;
    }
    let whole_words = slug[..=NAME_CHARS].rfind('-').unwrap_or(0);
    let end = if whole_words * 2 > NAME_CHARS {
        whole_words
    } else {
        NAME_CHARS
    };
    slug[..end].trim_end_matches('-')
}

/// Latin letters that Unicode doesn't take apart.
fn without_accent(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'ħ' | 'Ħ' => "h",
        'ı' => "i",
        'ł' | 'Ł' => "l",
        'þ' | 'Þ' => "th",
        _ => return None,
    })
}

/// The folder that an item with this name, as others wrote it, gets: [`suggest_name`], else a
/// name made from the digest of the text. Never a path.
pub fn safe_folder_name(text: &str) -> ItemName {
    suggest_name(text)
        .unwrap_or_else(|| ItemName(format!("item-{}", Digest::of(text.as_bytes()).short())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_specification() {
        for good in [
            "a",
            "12306",
            "pdf-tools",
            "a1-b2",
            &"a".repeat(64),
            "console",
        ] {
            assert!(good.parse::<ItemName>().is_ok(), "{good}");
        }
        let fault = |text: &str| text.parse::<ItemName>().unwrap_err();
        assert_eq!(fault(""), NameFault::Empty);
        assert_eq!(fault("Pdf"), NameFault::Character('P'));
        assert_eq!(fault("a_b"), NameFault::Character('_'));
        assert_eq!(fault("../a"), NameFault::Character('.'));
        assert_eq!(fault(&"a".repeat(65)), NameFault::TooLong(65));
        for hyphens in ["-a", "a-", "a--b", "-"] {
            assert_eq!(fault(hyphens), NameFault::Hyphen, "{hyphens}");
        }
        assert_eq!(fault("com1"), NameFault::Reserved);
    }

    #[test]
    fn suggestions_are_the_nearest_names() {
        let suggest = |text: &str| suggest_name(text).map(String::from);
        for (text, name) in [
            ("Release Notes", "release-notes"),
            ("kit:banner", "kit-banner"),
            ("../../notes", "notes"),
            ("--My__Skill!!", "my-skill"),
            ("Crème Brûlée Straße", "creme-brulee-strasse"),
            ("ＦＵＬＬ ｗｉｄｔｈ ②", "full-width-2"),
            ("NUL", "nul-item"),
            ("a資料b", "a-b"),
        ] {
            assert_eq!(suggest(text).as_deref(), Some(name), "{text}");
        }
        assert_eq!(suggest("資料"), None);
        assert_eq!(suggest("🎉"), None);
        assert_eq!(suggest(&"a".repeat(65)), Some("a".repeat(64)));
        let words = format!("{}-{}", "a".repeat(40), "b".repeat(40));
        assert_eq!(suggest(&words), Some("a".repeat(40)));
        let exact = format!("{}-b", "a".repeat(64));
        assert_eq!(suggest(&exact), Some("a".repeat(64)));
    }

    #[test]
    fn every_text_has_a_folder() {
        assert_eq!(safe_folder_name("kit:banner").as_str(), "kit-banner");
        let made = safe_folder_name("資料");
        assert!(made.as_str().starts_with("item-"));
        assert!(ItemName::check(made.as_str()).is_ok());
        assert_ne!(made, safe_folder_name("整理"));
    }
}
