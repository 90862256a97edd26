//! Long base64: images, certificates, binaries. It holds every short prefix somewhere, and what
//! lies between two of its `+`, `/`, `-` and `_` may have a credential's shape by chance.

use std::ops::Range;

use super::charset::Charset;

/// Both alphabets and the padding.
const BASE64: Charset = Charset::of("0-9A-Za-z+/=_-");
/// So much base64 around a value is more than a path or a name.
const AROUND: usize = 48;
/// Base64 is wrapped at 64 or 76 columns.
const SHORTEST_LINE: usize = 56;
const LONGEST_LINE: usize = 128;

/// Whether the value at `span` is a stretch of longer base64: much of it, or the rest of a line
/// between two such lines.
pub(super) fn holds(bytes: &[u8], span: &Range<usize>) -> bool {
    let before = BASE64.run_back(&bytes[..span.start], LONGEST_LINE);
    let after = BASE64.run(&bytes[span.end..], LONGEST_LINE);
    if before + after == 0 {
        return false;
    }
    let line = span.start - before..span.end + after;
    let around = [&bytes[line.start..span.start], &bytes[span.end..line.end]].concat();
    (around.len() >= AROUND && is_mixed(&around)) || is_wrapped(bytes, &line)
}

/// Whether `line` is a whole line of base64 and the line before or after it is one as well.
pub(super) fn is_wrapped(bytes: &[u8], line: &Range<usize>) -> bool {
    let (before, after) = (&bytes[..line.start], &bytes[line.end..]);
    let begins = matches!(before.last(), None | Some(b'\n' | b'\r'));
    let ends = matches!(after.first(), None | Some(b'\n' | b'\r'));
    let is_line = |length: usize| (SHORTEST_LINE..LONGEST_LINE).contains(&length);
    if !begins || !ends || !is_line(line.len()) {
        return false;
    }
    let before = before.trim_ascii_end();
    let above = &before[before.len() - BASE64.run_back(before, LONGEST_LINE)..];
    let after = after.trim_ascii_start();
    let below = &after[..BASE64.run(after, LONGEST_LINE)];
    [above, below]
        .iter()
        .any(|line| is_line(line.len()) && is_mixed(line))
}

/// Whether the letters are as mixed as random base64 is, and no path or name.
fn is_mixed(bytes: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| bytes.iter().filter(|&byte| is(byte)).count();
    count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds_cut(text: &str) -> bool {
        let at = text.find("cut").unwrap();
        holds(text.as_bytes(), &(at..at + 3))
    }

    #[test]
    fn a_stretch_of_a_blob() {
        assert!(holds_cut(&format!(
            "{}/cut+{}",
            "Ab9".repeat(20),
            "Zx8".repeat(20)
        )));
        let line = "Ab9+Zx8/".repeat(8);
        assert!(holds_cut(&format!(
            "{line}\n{}/cut/{}\n",
            &line[..30],
            &line[..29]
        )));
    }

    #[test]
    fn a_value_in_a_path() {
        assert!(!holds_cut("https://host.invalid/v1/cut/more"));
        assert!(!holds_cut(
            "projects/alpha/environments/production/secrets/of/the/app/cut"
        ));
        assert!(!holds_cut("cut"));
    }
}
