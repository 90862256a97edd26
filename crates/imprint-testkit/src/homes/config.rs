//! The clients of a home and their configuration files, as different as people leave them.

use std::io;

use super::{
    ConfigState, GeneratedClient, GeneratedHome,
    dice::Dice,
    disk::{Disk, NewFile, relative},
};

/// A language of configuration files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Json,
    JsonWithComments,
    Toml,
    Yaml,
}

/// A client that may be installed.
#[derive(Debug)]
struct Candidate {
    id: &'static str,
    /// The folder that shows that it is installed.
    folder: &'static str,
    config: &'static str,
    language: Language,
    /// The key of its servers.
    servers: &'static str,
}

/// The first five are always there.
const CANDIDATES: [Candidate; 8] = [
    candidate("claude-code", ".claude", ".claude.json", Language::Json),
    Candidate {
        servers: "mcp_servers",
        ..candidate("codex", ".codex", ".codex/config.toml", Language::Toml)
    },
    Candidate {
        servers: "mcp",
        ..candidate(
            "opencode",
            ".config/opencode",
            ".config/opencode/opencode.json",
            Language::JsonWithComments,
        )
    },
    candidate(
        "gemini-cli",
        ".gemini",
        ".gemini/settings.json",
        Language::Json,
    ),
    Candidate {
        servers: "extensions",
        ..candidate(
            "goose",
            ".config/goose",
            ".config/goose/config.yaml",
            Language::Yaml,
        )
    },
    candidate("qwen-code", ".qwen", ".qwen/settings.json", Language::Json),
    candidate(
        "copilot-cli",
        ".copilot",
        ".copilot/mcp-config.json",
        Language::Json,
    ),
    candidate("cursor", ".cursor", ".cursor/mcp.json", Language::Json),
];

const fn candidate(
    id: &'static str,
    folder: &'static str,
    config: &'static str,
    language: Language,
) -> Candidate {
    Candidate {
        id,
        folder,
        config,
        language,
        servers: "mcpServers",
    }
}

pub(super) fn make(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    let count = 5 + dice.below(CANDIDATES.len() - 4);
    // One of each that is not sound, the rest sound.
    let mut states = vec![
        ConfigState::Missing,
        ConfigState::Empty,
        ConfigState::Broken,
    ];
    if dice.one_in(4) {
        states.push(ConfigState::Taken);
    }
    states.resize(count.max(states.len()), ConfigState::Sound);
    states.truncate(count);
    dice.shuffle(&mut states);
    let mut linked = false;
    for (candidate, state) in CANDIDATES.iter().zip(states) {
        disk.folder(candidate.folder)?;
        // The first file that holds something is a link, in two homes of three.
        let link = state == ConfigState::Sound && !linked && !dice.one_in(3);
        linked |= link;
        let mut client = GeneratedClient {
            id: candidate.id,
            config: candidate.config.to_owned(),
            real_config: candidate.config.to_owned(),
            state,
        };
        if link {
            client.real_config = format!("dotfiles/config/{}.conf", candidate.id);
            let (around, _) = candidate.config.rsplit_once('/').unwrap_or_default();
            let target = if around.is_empty() {
                client.real_config.clone().into()
            } else {
                relative(around, &client.real_config)
            };
            disk.link(candidate.config, &target)?;
        }
        if let Some(text) = text(candidate, state, dice) {
            let mode = *dice.pick(&[0o644, 0o600, 0o640, 0o664]);
            disk.file(&NewFile::new(&client.real_config, text).with_mode(mode))?;
        }
        home.clients.push(client);
    }
    Ok(())
}

/// What is in the file; `None` where there is none.
fn text(candidate: &Candidate, state: ConfigState, dice: &mut Dice) -> Option<String> {
    match state {
        ConfigState::Missing => None,
        ConfigState::Empty => Some(String::new()),
        ConfigState::Broken => Some("{ \"half\": [1, 2,\n\n= : ]]\n".to_owned()),
        ConfigState::Sound | ConfigState::Taken => {
            let taken = state == ConfigState::Taken;
            let text = match candidate.language {
                Language::Json | Language::JsonWithComments => json(candidate, taken, dice),
                Language::Toml => toml(candidate, taken),
                Language::Yaml => yaml(candidate, taken),
            };
            Some(dressed(text, candidate.language, dice))
        }
    }
}

/// The text with the line ends and the last line of another editor.
fn dressed(text: String, language: Language, dice: &mut Dice) -> String {
    let mut text = text;
    if dice.one_in(3) {
        text.truncate(text.trim_end().len());
    }
    if dice.one_in(4) {
        text = text.replace('\n', "\r\n");
    }
    if dice.one_in(8) && language != Language::Yaml {
        text.insert(0, '\u{FEFF}');
    }
    text
}

fn json(candidate: &Candidate, taken: bool, dice: &mut Dice) -> String {
    let indent = *dice.pick(&["  ", "    ", "\t", "   "]);
    let servers = candidate.servers;
    let mut inner = vec![
        "\"files\": {".to_owned(),
        format!("{indent}\"command\": \"npx\", \"args\": [ \"-y\",\"some-files\" ]"),
        "},".to_owned(),
        "\"notes\" : {\"url\":\"http://127.0.0.1:4000/mcp\"}".to_owned(),
    ];
    if taken {
        inner.insert(
            0,
            "\"imprint\": {\"command\": \"/opt/other/imprinter\", \"args\": []},".to_owned(),
        );
    }
    let mut lines = vec!["\"theme\": \"dark\",".to_owned(), String::new()];
    match dice.below(6) {
        // No servers yet, in two ways.
        0 if !taken => lines.push(format!("\"{servers}\": {{}},")),
        1 if !taken => {}
        _ => {
            lines.push(format!("\"{servers}\": {{"));
            lines.extend(inner.into_iter().map(|line| format!("{indent}{line}")));
            lines.push("},".to_owned());
        }
    }
    lines.push("\"numbers\": [1,2.50, 1e3]".to_owned());
    if candidate.language == Language::JsonWithComments {
        lines.insert(0, "// Mine; don't sort.".to_owned());
        lines.insert(3, "/* servers: none */".to_owned());
    }
    let lines = lines.iter().map(|line| match line.as_str() {
        "" => "\n".to_owned(),
        line => format!("{indent}{line}\n"),
    });
    format!("{{\n{}}}\n", lines.collect::<String>())
}

fn toml(candidate: &Candidate, taken: bool) -> String {
    let servers = candidate.servers;
    let other = if taken {
        format!("\n[{servers}.imprint]\ncommand = \"/opt/other/imprinter\"\n")
    } else {
        String::new()
    };
    format!(
        "# Mine.\nmodel = \"gpt-5\"   # the usual one\nnotify = [ 'a',\n  'b', ]\n\n\
         [{servers}.files]\ncommand = \"npx\"\nargs = [\"-y\", \"some-files\"]\n\n\
         [{servers}.files.env]\nLEVEL = \"3\"\n\n[tui]\ntheme = \"dark\"\n{other}"
    )
}

fn yaml(candidate: &Candidate, taken: bool) -> String {
    let servers = candidate.servers;
    let mut text = format!(
        "# Mine.\nprovider: local   # for now\n\n{servers}:\n    # The first one.\n    \
         files:\n        type: stdio\n        cmd: npx\n        args: [-y, some-files]\n"
    );
    if taken {
        text.push_str("    imprint:\n        type: stdio\n        cmd: /opt/other/imprinter\n");
    }
    text.push_str("\nlimits:\n- 1\n- 2\n");
    text
}
