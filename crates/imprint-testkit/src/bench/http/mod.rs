//! The server over HTTP next to a bare rmcp server, which gives the same answers from memory, and a
//! FastMCP server: requests in a second, how long they take, and what idle subscriptions weigh.

mod load;

use std::{path::PathBuf, process::Command, time::Duration};

use serde_json::{Value, json};

use self::load::{Answers, Connection, Load, request};
use super::{Bench, BenchError, ms};
use crate::{Product, Sandbox, SeedSkill, Serving, peak_memory_kib, serving};

const CONNECTIONS: usize = 64;
const WARM_UP: Duration = Duration::from_millis(500);
const TIME: Duration = Duration::from_secs(3);
/// The servers take turns so often.
const ROUNDS: usize = 3;
/// How many skills are stored.
const ITEMS: usize = 50;
const SKILL: &str = "five-kilobytes";
const SKILL_BYTES: usize = 5 * 1_024;
const SUBSCRIPTIONS: usize = 1_000;

/// The servers that are compared.
#[derive(Clone, Debug)]
pub struct HttpServers {
    /// The product, built for release.
    pub product: PathBuf,
    /// A server without data on the same library, of the same build.
    pub bare: PathBuf,
    /// A FastMCP server: its Python and its script; or why there is none.
    pub fastmcp: Result<(PathBuf, PathBuf), String>,
}

/// The two things that are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    List,
    Get,
}

impl Question {
    const ALL: [Self; 2] = [Self::List, Self::Get];

    const fn name(self) -> &'static str {
        match self {
            Self::List => "tools/list",
            Self::Get => "tools/call skills get (5 KB)",
        }
    }

    /// The share of the bare server's rate that is asked for.
    const fn share(self) -> f64 {
        match self {
            Self::List => 0.5,
            Self::Get => 0.4,
        }
    }

    fn message(self) -> Value {
        match self {
            Self::List => json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
            Self::Get => {
                let arguments = json!({ "action": "get", "name": SKILL });
                let params = json!({ "name": "skills", "arguments": arguments });
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
            }
        }
    }

    fn holds(self) -> String {
        match self {
            Self::List => "\"tools\"".to_owned(),
            Self::Get => "The last line of the skill".to_owned(),
        }
    }

    fn load(self, port: u16, path: &str, key: &str) -> Load {
        let key = format!("Bearer {key}");
        let headers = [
            ("Authorization", key.as_str()),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        Load {
            port,
            request: request(port, path, &headers, &self.message().to_string()),
            holds: self.holds(),
        }
    }
}

/// One server and what came of asking it.
struct Asked {
    name: &'static str,
    port: u16,
    path: &'static str,
    answers: Vec<(Question, Answers)>,
    /// Ends with this.
    _serving: Serving,
}

/// Runs everything.
pub fn http(servers: &HttpServers) -> Result<Bench, BenchError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let sandbox = Sandbox::new()?;
    plant(&sandbox)?;
    runtime.block_on(measure(servers, &sandbox))
}

async fn measure(servers: &HttpServers, sandbox: &Sandbox) -> Result<Bench, BenchError> {
    let mut bench = Bench::default();
    let product = Product::new(&servers.product);
    let key = serving::make_key(&product, sandbox, "bench", "full").map_err(BenchError::product)?;
    let mut all = vec![ours(&product, sandbox)?];
    let answers = same_answers(sandbox, &all[0], &key).await?;
    all.push(beside(
        sandbox.command(&servers.bare),
        "bare rmcp",
        &answers,
    )?);
    match &servers.fastmcp {
        Ok((python, script)) => {
            let mut command = sandbox.command(python);
            command.arg(script);
            all.push(beside(command, "FastMCP", &answers)?);
        }
        Err(why) => bench.missing.push(format!("the FastMCP server: {why}")),
    }
    for _ in 0..ROUNDS {
        for question in Question::ALL {
            for asked in &mut all {
                let load = question.load(asked.port, asked.path, &key);
                let answers = load.run(CONNECTIONS, WARM_UP, TIME).await;
                asked.answers.push((question, answers));
            }
        }
    }
    report(&mut bench, &all);
    subscriptions(&mut bench, &product, sandbox, &key).await?;
    Ok(bench)
}

fn plant(sandbox: &Sandbox) -> Result<(), BenchError> {
    let mut skills: Vec<_> = (0..ITEMS).map(SeedSkill::numbered).collect();
    let mut large = SeedSkill::new(SKILL, "A skill of five kilobytes.");
    while large.instructions.len() < SKILL_BYTES {
        large.instructions += "A line of a skill that is as long as most skills are.\n";
    }
    large.instructions += "The last line of the skill.\n";
    skills.push(large);
    Ok(sandbox.plant(&skills)?)
}

