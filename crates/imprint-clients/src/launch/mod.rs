//! The command that starts our server, as a client's configuration names it: in the form of the
//! system that the client runs on, which is not always ours.

mod entry;
mod system;

use serde_json::{Map, Value, json};

pub use entry::is_ours;
pub(crate) use entry::launch_of;
pub use system::System;

use crate::wsl::paths;

/// How a client starts our server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program: an absolute path in the form of the system that the client runs on, or
    /// `wsl.exe`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that are set for it, in order.
    pub env: Vec<(String, String)>,
}

/// What our own server is called in clients' files.
pub const SERVER_NAME: &str = "imprint";

/// Tells a server that its client is on the other side of a WSL distribution's border, and so reads
/// none of the folders that are written here.
pub const DISTRO_VARIABLE: &str = "IMPRINT_WSL_DISTRO";

/// Names the home of a program that would find another one by itself.
pub const HOME_VARIABLE: &str = "IMPRINT_HOME";

/// The first of our arguments.
const SERVE: &str = "mcp";

/// Windows' way into a distribution. It lies on every `PATH` of Windows' own.
const BRIDGE: &str = "wsl.exe";

/// A client can't start a program that is where we are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Nothing leads from the client's system to ours.
    #[error("a client on {client} can't start a program on {ours}")]
    NoWay {
        /// Where the client runs.
        client: System,
        /// Where we run.
        ours: System,
    },
    /// WSL sees the folders of drives alone.
    #[error(
        "`{program}` lies on no drive that WSL could see; install imprint on a drive such as `C:`"
    )]
    NotOnADrive {
        /// Our program.
        program: String,
    },
}

impl Launch {
    /// How a client starts `program`, which is this very program and lies on `ours`. `client` is
    /// the client's id. Never through `cmd /c`: our program is no script.
    pub fn new(
        program: &str,
        client: &str,
        ours: &System,
        theirs: &System,
    ) -> Result<Self, LaunchError> {
        let args = [SERVE, "--client", client].map(str::to_owned);
        match (ours, theirs) {
            _ if ours == theirs => Ok(Self {
                command: paths::without_verbatim(program).to_owned(),
                args: args.into(),
                env: Vec::new(),
            }),
            (System::Windows, System::Wsl(distro)) => Self::out_of_wsl(program, &args, distro),
            (System::Wsl(distro), System::Windows) => Ok(Self::into_wsl(program, &args, distro)),
            _ => Err(LaunchError::NoWay {
                client: theirs.clone(),
                ours: ours.clone(),
            }),
        }
    }

    /// A Windows program for a client in a distribution. Variables cross the border only when
    /// `WSLENV` lists them; `/w` says: on the way from WSL to Windows.
    fn out_of_wsl(program: &str, args: &[String], distro: &str) -> Result<Self, LaunchError> {
        let command = paths::in_wsl(program).ok_or_else(|| LaunchError::NotOnADrive {
            program: program.to_owned(),
        })?;
        let passed = format!("{DISTRO_VARIABLE}/w");
        Ok(Self {
            command,
            args: args.to_vec(),
            env: vec![
                (DISTRO_VARIABLE.to_owned(), distro.to_owned()),
                ("WSLENV".to_owned(), passed),
            ],
        })
    }

    /// A program in a distribution for a client on Windows. `--exec` and not `--`, which hands the
    /// line to the user's shell, where a blank or a `$` in our path would mean something.
    fn into_wsl(program: &str, args: &[String], distro: &str) -> Self {
        let bridge: &[String] = &["-d", distro, "--exec", "/usr/bin/env"].map(str::to_owned);
        let variable = format!("{DISTRO_VARIABLE}={distro}");
        let program: &[String] = &[variable, program.to_owned()];
        Self {
            command: BRIDGE.to_owned(),
            args: [bridge, program, args].concat(),
            env: Vec::new(),
        }
    }

    /// The same with one more variable for our program, whichever border it has to cross.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        if self.command == BRIDGE {
            let variable = format!("{name}={value}");
            let is_variable = |word: &String| word.starts_with(DISTRO_VARIABLE);
            let at = self.args.iter().position(is_variable);
            self.args.insert(at.unwrap_or(self.args.len()), variable);
            return self;
        }
        for (passed, names) in &mut self.env {
            if passed == "WSLENV" {
                *names = format!("{names}:{name}/w");
            }
        }
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The variables as an object.
    pub(crate) fn variables(&self) -> Value {
        let variables = self.env.iter();
        variables
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect::<Map<_, _>>()
            .into()
    }
}

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

#[cfg(test)]
mod tests;
