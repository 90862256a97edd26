//! What a document says about the item: name, description and the fields that clients use.

use unicode_normalization::UnicodeNormalization as _;

use crate::{
    About, Diagnostic, Document, Field, ItemKind, ItemName, Reading,
    limits::DESCRIPTION_CHARS,
    parse_tools, suggest_name,
    text::{clip, hidden_control, hidden_text, visible},
    yaml::Value,
};

/// An item's header as read leniently. `name` may break the rules (kept as written); only
/// path-like names are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// As written, trimmed; the folder's (or file's) name when there is none.
    pub name: String,
    /// Trimmed, in full.
    pub description: String,
    /// `allowed-tools` of a skill, `tools` of a persona; `None` when omitted or blank, empty when
    /// an empty list stands there, or something that is no list: that must not grant every tool.
    pub tools: Option<Vec<String>>,
    /// A persona's `model`.
    pub model: Option<String>,
    /// A persona's `color` (or `colour`).
    pub color: Option<String>,
    /// `disable-model-invocation: true`: only the user starts it.
    pub hidden_from_model: bool,
}

/// Reads an item's entry file. `home` is the name that stands for the item outside the file: the
/// folder of a `SKILL.md`, the file stem of an agent file. Not for guidelines, which have no
/// header.
pub fn read_header(
    kind: ItemKind,
    home: Option<&str>,
    bytes: &[u8],
) -> Reading<(Header, Document)> {
    let (header, document, diagnostics) = read_parts(kind, home, bytes);
    Reading {
        value: header.zip(document),
        diagnostics,
    }
}

/// [`read_header`] with the document even where its header can't be used.
pub(crate) fn read_parts(
    kind: ItemKind,
    home: Option<&str>,
    bytes: &[u8],
) -> (Option<Header>, Option<Document>, Vec<Diagnostic>) {
    let Reading { value, diagnostics } = Document::read(bytes);
    let Some(document) = value else {
        return (None, None, diagnostics);
    };
    let mut reader = HeaderReader {
        kind,
        document: &document,
        diagnostics,
    };
    let header = reader.header(home);
    let diagnostics = reader.diagnostics;
    (header, Some(document), diagnostics)
}

struct HeaderReader<'d> {
    kind: ItemKind,
    document: &'d Document,
    diagnostics: Vec<Diagnostic>,
}

