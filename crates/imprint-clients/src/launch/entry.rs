//! Reading entries of clients' configuration files, whatever form they have, and knowing our own.

use serde_json::{Map, Value};

use super::{BRIDGE, Launch, SERVE, SERVER_NAME};

/// What an entry starts, in whichever of the clients' forms it is; `None` where it starts nothing:
/// it names an address, or is no entry at all.
pub(crate) fn launch_of(entry: &Value) -> Option<Launch> {
    let entry = entry.as_object()?;
    let mut command = match entry.get("command").or_else(|| entry.get("cmd"))? {
        Value::String(command) => vec![command.clone()],
        Value::Array(words) => texts(words)?,
        _ => return None,
    };
    if let Some(args) = entry.get("args") {
        command.extend(texts(args.as_array()?)?);
    }
    let mut words = command.into_iter();
    Some(Launch {
        command: words.next()?,
        args: words.collect(),
        env: ["env", "environment", "envs"]
            .iter()
            .find_map(|key| entry.get(*key)?.as_object())
            .map(variables)
            .unwrap_or_default(),
    })
}

/// Whether an entry starts imprint as we would write it: a program of our name with arguments that
/// begin with `mcp`, on its own or through the bridge into WSL.
pub fn is_ours(entry: &Value) -> bool {
    launch_of(entry).is_some_and(|launch| launch.is_ours())
}

impl Launch {
    /// Whether it starts imprint as we would write it.
    pub fn is_ours(&self) -> bool {
        let words = self.through_bridge().unwrap_or((&self.command, &self.args));
        let (program, args) = words;
        is_program(program, SERVER_NAME) && args.first().is_some_and(|first| first == SERVE)
    }

    /// The program that `wsl.exe` starts in a distribution, and its arguments.
    fn through_bridge(&self) -> Option<(&String, &[String])> {
        if !is_program(&self.command, BRIDGE.trim_end_matches(".exe")) {
            return None;
        }
        let ends = |word: &String| matches!(word.as_str(), "--" | "--exec" | "-e");
        let start = self.args.iter().position(ends)? + 1;
        let mut words = self.args.get(start..)?;
        if words.first().is_some_and(|first| is_program(first, "env")) {
            let variables = words[1..].iter().take_while(|word| word.contains('='));
            words = &words[1 + variables.count()..];
        }
        let (program, args) = words.split_first()?;
        Some((program, args))
    }
}

/// Whether the last component of a command is this program. A Windows path has backslashes, and
/// Windows doesn't care about capitals.
fn is_program(command: &str, name: &str) -> bool {
    let on_windows = command.contains('\\') || command.as_bytes().get(1) == Some(&b':');
    let is_separator = |letter| letter == '/' || (on_windows && letter == '\\');
    let last = command.rsplit(is_separator).next().unwrap_or_default();
    let (stem, ending) = last.split_at_checked(name.len()).unwrap_or((last, ""));
    match ending {
        "" => stem == name || (on_windows && stem.eq_ignore_ascii_case(name)),
        ending => ending.eq_ignore_ascii_case(".exe") && stem.eq_ignore_ascii_case(name),
    }
}

fn texts(values: &[Value]) -> Option<Vec<String>> {
    let texts = values.iter().map(|value| Some(value.as_str()?.to_owned()));
    texts.collect()
}

/// The variables of an entry. Values that are no text are left out: nothing here asks for them.
fn variables(members: &Map<String, Value>) -> Vec<(String, String)> {
    let texts = members.iter();
    texts
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect()
}
