//! Characters that a person can't see, and those among them that belong to what people write.

use std::fmt::Write as _;

use super::clip;

/// How many variation selectors in a row are no mishap of an editor any more.
const SELECTOR_RUN: usize = 4;
/// The longest decoded text that is shown, in characters.
const SHOWN_CHARS: usize = 200;

/// The first character that a person can't see but a model reads, with its code point: a tag
/// character outside a flag (with the text that the tags spell), a bidi override or isolate, a
/// run of variation selectors.
pub fn hidden_text(text: &str) -> Option<String> {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if let Some(length) = flag_len(c, rest.as_str()) {
            rest = rest.as_str()[length..].chars();
        } else if is_tag(c) {
            return Some(tags_spelled(c, rest.as_str()));
        } else if is_bidi_control(c) {
            return Some(format!(
                "U+{:04X}, which changes the direction of the text around it",
                u32::from(c)
            ));
        } else if is_variation_selector(c) {
            let more = rest.clone().take_while(|c| is_variation_selector(*c));
            if more.count() + 1 >= SELECTOR_RUN {
                return Some(format!(
                    "U+{:04X} and more variation selectors in a row, which can carry invisible text",
                    u32::from(c)
                ));
            }
        }
    }
    None
}

/// The first control character that is no line break or tab, as its code point.
pub fn hidden_control(text: &str) -> Option<String> {
    text.chars()
        .find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        .map(|c| format!("the control character U+{:04X}", u32::from(c)))
}

/// What a run of tag characters says: each is an ASCII character moved to another plane.
fn tags_spelled(first: char, rest: &str) -> String {
    let run = std::iter::once(first).chain(rest.chars().take_while(|c| is_tag(*c)));
    let spelled: String = run.filter_map(tag_ascii).collect();
    let mut told = format!(
        "invisible tag characters from U+{:04X} on",
        u32::from(first)
    );
    if !spelled.is_empty() {
        let _ = write!(told, " that read `{}`", clip(&spelled, SHOWN_CHARS));
    }
    told
}

fn tag_ascii(c: char) -> Option<char> {
    let ascii = u8::try_from(u32::from(c).checked_sub(0xE0000)?).ok()?;
    let ascii = char::from(ascii);
    (ascii == ' ' || ascii.is_ascii_graphic()).then_some(ascii)
}

/// The bytes of the tags behind a black flag that make it the flag of a region: two letters of a
/// country, one to three letters or digits of a part of it, the cancel tag (UTS #51, ISO 3166-2).
/// Anything longer could be a sentence.
pub(super) fn flag_len(c: char, rest: &str) -> Option<usize> {
    if c != '\u{1F3F4}' {
        return None;
    }
    let mut code = String::new();
    for (at, c) in rest.char_indices() {
        if c == '\u{E007F}' {
            let is_region = (3..=5).contains(&code.len())
                && code.bytes().take(2).all(|byte| byte.is_ascii_lowercase());
            return is_region.then_some(at + c.len_utf8());
        }
        let ascii = tag_ascii(c).filter(|c| c.is_ascii_lowercase() || c.is_ascii_digit())?;
        code.push(ascii);
    }
    None
}

pub(crate) fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// Embeddings, overrides and isolates: the characters that can show a text in another order than
/// a model reads it. Plain direction marks only settle what the letters around them say.
pub(crate) fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

pub(super) fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Characters without a shape of their own (Unicode's `Default_Ignorable_Code_Point`, with the
/// interlinear marks and noncharacters), apart from joiners and variation selectors.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
        || u32::from(c) & 0xFFFE == 0xFFFE
        || matches!(c, '\u{FDD0}'..='\u{FDEF}')
}

/// Whether a joiner or non-joiner between these two changes what people see: inside an emoji, or
/// behind a letter of a script whose letters join.
pub(super) fn joins(before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    let in_emoji = ends_emoji(before) && after.is_some_and(is_pictograph);
    in_emoji || is_of_joining_script(before)
}

/// Whether an emoji may end with this: a picture, its skin tone, its presentation selector, a
/// flag's last tag.
fn ends_emoji(c: char) -> bool {
    is_pictograph(c) || matches!(c, '\u{FE0F}' | '\u{E007F}')
}

/// The blocks that hold Unicode's `Extended_Pictographic` characters.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2194}'..='\u{21AA}' | '\u{231A}'..='\u{23FF}' | '\u{24C2}' | '\u{25AA}'..='\u{27BF}'
        | '\u{2934}'..='\u{2935}' | '\u{2B05}'..='\u{2B55}' | '\u{3030}' | '\u{303D}' | '\u{3297}'
        | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Arabic and its neighbours, Mongolian, and the scripts of India and South-East Asia, where
/// joiners choose between letter forms (Unicode 23.2, "Layout Controls").
fn is_of_joining_script(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{F00}'..='\u{109F}'
        | '\u{1780}'..='\u{18AA}' | '\u{1A20}'..='\u{1BFF}' | '\u{A840}'..='\u{A8FF}'
        | '\u{A980}'..='\u{A9DF}' | '\u{AA60}'..='\u{AA7F}' | '\u{FB50}'..='\u{FDCF}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{10D00}'..='\u{10D3F}' | '\u{11000}'..='\u{11FFF}'
        | '\u{1E900}'..='\u{1E95F}')
}
