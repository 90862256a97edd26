//! The MCP bundle: a zip with a manifest that an application such as Claude Desktop installs by a
//! double-click (<https://github.com/modelcontextprotocol/mcpb>, `MANIFEST.md`).

use imprint_server::ToolSummary;
use serde_json::{Value, json};

use super::{
    formats::File,
    platform::{Platform, System},
    release::Release,
};

/// The version of the manifest's form. The specification is at 0.3 and has 0.4 as an experiment,
/// but Claude Desktop 1.0.211 installs only 0.2 (modelcontextprotocol/mcpb, issue 143), and
/// nothing that stands here needs more.
const MANIFEST_VERSION: &str = "0.2";
/// The client that the bundle is made for, as `imprint mcp --client` takes it.
const CLIENT: &str = "claude-desktop";
/// The folder of the program in the bundle.
const FOLDER: &str = "server";

/// What lies in the bundle.
pub(super) fn files(
    release: &Release,
    platform: &Platform,
    tools: &[ToolSummary],
    program: &[u8],
    texts: Vec<File>,
) -> Vec<File> {
    let manifest = format!("{:#}\n", manifest(release, platform, tools));
    let mut files = vec![
        File::plain("manifest.json", manifest),
        File::program(entry_point(release, platform), program),
    ];
    files.extend(texts);
    files
}

fn entry_point(release: &Release, platform: &Platform) -> String {
    format!("{FOLDER}/{}", platform.executable(&release.name))
}

/// What the bundle says of itself.
///
/// It asks the person for nothing (`user_config`): the server finds the same home as the command
/// line. An optional folder would be worse than none, because a field that stays empty reaches the
/// program as the text `${user_config.…}`. Which version of Claude Desktop was the first to
/// install such a bundle is not established, so `compatibility` names systems only.
fn manifest(release: &Release, platform: &Platform, tools: &[ToolSummary]) -> Value {
    let tools: Vec<_> = tools
        .iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.description }))
        .collect();
    json!({
        "manifest_version": MANIFEST_VERSION,
        "name": release.name,
        "display_name": release.texts.display_name,
        "version": release.version,
        "description": release.summary,
        "long_description": paragraphs(&release.texts.about),
        "author": { "name": release.author, "url": release.repository },
        "repository": { "type": "git", "url": release.repository },
        "homepage": release.repository,
        "support": format!("{}/issues", release.repository),
        "license": release.license,
        "keywords": release.keywords,
        "server": {
            "type": "binary",
            "entry_point": entry_point(release, platform),
            "mcp_config": mcp_config(release, platform),
        },
        "tools": tools,
        "compatibility": { "platforms": [platform.node_name()] },
    })
}

/// Without the line breaks that only keep lines short.
fn paragraphs(text: &str) -> String {
    let paragraphs = text
        .trim()
        .split("\n\n")
        .map(|text| text.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// How the application starts the server. On Windows some append `.exe` themselves and some don't:
/// the override names the file as it is.
fn mcp_config(release: &Release, platform: &Platform) -> Value {
    let command = |program: &str| format!("${{__dirname}}/{FOLDER}/{program}");
    let mut config = json!({
        "command": command(&release.name),
        "args": ["mcp", "--client", CLIENT],
        "env": {},
    });
    if platform.system == System::Windows {
        config["platform_overrides"] = json!({
            platform.node_name(): { "command": command(&platform.executable(&release.name)) },
        });
    }
    config
}

#[cfg(test)]
mod tests {
    use super::{super::release::sample, *};

    fn manifest_on(triple: &str) -> Value {
        let platform = Platform::of(triple).unwrap();
        manifest(&sample(), &platform, &imprint_server::tools())
    }

    #[test]
    fn the_manifest_says_what_the_bundle_does() {
        insta::assert_snapshot!(format!("{:#}", manifest_on("aarch64-apple-darwin")), @r#"
        {
          "manifest_version": "0.2",
          "name": "imprint",
          "display_name": "Imprint",
          "version": "1.2.3",
          "description": "One home for the skills, personas and guidelines that make an AI agent yours",
          "long_description": "Keep your skills, personas and guidelines once, on your own machine, with every version. Imprint gives them to every AI client that you use: it writes them into the folders that clients read, and gives the list to all others over MCP, fitted to what each client really shows its model.\n\nIt opens no network connection, and a client's model can remove nothing.",
          "author": {
            "name": "The Imprint authors",
            "url": "https://github.com/imprint-agents/imprint"
          },
          "repository": {
            "type": "git",
            "url": "https://github.com/imprint-agents/imprint"
          },
          "homepage": "https://github.com/imprint-agents/imprint",
          "support": "https://github.com/imprint-agents/imprint/issues",
          "license": "Apache-2.0",
          "keywords": [
            "mcp",
            "skills",
            "personas",
            "guidelines",
            "agents"
          ],
          "server": {
            "type": "binary",
            "entry_point": "server/imprint",
            "mcp_config": {
              "command": "${__dirname}/server/imprint",
              "args": [
                "mcp",
                "--client",
                "claude-desktop"
              ],
              "env": {}
            }
          },
          "tools": [
            {
              "name": "skills",
              "description": "Lists and loads the user's own skills (how to do a kind of task) and personas (roles to take on). action=\"list\" gives kind, name, description and state; with query, the best match first. action=\"get\" gives the instructions of one by name; with path, another of its files; start continues a long answer. Before you start a task, load the one whose description fits it."
            },
            {
              "name": "skill_edit",
              "description": "Creates a skill or persona of the user, or changes one, for all of the user's AI clients. create: name, description (when to use it) and instructions, or files with a SKILL.md or PERSONA.md. edit: what is given is replaced, the rest stays. Every version is kept. Read an item with skills before you edit it. Removing is up to the user."
            },
            {
              "name": "guidelines",
              "description": "The user's guidelines, whole: the rules that the user gives to all agents."
            }
          ],
          "compatibility": {
            "platforms": [
              "darwin"
            ]
          }
        }
        "#);
    }

    #[test]
    fn the_bundle_names_a_client_that_the_server_knows() {
        assert!(imprint_clients::clients().by_id(CLIENT).is_some());
    }

    #[test]
    fn each_system_starts_the_program_that_lies_in_its_bundle() {
        for (triple, platform, program) in [
            ("x86_64-unknown-linux-gnu", "linux", "imprint"),
            ("aarch64-apple-darwin", "darwin", "imprint"),
            ("x86_64-pc-windows-msvc", "win32", "imprint.exe"),
        ] {
            let manifest = manifest_on(triple);
            assert_eq!(manifest["compatibility"]["platforms"], json!([platform]));
            let config = &manifest["server"]["mcp_config"];
            let overridden = &config["platform_overrides"][platform]["command"];
            let command = overridden.as_str().or(config["command"].as_str()).unwrap();
            let started = command.strip_prefix("${__dirname}/").unwrap();
            assert_eq!(started, manifest["server"]["entry_point"]);
            let machine = Platform::of(triple).unwrap();
            let files = files(&sample(), &machine, &[], b"program", Vec::new());
            let packed = files.iter().find(|file| file.path == started).unwrap();
            assert!(packed.executable && started.ends_with(program));
        }
    }
}
