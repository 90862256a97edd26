//! Which items may be served as skills over MCP, and as what (the skills extension
//! `io.modelcontextprotocol/skills`, SEP-2640): a pure rule that the server and `doctor` share.

use std::fmt::Write as _;

use imprint_format::{
    Diagnostic, Document, Header, ItemKind, ItemName, Severity, quote_scalar, read_header, text,
    yaml::Typed,
};

use crate::FileRef;

/// The most files that a served skill may have (SEP-2640).
pub const SERVED_FILES: usize = 512;
/// The most bytes that a served skill may have (SEP-2640).
pub const SERVED_BYTES: u64 = 16 * 1024 * 1024;
/// The file that makes a folder a skill, whatever kind of item is served as one.
pub const SKILL_FILE: &str = "SKILL.md";

/// What a persona's text begins with when it is served as a skill.
const ROLE: &str = "This is a role, not a task: take it on yourself, or hand it to a subagent as \
                    its instructions.";

/// An item as the extension serves it.
#[derive(Clone, Debug, PartialEq)]
pub struct ServedSkill {
    /// All fields of the front matter, in order, `name` and `description` among them.
    pub front_matter: Vec<(String, Typed)>,
    /// `SKILL.md` where it is made for serving: a persona has none. `None`: the entry file as it
    /// stands.
    pub rendered: Option<String>,
}

/// Why the extension can't serve an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Unservable {
    #[error("a guideline is no skill")]
    Guideline,
    #[error("it has {0} files, and a served skill may have {SERVED_FILES}")]
    TooManyFiles(usize),
    #[error("it has {0} bytes, and a served skill may have {SERVED_BYTES}")]
    TooLarge(u64),
    #[error("it has a file `{SKILL_FILE}`, whose place its own text takes when it is served")]
    HasSkillFile,
    #[error("its front matter can't be read: {0}")]
    Unreadable(String),
    #[error("its `{field}` is {noun} for readers of YAML, not a text; put it in double quotes")]
    NoText {
        field: &'static str,
        noun: &'static str,
    },
    #[error("its front matter has no `{0}`")]
    Missing(&'static str),
    #[error("its front matter has the name `{0}`, not the item's")]
    OtherName(String),
}

/// Judges an item: its files and its entry file's bytes.
pub fn as_skill(
    kind: ItemKind,
    name: &ItemName,
    files: &[FileRef],
    entry: &[u8],
) -> Result<ServedSkill, Unservable> {
    if files.len() > SERVED_FILES {
        return Err(Unservable::TooManyFiles(files.len()));
    }
    let bytes = files.iter().map(|file| file.size).sum();
    if bytes > SERVED_BYTES {
        return Err(Unservable::TooLarge(bytes));
    }
    match kind {
        ItemKind::Skill => {
            let front_matter = front_matter(entry)?;
            check(&front_matter, name)?;
            Ok(ServedSkill {
                front_matter,
                rendered: None,
            })
        }
        ItemKind::Persona => {
            if files.iter().any(|file| file.path.as_str() == SKILL_FILE) {
                return Err(Unservable::HasSkillFile);
            }
            let rendered = role(name, entry)?;
            let front_matter = front_matter(rendered.as_bytes())?;
            check(&front_matter, name)?;
            Ok(ServedSkill {
                front_matter,
                rendered: Some(rendered),
            })
        }
        ItemKind::Guideline => Err(Unservable::Guideline),
    }
}

fn front_matter(entry: &[u8]) -> Result<Vec<(String, Typed)>, Unservable> {
    let reading = Document::read(entry);
    let Some(document) = reading.value else {
        return Err(unreadable(&reading.diagnostics));
    };
    let fields = document.typed_fields();
    fields.map_err(|error| Unservable::Unreadable(text::one_line(&error.to_string())))
}

fn unreadable(diagnostics: &[Diagnostic]) -> Unservable {
    let fault = diagnostics
        .iter()
        .find(|one| one.severity == Severity::Error);
    Unservable::Unreadable(fault.map_or_else(String::new, |fault| fault.message.clone()))
}

fn check(front_matter: &[(String, Typed)], name: &ItemName) -> Result<(), Unservable> {
    let written = text_field(front_matter, "name")?;
    if written != name.as_str() {
        let shown = text::clip(&text::one_line(written), 80);
        return Err(Unservable::OtherName(shown));
    }
    match text_field(front_matter, "description")?.trim() {
        "" => Err(Unservable::Missing("description")),
        _ => Ok(()),
    }
}

fn text_field<'f>(
    front_matter: &'f [(String, Typed)],
    field: &'static str,
) -> Result<&'f str, Unservable> {
    let found = front_matter.iter().find(|(key, _)| key == field);
    let (_, value) = found.ok_or(Unservable::Missing(field))?;
    value.as_text().ok_or(Unservable::NoText {
        field,
        noun: value.noun(),
    })
}

/// A persona as a skill that says that it is a role. Its tools and its model are told in words:
/// for a persona they are a narrowing, while a skill's `allowed-tools` would be a grant.
fn role(name: &ItemName, entry: &[u8]) -> Result<String, Unservable> {
    let reading = read_header(ItemKind::Persona, Some(name.as_str()), entry);
    let Some((header, document)) = reading.value else {
        return Err(unreadable(&reading.diagnostics));
    };
    let mut skill = format!(
        "---\nname: {}\ndescription: {}\n",
        quote_scalar(name.as_str()),
        quote_scalar(&header.description)
    );
    for key in ["license", "compatibility"] {
        let value = document.get(key).and_then(|value| value.as_str());
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            let _ = writeln!(skill, "{key}: {}", quote_scalar(value));
        }
    }
    if header.hidden_from_model {
        skill.push_str("disable-model-invocation: true\n");
    }
    skill.push_str("---\n\n");
    skill.push_str(ROLE);
    skill.push_str(&narrowing(&header));
    skill.push('\n');
    let body = document.body();
    if !body.is_empty() {
        let _ = write!(skill, "\n{body}\n");
    }
    Ok(skill)
}

