//! The text of one item, joined from its parts at run time, and the traces that its value could
//! leave.

use serde::Deserialize;

use crate::cases::verdict::CaseError;

/// What stands for the prefix of the product's own keys.
pub(super) const OWN_KEY_PREFIX: &str = "{own_key_prefix}";
/// The prefix of the product's own keys.
const OWN_KEYS: &str = "sak_";
/// Where the value goes.
const PLACE: &str = "{}";
/// At most four characters of a value may be shown; a piece as long as this that turns up somewhere
/// has leaked.
const PIECE: usize = 16;

/// One text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretItem {
    parts: Vec<String>,
    /// The text around it.
    #[serde(default = "nothing_around")]
    wrap: String,
    pub(super) refused: bool,
    pub(super) rule: Option<String>,
    /// The file of the item that holds the text; else its instructions.
    pub(super) file: Option<String>,
    hex: Option<Hex>,
}

fn nothing_around() -> String {
    PLACE.to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Hex {
    /// The value must not be there in hexadecimal or Base64 either. Parts that are themselves the
    /// hexadecimal digits of a text stand for that text.
    Flag(bool),
    /// Bytes in hexadecimal that stand before the text, or around its place: the file is no text.
    Bytes(String),
}

/// The text of an item.
#[derive(Debug)]
pub(super) struct SecretText {
    /// What must be nowhere.
    value: String,
    /// The whole content.
    pub(super) bytes: Vec<u8>,
    other_spellings: bool,
}

impl SecretItem {
    /// Joins the parts.
    pub(super) fn text(&self) -> Result<SecretText, CaseError> {
        let joined = self.parts.concat().replace(OWN_KEY_PREFIX, OWN_KEYS);
        let value = match self.hex {
            Some(Hex::Flag(true)) => text_in_hex(&joined).unwrap_or(joined),
            _ => joined,
        };
        if !self.wrap.contains(PLACE) {
            return Err(CaseError::Schema(format!("`wrap` has no place `{PLACE}`")));
        }
        let text = self.wrap.replace(PLACE, &value);
        let bytes = match &self.hex {
            Some(Hex::Bytes(around)) => {
                let (before, behind) = around.split_once(PLACE).unwrap_or((around, ""));
                [decode(before)?, text.into_bytes(), decode(behind)?].concat()
            }
            _ => text.into_bytes(),
        };
        Ok(SecretText {
            value,
            bytes,
            other_spellings: matches!(self.hex, Some(Hex::Flag(true))),
        })
    }
}

impl SecretText {
    /// The content as text, if it is one.
    pub(super) fn as_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The value's line in this file, from 1.
    pub(super) fn line_in(&self, whole: &str) -> usize {
        let at = whole.find(&self.value).unwrap_or_default();
        whole[..at].matches('\n').count() + 1
    }

    /// The value, a piece of it that is longer than what may be shown, and other spellings.
    pub(super) fn traces(&self) -> Vec<String> {
        let value = self.value.as_str();
        let mut traces = vec![value.trim().to_owned()];
        let words = value.split(|c: char| !c.is_ascii_alphanumeric());
        let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
        if longest.len() >= PIECE {
            traces.push(longest[longest.len() - PIECE..].to_owned());
        }
        if self.other_spellings {
            traces.push(hex::encode(value));
            traces.push(hex::encode_upper(value));
            traces.push(base64(value.as_bytes()));
        }
        traces
    }
}

fn decode(digits: &str) -> Result<Vec<u8>, CaseError> {
    hex::decode(digits).map_err(|error| CaseError::Schema(format!("`hex`: {error}")))
}

/// The text that hexadecimal digits stand for, if it is one that a person could read.
fn text_in_hex(digits: &str) -> Option<String> {
    let text = String::from_utf8(hex::decode(digits).ok()?).ok()?;
    let is_readable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().all(is_readable).then_some(text)
}

/// Base64 without padding: the part of it that a reader of the value would see.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0_u8; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..=chunk.len() {
            let index = (bits >> (18 - 6 * i)) & 63;
            text.push(char::from(LETTERS[index as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn text(mut item: Value) -> SecretText {
        item["refused"] = true.into();
        let item: SecretItem = serde_json::from_value(item).unwrap();
        item.text().unwrap()
    }

    #[test]
    fn the_value_is_joined_and_its_line_found() {
        let text = text(json!({"parts": [OWN_KEY_PREFIX, "ab", "cd"], "wrap": "one\nkey {}\n"}));
        assert_eq!(text.as_text(), Some("one\nkey sak_abcd\n"));
        assert_eq!(text.line_in("one\nkey sak_abcd\n"), 2);
        assert_eq!(text.traces(), ["sak_abcd"]);
    }

    #[test]
    fn hexadecimal_is_a_text_bytes_around_it_or_a_spelling_to_look_for() {
        let spelled = text(json!({"parts": ["6162", "63"], "hex": true}));
        assert_eq!(spelled.as_text(), Some("abc"));
        assert_eq!(spelled.traces(), ["abc", "616263", "616263", "YWJj"]);
        let digits = text(json!({"parts": ["00ff"], "hex": true}));
        assert_eq!(digits.as_text(), Some("00ff"));
        let binary = text(json!({"parts": ["abc"], "hex": "ff{}fe"}));
        assert_eq!(binary.as_text(), None);
        assert_eq!(binary.bytes, b"\xffabc\xfe");
    }

    #[test]
    fn base64_is_base64() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"Ma"), "TWE");
        assert_eq!(base64(b"M"), "TQ");
    }
}
