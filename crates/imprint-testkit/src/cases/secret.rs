//! `secret`: what looks like a credential is refused at every door, told without its value, and is
//! nowhere afterwards.

mod text;

use std::{io::Write as _, process::Stdio, time::Duration};

use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use self::text::{SecretItem, SecretText};
use super::{
    Run,
    install::contains,
    setup::{below, make_folder, write},
    tree::tree_of,
    verdict::{CaseError, Verdict, shortened},
};
use crate::session::{McpSession, ToolAnswer};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretSpec {
    items: Vec<SecretItem>,
}

const NAME: &str = "case-item";
const ENTRY_FILE: &str = "SKILL.md";
const CREATE_FROM_FILES: &str = "create from files";
const COMMAND_LINE: &str = "the command line";

/// Everything that the product said, with the door at which it said it.
type Said = Vec<(&'static str, Vec<u8>)>;

pub(super) fn run(spec: &SecretSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    for (at, item) in spec.items.iter().enumerate() {
        let mut of_item = Verdict::default();
        item.check(&mut of_item, &run.fresh()?)?;
        verdict.absorb(&format!("item {}", at + 1), of_item);
    }
    Ok(verdict)
}

impl SecretItem {
    fn check(&self, verdict: &mut Verdict, run: &Run<'_>) -> Result<(), CaseError> {
        let text = self.text()?;
        let mut said = Said::new();
        if let Some(text_alone) = text.as_text() {
            self.tell_agent_tools(verdict, &text, text_alone, run, &mut said)?;
        }
        let output = match text.as_text() {
            Some(text_alone) if self.file.is_none() => type_in(text_alone, run)?,
            _ => self.name_folder(&text, run)?,
        };
        self.judge_command_line(verdict, &output);
        said.push((COMMAND_LINE, [output.stdout, output.stderr].concat()));
        if self.refused {
            look_for(verdict, &text, &said, run)?;
        }
        Ok(())
    }

    /// The file of the item that holds the text.
    fn file(&self) -> &str {
        self.file.as_deref().unwrap_or(ENTRY_FILE)
    }

    /// The doors of agents, in one session.
    fn tell_agent_tools(
        &self,
        verdict: &mut Verdict,
        text: &SecretText,
        text_alone: &str,
        run: &Run<'_>,
        said: &mut Said,
    ) -> Result<(), CaseError> {
        let mut command = run.command();
        command.env("IMPRINT_LOG", "trace").arg("mcp");
        let mut session = McpSession::start(command)?;
        session.initialize("case-client", "1")?;
        let other = json!({"action": "create", "name": "case-other",
            "description": "Holds a text.", "instructions": "Text.\n"});
        let harmless = session.call("skill_edit", &other)?;
        verdict.holds(!harmless.is_error, || {
            format!("a harmless skill: {}", shortened(&harmless.text))
        });
        for (door, arguments) in self.doors(text_alone) {
            let answer = session.call("skill_edit", &arguments)?;
            self.judge(verdict, door, text, text_alone, &answer);
            said.push((door, answer.text.into_bytes()));
            let structured = answer.structured.map(|structured| structured.to_string());
            said.push((door, structured.unwrap_or_default().into_bytes()));
        }
        if let Some(ended) = session.close(Duration::from_secs(5))? {
            said.push(("the log", ended.log));
        }
        Ok(())
    }

    /// The ways in, each with what is called: as instructions, as files, as an edit.
    fn doors(&self, text: &str) -> Vec<(&'static str, Value)> {
        let mut edit = json!({"action": "edit", "name": "case-other"});
        if self.file() != ENTRY_FILE {
            edit["files"] = json!({self.file(): text});
            let files = json!({ENTRY_FILE: entry(NAME, "Text.\n"), self.file(): text});
            let create = json!({"action": "create", "name": NAME, "files": files});
            return vec![(CREATE_FROM_FILES, create), ("edit", edit)];
        }
        edit["instructions"] = text.into();
        let files = json!({ENTRY_FILE: entry(NAME, text)});
        let from_files = json!({"action": "create", "name": NAME, "files": files});
        let from_texts = json!({"action": "create", "name": "case-texts",
            "description": "Holds a text.", "instructions": text});
        vec![
            (CREATE_FROM_FILES, from_files),
            ("create from texts", from_texts),
            ("edit", edit),
        ]
    }

    /// The answer of a tool. It may hold the value where something is wrong, so it is not repeated.
    fn judge(
        &self,
        verdict: &mut Verdict,
        door: &str,
        text: &SecretText,
        text_alone: &str,
        answer: &ToolAnswer,
    ) {
        verdict.holds(answer.is_error == self.refused, || {
            format!("{door}: expected refused = {}", self.refused)
        });
        if !(self.refused && answer.is_error) {
            return;
        }
        self.judge_words(verdict, door, &answer.text);
        // How many lines a composed or edited header takes is the product's own affair.
        if door == CREATE_FROM_FILES {
            let whole = match self.file() {
                ENTRY_FILE => entry(NAME, text_alone),
                _ => text_alone.to_owned(),
            };
            let line = text.line_in(&whole);
            verdict.holds(names_line(&answer.text, line), || {
                format!("{door}: the answer doesn't name line {line}")
            });
        }
    }

    fn judge_words(&self, verdict: &mut Verdict, door: &str, answer: &str) {
        if let Some(rule) = &self.rule {
            verdict.holds(answer.contains(rule.as_str()), || {
                format!("{door}: the answer doesn't name the rule `{rule}`")
            });
        }
        verdict.holds(answer.contains(self.file()), || {
            format!("{door}: the answer doesn't name the file `{}`", self.file())
        });
    }

    fn judge_command_line(&self, verdict: &mut Verdict, output: &std::process::Output) {
        let refused = !output.status.success();
        verdict.holds(refused == self.refused, || {
            format!("{COMMAND_LINE}: expected refused = {}", self.refused)
        });
        if self.refused && refused {
            self.judge_words(
                verdict,
                COMMAND_LINE,
                &String::from_utf8_lossy(&output.stderr),
            );
        }
    }

    /// A folder with the text, named at the command line.
    fn name_folder(
        &self,
        text: &SecretText,
        run: &Run<'_>,
    ) -> Result<std::process::Output, CaseError> {
        const FOLDER: &str = "case-folder";
        let folder = run.sandbox.work().join(FOLDER);
        make_folder(&folder)?;
        let entry_text = match self.file() {
            ENTRY_FILE => [entry(FOLDER, "").as_bytes(), &text.bytes].concat(),
            other => {
                write(&below(&folder, other)?, &text.bytes)?;
                entry(FOLDER, "Text.\n").into_bytes()
            }
        };
        write(&folder.join(ENTRY_FILE), &entry_text)?;
        run.command()
            .env("IMPRINT_LOG", "trace")
            .args(["skills", "create", FOLDER, "--from", FOLDER])
            .output()
            .map_err(CaseError::at(run.product.binary()))
    }
}

/// The text as it is typed at the command line.
fn type_in(text: &str, run: &Run<'_>) -> Result<std::process::Output, CaseError> {
    let at = || CaseError::at(run.product.binary());
    let mut child = run
        .command()
        .env("IMPRINT_LOG", "trace")
        .args(["skills", "create", "case-typed", "--instructions", "-"])
        .args(["--description", "Holds a text."])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(at())?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).map_err(at())?;
    }
    child.wait_with_output().map_err(at())
}