fn narrowing(header: &Header) -> String {
    let mut said = String::new();
    if let Some(model) = &header.model {
        let _ = write!(said, " It is meant for the model `{}`.", shown(model));
    }
    match header.tools.as_deref() {
        None => {}
        Some([]) => said.push_str(" It is to have no tools."),
        Some(tools) => {
            let tools: Vec<_> = tools
                .iter()
                .map(|tool| format!("`{}`", shown(tool)))
                .collect();
            let _ = write!(
                said,
                " It is to have these tools alone: {}.",
                tools.join(", ")
            );
        }
    }
    said
}

/// A word of the user's within backticks.
fn shown(word: &str) -> String {
    text::clip(&text::one_line(word), 200).replace('`', "'")
}

#[cfg(test)]
mod tests {
    use imprint_format::Digest;

    use super::*;

    fn file(path: &str, size: u64) -> FileRef {
        FileRef {
            path: path.parse().unwrap(),
            digest: Digest::of(b""),
            size,
            executable: false,
        }
    }

    fn judge(kind: ItemKind, name: &str, entry: &str) -> Result<ServedSkill, Unservable> {
        let files = [file(kind.entry_file(), entry.len() as u64)];
        as_skill(kind, &name.parse().unwrap(), &files, entry.as_bytes())
    }

    #[test]
    fn a_skill_keeps_its_front_matter_with_types() {
        let entry = "---\nname: deploy\ndescription: Ships it.\nversion: 2\nuser-invocable: true\n\
                     metadata:\n  tags: [a, 1.5]\n---\nGo.\n";
        let served = judge(ItemKind::Skill, "deploy", entry).unwrap();
        let json: Vec<_> = served
            .front_matter
            .iter()
            .map(|(key, value)| format!("{key}={}", serde_json::to_string(value).unwrap()))
            .collect();
        insta::assert_snapshot!(json.join("\n"), @r#"
        name="deploy"
        description="Ships it."
        version=2
        user-invocable=true
        metadata={"tags":["a",1.5]}
        "#);
        assert_eq!(served.rendered, None);
    }

    #[test]
    fn what_other_readers_would_take_otherwise_is_not_served() {
        let told = |name: &str, header: &str| {
            let entry = format!("---\n{header}\n---\nGo.\n");
            let fault = judge(ItemKind::Skill, name, &entry).unwrap_err();
            fault.to_string()
        };
        let told = [
            told("42", "name: 42\ndescription: x"),
            told("a", "name: a\ndescription: true"),
            told("a", "name: a\ndescription: ' '"),
            told("a", "name: a"),
            told("a", "name: b\ndescription: x"),
            told("a", "name: a\ndescription: use: it"),
        ];
        insta::assert_snapshot!(told.join("\n"), @"
        its `name` is a number for readers of YAML, not a text; put it in double quotes
        its `description` is a truth value for readers of YAML, not a text; put it in double quotes
        its front matter has no `description`
        its front matter has no `description`
        its front matter has the name `b`, not the item's
        its front matter can't be read: line 2: mapping values are not allowed in this context
        ");
    }

    #[test]
    fn limits_and_kinds_hold() {
        let name: ItemName = "a".parse().unwrap();
        let judge = |kind, files: &[FileRef]| {
            as_skill(kind, &name, files, b"---\nname: a\ndescription: x\n---\n").map(|_| ())
        };
        let many: Vec<_> = (0..=SERVED_FILES)
            .map(|n| file(&format!("f{n}"), 1))
            .collect();
        let skill = ItemKind::Skill;
        assert_eq!(judge(skill, &many[1..]), Ok(()));
        assert_eq!(judge(skill, &many), Err(Unservable::TooManyFiles(513)));
        let large = [file("big", SERVED_BYTES + 1)];
        assert_eq!(
            judge(skill, &large),
            Err(Unservable::TooLarge(SERVED_BYTES + 1))
        );
        assert_eq!(judge(ItemKind::Guideline, &[]), Err(Unservable::Guideline));
        let own = [file("PERSONA.md", 1), file("SKILL.md", 1)];
        assert_eq!(
            judge(ItemKind::Persona, &own),
            Err(Unservable::HasSkillFile)
        );
    }

    #[test]
    fn a_persona_is_a_skill_that_says_it_is_a_role() {
        let entry = "---\nname: 42\ndescription: 'true'\ntools: Read, 'Gr`ep'\nmodel: opus\n\
                     color: red\nlicense: MIT\ndisable-model-invocation: yes\n---\n\n# Judge\n\nBe fair.\n";
        let served = judge(ItemKind::Persona, "42", entry).unwrap();
        insta::assert_snapshot!(served.rendered.unwrap(), @r#"
        ---
        name: "42"
        description: "true"
        license: MIT
        disable-model-invocation: true
        ---

        This is a role, not a task: take it on yourself, or hand it to a subagent as its instructions. It is meant for the model `opus`. It is to have these tools alone: `Read`, `Gr'ep`.

        # Judge

        Be fair.
        "#);
        assert_eq!(served.front_matter[0].1, Typed::Text("42".to_owned()));
    }
}
