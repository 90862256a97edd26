//! Real protocol clients, from their registries, with the real binary: each in both eras lists the
//! tools, gets the fitted instructions, creates a skill, pages through a long file, and the skill
//! is in the clients' folders.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use imprint_testkit::{Sandbox, SeedSkill};
use serde::Deserialize;

use crate::{
    setup::{inspector_node, installed_node, installed_python, interop_folder},
    task::{Done, TaskError},
    workspace::{self, Profile},
};

/// The two ways to begin, and the protocol version that each comes to.
const ERAS: [(&str, &str); 2] = [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")];
/// Characters of the file that is paged through.
const LONG_FILE_CHARS: usize = 30_000;
const LONG_FILE: &str = "references/long.md";
/// A skill that is there before the client comes.
const KNOWN_SKILL: &str = "brew-tea";
const KNOWN_DESCRIPTION: &str = "Times a pot of tea. Use when someone wants to brew tea.";

/// What a run came to.
#[derive(Debug, Default)]
pub(crate) struct Interop {
    /// Sessions in which all was right.
    pub(crate) passed: usize,
    /// What was wrong in the others.
    pub(crate) failed: Vec<String>,
}

/// One client and how it is started.
struct Client {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
}

/// What a client's script prints.
#[derive(Debug, Deserialize)]
struct Seen {
    protocol: Option<String>,
    instructions: Option<String>,
    tools: Vec<String>,
    created: String,
    pages: usize,
    text: String,
    listed: String,
    /// The skills that the extension serves as its manifests say, where the client knows it.
    #[serde(default)]
    served: Option<Vec<String>>,
}

/// Runs every client in both eras; fails if one session is not as it must be.
pub(crate) fn check() -> Done {
    let interop = run()?;
    println!("{} passed, {} failed", interop.passed, interop.failed.len());
    match interop.failed.len() {
        0 => Ok(()),
        failed => Err(TaskError::Failed(format!("{failed} sessions"))),
    }
}

/// Runs every client in both eras.
pub(crate) fn run() -> Result<Interop, TaskError> {
    let product = workspace::product(Profile::Dev)?;
    let mut interop = Interop::default();
    let mut instructions: Vec<String> = Vec::new();
    for client in clients()? {
        for (era, protocol) in ERAS {
            let what = format!("{}, {era}", client.name);
            match session(&client, era, protocol, &product) {
                Ok(seen) => {
                    println!("  ok: {what} ({} pages)", seen.pages);
                    interop.passed += 1;
                    instructions.extend(seen.instructions);
                }
                Err(fault) => {
                    println!("  FAILED: {what}: {fault}");
                    interop.failed.push(format!("{what}: {fault}"));
                }
            }
        }
    }
    instructions.dedup();
    if instructions.len() > 1 {
        let fault = "the instructions differ between clients of which nothing is known, or eras";
        println!("  FAILED: {fault}");
        interop.failed.push(fault.to_owned());
    }
    Ok(interop)
}

fn clients() -> Result<[Client; 4], TaskError> {
    let script = |name: &str| interop_folder().join(name).display().to_string();
    let python = installed_python()?;
    Ok([
        Client {
            name: "mcp (Python)",
            program: python.clone(),
            arguments: vec![script("python_client.py"), "mcp".to_owned()],
        },
        Client {
            name: "fastmcp (Python)",
            program: python,
            arguments: vec![script("python_client.py"), "fastmcp".to_owned()],
        },
        Client {
            name: "@modelcontextprotocol/client",
            program: installed_node()?,
            arguments: vec![script("typescript_client.mjs")],
        },
        Client {
            name: "Inspector",
            program: inspector_node()?,
            arguments: vec![script("inspector_client.mjs")],
        },
    ])
}

fn session(client: &Client, era: &str, protocol: &str, product: &Path) -> Result<Seen, String> {
    let sandbox = Sandbox::new().map_err(|error| error.to_string())?;
    let home = sandbox.home();
    fs::create_dir(home.join(".claude")).map_err(|error| error.to_string())?;
    sandbox
        .plant(&[SeedSkill::new(KNOWN_SKILL, KNOWN_DESCRIPTION)])
        .map_err(|error| error.to_string())?;
    let text = long_text();
    let text_file = sandbox.work().join("long.md");
    fs::write(&text_file, &text).map_err(|error| error.to_string())?;
    let mut command = sandbox.command(&client.program);
    command
        .args(&client.arguments)
        .arg(product)
        .args([era, "made-here"])
        .arg(&text_file);
    let seen = ask(&mut command)?;
    judge(&seen, protocol, &text)?;
    for folder in [".agents/skills", ".claude/skills"] {
        in_folder(&home.join(folder).join("made-here"), &text)?;
    }
    Ok(seen)
}

fn ask(command: &mut Command) -> Result<Seen, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr);
        let end: Vec<_> = log.trim().lines().rev().take(8).collect();
        let end: Vec<_> = end.into_iter().rev().collect();
        return Err(format!("{}\n{}", output.status, end.join("\n")));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("unreadable answer: {error}"))
}

fn judge(seen: &Seen, protocol: &str, text: &str) -> Result<(), String> {
    let instructions = seen.instructions.as_deref().unwrap_or_default();
    let tools: Vec<_> = seen.tools.iter().map(String::as_str).collect();
    let wanted = ["skills", "skill_edit", "guidelines"];
    let checks = [
        (
            seen.protocol.as_deref() == Some(protocol),
            format!("the protocol is {:?}", seen.protocol),
        ),
        (
            wanted.iter().all(|tool| tools.contains(tool)),
            format!("the tools are {tools:?}"),
        ),
        (
            instructions.contains("skills(action=\"list\")")
                && instructions.contains(&format!("{KNOWN_SKILL}: {KNOWN_DESCRIPTION}")),
            format!("the instructions name no `{KNOWN_SKILL}`: {instructions:?}"),
        ),
        (
            seen.created.contains("made-here"),
            format!("the answer to the creation is {:?}", seen.created),
        ),
        (seen.pages > 1, "the file came in one page".to_owned()),
        (
            seen.text == text,
            format!(
                "the file came with {} characters",
                seen.text.chars().count()
            ),
        ),
        (
            seen.listed.contains("made-here") && seen.listed.contains(KNOWN_SKILL),
            "the list lacks a skill".to_owned(),
        ),
        (
            seen.served.as_ref().is_none_or(|served| {
                let has = |name: &str| served.iter().any(|served| served == name);
                has("made-here") && has(KNOWN_SKILL)
            }),
            format!("the extension serves {:?}", seen.served),
        ),
    ];
    match checks.into_iter().find(|(holds, _)| !holds) {
        Some((_, fault)) => Err(fault),
        None => Ok(()),
    }
}

/// The skill is in a client's folder as it was made.
fn in_folder(folder: &Path, text: &str) -> Result<(), String> {
    let entry = fs::read_to_string(folder.join("SKILL.md"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let long = fs::read_to_string(folder.join(LONG_FILE))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    if entry.contains("Read the long file.") && long == text {
        Ok(())
    } else {
        Err(format!("{} holds something else", folder.display()))
    }
}

/// Lines with characters of every length in UTF-8.
fn long_text() -> String {
    let lines =
        (1..).map(|i| format!("Line {i:05}: über 漢字 😀 and more text to page through.\n"));
    lines
        .flat_map(|line| line.chars().collect::<Vec<_>>())
        .take(LONG_FILE_CHARS)
        .collect()
}
