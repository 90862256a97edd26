//! What the editors of each syntax do, on texts as people have them.

mod json;
mod random;
mod toml;
mod yaml;

use super::*;

fn slot<'a>(syntax: Syntax, path: &'a [&'a str]) -> Slot<'a> {
    Slot { syntax, path }
}

/// Our entry.
fn entry() -> Value {
    serde_json::json!({ "command": "/opt/ctx/bin/ctx", "args": ["serve"] })
}

/// The text with our entry, after seeing that taking it out gives back the first bytes, that
/// putting it twice is putting it once, and that an update in between changes nothing of that.
#[track_caller]
fn put_and_back(syntax: Syntax, path: &[&str], text: &str, value: &Value) -> String {
    let slot = slot(syntax, path);
    let put = super::put(text, &slot, value).unwrap();
    assert_eq!(get(&put.text, &slot).unwrap().as_ref(), Some(value));
    let again = super::put(&put.text, &slot, value).unwrap();
    assert_eq!(again.text, put.text, "put twice");
    assert_eq!(
        take_out(&put.text, &slot, &put.made).unwrap(),
        text,
        "taken out"
    );
    let other = serde_json::json!({ "command": "other", "env": { "A": "1" } });
    let updated = super::put(&put.text, &slot, &other).unwrap();
    assert_eq!(get(&updated.text, &slot).unwrap(), Some(other));
    assert_eq!(
        take_out(&updated.text, &slot, &put.made).unwrap(),
        text,
        "after an update"
    );
    assert_eq!(
        take_out(&updated.text, &slot, &updated.made).unwrap(),
        put.text,
        "the update"
    );
    put.text
}

#[track_caller]
fn refusal(syntax: Syntax, path: &[&str], text: &str) -> String {
    let error = super::put(text, &slot(syntax, path), &entry()).unwrap_err();
    error.to_string()
}
