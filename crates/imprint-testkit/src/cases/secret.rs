//! `secret`: what looks like a credential is refused at every door, told without its value, and is
//! nowhere afterwards.

use std::{io::Write as _, process::Stdio, time::Duration};

use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Run,
    install::contains,
    tree::Tree,
    verdict::{CaseError, Verdict, shortened},
};
use crate::session::{McpSession, ToolAnswer};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretSpec {
    items: Vec<SecretItem>,
}

/// One text. Its parts are joined at run time: no file of the project holds the whole.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SecretItem {
    parts: Vec<String>,
    /// The text around it, `{}` for the value.
    wrap: String,
    refused: bool,
    rule: Option<String>,
    /// The file of the item that holds the text; else its instructions.
    file: Option<String>,
    /// The value must not be there in hexadecimal or Base64 either; and where the parts are all
    /// of the text, they are its bytes in hexadecimal.
    #[serde(default)]
    hex: bool,
}

/// What stands for the prefix of the product's own keys.
const OWN_KEY_PREFIX: &str = "{own_key_prefix}";
/// The prefix of the product's own keys.
const OWN_KEYS: &str = "sak_";
const NAME: &str = "case-item";
const ENTRY_FILE: &str = "SKILL.md";
/// At most so many characters of a value may be shown; a piece longer than this that turns up
/// somewhere has leaked.
const PIECE: usize = 16;

pub(super) fn run(spec: &SecretSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    for (at, item) in spec.items.iter().enumerate() {
        let mut of_item = Verdict::default();
        item.check(&mut of_item, &run.fresh()?)?;
        verdict.absorb(&format!("item {}", at + 1), of_item);
    }
    Ok(verdict)
}

/// A text with the value in it.
struct Text {
    value: String,
    text: String,
}

impl SecretItem {
    fn check(&self, verdict: &mut Verdict, run: &Run<'_>) -> Result<(), CaseError> {
        let text = self.text()?;
        let mut command = run.command();
        command.env("IMPRINT_LOG", "trace").arg("mcp");
        let mut session = McpSession::start(command)?;
        session.initialize("case-client", "1")?;
        let mut said = Vec::new();
        for (door, arguments) in self.doors(&text) {
            let answer = session.call("skill_edit", &arguments)?;
            self.judge(verdict, door, &text, &answer);
            said.push((door, answer.text.into_bytes()));
            if let Some(structured) = answer.structured {
                said.push((door, structured.to_string().into_bytes()));
            }
        }
        if let Some(ended) = session.close(Duration::from_secs(5))? {
            said.push(("the log", ended.log));
        }
        if self.file.is_none() && !self.hex {
            said.push(("the command line", self.type_it(verdict, &text, run)?));
        }
        if self.refused {
            self.look_for(verdict, &text, &said, run)?;
        }
        Ok(())
    }

    fn text(&self) -> Result<Text, CaseError> {
        let joined = self.parts.concat().replace(OWN_KEY_PREFIX, OWN_KEYS);
        let value = match (self.hex && self.wrap == "{}", hex::decode(&joined)) {
            (true, Ok(bytes)) => String::from_utf8(bytes)
                .map_err(|_| CaseError::Schema("`hex` is no UTF-8 text".to_owned()))?,
            _ => joined,
        };
        if !self.wrap.contains("{}") {
            return Err(CaseError::Schema("`wrap` has no place for it".to_owned()));
        }
        Ok(Text {
            text: self.wrap.replace("{}", &value),
            value,
        })
    }

    /// The ways in, each with what is called: as instructions, as files, as an edit.
    fn doors(&self, text: &Text) -> Vec<(&'static str, Value)> {
        let file = self.file.as_deref().unwrap_or(ENTRY_FILE);
        let whole = if file == ENTRY_FILE {
            json!({ENTRY_FILE: entry(&text.text)})
        } else {
            json!({ENTRY_FILE: entry("Text.\n"), file: text.text})
        };
        let create = json!({"action": "create", "name": NAME, "files": whole});
        let harmless = json!({"action": "create", "name": "case-other",
            "description": "Holds a text.", "instructions": "Text.\n"});
        let mut doors = vec![("create from files", create)];
        if file == ENTRY_FILE {
            doors.push((
                "create from texts",
                json!({"action": "create", "name": "case-texts",
                    "description": "Holds a text.", "instructions": text.text}),
            ));
        }
        doors.push(("create another", harmless));
        let mut edit = json!({"action": "edit", "name": "case-other"});
        if file == ENTRY_FILE {
            edit["instructions"] = text.text.as_str().into();
        } else {
            edit["files"] = json!({file: text.text});
        }
        doors.push(("edit", edit));
        doors
    }

