//! `imprint demo`: the whole idea, shown in a throw-away home with the repository's examples.

use std::{fs, path::Path, sync::Arc};

use imprint_clients::{
    Machine, Os,
    import::{ImportLimits, OnCollision, apply, plan_for, read_source},
};
use imprint_core::ClientFolders;
use imprint_server::{ServerContext, Toolsets, serve_stdio};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::{
    cli::DemoArgs,
    failure::Failure,
    home::Home,
    output::{Output, dim},
    wiring::App,
};

/// The examples, as they stand in the repository: path and content; scripts are executable.
const EXAMPLES: [(&str, &str); 6] = [
    (
        "skills/meeting-minutes/SKILL.md",
        include_str!("../../../../examples/skills/meeting-minutes/SKILL.md"),
    ),
    (
        "skills/meeting-minutes/references/examples.md",
        include_str!("../../../../examples/skills/meeting-minutes/references/examples.md"),
    ),
    (
        "skills/csv-checkup/SKILL.md",
        include_str!("../../../../examples/skills/csv-checkup/SKILL.md"),
    ),
    (
        "skills/csv-checkup/scripts/checkup.py",
        include_str!("../../../../examples/skills/csv-checkup/scripts/checkup.py"),
    ),
    (
        "skills/release-notes/SKILL.md",
        include_str!("../../../../examples/skills/release-notes/SKILL.md"),
    ),
    (
        "agents/plain-editor.md",
        include_str!("../../../../examples/personas/plain-editor.md"),
    ),
];

pub(super) async fn run(out: &Output, args: DemoArgs) -> Result<(), Failure> {
    out.refuse_json("demo")?;
    let folder = tempfile::Builder::new()
        .prefix("imprint-demo-")
        .tempdir()
        .map_err(|error| Failure::failed(format!("can't make a throw-away home: {error}")))?;
    let root = folder.path().to_path_buf();
    show(out, &root).await?;
    if args.keep {
        let kept = folder.keep();
        out.line(&format!("\nThe demo's home stays at {}", kept.display()));
        out.styled(&dim(&format!(
            "try: imprint --home {}/imprint skills list",
            kept.display()
        )));
    } else {
        out.line("\nThe demo's home is gone again; nothing of yours was touched");
    }
    Ok(())
}

async fn show(out: &Output, root: &Path) -> Result<(), Failure> {
    let app = prepare(root)?;
    let title = "Take in the example skills and persona, in a home with Claude Code and Codex";
    step(out, 1, title);
    take_in(&app, out, root).await?;
    tree(out, root);

    let title = "A client that nobody knows connects: its handshake carries the list";
    step(out, 2, title);
    let mut unknown = Peer::connect(&app, "some-new-client").await?;
    out.quote(unknown.instructions());

    let title = "Claude Code connects: it reads the folders itself, so nothing is said twice";
    step(out, 3, title);
    let claude = Peer::connect(&app, "claude-code").await?;
    out.quote(claude.instructions());

    let title = "A task comes up, and the client's model loads the skill that fits";
    step(out, 4, title);
    let get = json!({"action": "get", "name": "release-notes"});
    out.quote(&unknown.call("skills", get).await?);

    let title = "The model improves a skill; the change is in every client's folder at once";
    step(out, 5, title);
    improve(&mut unknown, out, root).await?;

    step(out, 6, "Nothing is lost: both revisions are kept");
    let item = imprint_core::ItemRef::of(imprint_format::ItemKind::Skill, "release-notes");
    for revision in app.registry.history(&item, 0, 10).await? {
        out.line(&format!(
            "  {}  {}",
            revision.id.short(),
            revision.description
        ));
    }
    Ok(())
}

/// An edit over the protocol, and what the folders hold afterwards.
async fn improve(peer: &mut Peer, out: &Output, root: &Path) -> Result<(), Failure> {
    let edit = json!({
        "action": "edit",
        "name": "release-notes",
        "description": "Drafts release notes for users, with a section on upgrading. Use when a version is about to be published.",
    });
    out.quote(&peer.call("skill_edit", edit).await?);
    for place in [".agents/skills", ".claude/skills"] {
        let file = root.join(place).join("release-notes/SKILL.md");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let line = text
            .lines()
            .find(|line| line.starts_with("description"))
            .unwrap_or("(not there)");
        out.styled(&format!(
            "  {}: {line}",
            dim(&format!("~/{place}/release-notes"))
        ));
    }
    Ok(())
}

