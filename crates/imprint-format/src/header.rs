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
        let field = self.document.field("name");
        let written = field.and_then(written_text);
        let Some(name) = written.or(home) else {
            self.say(field, Diagnostic::error(About::Name, "there is no `name`"));
            return None;
        };
        if let Some(fault) = unusable_name(name) {
            let message = format!("the name `{}` {fault}", shown(name));
            let diagnostic = Diagnostic::error(About::Name, message);
            self.say(field, diagnostic.with_hint(name_hint(name)));
            return None;
        }
        if let Some(fault) = name_fault(name) {
            let diagnostic = Diagnostic::warning(About::Name, fault);
            self.say(field, diagnostic.with_hint(name_hint(name)));
        }
        match (written, home) {
            (None, _) => self.say(field, name_of_home(name, field.is_some())),
            (Some(_), Some(home)) if !home.nfc().eq(name.nfc()) => {
                self.say(field, name_unlike_home(name, home));
            }
            _ => {}
        }
        Some(name.to_owned())
    }

    fn description(&mut self) -> Option<String> {
        let field = self.document.field("description");
        let Some(text) = field.and_then(written_text) else {
            let diagnostic = match field {
                None => self.missing_description(),
                Some(field) if field.value.as_str().is_none() => {
                    let message = "`description` is a list or map, not a text";
                    Diagnostic::error(About::Description, message)
                        .with_hint("put the text in double quotes")
                }
                Some(_) => Diagnostic::error(About::Description, "`description` is empty")
                    .with_hint(DESCRIPTION_HINT),
            };
            self.say(field, diagnostic);
            return None;
        };
        for fault in description_faults(text) {
            self.say(field, Diagnostic::warning(About::Description, fault));
        }
        Some(text.to_owned())
    }

    fn missing_description(&self) -> Diagnostic {
        let mut fields = self.document.fields().iter();
        let other = fields.find(|field| field.key.trim().eq_ignore_ascii_case("description"));
        let hint = match other {
            Some(other) => format!("write `description` instead of `{}`", shown(&other.key)),
            None => DESCRIPTION_HINT.to_owned(),
        };
        Diagnostic::error(About::Description, "there is no `description`").with_hint(hint)
    }

    fn tools(&mut self, key: &str) -> Option<Vec<String>> {
        let field = self.document.field(key)?;
        if field.value.as_str().is_some() && written_text(field).is_none() {
            let message = format!("`{key}` is blank, which is taken as if it were not there");
            let hint = format!("remove the line, or write `{key}: []` for no tools");
            let diagnostic = Diagnostic::warning(About::Tools, message);
            self.say(Some(field), diagnostic.with_hint(hint));
            return None;
        }
        let tools = parse_tools(&field.value);
        if tools.is_none() {
            let message = format!("`{key}` is no list of tools; none are taken from it");
            let hint = format!("write it as `{key}: [Read, Grep]`");
            let diagnostic = Diagnostic::warning(About::Tools, message);
            self.say(Some(field), diagnostic.with_hint(hint));
        }
        Some(tools.unwrap_or_default())
    }

    /// A field of one word, under one of these keys.
    fn word(&mut self, keys: &[&str], about: About) -> Option<String> {
        let field = keys.iter().find_map(|key| self.document.field(key))?;
        if field.value.as_str().is_none() {
            let key = &field.key;
            let message = format!("`{key}` is a list or map, not a word; it is left out");
            self.say(Some(field), Diagnostic::warning(about, message));
        }
        written_text(field).map(str::to_owned)
    }

    fn hidden_from_model(&mut self) -> bool {
        let Some(field) = self.document.field(HIDDEN_KEY) else {
            return false;
        };
        let hidden = switch(field);
        if hidden.is_none() {
            let message = format!("`{HIDDEN_KEY}` is neither true nor false; it is taken as true");
            self.say(
                Some(field),
                Diagnostic::warning(About::Frontmatter, message),
            );
        }
        hidden.unwrap_or(true)
    }

    /// Notes a remark at the line of its field.
    fn say(&mut self, field: Option<&Field>, diagnostic: Diagnostic) {
        self.diagnostics.push(match field {
            Some(field) => diagnostic.at_line(field.line),
            None => diagnostic,
        });
    }
}

/// The text of a field where there is one, trimmed.
fn written_text(field: &Field) -> Option<&str> {
    let text = field.value.as_str()?.trim();
    (!text.is_empty() && !field.is_null()).then_some(text)
}

const DESCRIPTION_HINT: &str = "say in one or two sentences what it does and when to use it";

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

/// What is wrong with a name that can be kept all the same.
fn name_fault(name: &str) -> Option<String> {
    if let Some(hidden) = hidden_text(name) {
        return Some(format!("the name holds {hidden}"));
    }
    let fault = name.parse::<ItemName>().err()?;
    Some(format!(
        "the name `{}` breaks the rules: {fault}",
        shown(name)
    ))
}

fn name_of_home(home: &str, has_field: bool) -> Diagnostic {
    let missing = if has_field {
        "`name` is no text"
    } else {
        "there is no `name`"
    };
    let home = shown(home);
    let message = format!("{missing}; `{home}`, as its folder or file is called, is used");
    Diagnostic::warning(About::Name, message).with_hint(format!("add the line `name: {home}`"))
}

fn name_unlike_home(name: &str, home: &str) -> Diagnostic {
    let (name, home) = (shown(name), shown(home));
    let message = format!("the name is `{name}`, but its folder or file is called `{home}`");
    Diagnostic::warning(About::Name, message).with_hint("give both the same name")
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