    fn judge(&self, verdict: &mut Verdict, door: &str, text: &Text, answer: &ToolAnswer) {
        if door == "create another" {
            verdict.holds(!answer.is_error, || {
                format!("{door}: {}", shortened(&answer.text))
            });
            return;
        }
        verdict.holds(answer.is_error == self.refused, || {
            // The answer may hold the value, so it is not repeated here.
            format!("{door}: expected refused = {}", self.refused)
        });
        if !(self.refused && answer.is_error) {
            return;
        }
        if let Some(rule) = &self.rule {
            verdict.holds(answer.text.contains(rule.as_str()), || {
                format!("{door}: the answer doesn't name the rule `{rule}`")
            });
        }
        let file = self.file.as_deref().unwrap_or(ENTRY_FILE);
        verdict.holds(answer.text.contains(file), || {
            format!("{door}: the answer doesn't name the file `{file}`")
        });
        // How many lines a composed or edited header takes is the product's own affair.
        if door == "create from files" {
            let line = self.line(text);
            verdict.holds(names_line(&answer.text, line), || {
                format!("{door}: the answer doesn't name line {line}")
            });
        }
    }

    /// The line of the value in the file as it is given.
    fn line(&self, text: &Text) -> usize {
        let is_entry = self.file.as_deref().unwrap_or(ENTRY_FILE) == ENTRY_FILE;
        let whole = if is_entry {
            entry(&text.text)
        } else {
            text.text.clone()
        };
        let at = whole.find(&text.value).unwrap_or_default();
        whole[..at].matches('\n').count() + 1
    }

    /// The same text at the command line; gives all that it said.
    fn type_it(
        &self,
        verdict: &mut Verdict,
        text: &Text,
        run: &Run<'_>,
    ) -> Result<Vec<u8>, CaseError> {
        let at = || CaseError::at(run.product.binary());
        let mut child = run
            .command()
            .env("IMPRINT_LOG", "trace")
            .args([
                "skills",
                "create",
                "case-typed",
                "--description",
                "Holds a text.",
            ])
            .args(["--instructions", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(at())?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(text.text.as_bytes()).map_err(at())?;
        }
        let output = child.wait_with_output().map_err(at())?;
        verdict.holds(output.status.success() != self.refused, || {
            format!("the command line: expected refused = {}", self.refused)
        });
        Ok([output.stdout, output.stderr].concat())
    }

    /// Looks for the value in everything that was said and in everything that is kept.
    fn look_for(
        &self,
        verdict: &mut Verdict,
        text: &Text,
        said: &[(&str, Vec<u8>)],
        run: &Run<'_>,
    ) -> Result<(), CaseError> {
        let traces = self.traces(&text.value);
        for (where_, bytes) in said {
            let leaked = traces.iter().any(|trace| contains(bytes, trace.as_bytes()));
            verdict.holds(!leaked, || format!("{where_} holds the value"));
        }
        for folder in [run.sandbox.data(), run.sandbox.home()] {
            for (path, bytes) in Tree::of(&folder)?.files() {
                let leaked = traces.iter().any(|trace| contains(bytes, trace.as_bytes()));
                verdict.holds(!leaked, || format!("the file `{path}` holds the value"));
            }
        }
        Ok(())
    }

    /// The value, a piece of it that is longer than what may be shown, and other spellings.
    fn traces(&self, value: &str) -> Vec<String> {
        let mut traces = vec![value.trim().to_owned()];
        let words = value.split(|c: char| !c.is_ascii_alphanumeric());
        let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
        if longest.len() >= PIECE {
            traces.push(longest[longest.len() - PIECE..].to_owned());
        }
        if self.hex {
            traces.push(hex::encode(value));
            traces.push(hex::encode_upper(value));
            traces.push(base64(value.as_bytes()));
        }
        traces
    }
}

/// A whole `SKILL.md` with these instructions.
fn entry(instructions: &str) -> String {
    format!("---\nname: {NAME}\ndescription: Holds a text.\n---\n\n{instructions}")
}

fn names_line(answer: &str, line: usize) -> bool {
    let pattern = format!(r"(?i)(\bline |:){line}\b");
    Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(answer))
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
    use super::*;

    #[test]
    fn base64_is_base64() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"Ma"), "TWE");
        assert_eq!(base64(b"M"), "TQ");
    }

    #[test]
    fn lines_are_named_as_words() {
        assert!(names_line("SKILL.md line 12", 12));
        assert!(names_line("SKILL.md:12", 12));
        assert!(!names_line("SKILL.md line 123", 12));
        assert!(!names_line("there are 12 credentials", 12));
    }

    #[test]
    fn the_value_is_joined_and_its_line_found() {
        let item: SecretItem = serde_json::from_value(json!({
            "parts": [OWN_KEY_PREFIX, "ab", "cd"], "wrap": "one\nkey {}\n", "refused": true
        }))
        .unwrap();
        let text = item.text().unwrap();
        assert_eq!(text.text, "one\nkey sak_abcd\n");
        assert_eq!(item.line(&text), 7);
    }
}
