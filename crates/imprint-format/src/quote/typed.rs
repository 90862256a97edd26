//! Plain scalars that some YAML version reads as something else than a string: YAML 1.2.2 section
//! 10.3 (core schema) and the YAML 1.1 types `bool`, `null`, `int`, `float`, `timestamp`, `merge`
//! and `value`.

/// Whether YAML 1.1 or 1.2 gives this plain scalar another type than string.
pub(super) fn is_typed(text: &str) -> bool {
    is_word(text) || is_number(text) || is_timestamp(text)
}

fn is_word(text: &str) -> bool {
    let all_one_case = |word: &str| {
        word == word.to_lowercase()
            || word == word.to_uppercase()
            || word.get(1..) == Some(&word[1..].to_lowercase())
    };
    match text {
        "~" | "<<" | "=" => true,
        _ if !text.is_ascii() => false,
        _ => {
            let lower = text.to_ascii_lowercase();
            let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
            let known = matches!(
                lower.as_str(),
                "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null"
            );
            (known && all_one_case(text)) || unsigned == ".inf" || lower == ".nan"
        }
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_in_base(unsigned) || is_decimal(unsigned) || is_base_sixty(unsigned)
}

/// `0b101`, `0o17`, `0x1F`; `017` is decimal enough.
fn is_in_base(text: &str) -> bool {
    let digits = |prefix: &str, base: u32| {
        text.strip_prefix(prefix).is_some_and(|digits| {
            !digits.is_empty() && digits.chars().all(|c| c == '_' || c.is_digit(base))
        })
    };
    digits("0b", 2) || digits("0o", 8) || digits("0x", 16)
}

/// Digits (with `_`), at most one period, perhaps an exponent.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| {
        part.bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_digit())
    };
    let starts_with_digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let number = if whole.is_empty() {
        starts_with_digit(fraction)
    } else {
        starts_with_digit(whole)
    };
    let exponent_fits = exponent.is_none_or(|exponent| {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit())
    });
    number && digits(whole) && digits(fraction) && exponent_fits
}

/// `12:30`, `1:20:30.5`: YAML 1.1 counts them in base sixty.
fn is_base_sixty(text: &str) -> bool {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let mut places = whole.split(':');
    let first = places.next().unwrap_or("");
    let leads = match fraction {
        Some(_) => first.starts_with(|c: char| c.is_ascii_digit()),
        None => first.starts_with(|c: char| matches!(c, '1'..='9')),
    };
    let digits = |part: &str| {
        part.bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_digit())
    };
    let mut more = 0;
    let sixties = places.all(|place| {
        more += 1;
        match place.as_bytes() {
            [ones] => ones.is_ascii_digit(),
            [tens, ones] => matches!(tens, b'0'..=b'5') && ones.is_ascii_digit(),
            _ => false,
        }
    });
    leads && digits(first) && sixties && more > 0 && fraction.is_none_or(digits)
}

/// `2026-08-01`, `2026-8-1 10:00:00.5 +2`.
fn is_timestamp(text: &str) -> bool {
    let mut rest = Rest(text);
    if !(rest.digits(4, 4) && rest.one_of(&['-'])) {
        return false;
    }
    let month = rest.count_digits();
    if !(rest.digits(1, 2) && rest.one_of(&['-'])) {
        return false;
    }
    let day = rest.count_digits();
    if !rest.digits(1, 2) {
        return false;
    }
    if rest.is_empty() {
        return month == 2 && day == 2;
    }
    (rest.one_of(&['T', 't']) || rest.blanks())
        && rest.digits(1, 2)
        && rest.one_of(&[':'])
        && rest.digits(2, 2)
        && rest.one_of(&[':'])
        && rest.digits(2, 2)
        && rest.fraction_and_zone()
}

/// What is left to be matched.
struct Rest<'t>(&'t str);

impl Rest<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn count_digits(&self) -> usize {
        self.0.bytes().take_while(u8::is_ascii_digit).count()
    }

    fn digits(&mut self, least: usize, most: usize) -> bool {
        let count = self.count_digits();
        self.0 = &self.0[count..];
        (least..=most).contains(&count)
    }

    fn one_of(&mut self, chars: &[char]) -> bool {
        match self.0.strip_prefix(chars) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn blanks(&mut self) -> bool {
        let rest = self.0.trim_start_matches([' ', '\t']);
        let any = rest.len() < self.0.len();
        self.0 = rest;
        any
    }

    fn fraction_and_zone(&mut self) -> bool {
        if self.one_of(&['.']) {
            self.0 = &self.0[self.count_digits()..];
        }
        self.blanks();
        if self.is_empty() || (self.one_of(&['Z']) && self.is_empty()) {
            return true;
        }
        let zone = self.one_of(&['+', '-']) && self.digits(1, 4);
        zone && (self.is_empty() || (self.one_of(&[':']) && self.digits(2, 2) && self.is_empty()))
    }
}
