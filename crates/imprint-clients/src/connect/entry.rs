//! One server's entry in a client's file, as far as it can be told whatever its form is.

use std::fmt;

use serde::Serialize;

use crate::config::Value;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in the file.
    pub name: String,
    /// The program that it starts.
    pub command: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The names of the variables that are set for it; their values may be secrets.
    pub env: Vec<String>,
    /// The address, for a server that is not started. Without query and user, which may be secrets.
    pub url: Option<String>,
    /// Whether it starts `imprint mcp`.
    pub ours: bool,
}

impl Entry {
    /// Reads what stands at a name. Clients write the command as a text, as a list with its
    /// arguments, or in an object of its own, and call it `command` or `cmd`.
    pub(crate) fn read(name: &str, value: &Value) -> Self {
        let member = |names: &[&str]| names.iter().find_map(|name| value.get(name));
        let (mut command, mut args) = match member(&["command", "cmd"]) {
            Some(Value::String(command)) => (Some(command.clone()), Vec::new()),
            Some(Value::Object(inner)) => (
                inner.get("path").and_then(Value::as_str).map(str::to_owned),
                inner.get("args").map(texts).unwrap_or_default(),
            ),
            Some(list) => {
                let mut words = texts(list);
                let first = (!words.is_empty()).then(|| words.remove(0));
                (first, words)
            }
            None => (None, Vec::new()),
        };
        args.extend(value.get("args").map(texts).unwrap_or_default());
        command = command.filter(|command| !command.trim().is_empty());
        let env = member(&["env", "environment", "envs"]).and_then(Value::as_object);
        let url = member(&["url", "httpUrl", "serverUrl", "uri"]).and_then(Value::as_str);
        let ours = command
            .as_deref()
            .is_some_and(|command| starts_us(command, &args));
        Self {
            name: name.to_owned(),
            command,
            args,
            env: env
                .into_iter()
                .flat_map(|env| env.keys().cloned())
                .collect(),
            url: url.map(bare),
            ours,
        }
    }
}

/// Whether a command is our program, serving: whatever folder it lies in, and by whichever system's
/// path it is named.
fn starts_us(command: &str, args: &[String]) -> bool {
    let file = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let is_ours = file == "imprint" || file.eq_ignore_ascii_case("imprint.exe");
    is_ours && args.first().is_some_and(|first| first == "mcp")
}

/// An address without what may be secret in it.
fn bare(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or(url);
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = host.rsplit('@').next().unwrap_or(host);
            let slash = if rest.contains('/') { "/" } else { "" };
            format!("{scheme}://{host}{slash}{path}")
        }
        None => url.to_owned(),
    }
}

fn texts(list: &Value) -> Vec<String> {
    let parts = list.as_array().into_iter().flatten();
    parts.filter_map(Value::as_str).map(str::to_owned).collect()
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.command, &self.url) {
            (Some(command), _) => {
                write!(f, "it starts `{command}")?;
                for arg in &self.args {
                    write!(f, " {arg}")?;
                }
                write!(f, "`")
            }
            (None, Some(url)) => write!(f, "it connects to `{url}`"),
            (None, None) => write!(f, "it names no command"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ours(value: &Value) -> bool {
        Entry::read("imprint", value).ours
    }

    #[test]
    fn every_form_of_a_command_is_read() {
        let args = json!(["mcp", "--client", "x"]);
        let forms = [
            json!({"command": "/opt/imprint", "args": args}),
            json!({"command": ["/opt/imprint", "mcp", "--client", "x"]}),
            json!({"cmd": "/opt/imprint", "args": args}),
            json!({"command": {"path": "/opt/imprint", "args": args}}),
        ];
        for form in forms {
            let entry = Entry::read("imprint", &form);
            assert_eq!(entry.command.as_deref(), Some("/opt/imprint"), "{form}");
            assert_eq!(entry.args, ["mcp", "--client", "x"], "{form}");
            assert!(entry.ours, "{form}");
        }
    }

    #[test]
    fn only_our_program_as_a_server_is_ours() {
        assert!(ours(
            &json!({"command": r"C:\Tools\Imprint.EXE", "args": ["mcp"]})
        ));
        assert!(ours(&json!({"command": "imprint", "args": ["mcp"]})));
        for other in [
            json!({"command": "/opt/imprint", "args": ["serve"]}),
            json!({"command": "/opt/imprint"}),
            json!({"command": "/opt/imprint-old", "args": ["mcp"]}),
            json!({"command": "/opt/imprint/run", "args": ["mcp"]}),
            json!({"command": 7, "args": ["mcp"]}),
            json!({"url": "http://127.0.0.1/mcp"}),
            json!(null),
            json!([]),
            json!("imprint mcp"),
        ] {
            assert!(!ours(&other), "{other}");
        }
    }

    #[test]
    fn what_may_be_secret_is_not_told() {
        let entry = Entry::read(
            "x",
            &json!({"url": "https://ada:word@host/mcp?token=abc#x", "env": {"KEY": "abc"}}),
        );
        assert_eq!(entry.url.as_deref(), Some("https://host/mcp"));
        assert_eq!(entry.env, ["KEY"]);
        assert_eq!(entry.to_string(), "it connects to `https://host/mcp`");
    }
}
