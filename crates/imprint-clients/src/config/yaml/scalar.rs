//! YAML scalars as values of ours, and values as YAML.

use std::fmt::Write as _;

use imprint_format::quote_scalar;

use super::super::Value;

/// What a plain scalar means by the core schema of YAML 1.2 (section 10.3.2).
pub(super) fn typed(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    number(text).unwrap_or_else(|| Value::String(text.to_owned()))
}

fn number(text: &str) -> Option<Value> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let is_unsigned = digits.starts_with(|c: char| c.is_ascii_hexdigit());
            return u64::from_str_radix(digits, radix)
                .ok()
                .filter(|_| is_unsigned)
                .map(Value::from);
        }
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+');
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !unsigned.chars().all(is_numeric)
    {
        return None;
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    let whole = text.parse::<i64>().map(Value::from);
    let whole = whole.or_else(|_| text.parse::<u64>().map(Value::from));
    whole.ok().or_else(|| {
        let number = text.parse::<f64>().ok()?;
        serde_json::Number::from_f64(number).map(Value::Number)
    })
}

/// A value behind a key's colon: a scalar or list after a blank, members on lines of their own.
/// `indent` is that of the key, `unit` what each level adds.
pub(super) fn behind_colon(value: &Value, indent: &str, unit: &str, line_end: &str) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let inner = format!("{indent}{unit}");
            let members = members.iter();
            let members = members.map(|(name, value)| {
                format!("{line_end}{}", member(name, value, &inner, unit, line_end))
            });
            members.collect()
        }
        Value::String(text) => format!(" {}", quote_scalar(text)),
        other => format!(" {}", on_one_line(other)),
    }
}

/// A member on lines of its own, without the last line end.
pub(super) fn member(
    name: &str,
    value: &Value,
    indent: &str,
    unit: &str,
    line_end: &str,
) -> String {
    let behind = behind_colon(value, indent, unit, line_end);
    format!("{indent}{}:{behind}", quote_scalar(name))
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(values) => {
            let values = values.iter().map(on_one_line).collect::<Vec<_>>();
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) => {
            let members = members.iter();
            let members =
                members.map(|(name, value)| format!("{}: {}", quoted(name), on_one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        simple => simple.to_string(),
    }
}

/// JSON's escapes are YAML's; what YAML doesn't take as it stands is escaped, too.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in Value::from(text).to_string().chars() {
        if c.is_control()
            || matches!(
                c,
                '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            )
        {
            let _ = write!(out, "\\u{:04X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}