impl HeaderReader<'_> {
    fn header(&mut self, home: Option<&str>) -> Option<Header> {
        let name = self.name(home);
        let description = self.description();
        let is_persona = self.kind == ItemKind::Persona;
        let tools = self.tools(if is_persona { "tools" } else { "allowed-tools" });
        let model = is_persona.then(|| self.word(&["model"], About::Model));
        let color = is_persona.then(|| self.word(&["color", "colour"], About::Color));
        let hidden_from_model = self.hidden_from_model();
        Some(Header {
            name: name?,
            description: description?,
            tools,
            model: model.flatten(),
            color: color.flatten(),
            hidden_from_model,
        })
    }

    fn name(&mut self, home: Option<&str>) -> Option<String> {
        let written = self.document.field("name");
        let text = written
            .filter(|field| !field.is_null())
            .and_then(|field| field.value.as_str())
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let line = written.map(|field| field.line);
        let Some(name) = text.or(home) else {
            self.push(Diagnostic::error(About::Name, "there is no `name`"), line);
            return None;
        };
        if let Some(fault) = unusable_name(name) {
            let message = format!("the name `{}` {fault}", shown(name));
            self.push(
                Diagnostic::error(About::Name, message).with_hint(name_hint(name)),
                line,
            );
            return None;
        }
        if text.is_none() {
            let message = match written {
                None => format!(
                    "there is no `name`; the folder's name `{}` is used",
                    shown(name)
                ),
                Some(_) => {
                    format!(
                        "`name` is no text; the folder's name `{}` is used",
                        shown(name)
                    )
                }
            };
            let hint = format!("add the line `name: {}`", shown(name));
            self.push(
                Diagnostic::warning(About::Name, message).with_hint(hint),
                line,
            );
        }
        self.check_name(name, line);
        if let (Some(_), Some(home)) = (text, home)
            && !home.nfc().eq(name.nfc())
        {
            let message = format!(
                "the name `{}` is not that of its folder, `{}`",
                shown(name),
                shown(home)
            );
            let diagnostic = Diagnostic::warning(About::Name, message);
            self.push(diagnostic.with_hint("give both the same name"), line);
        }
        Some(name.to_owned())
    }

    /// The faults of a name that can be kept all the same.
    fn check_name(&mut self, name: &str, line: Option<u32>) {
        if let Some(hidden) = hidden_text(name) {
            let message = format!("the name holds {hidden}");
            self.push(
                Diagnostic::warning(About::Name, message).with_hint(name_hint(name)),
                line,
            );
        } else if let Err(fault) = name.parse::<ItemName>() {
            let message = format!("the name `{}` breaks the rules: {fault}", shown(name));
            self.push(
                Diagnostic::warning(About::Name, message).with_hint(name_hint(name)),
                line,
            );
        }
    }

    fn description(&mut self) -> Option<String> {
        let Some(field) = self.document.field("description") else {
            let other = self
                .document
                .fields()
                .iter()
                .find(|field| field.key.trim().eq_ignore_ascii_case("description"));
            let diagnostic = Diagnostic::error(About::Description, "there is no `description`");
            let diagnostic = match other {
                Some(other) => diagnostic.with_hint(format!(
                    "write `description` instead of `{}`",
                    shown(&other.key)
                )),
                None => diagnostic
                    .with_hint("say in one or two sentences what it does and when to use it"),
            };
            self.diagnostics.push(diagnostic);
            return None;
        };
        let line = Some(field.line);
        let Some(text) = field.value.as_str() else {
            let message = "`description` is a list or map, not a text";
            let diagnostic = Diagnostic::error(About::Description, message);
            self.push(diagnostic.with_hint("put the text in double quotes"), line);
            return None;
        };
        let text = text.trim();
        if text.is_empty() || field.is_null() {
            let diagnostic = Diagnostic::error(About::Description, "`description` is empty");
            let hint = "say in one or two sentences what it does and when to use it";
            self.push(diagnostic.with_hint(hint), line);
            return None;
        }
        for fault in description_faults(text) {
            self.push(Diagnostic::warning(About::Description, fault), line);
        }
        Some(text.to_owned())
    }

    fn tools(&mut self, key: &str) -> Option<Vec<String>> {
        let field = self.document.field(key)?;
        let is_blank = field
            .value
            .as_str()
            .is_some_and(|text| text.trim().is_empty());
        if field.is_null() || is_blank {
            let message = format!("`{key}` is blank, which is taken as if it were not there");
            let diagnostic = Diagnostic::warning(About::Tools, message);
            let hint = format!("remove the line, or write `{key}: []` for no tools");
            self.push(diagnostic.with_hint(hint), Some(field.line));
            return None;
        }
        let tools = parse_tools(&field.value);
        if tools.is_none() {
            let message = format!("`{key}` is no list of tools; none are taken from it");
            let diagnostic = Diagnostic::warning(About::Tools, message);
            let hint = format!("write it as `{key}: [Read, Grep]`");
            self.push(diagnostic.with_hint(hint), Some(field.line));
        }
        Some(tools.unwrap_or_default())
    }

    /// A field of one word, under one of these keys.
    fn word(&mut self, keys: &[&str], about: About) -> Option<String> {
        let field = keys.iter().find_map(|key| self.document.field(key))?;
        if field.is_null() {
            return None;
        }
        let Some(text) = field.value.as_str() else {
            let message = format!(
                "`{}` is a list or map, not a word; it is left out",
                field.key
            );
            self.push(Diagnostic::warning(about, message), Some(field.line));
            return None;
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn hidden_from_model(&mut self) -> bool {
        let Some(field) = self.document.field(HIDDEN_KEY) else {
            return false;
        };
        let hidden = switch(field);
        if hidden.is_none() {
            let message = format!("`{HIDDEN_KEY}` is neither true nor false; it is taken as true");
            let diagnostic = Diagnostic::warning(About::Frontmatter, message);
            self.push(diagnostic, Some(field.line));
        }
        hidden.unwrap_or(true)
    }

    fn push(&mut self, diagnostic: Diagnostic, line: Option<u32>) {
        self.diagnostics.push(match line {
            Some(line) => diagnostic.at_line(line),
            None => diagnostic,
        });
    }
}

/// The key that keeps an item for the user to start.
const HIDDEN_KEY: &str = "disable-model-invocation";

/// A field that is on or off, in the spellings of YAML 1.1 and 1.2.
fn switch(field: &Field) -> Option<bool> {
    if field.is_null() {
        return Some(false);
    }
    match &field.value {
        Value::Scalar(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" | "1" => Some(true),
            "false" | "no" | "off" | "n" | "0" | "" => Some(false),
            _ => None,
        },
        Value::Sequence(_) | Value::Mapping(_) => None,
    }
}

/// Why a name is only useful to an attack, or breaks whatever shows it.
fn unusable_name(name: &str) -> Option<&'static str> {
    if name.contains(['/', '\\']) || name.contains("..") || name == "." {
        Some("looks like a path")
    } else if name.chars().any(char::is_control) {
        Some("holds a control character")
    } else {
        None
    }
}

/// What is wrong with a description that can be read all the same.
fn description_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let chars = text.chars().count();
    if chars > DESCRIPTION_CHARS {
        faults.push(format!(
            "the description has {chars} characters; the format allows {DESCRIPTION_CHARS}, and \
             some clients cut or refuse it"
        ));
    }
    let hidden = hidden_text(text).into_iter().chain(hidden_control(text));
    faults.extend(hidden.map(|hidden| format!("the description holds {hidden}")));
    faults
}

fn name_hint(name: &str) -> String {
    match suggest_name(name) {
        Some(suggested) => format!("`{suggested}` would do"),
        None => "use lower-case letters a to z, digits and single hyphens".to_owned(),
    }
}

/// Text from a file within a sentence.
pub(crate) fn shown(text: &str) -> String {
    clip(&visible(text).replace(['\n', '\t'], " "), 80)
}

#[cfg(test)]
mod tests;
