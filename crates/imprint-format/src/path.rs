//! Paths of files inside an item, safe on every system.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use crate::{
    limits::{PATH_BYTES, PATH_COMPONENT_BYTES, PATH_DEPTH},
    text,
};

use crate::ItemKind;

/// A relative path inside an item, `/` between components. Holds no `..`, no drive, no absolute
/// part, no name that Windows can't hold or that git takes for a repository, no control character;
/// NFC; within the limits of
/// [`crate::limits`]. Two paths are equal when their NFC texts are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemPath {
    path: String,
    /// Whether it was given in another normal form. A file that is meant for such a path would
    /// replace the one with the NFC spelling unseen.
    respelled: bool,
}

/// Why a text is no path inside an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PathFault {
    #[error("a path can't be empty")]
    Empty,
    #[error("the path is absolute; give it relative to the item's folder")]
    Absolute,
    #[error("the path leaves the item's folder or holds `.` or an empty component")]
    Escapes,
    #[error("`{0}` has a character that not every system can hold in a file name")]
    Character(String),
    #[error("`{0}` is a name that Windows reserves")]
    Reserved(String),
    #[error("`{0}` ends in a period or blank, which Windows drops")]
    Trailing(String),
    #[error("`{0}` would be read by git as a repository, with commands to run")]
    Repository(String),
    #[error("the path is too long or too deep")]
    TooLong,
}

impl ItemPath {
    /// The path of the entry file of an item of this kind.
    pub fn entry_of(kind: ItemKind) -> Self {
        Self {
            path: kind.entry_file().to_owned(),
            respelled: false,
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.path
    }

    /// Whether the text that this was parsed from is another spelling of it (not NFC).
    pub(crate) fn was_respelled(&self) -> bool {
        self.respelled
    }

    /// The components, outermost first.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.path.split('/')
    }

    /// The key under which two paths collide on some file system: case folded, then NFC.
    pub fn collision_key(&self) -> String {
        fold(&self.path)
    }
}

impl PartialEq for ItemPath {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for ItemPath {}

impl PartialOrd for ItemPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ItemPath {
    fn cmp(&self, other: &Self) -> Ordering {
        self.path.cmp(&other.path)
    }
}

impl Hash for ItemPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path.hash(state);
    }
}

impl FromStr for ItemPath {
    type Err = PathFault;

    fn from_str(text: &str) -> Result<Self, PathFault> {
        if text.is_empty() {
            return Err(PathFault::Empty);
        }
        if is_absolute(text) {
            return Err(PathFault::Absolute);
        }
        let path: String = text.nfc().collect();
        let mut depth = 0;
        for component in path.split('/') {
            check_component(component)?;
            depth += 1;
        }
        if path.len() > PATH_BYTES || depth > PATH_DEPTH {
            return Err(PathFault::TooLong);
        }
        let respelled = path != text;
        Ok(Self { path, respelled })
    }
}

/// A root, a share or a drive of any system.
fn is_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    let drive = bytes.len() >= 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes.get(2), None | Some(b'/' | b'\\'));
    drive || text.starts_with(['/', '\\'])
}

fn check_component(name: &str) -> Result<(), PathFault> {
    if matches!(name, "" | "." | "..") {
        return Err(PathFault::Escapes);
    }
    let shown = || text::visible(name).replace(['\n', '\t'], " ");
    if name.chars().any(is_unportable) {
        return Err(PathFault::Character(shown()));
    }
    if name.ends_with(['.', ' ']) {
        return Err(PathFault::Trailing(shown()));
    }
    if is_reserved(name) {
        return Err(PathFault::Reserved(shown()));
    }
    if is_repository(name) {
        return Err(PathFault::Repository(shown()));
    }
    if name.len() > PATH_COMPONENT_BYTES {
        return Err(PathFault::TooLong);
    }
    Ok(())
}

/// What Windows forbids in a name, and what makes a name look like another.
fn is_unportable(c: char) -> bool {
    matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\')
        || c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
        || text::is_bidi_control(c)
        || text::is_tag(c)
}

