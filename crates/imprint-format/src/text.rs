//! Making text from others safe to show: to a model in one line, or to a person.

mod hidden;

use unicode_segmentation::UnicodeSegmentation;

use hidden::{flag_len, is_variation_selector, joins};
pub use hidden::{hidden_control, hidden_text};
pub(crate) use hidden::{is_bidi_control, is_invisible, is_tag};

/// One line for a model or a table: line breaks and runs of blanks become one blank, control
/// characters, bidi overrides, invisible and tag characters are left out; trimmed. Flags (the
/// black flag with the tags of a region), joiners inside an emoji and in scripts that need them,
/// and one variation selector a character stay, because people see them.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if let Some(length) = flag_len(c, rest.as_str()) {
            let (tags, behind) = rest.as_str().split_at(length);
            out.push(c);
            out.push_str(tags);
            rest = behind.chars();
        } else if c.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else if stays(c, out.chars().next_back(), rest.clone().next()) {
            out.push(c);
        }
    }
    out.trim().to_owned()
}

/// Whether a character between these two is one that people see or that changes what they see.
fn stays(c: char, before: Option<char>, after: Option<char>) -> bool {
    if is_variation_selector(c) {
        return before
            .is_some_and(|before| !before.is_whitespace() && !is_variation_selector(before));
    }
    if matches!(c, '\u{200C}' | '\u{200D}') {
        return joins(before, after);
    }
    !c.is_control() && !is_bidi_control(c) && !is_invisible(c)
}

/// At most `max` characters (code points), cut on a grapheme border with `…` as the last
/// character when anything was cut.
pub fn clip(text: &str, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text.to_owned();
    }
    let Some(room) = max.checked_sub(1) else {
        return String::new();
    };
    let mut used = 0;
    let mut end = 0;
    for grapheme in text.graphemes(true) {
        used += grapheme.chars().count();
        if used > room {
            break;
        }
        end += grapheme.len();
    }
    format!("{}…", text[..end].trim_end())
}

/// The text for a terminal: control characters (except newline and tab), bidi overrides, tag and
/// other invisible characters shown as `\u{..}`; CRLF becomes a newline. What [`one_line`] keeps
/// is kept here too.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let after = rest.clone().next();
        if let Some(length) = flag_len(c, rest.as_str()) {
            let (tags, behind) = rest.as_str().split_at(length);
            out.push(c);
            out.push_str(tags);
            rest = behind.chars();
        } else if c == '\r' && after == Some('\n') {
            continue;
        } else if matches!(c, '\n' | '\t') || stays(c, before, after) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests;
