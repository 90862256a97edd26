//! One server's entry in a client's file, as far as it can be told whatever its form is.

use std::fmt;

use serde::Serialize;

use crate::{
    config::{Value, shown_args},
    launch::{is_ours, launch_of},
};

/// What clients call the address of a server that they don't start.
const ADDRESSES: [&str; 4] = ["url", "httpUrl", "serverUrl", "uri"];

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in the file.
    pub name: String,
    /// The program that it starts.
    pub command: Option<String>,
    /// The program's arguments, what may be a credential in them hidden.
    pub args: Vec<String>,
    /// The names of the variables that are set for it; their values may be secrets.
    pub env: Vec<String>,
    /// The address, for a server that is not started. Without query and user, which may be secrets.
    pub url: Option<String>,
    /// Whether it is Imprint's: it starts `imprint mcp`, or connecting wrote it.
    pub ours: bool,
}

impl Entry {
    /// Reads what stands at a name, in whichever form of a client's.
    pub(crate) fn read(name: &str, value: &Value) -> Self {
        let url = ADDRESSES.iter().find_map(|key| value.get(key)?.as_str());
        let ours = is_ours(value);
        let launch = launch_of(value);
        let (command, args, env) = match launch {
            Some(launch) => (Some(launch.command), shown_args(&launch.args), launch.env),
            None => Default::default(),
        };
        Self {
            name: name.to_owned(),
            command,
            args,
            env: env.into_iter().map(|(name, _)| name).collect(),
            url: url.map(bare),
            ours,
        }
    }
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

    #[test]
    fn every_form_of_a_command_is_read() {
        let args = json!(["mcp", "--client", "x"]);
        let forms = [
            json!({"command": "/opt/imprint", "args": args}),
            json!({"command": ["/opt/imprint", "mcp", "--client", "x"]}),
            json!({"cmd": "/opt/imprint", "args": args}),
        ];
        for form in forms {
            let entry = Entry::read("imprint", &form);
            let told = "it starts `/opt/imprint mcp --client x`";
            assert_eq!(entry.to_string(), told, "{form}");
            assert!(entry.ours, "{form}");
        }
        for odd in [
            json!(null),
            json!([]),
            json!("imprint mcp"),
            json!({"command": 7}),
        ] {
            let entry = Entry::read("imprint", &odd);
            assert_eq!(entry.to_string(), "it names no command");
            assert!(!entry.ours, "{odd}");
        }
    }

    #[test]
    fn what_may_be_secret_is_not_told() {
        let url = json!({"url": "https://ada:word@host/mcp?token=abc#x"});
        let entry = Entry::read("x", &url);
        assert_eq!(entry.url.as_deref(), Some("https://host/mcp"));
        assert_eq!(entry.to_string(), "it connects to `https://host/mcp`");
        let variable = json!({"command": "x", "env": {"KEY": "abc"}});
        assert_eq!(Entry::read("x", &variable).env, ["KEY"]);
        let args =
            json!({"command": "x", "args": ["--api-key", "swordfish", "--token=swordfish", "-y"]});
        let told = "it starts `x --api-key ******** --token=******** -y`";
        assert_eq!(Entry::read("x", &args).to_string(), told);
    }
}
