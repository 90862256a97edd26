//! The command that starts our server, as a client's configuration names it.

use serde_json::{Map, Value, json};

/// How a client starts our server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program: an absolute path in the form of the system that the client runs on.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that are set for it, in order.
    pub env: Vec<(String, String)>,
}

/// What our own server is called in clients' files.
pub const SERVER_NAME: &str = "imprint";

/// An entry in the form that most clients share: first these members, then `command`, `args`, and
/// `env` where there is one.
pub(crate) fn command_args_env(launch: &Launch, first: &[(&str, &str)]) -> Value {
    let first = first.iter();
    let mut entry: Map<String, Value> = first
        .map(|(key, value)| ((*key).to_owned(), json!(value)))
        .collect();
    entry.insert("command".to_owned(), json!(launch.command));
    entry.insert("args".to_owned(), json!(launch.args));
    if !launch.env.is_empty() {
        entry.insert("env".to_owned(), launch.variables());
    }
    Value::Object(entry)
}

impl Launch {
    /// The variables as an object.
    pub(crate) fn variables(&self) -> Value {
        let variables = self.env.iter();
        variables
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect::<Map<_, _>>()
            .into()
    }
}
