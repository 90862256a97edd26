//! One measurement: one client, one home, one task.

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use imprint_clients::known_client;
use imprint_format::ItemKind;
use imprint_testkit::Sandbox;
use serde::{Deserialize, Serialize};

use super::{
    clients::{Call, RealClient, Task},
    expect::{InFolders, Known},
    home::{self, Fault},
    items::{Item, body_end, items},
    model::{Exchange, ModelServer, Prompt, Script},
    report::{Measured, SeenItem},
    sighting::{Served, sight},
};

/// What the person asks every client.
const TASK: &str = "Sort my papers of task 4711 with the skill that fits.";
/// How long a client may take. Most take a few seconds.
const PATIENCE: Duration = Duration::from_secs(150);
/// How often a running client is looked after.
const GLANCE: Duration = Duration::from_millis(50);

/// What is the same in all measurements.
#[derive(Debug)]
pub(super) struct Bench {
    /// The product's binary.
    pub(super) product: PathBuf,
    /// Where the clients are installed.
    pub(super) installed: PathBuf,
    /// Where what was sent and said is kept.
    pub(super) kept: PathBuf,
    /// The folders in which programs are looked for, for `PATH`.
    pub(super) path: OsString,
    /// Variables that lead every connection away from the internet, where nothing else does.
    pub(super) away: &'static [(&'static str, &'static str)],
}

/// What is different in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Setting {
    /// How many skills there are.
    pub(super) skills: usize,
    /// Whether the folders that the client reads are written.
    pub(super) folders: bool,
}

impl Setting {
    /// One word for whether folders are written.
    pub(super) fn word(self) -> &'static str {
        if self.folders { "folders" } else { "connected" }
    }
}

/// Measures one client in one setting.
pub(super) fn measure(
    bench: &Bench,
    real: &RealClient,
    version: &str,
    setting: Setting,
) -> Result<Measured, Fault> {
    let client = known_client(real.id).ok_or("no such client in the table")?;
    let sandbox = Sandbox::new()?;
    let items = items(setting.skills);
    let script = script(&items)?;
    let model = ModelServer::start(script.clone())?;
    let call = (real.call)(&Task {
        prompt: TASK,
        url: &model.url(),
        model: real.model,
        home: &sandbox.home(),
    });
    home::prepare(&sandbox, client, &call)?;
    home::fill(&sandbox, &items)?;
    home::connect(&sandbox, &bench.product, client, setting.folders)?;
    let served = home::served(&sandbox, &bench.product, client, version)?;
    let kept = bench.kept.join(format!(
        "{}-{}-{}-{}",
        real.id,
        real.model,
        setting.skills,
        setting.word()
    ));
    let status = drive(command(bench, &sandbox, real, &call), &kept)?;
    let exchanges = model.exchanges();
    keep(&exchanges, &kept)?;
    let turns = turns(&exchanges, &script);
    let first = turns.first().ok_or_else(|| {
        format!(
            "its model was never asked ({status}), see {}",
            kept.display()
        )
    })?;
    let known = Known {
        client,
        version,
        in_folders: &InFolders::of(client, &sandbox.machine()),
        served: &served,
        pointer_arrived: points(first, &served),
        hidden: real.hidden,
    };
    let seen = items.into_iter().map(|item| {
        let sighting = sight(&item, first, &served);
        let (told, fault) = known.judge(&item, &sighting);
        SeenItem::new(item, &sighting, told, fault)
    });
    Ok(Measured {
        items: seen.collect(),
        came_back: turns.iter().any(|prompt| script.has_come_back(prompt)),
    })
}

/// The client as it is started in this home.
fn command(bench: &Bench, sandbox: &Sandbox, real: &RealClient, call: &Call) -> Command {
    let mut command = sandbox.command(&bench.installed.join(".bin").join(real.program));
    command
        .env("PATH", &bench.path)
        .envs(bench.away.iter().copied())
        .envs(call.variables.iter().map(|(name, value)| (name, value)))
        .args(&call.arguments);
    command
}

/// The model loads the last skill, which stands last in every list.
fn script(items: &[Item]) -> Result<Script, Fault> {
    let skill = items.iter().rfind(|item| item.kind == ItemKind::Skill);
    let skill = skill.ok_or("there is no skill to load")?;
    Ok(Script {
        task: TASK.to_owned(),
        skill: skill.name.clone(),
        body_end: body_end(&skill.name),
    })
}

/// Whether the model learns where the items are: from the first line of the instructions, or from
/// the description of the tool.
fn points(prompt: &Prompt, served: &Served) -> bool {
    let first_line = |text: &str| text.lines().next().map(str::to_owned);
    [&served.instructions, &served.skills_description]
        .into_iter()
        .filter_map(|text| first_line(text))
        .any(|line| !line.is_empty() && prompt.says(&line))
}

/// The requests of the task, without those that the client makes for itself.
fn turns<'a>(exchanges: &'a [Exchange], script: &Script) -> Vec<&'a Prompt> {
    let prompts = exchanges
        .iter()
        .filter_map(|exchange| exchange.turn.as_ref());
    prompts
        .map(|(prompt, _)| prompt)
        .filter(|prompt| script.is_task(prompt))
        .collect()
}

/// Runs a client to its end, which is brought about when it takes too long. What it says is kept.
fn drive(mut command: Command, kept: &Path) -> Result<ExitStatus, Fault> {
    fs::create_dir_all(kept)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(File::create(kept.join("stdout.txt"))?)
        .stderr(File::create(kept.join("stderr.txt"))?)
        .spawn()?;
    let ended = end_of(&mut child);
    if ended.is_err() {
        child.kill()?;
        child.wait()?;
    }
    ended
}

fn end_of(child: &mut Child) -> Result<ExitStatus, Fault> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(GLANCE);
    }
    Err(format!("it had not ended after {PATIENCE:?}").into())
}

/// Keeps every request, one a line.
fn keep(exchanges: &[Exchange], kept: &Path) -> Result<(), Fault> {
    let mut lines = String::new();
    for exchange in exchanges {
        let reply = exchange
            .turn
            .as_ref()
            .map(|(_, reply)| format!("{reply:?}"));
        let line = serde_json::json!({
            "asked": exchange.asked, "body": exchange.body, "reply": reply,
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    fs::write(kept.join("requests.jsonl"), lines)?;
    Ok(())
}
