//! A configuration text for people's eyes: beside our entry stand those of others, with keys in
//! them.

use std::collections::BTreeSet;

use imprint_core::secret::masked_in;

use super::{Slot, Syntax, Value, body, read};
use crate::launch::SERVER_NAME;

/// Names of objects whose values are variables and headers, keys among them as a rule.
const HOLDERS: [&str; 6] = [
    "env",
    "envs",
    "environment",
    "headers",
    "http_headers",
    "requestinit",
];
/// Words in the name of a value, a flag or a variable that make it one to hide.
const WORDS: [&str; 7] = [
    "key",
    "token",
    "secret",
    "passw",
    "auth",
    "credential",
    "cookie",
];
/// Variables of our own, which hold no secret.
const OURS: [&str; 2] = ["IMPRINT_", "WSLENV"];
/// Shorter values are switches and numbers; hiding them would hide half of the text.
const SHORTEST: usize = 5;
const HIDDEN: &str = "********";

/// The text with everything hidden that is or may be a credential: what the scan finds, the values
/// of variables and headers, and of whatever is named like a key. For showing only.
pub fn shown(text: &str, syntax: Syntax) -> String {
    let slot = Slot { syntax, path: &[] };
    let value = body(text).and_then(|(_, text)| read(&slot, text));
    let mut secrets = Secrets::default();
    if let Ok(value) = value {
        secrets.collect(&value, false);
    }
    let mut shown = text.to_owned();
    // The longest first: one may stand in another.
    let mut values: Vec<_> = secrets.values.into_iter().collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    for value in values {
        let quoted = Value::from(value.as_str()).to_string();
        shown = shown.replace(&quoted[1..quoted.len() - 1], HIDDEN);
        shown = shown.replace(&value, HIDDEN);
    }
    masked_in(&shown).into_owned()
}

/// Arguments of a program with everything hidden that is or may be a credential.
pub(crate) fn shown_args(args: &[String]) -> Vec<String> {
    let mut secrets = Secrets::default();
    let items: Vec<Value> = args.iter().map(|arg| Value::from(arg.as_str())).collect();
    secrets.in_list(&items, false);
    let hidden = |arg: &String| {
        let values = secrets.values.iter().rev();
        let shown = values.fold(arg.clone(), |arg, value| arg.replace(value, HIDDEN));
        masked_in(&shown).into_owned()
    };
    args.iter().map(hidden).collect()
}

/// What is to be hidden.
#[derive(Default)]
struct Secrets {
    values: BTreeSet<String>,
}

impl Secrets {
    fn collect(&mut self, value: &Value, hide: bool) {
        match value {
            Value::String(text) if hide => self.add(text),
            Value::String(text) => self.in_text(text),
            Value::Array(items) => self.in_list(items, hide),
            Value::Object(members) => {
                for (name, value) in members {
                    let own = OURS.iter().any(|ours| name.starts_with(ours));
                    let hide = hide || is_named_so(name) || holds_secrets(name);
                    self.collect(value, hide && !own);
                }
            }
            _ => {}
        }
    }

    /// Arguments: what follows a flag that is named like a key goes too.
    fn in_list(&mut self, items: &[Value], hide: bool) {
        let mut after_flag = false;
        for item in items {
            self.collect(item, hide || after_flag);
            let flag = item.as_str().filter(|text| text.starts_with('-'));
            after_flag = flag.is_some_and(|flag| !flag.contains('=') && is_named_so(flag));
        }
    }

    /// `--api-key=…`, `Authorization: …`, `https://…/?token=…`.
    fn in_text(&mut self, text: &str) {
        let is_address = text.contains("://");
        if let Some((_, query)) = text.split_once(['?', '#']).filter(|_| is_address) {
            self.add(query);
        } else if let Some((name, value)) = text.split_once('=').or_else(|| text.split_once(": "))
            && is_named_so(name)
        {
            self.add(value.trim());
        }
        if let Some((_, rest)) = text.split_once("://")
            && let Some((user, _)) = rest.split('/').next().unwrap_or_default().rsplit_once('@')
        {
            self.add(user);
        }
    }

    fn add(&mut self, value: &str) {
        if value.chars().count() >= SHORTEST && value != SERVER_NAME {
            self.values.insert(value.to_owned());
        }
    }
}

fn holds_secrets(name: &str) -> bool {
    HOLDERS
        .iter()
        .any(|holder| name.eq_ignore_ascii_case(holder))
}

fn is_named_so(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_key_is_hidden_and_the_rest_stays() {
        let text = r#"{
  "theme": "dark",
  "apiKey": "hunter2hunter2",
  "servers": {
    "a": {
      "command": "/opt/a/run",
      "args": ["--api-key", "swordfish", "--token=sesame", "--verbose", "https://me:open@x.example/?k=abcdef"],
      "env": {"LOG": "debug", "X": "a\"b\\c1", "N": "1"},
      "headers": {"X-Anything": "melon-melon"}
    },
    "imprint": {"command": "/opt/imprint", "args": ["mcp"], "env": {"IMPRINT_WSL_DISTRO": "Ubuntu"}}
  }
}"#;
        insta::assert_snapshot!(shown(text, Syntax::Json), @r#"
        {
          "theme": "dark",
          "apiKey": "********",
          "servers": {
            "a": {
              "command": "/opt/a/run",
              "args": ["--api-key", "********", "--token=********", "--verbose", "https://********@x.example/?********"],
              "env": {"LOG": "********", "X": "********", "N": "1"},
              "headers": {"X-Anything": "********"}
            },
            "imprint": {"command": "/opt/imprint", "args": ["mcp"], "env": {"IMPRINT_WSL_DISTRO": "Ubuntu"}}
          }
        }
        "#);
    }

    #[test]
    fn every_syntax_is_understood_and_a_damaged_text_is_scanned_at_least() {
        let toml = "[a.env]\nKEY = 'swordfish'\n# swordfish\n";
        assert_eq!(shown(toml, Syntax::Toml), toml.replace("swordfish", HIDDEN));
        let yaml = "a:\n  envs:\n    KEY: swordfish\n";
        assert_eq!(shown(yaml, Syntax::Yaml), yaml.replace("swordfish", HIDDEN));
        assert_eq!(shown("{", Syntax::Json), "{");
    }
}
