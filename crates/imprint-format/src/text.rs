//! Making text from others safe to show: to a model in one line, or to a person.

/// One line for a model or a table: line breaks and runs of blanks become one blank, control
/// characters, bidi overrides, invisible and tag characters are left out (joiners inside an emoji
/// and flag sequences stay); trimmed.
pub fn one_line(text: &str) -> String {
    let _ = text;
    todo!()
}

/// At most `max` characters (code points), cut on a grapheme border with `…` as the last
/// character when anything was cut.
pub fn clip(text: &str, max: usize) -> String {
    let _ = (text, max);
    todo!()
}

/// The text for a terminal: control characters (except newline and tab) and bidi overrides shown
/// as `\u{..}`.
pub fn visible(text: &str) -> String {
    let _ = text;
    todo!()
}

/// The first character that a person can't see but a model reads (a tag character outside a flag,
/// a bidi override), with its code point, and for tag characters the text that they spell.
pub fn hidden_text(text: &str) -> Option<String> {
    let _ = text;
    todo!()
}