/// A home with the configuration folders of two clients, as their programs would leave them.
fn prepare(root: &Path) -> Result<App, Failure> {
    for client in [".claude", ".codex"] {
        let folder = root.join(client);
        fs::create_dir_all(&folder).map_err(|error| Failure::io("make", &folder, &error))?;
    }
    let home = Home::find(Some(&root.join("imprint")))?;
    App::in_home(home, Machine::new(Os::current(), root))
}

async fn take_in(app: &App, out: &Output, root: &Path) -> Result<(), Failure> {
    let examples = root.join("examples");
    for (path, text) in EXAMPLES {
        let file = examples.join(path);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(file.parent().unwrap_or(root))?;
            fs::write(&file, text)?;
            if text.starts_with("#!") {
                executable(&file)
            } else {
                Ok(())
            }
        };
        write().map_err(|error| Failure::io("write", &file, &error))?;
    }
    let source = read_source(&examples, &ImportLimits::default())?;
    let plan = plan_for(&app.registry, &[source]).await?;
    let outcome = apply(&app.registry, &plan, OnCollision::Skip).await;
    for item in outcome.changed() {
        out.line(&format!("  {} {}", item.kind, item.name));
    }
    app.folders.write().await?;
    Ok(())
}

#[cfg(unix)]
fn executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn step(out: &Output, number: usize, title: &str) {
    out.line("");
    out.heading(&format!("{number}. {title}"));
}

/// The clients' folders afterwards, as paths below the home.
fn tree(out: &Output, root: &Path) {
    let mut files = Vec::new();
    for client in [".agents", ".claude", ".codex"] {
        collect(&root.join(client), &mut files);
    }
    files.sort();
    out.line("");
    for file in files {
        let shown = file.strip_prefix(root).unwrap_or(&file);
        out.styled(&format!("  {}", dim(&format!("~/{}", shown.display()))));
    }
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// A client's side of a connection, in this process, over the real protocol.
struct Peer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    instructions: String,
    next_id: u64,
}

impl Peer {
    async fn connect(app: &App, name: &str) -> Result<Self, Failure> {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let context = ServerContext {
            registry: app.registry.clone(),
            folders: Arc::clone(&app.folders) as _,
            clients: imprint_clients::clients(),
            named_client: None,
            bridged: false,
            toolsets: Toolsets::default(),
            read_only: false,
            recorded: true,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(serve_stdio(context, input, output));
        let (reader, writer) = tokio::io::split(ours);
        let mut peer = Self {
            reader: BufReader::new(reader),
            writer,
            instructions: String::new(),
            next_id: 1,
        };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": name, "version": "1.0.0"},
        });
        let answer = peer.request("initialize", hello).await?;
        peer.instructions = text_at(&answer, "/result/instructions");
        peer.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await?;
        Ok(peer)
    }

    fn instructions(&self) -> &str {
        &self.instructions
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Result<String, Failure> {
        let answer = self
            .request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await?;
        Ok(text_at(&answer, "/result/content/0/text"))
    }

    async fn request(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await?;
        loop {
            let mut line = String::new();
            let read = self.reader.read_line(&mut line).await;
            let ended = || Failure::failed("the demo's connection ended");
            if read.map_err(|_| ended())? == 0 {
                return Err(ended());
            }
            let message: Value = serde_json::from_str(&line).map_err(|_| ended())?;
            if message["id"] == id {
                return Ok(message);
            }
        }
    }

    async fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let line = format!("{message}\n");
        self.writer
            .write_all(line.as_bytes())
            .await
            .map_err(|error| Failure::failed(format!("the demo's connection ended: {error}")))
    }
}

fn text_at(answer: &Value, pointer: &str) -> String {
    answer
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or("(no text)")
        .to_owned()
}