fn ours(product: &Product, sandbox: &Sandbox) -> Result<Asked, BenchError> {
    let port = serving::free_port()?;
    let mut command = product.command(sandbox);
    command.args(["serve", "--rate-limit", "4000000000", "--listen"]);
    command.arg(format!("127.0.0.1:{port}"));
    Ok(Asked {
        name: "imprint serve",
        port,
        path: "/mcp",
        answers: Vec::new(),
        _serving: Serving::start(command, port).map_err(BenchError::product)?,
    })
}

/// A file with the product's own answers, for servers that give them from memory.
async fn same_answers(sandbox: &Sandbox, ours: &Asked, key: &str) -> Result<PathBuf, BenchError> {
    let mut answers = json!({});
    for (question, name) in [(Question::List, "list"), (Question::Get, "get")] {
        let body = question.load(ours.port, ours.path, key).once().await?;
        let message: Value = serde_json::from_slice(&body).map_err(BenchError::product)?;
        answers[name] = message["result"].clone();
    }
    let file = sandbox.work().join("answers.json");
    std::fs::write(&file, answers.to_string())?;
    Ok(file)
}

/// A server that takes the file with answers and an address.
fn beside(
    mut command: Command,
    name: &'static str,
    answers: &std::path::Path,
) -> Result<Asked, BenchError> {
    let port = serving::free_port()?;
    command.arg(answers).arg(port.to_string());
    Ok(Asked {
        name,
        port,
        path: "/mcp",
        answers: Vec::new(),
        _serving: Serving::start(command, port).map_err(BenchError::product)?,
    })
}

fn report(bench: &mut Bench, all: &[Asked]) {
    for question in Question::ALL {
        let mut rates = Vec::new();
        for asked in all {
            let answers = asked.answers.iter().filter(|(asked, _)| *asked == question);
            let mut answers: Vec<_> = answers.map(|(_, answers)| answers).collect();
            answers.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
            let Some(middle) = answers.get(answers.len() / 2) else {
                continue;
            };
            let what = format!("{}, {}", asked.name, question.name());
            let runs = answers.len();
            bench.measured(format!("{what}: rate"), middle.per_second(), "1/s", runs);
            bench.measured(format!("{what}: p50"), ms(middle.within(50)), "ms", runs);
            bench.measured(format!("{what}: p99"), ms(middle.within(99)), "ms", runs);
            let wrong: usize = answers.iter().map(|answers| answers.wrong).sum();
            if wrong > 0 {
                bench.missing.push(format!("{what}: {wrong} wrong answers"));
            }
            rates.push(middle.per_second());
        }
        if let [ours, bare, rest @ ..] = rates.as_slice() {
            let what = format!("{}, bare rmcp against imprint, times", question.name());
            bench.bound(what, bare / ours, 1.0 / question.share());
            if let [fastmcp, ..] = rest {
                let what = format!("{}, FastMCP against imprint, times", question.name());
                bench.bound(what, fastmcp / ours, 0.05);
            }
        }
    }
}

/// What a thousand idle subscriptions weigh.
#[expect(
    clippy::cast_precision_loss,
    reason = "memory of a process is far below 2^52"
)]
async fn subscriptions(
    bench: &mut Bench,
    product: &Product,
    sandbox: &Sandbox,
    key: &str,
) -> Result<(), BenchError> {
    crate::serving::raise_descriptors();
    let port = serving::free_port()?;
    let mut command = product.command(sandbox);
    command.args(["serve", "--rate-limit", "4000000000", "--listen"]);
    command.arg(format!("127.0.0.1:{port}"));
    let serving = Serving::start(command, port).map_err(BenchError::product)?;
    let before = peak_memory_kib(serving.process()).unwrap_or_default();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "_meta": meta, "notifications": { "resourcesListChanged": true } });
    let message =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params });
    let bearer = format!("Bearer {key}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "subscriptions/listen"),
    ];
    let request = request(port, "/mcp", &headers, &message.to_string());
    let mut open = Vec::with_capacity(SUBSCRIPTIONS);
    for _ in 0..SUBSCRIPTIONS {
        let mut connection = Connection::open(port).await?;
        connection
            .until(&request, b"subscriptions/acknowledged")
            .await?;
        open.push(connection);
    }
    let after = peak_memory_kib(serving.process()).unwrap_or_default();
    let mib = (after.saturating_sub(before)) as f64 / 1_024.0;
    bench.measured(
        "imprint serve, 1,000 idle subscriptions: memory",
        mib,
        "MiB",
        1,
    );
    drop(open);
    drop(serving);
    Ok(())
}
