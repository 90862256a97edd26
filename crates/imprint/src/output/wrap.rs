//! Breaking lines at words, so that a terminal doesn't break them inside one.

use unicode_width::UnicodeWidthStr as _;

/// Narrower than this, a terminal breaks lines better than words do.
const LEAST: usize = 24;

/// The lines of a text, broken at blanks where they are wider than `width` columns. What a line
/// begins with in blanks, its continuations begin with too, and two more. A word that is wider
/// than the line stays whole. Without a width nothing is broken.
pub(super) fn wrap(text: &str, width: Option<usize>) -> String {
    let Some(width) = width.filter(|width| *width >= LEAST) else {
        return text.to_owned();
    };
    let lines: Vec<_> = text.split('\n').map(|line| fold(line, width)).collect();
    lines.join("\n")
}

fn fold(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let hanging = " ".repeat((indent + 2).min(width / 2));
    let mut folded = line[..indent].to_owned();
    let mut used = indent;
    let mut fresh = true;
    for word in line[indent..].split(' ') {
        let wide = columns(word);
        if !fresh && used + 1 + wide > width {
            folded.push('\n');
            folded.push_str(&hanging);
            used = hanging.len();
            fresh = true;
        }
        if !fresh {
            folded.push(' ');
            used += 1;
        }
        folded.push_str(word);
        used += wide;
        fresh = false;
    }
    folded
}

/// How many columns a text takes; escape sequences for colour take none.
fn columns(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_words_and_keep_their_indent() {
        let text = "  skill tea from the folder that has a long name\nshort";
        insta::assert_snapshot!(wrap(text, Some(24)), @"
          skill tea from the
            folder that has a
            long name
        short
        ");
        assert_eq!(wrap(text, None), text);
    }

    #[test]
    fn wide_characters_and_colour_are_measured() {
        let chinese = format!("{} {}", "会议".repeat(5), "纪要".repeat(5));
        assert_eq!(wrap(&chinese, Some(30)).lines().count(), 2);
        assert_eq!(wrap(&chinese, Some(41)).lines().count(), 1);
        let colourful = "\u{1b}[1merror\u{1b}[0m: nothing of that";
        assert_eq!(wrap(colourful, Some(24)), colourful);
    }

    #[test]
    fn a_word_that_is_too_wide_stays_whole() {
        let path = "/a/very/long/path/that/nobody/can/break";
        assert!(wrap(&format!("see {path} there"), Some(24)).contains(path));
    }
}
