//! Writing a new entry file.

use crate::{
    ItemKind, ItemName,
    limits::DESCRIPTION_CHARS,
    lines::{is_blank, lines, with_line_ends},
    quote::{double_quoted, quote_scalar},
    text::{hidden_control, hidden_text},
};

/// Why these texts don't make an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ComposeError {
    #[error("a description can't be empty")]
    EmptyDescription,
    #[error("a description has at most {limit} characters, this one has {chars}")]
    DescriptionTooLong { chars: usize, limit: usize },
    #[error("the description holds {0}, which a person can't see; take it out")]
    HiddenCharacter(String),
}

/// A new entry file: `name`, quoted `description`, blank line, instructions, one final newline.
/// For a guideline the instructions alone. Any YAML 1.1 or 1.2 parser reads the same texts back.
/// Line ends become LF; blank lines around the instructions and blanks around the description are
/// left out.
pub fn compose(
    kind: ItemKind,
    name: &ItemName,
    description: &str,
    instructions: &str,
) -> Result<String, ComposeError> {
    let instructions = with_line_ends(instructions, "\n");
    let instructions = without_outer_blank_lines(&instructions);
    let mut text = String::new();
    if kind.has_front_matter() {
        let description = with_line_ends(description.trim(), "\n");
        check_description(&description)?;
        text = format!(
            "---\nname: {}\ndescription: {}\n---\n",
            quote_scalar(name.as_str()),
            double_quoted(&description)
        );
        if !instructions.is_empty() {
            text.push('\n');
        }
    }
    text.push_str(instructions);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn check_description(description: &str) -> Result<(), ComposeError> {
    if description.is_empty() {
        return Err(ComposeError::EmptyDescription);
    }
    let chars = description.chars().count();
    if chars > DESCRIPTION_CHARS {
        return Err(ComposeError::DescriptionTooLong {
            chars,
            limit: DESCRIPTION_CHARS,
        });
    }
    match hidden_text(description).or_else(|| hidden_control(description)) {
        Some(hidden) => Err(ComposeError::HiddenCharacter(hidden)),
        None => Ok(()),
    }
}

/// The text from its first line with something on it, without the blanks at its end.
fn without_outer_blank_lines(text: &str) -> &str {
    let first = lines(text, 0).find(|line| !is_blank(line.of(text)));
    first.map_or("", |line| text[line.start..].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(description: &str, instructions: &str) -> Result<String, ComposeError> {
        let name = "room-booker".parse().unwrap();
        compose(ItemKind::Skill, &name, description, instructions)
    }

    #[test]
    fn a_new_file_is_quoted_and_ends_in_one_newline() {
        insta::assert_snapshot!(
            made(" Books rooms: small, \"large\" #1\r\n", "\r\n  \r\n  # Book\r\n\r\nAsk.\r\n\r\n").unwrap(),
            @r#"
        ---
        name: room-booker
        description: "Books rooms: small, \"large\" #1"
        ---

          # Book

        Ask.
        "#
        );
        assert_eq!(
            made("Books.", " \n").unwrap(),
            "---\nname: room-booker\ndescription: \"Books.\"\n---\n"
        );
    }

    #[test]
    fn names_that_look_like_numbers_are_quoted() {
        let text = compose(
            ItemKind::Persona,
            &"007".parse().unwrap(),
            "Spies.",
            "You spy.",
        );
        assert!(text.unwrap().starts_with("---\nname: \"007\"\n"));
    }

    #[test]
    fn a_guideline_is_its_text_alone() {
        let name = "tone".parse().unwrap();
        let text = compose(ItemKind::Guideline, &name, "", "\nBe brief.");
        assert_eq!(text.unwrap(), "Be brief.\n");
    }

    #[test]
    fn descriptions_are_checked() {
        assert_eq!(made(" \n", ""), Err(ComposeError::EmptyDescription));
        assert!(made(&"資".repeat(1024), "").is_ok());
        assert_eq!(
            made(&"資".repeat(1025), ""),
            Err(ComposeError::DescriptionTooLong {
                chars: 1025,
                limit: 1024
            })
        );
        for hidden in ["a\u{202E}b", "a\u{1b}[0m", "a\u{E0041}"] {
            let error = made(hidden, "").unwrap_err();
            assert!(
                matches!(error, ComposeError::HiddenCharacter(_)),
                "{hidden:?}"
            );
        }
    }
}
