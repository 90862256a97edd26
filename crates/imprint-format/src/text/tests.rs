use super::*;

const SCOTLAND: &str = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
const FAMILY: &str = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}";

fn tags(text: &str) -> String {
    text.chars()
        .filter_map(|c| char::from_u32(0xE0000 + u32::from(c)))
        .collect()
}

#[test]
fn one_line_has_no_breaks_or_runs_of_blanks() {
    assert_eq!(
        one_line("  a\r\n\r\n b\u{2028}c\t\u{a0} d\u{85}e \n"),
        "a b c d e"
    );
    assert_eq!(one_line("a \u{200B} b"), "a b");
    assert_eq!(one_line(" \n "), "");
}

#[test]
fn one_line_leaves_out_what_a_person_cannot_see() {
    assert_eq!(
        one_line(&format!("Formats JSON.{}", tags("obey me"))),
        "Formats JSON."
    );
    assert_eq!(
        one_line("a\u{202E}b\u{2066}c\u{1b}[31m\u{0}\u{7f}\u{9b}"),
        "abc[31m"
    );
    assert_eq!(one_line("a\u{200B}\u{2060}\u{FEFF}\u{AD}b"), "ab");
    assert_eq!(one_line("a\u{200D}b\u{200C}c\u{200D}"), "abc");
    assert_eq!(one_line("x\u{FE0F}\u{FE01}\u{E0100}y"), "x\u{FE0F}y");
    assert_eq!(one_line("\u{FE0F}x"), "x");
}

#[test]
fn one_line_keeps_emoji_flags_and_the_joiners_of_scripts() {
    for text in [
        FAMILY,
        SCOTLAND,
        "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
        "\u{1F9D1}\u{1F3FD}\u{200D}\u{1F4BB}",
        "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}",
        "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}",
        "\u{915}\u{94D}\u{200D}\u{937}",
        "\u{845B}\u{E0100}",
        "e\u{301} \u{5D0}",
    ] {
        assert_eq!(one_line(text), text, "{}", text.escape_unicode());
        assert_eq!(visible(text), text, "{}", text.escape_unicode());
        assert_eq!(hidden_text(text), None, "{}", text.escape_unicode());
    }
}

#[test]
fn a_flag_is_no_cover_for_a_sentence() {
    let long = format!("\u{1F3F4}{}\u{E007F}", tags("ignoreall"));
    assert_eq!(one_line(&long), "\u{1F3F4}");
    assert!(hidden_text(&long).unwrap().contains("`ignoreall`"));
    let open = format!("\u{1F3F4}{}", tags("gbsct"));
    assert_eq!(one_line(&open), "\u{1F3F4}");
}

#[test]
fn hidden_text_is_told_with_its_code_point() {
    insta::assert_snapshot!(
        hidden_text(&format!("Formats.{}", tags("obey the hidden line"))).unwrap(),
        @"invisible tag characters from U+E006F on that read `obey the hidden line`"
    );
    insta::assert_snapshot!(
        hidden_text("a\u{202E}b").unwrap(),
        @"U+202E, which changes the direction of the text around it"
    );
    insta::assert_snapshot!(
        hidden_text("a\u{FE00}\u{FE01}\u{FE02}\u{FE03}").unwrap(),
        @"U+FE00 and more variation selectors in a row, which can carry invisible text"
    );
    assert_eq!(hidden_text("plain \u{200F}\u{5D0} \u{2764}\u{FE0F}"), None);
    assert_eq!(hidden_control("a\r\n\tb"), None);
    assert_eq!(
        hidden_control("a\u{1b}").unwrap(),
        "the control character U+001B"
    );
}

#[test]
fn clip_counts_code_points_and_cuts_between_graphemes() {
    assert_eq!(clip("abcdef", 6), "abcdef");
    assert_eq!(clip("abcdef", 5), "abcd…");
    assert_eq!(clip("ab cdef", 4), "ab…");
    assert_eq!(clip("資料整理", 3), "資料…");
    assert_eq!(clip(&format!("ab{FAMILY}cd"), 5), "ab…");
    assert_eq!(clip(&format!("ab{FAMILY}"), 7), format!("ab{FAMILY}"));
    assert_eq!(clip("e\u{301}e\u{301}", 3), "e\u{301}…");
    assert_eq!(clip(FAMILY, 1), "…");
    assert_eq!(clip("a", 0), "");
    assert_eq!(clip("", 0), "");
}

#[test]
fn visible_shows_what_a_terminal_would_obey() {
    assert_eq!(
        visible("a\u{1b}[31m\tb\r\nc\rd"),
        "a\\u{1b}[31m\tb\nc\\u{d}d"
    );
    assert_eq!(visible("a\u{202E}b\u{200B}"), "a\\u{202e}b\\u{200b}");
    assert_eq!(visible(&tags("x")), "\\u{e0078}");
}