/// Whether Windows gives a file name to a device, whatever its extension and case
/// (Microsoft, "Naming Files, Paths, and Namespaces").
pub(crate) fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    // Asked for each of thousands of names at a handshake, of which hardly one is so short.
    if stem.len() > "CONOUT$".len() {
        return false;
    }
    let stem = stem.to_ascii_uppercase();
    if matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) {
        return true;
    }
    let port = stem
        .strip_prefix("COM")
        .or_else(|| stem.strip_prefix("LPT"));
    let mut digits = port.unwrap_or("").chars();
    matches!(digits.next(), Some('1'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
}

/// Whether a folder of this name makes the folder around it a git repository; the second is its
/// short name on Windows.
fn is_repository(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == ".git" || name == "git~1"
}

/// Case folded as the standard library can: upper and back, so that `ß`, `ſ` and final sigma meet
/// their kin.
pub(crate) fn fold(text: &str) -> String {
    text.nfc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

impl TryFrom<String> for ItemPath {
    type Error = PathFault;

    fn try_from(text: String) -> Result<Self, PathFault> {
        text.parse()
    }
}

impl From<ItemPath> for String {
    fn from(path: ItemPath) -> Self {
        path.path
    }
}

impl AsRef<str> for ItemPath {
    fn as_ref(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for ItemPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

/// Whether this path, as it stands in an archive or folder, is something that systems and tools
/// leave behind (`__MACOSX/…`, `.git/…`, `.DS_Store`, `Thumbs.db`, `desktop.ini`, `._…`): dropped
/// without a word.
pub fn is_archive_junk(path: &str) -> bool {
    let mut components = path
        .split(['/', '\\'])
        .filter(|component| !matches!(*component, "" | "."))
        .peekable();
    while let Some(component) = components.next() {
        let is_last = components.peek().is_none();
        let name = component.to_ascii_lowercase();
        if matches!(name.as_str(), "__macosx" | ".git" | ".hg" | ".svn") {
            return true;
        }
        if is_last
            && (matches!(name.as_str(), ".ds_store" | "thumbs.db" | "desktop.ini")
                || name.starts_with("._"))
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> PathFault {
        match text.parse::<ItemPath>() {
            Ok(path) => panic!("`{path}` was taken"),
            Err(fault) => fault,
        }
    }

    #[test]
    fn paths_inside_the_item_are_taken() {
        for good in [
            "SKILL.md",
            "scripts/deep/er/x.sh",
            "notes..md",
            "...hidden",
            ".gitignore",
            "console.md",
            "auxiliary/readme.md",
            "com10.txt",
            "com.txt",
            "a b/ü.md",
            " leading",
        ] {
            assert_eq!(good.parse::<ItemPath>().unwrap().as_str(), good);
        }
    }

    #[test]
    fn paths_that_leave_the_item_are_refused() {
        assert_eq!(fault(""), PathFault::Empty);
        for absolute in [
            "/etc/motd",
            "C:\\temp\\x.txt",
            "c:/x",
            "\\\\server\\share",
            "C:",
        ] {
            assert_eq!(fault(absolute), PathFault::Absolute, "{absolute}");
        }
        for escaping in [
            "..",
            "a/../b",
            "./a",
            "a//b",
            "a/",
            "scripts/./../../x",
            ".",
        ] {
            assert_eq!(fault(escaping), PathFault::Escapes, "{escaping}");
        }
        assert_eq!(
            fault("..\\x.txt"),
            PathFault::Character("..\\x.txt".to_owned())
        );
    }

    #[test]
    fn names_that_windows_cannot_hold_are_refused() {
        for reserved in [
            "references/CON.md",
            "aux",
            "scripts/nul.txt",
            "COM1.log",
            "lpt9",
            "COM¹.txt",
            "con .txt",
            "conin$",
            "Prn.tar.gz",
        ] {
            assert!(
                matches!(fault(reserved), PathFault::Reserved(_)),
                "{reserved}"
            );
        }
        for trailing in ["trailing.", "blank ", "a /b", "a./b", "..."] {
            assert!(
                matches!(fault(trailing), PathFault::Trailing(_)),
                "{trailing}"
            );
        }
        for character in [
            "a:b.md",
            "what?.md",
            "star*.md",
            "a\u{0}b",
            "a\u{1b}",
            "a\nb",
            "x\u{202E}",
        ] {
            assert!(
                matches!(fault(character), PathFault::Character(_)),
                "{character:?}"
            );
        }
    }

    #[test]
    fn no_path_makes_a_repository() {
        for repository in [".git/config", "a/.GIT", "git~1/hooks/x"] {
            let fault = fault(repository);
            assert!(matches!(fault, PathFault::Repository(_)), "{repository}");
        }
        assert!(".gitattributes".parse::<ItemPath>().is_ok());
    }

    #[test]
    fn lengths_are_limited() {
        assert_eq!(fault(&"a".repeat(256)), PathFault::TooLong);
        assert_eq!(fault(&vec!["a"; 17].join("/")), PathFault::TooLong);
        assert_eq!(
            fault(&vec!["a".repeat(200); 3].join("/")),
            PathFault::TooLong
        );
        assert!(vec!["a"; 16].join("/").parse::<ItemPath>().is_ok());
    }

    #[test]
    fn paths_are_kept_in_one_normal_form() {
        let path: ItemPath = "u\u{308}.md".parse().unwrap();
        assert_eq!(path.as_str(), "ü.md");
    }

    #[test]
    fn case_and_spelling_collide() {
        let key = |text: &str| text.parse::<ItemPath>().unwrap().collision_key();
        for (one, other) in [
            ("references/Guide.md", "REFERENCES/guide.MD"),
            ("STRASSE", "straße"),
            ("ΣΑΣ", "σας"),
            ("\u{212A}", "k"),
            ("É", "e\u{301}"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        assert_ne!(key("guide"), key("guide2"));
    }

    #[test]
    fn archive_junk_is_known() {
        for junk in [
            "__MACOSX/._SKILL.md",
            ".git/config",
            "a/.svn/entries",
            "a/__MACOSX/x",
            ".DS_Store",
            "a/.DS_Store",
            "Thumbs.db",
            "desktop.ini",
            "a\\Desktop.ini",
            "._x",
            "./.DS_Store",
        ] {
            assert!(is_archive_junk(junk), "{junk}");
        }
        for kept in [
            ".github/x",
            ".gitignore",
            "SKILL.md",
            ".hidden",
            "_x",
            "macosx/x",
            "a/b.md",
            "",
        ] {
            assert!(!is_archive_junk(kept), "{kept}");
        }
    }
}