/// Looks for the value in everything that was said and in everything that is kept.
fn look_for(
    verdict: &mut Verdict,
    text: &SecretText,
    said: &Said,
    run: &Run<'_>,
) -> Result<(), CaseError> {
    let traces = text.traces();
    let leaks = |bytes: &[u8]| traces.iter().any(|trace| contains(bytes, trace.as_bytes()));
    for (door, bytes) in said {
        verdict.holds(!leaks(bytes), || format!("{door} tells the value"));
    }
    for folder in [run.sandbox.data(), run.sandbox.home()] {
        for (path, bytes) in tree_of(&folder)?.files() {
            verdict.holds(!leaks(bytes), || {
                format!("the file `{path}` holds the value")
            });
        }
    }
    Ok(())
}

/// A whole `SKILL.md` with these instructions.
fn entry(name: &str, instructions: &str) -> String {
    format!("---\nname: {name}\ndescription: Holds a text.\n---\n\n{instructions}")
}

fn names_line(answer: &str, line: usize) -> bool {
    let pattern = format!(r"(?i)(\bline |:){line}\b");
    Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_named_as_words() {
        assert!(names_line("SKILL.md line 12", 12));
        assert!(names_line("SKILL.md:12", 12));
        assert!(!names_line("SKILL.md line 123", 12));
        assert!(!names_line("there are 12 credentials", 12));
    }
}
