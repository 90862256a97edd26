//! The arguments of a call, checked as they are read.
//!
//! Models fill in what they may leave out with null or an empty text, and some clients add
//! arguments of their own: the first two count as absent, the last is not looked at.

use imprint_format::{ItemKind, text};
use serde_json::{Map, Value};

use super::answer::{Fault, either};

/// How much of a wrong value is repeated, in characters.
const SHOWN_CHARS: usize = 60;

/// Reads arguments by name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Arguments<'a> {
    fn value(self, field: &str) -> Option<&'a Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// A text as it stands, an empty one too.
    pub(super) fn raw_text(self, field: &str) -> Result<Option<&'a str>, Fault> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(field, "text", other)),
        }
    }

    /// A text without blanks around it, and not an empty one.
    pub(super) fn text(self, field: &str) -> Result<Option<&'a str>, Fault> {
        let text = self.raw_text(field)?.map(str::trim);
        Ok(text.filter(|text| !text.is_empty()))
    }

    /// One of these words.
    pub(super) fn word(
        self,
        field: &str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, Fault> {
        let Some(given) = self.text(field)? else {
            return Ok(None);
        };
        let known = words.iter().find(|word| **word == given);
        known.copied().map(Some).ok_or_else(|| {
            let shown = text::clip(&text::one_line(given), SHOWN_CHARS);
            Fault::new(format!(
                "`{field}` can't be `{shown}`; it is {}",
                either(words)
            ))
        })
    }

    /// A whole number from 0 on.
    pub(super) fn number(self, field: &str) -> Result<Option<usize>, Fault> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let number = value
            .as_u64()
            .and_then(|number| usize::try_from(number).ok());
        number
            .map(Some)
            .ok_or_else(|| wrong_type(field, "a whole number from 0 on", value))
    }

    /// An object.
    pub(super) fn object(self, field: &str) -> Result<Option<&'a Map<String, Value>>, Fault> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(wrong_type(field, "an object", other)),
        }
    }

    /// The kind of item, of the two that these tools give.
    pub(super) fn kind(self) -> Result<Option<ItemKind>, Fault> {
        let kinds = [ItemKind::Skill.as_str(), ItemKind::Persona.as_str()];
        let word = self
            .word("kind", &kinds)
            .map_err(|fault| match self.text("kind") {
                Ok(Some("guideline")) => fault.hint("Guidelines are given by `guidelines`"),
                _ => fault,
            })?;
        Ok(word.and_then(|word| word.parse().ok()))
    }
}

/// An argument that must be there and is not.
pub(super) fn missing(field: &str, what: &str) -> Fault {
    Fault::new(format!("`{field}` is missing: {what}"))
}

pub(super) fn wrong_type(field: &str, wanted: &str, value: &Value) -> Fault {
    let given = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    if given == wanted || (given == "a number" && wanted.contains("number")) {
        return Fault::new(format!("`{field}` must be {wanted}"));
    }
    Fault::new(format!("`{field}` must be {wanted}, not {given}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault<T: std::fmt::Debug>(read: Result<T, Fault>) -> String {
        match super::super::answer::into_result(read.map(|_| String::new())) {
            result if result.is_error == Some(true) => {
                let json = serde_json::to_value(&result.content).expect("content");
                json[0]["text"].as_str().expect("text").to_owned()
            }
            result => panic!("no fault: {result:?}"),
        }
    }

    #[test]
    fn wrong_values_are_told_the_right_ones() {
        let Value::Object(map) = json!({
            "action": "delete\nall", "kind": "guideline", "name": 7, "start": -1, "files": ["a"],
            "query": null, "path": " ",
        }) else {
            panic!("an object")
        };
        let arguments = Arguments(&map);
        insta::assert_snapshot!(fault(arguments.word("action", &["list", "get"])), @"`action` can't be `delete all`; it is `list` or `get`");
        insta::assert_snapshot!(fault(arguments.kind()), @"`kind` can't be `guideline`; it is `skill` or `persona`. Guidelines are given by `guidelines`");
        insta::assert_snapshot!(fault(arguments.text("name")), @"`name` must be text, not a number");
        insta::assert_snapshot!(fault(arguments.number("start")), @"`start` must be a whole number from 0 on");
        insta::assert_snapshot!(fault(arguments.object("files")), @"`files` must be an object, not a list");
        assert_eq!(arguments.text("query"), Ok(None));
        assert_eq!(arguments.text("path"), Ok(None));
        assert_eq!(arguments.number("absent"), Ok(None));
    }
}
