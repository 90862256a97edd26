//! `imprint service`: `imprint serve` in the background, whenever the user is logged in.

mod definition;
mod system;

use std::{
    env, fs, io,
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use self::{
    definition::{Service, address_of, program_of},
    system::System,
};
use crate::{
    cli::{Global, ServeArgs, ServiceCommand, ServiceInstallArgs},
    failure::{Failure, FailureKind},
    home::{Home, shown},
    output::Output,
};

/// How long `status` waits for the address to answer.
const ANSWER: Duration = Duration::from_millis(500);

pub(super) fn run(global: &Global, out: &Output, command: ServiceCommand) -> Result<(), Failure> {
    let home = Home::find(global.home.as_deref())?;
    let system = System::here();
    let file = system.definition_file(&home)?;
    let place = Place { home, system, file };
    match command {
        ServiceCommand::Install(args) => install(&place, out, &args),
        ServiceCommand::Start => {
            place.installed()?;
            place.system.available()?;
            place
                .system
                .start()
                .map_err(|error| refused("start", &error))?;
            place.done(out, "started", "Started");
            Ok(())
        }
        ServiceCommand::Stop => {
            place.installed()?;
            place.system.available()?;
            place
                .system
                .stop()
                .map_err(|error| refused("stop", &error))?;
            place.done(out, "stopped", "Stopped; it starts again when you log in");
            Ok(())
        }
        ServiceCommand::Status => status(&place, out),
        ServiceCommand::Uninstall => uninstall(&place, out),
    }
}

/// Where the service is, or would be.
struct Place {
    home: Home,
    system: System,
    file: PathBuf,
}

impl Place {
    /// The installed definition, if there is one.
    fn read(&self) -> Result<Option<String>, Failure> {
        let bytes = match fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::io("read the service", &self.file, &error)),
        };
        Ok(Some(match bytes.strip_prefix(&[0xFF, 0xFE]) {
            None => String::from_utf8_lossy(&bytes).into_owned(),
            Some(bytes) => {
                let units = bytes.chunks_exact(2);
                let units: Vec<_> = units
                    .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                    .collect();
                String::from_utf16_lossy(&units)
            }
        }))
    }

    fn installed(&self) -> Result<String, Failure> {
        self.read()?.ok_or_else(|| {
            Failure::new(FailureKind::NotFound, "the service is not installed")
                .hint("`imprint service install` installs it")
        })
    }

    fn log(&self) -> PathBuf {
        self.home.root().join("service.log")
    }

    fn done(&self, out: &Output, outcome: &'static str, text: &str) {
        let data = serde_json::json!({ "outcome": outcome, "definition": self.file });
        out.data(&data, |out| out.line(text));
    }
}

/// What `install` did, or would do.
#[derive(Serialize)]
struct Installed<'a> {
    /// `installed`, `replaced`, `unchanged`, or `planned` for a dry run.
    outcome: &'static str,
    definition: &'a Path,
    text: &'a str,
    /// Lines that go (`-`) and come (`+`) where another one was installed.
    changes: &'a [String],
}

fn install(place: &Place, out: &Output, args: &ServiceInstallArgs) -> Result<(), Failure> {
    let service = service(place, &args.serve)?;
    let text = place.system.definition(&service);
    let before = place.read()?;
    let changes = before
        .as_deref()
        .map_or_else(Vec::new, |old| changes(old, &text));
    let outcome = match &before {
        _ if args.dry_run => "planned",
        Some(old) if *old == text => "unchanged",
        Some(_) => "replaced",
        None => "installed",
    };
    if matches!(outcome, "installed" | "replaced") {
        place.system.available()?;
        carry_out(place, &service, &text, before.is_some())?;
    }
    let data = Installed {
        outcome,
        definition: &place.file,
        text: &text,
        changes: &changes,
    };
    out.data(&data, |out| print_installed(place, out, &data));
    if outcome != "planned" && place.system.ends_at_logout() {
        out.warning("it ends when you log out; `loginctl enable-linger` keeps it running");
    }
    Ok(())
}

fn carry_out(place: &Place, service: &Service, text: &str, replaces: bool) -> Result<(), Failure> {
    let home = place.home.root();
    fs::create_dir_all(home).map_err(|error| Failure::io("make the home", home, &error))?;
    if replaces {
        // One that doesn't run can't be stopped, which is what is wanted.
        let _ = place.system.stop();
    }
    let system = place.system;
    system
        .install(service, text, &place.file)
        .map_err(|error| refused("install", &error))?;
    system.start().map_err(|error| refused("start", &error))
}

fn print_installed(place: &Place, out: &Output, data: &Installed<'_>) {
    let file = shown(data.definition);
    match data.outcome {
        "planned" => {
            out.message(&format!("Would write {file} for {}:", place.system.name()));
            out.text(data.text);
        }
        "unchanged" => out.line("Installed already, just so; there is nothing to do"),
        "replaced" => {
            out.line(&format!("Replaced {file}, and started:"));
            for change in data.changes {
                out.line(&format!("  {change}"));
            }
        }
        _ => out.line(&format!("Installed and started: {file}")),
    }
}

/// What the service is to run: this program, with the options that `serve` would take.
fn service(place: &Place, args: &ServeArgs) -> Result<Service, Failure> {
    if args.listen.port() == 0 {
        return Err(Failure::usage("a service needs a port that stays the same")
            .hint("name one, as in `--listen 127.0.0.1:4750`"));
    }
    let program = env::current_exe()
        .map_err(|error| Failure::failed(format!("can't tell where this program is: {error}")))?;
    let home = place.home.root();
    let service = Service {
        program: unicode(&program)?,
        arguments: arguments(args),
        home: if place.home.is_found_by_itself() {
            None
        } else {
            Some(unicode(home)?)
        },
        log: unicode(&place.log())?,
    };
    let words = service.arguments.iter().chain(&service.home);
    if words
        .chain([&service.program])
        .any(|word| word.contains(char::is_control))
    {
        return Err(Failure::usage(
            "a path or an option holds a control character, which no service can be told",
        ));
    }
    Ok(service)
}

fn unicode(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let path = shown(path);
        Failure::failed(format!(
            "`{path}` can't be named in a service: it is no Unicode"
        ))
    })
}

/// The words that make `imprint` serve in this way; what is the default is left out, but for the
/// address, which `status` reads.
fn arguments(args: &ServeArgs) -> Vec<String> {
    let mut words = vec!["serve".to_owned()];
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    option("listen", args.listen.to_string());
    if let Some(url) = &args.public_url {
        option("public-url", url.to_string());
    }
    for host in &args.allow_host {
        option("allow-host", host.clone());
    }
    for origin in &args.allow_origin {
        option("allow-origin", origin.clone());
    }
    for network in &args.trusted_proxy {
        option("trusted-proxy", network.to_string());
    }
    option("rate-limit", args.rate_limit.to_string());
    option("toolsets", args.tools.toolsets.to_string());
    if args.tools.read_only {
        words.push("--read-only".to_owned());
    }
    words
}

/// The lines that go and come.
fn changes(old: &str, new: &str) -> Vec<String> {
    let diff = TextDiff::from_lines(old, new);
    let changed = diff
        .iter_all_changes()
        .filter_map(|change| match change.tag() {
            ChangeTag::Equal => None,
            ChangeTag::Delete => Some(format!("- {}", change.value().trim())),
            ChangeTag::Insert => Some(format!("+ {}", change.value().trim())),
        });
    changed.collect()
}

/// What `status` says.
#[derive(Serialize)]
struct Status<'a> {
    system: &'static str,
    installed: bool,
    /// As the system says; `null` where it can't tell.
    running: Option<bool>,
    /// Whether something takes connections at the address.
    answers: bool,
    address: Option<SocketAddr>,
    program: Option<String>,
    /// Whether the program is still where the service starts it.
    program_found: bool,
    definition: &'a Path,
    log_command: Option<String>,
    log: Vec<String>,
}

fn status(place: &Place, out: &Output) -> Result<(), Failure> {
    let definition = place.read()?;
    let text = definition.as_deref().unwrap_or_default();
    let installed = definition.is_some();
    let address = address_of(text);
    let program = program_of(text);
    let status = Status {
        system: place.system.name(),
        installed,
        running: if installed {
            place.system.runs()
        } else {
            Some(false)
        },
        answers: address.is_some_and(|to| TcpStream::connect_timeout(&to, ANSWER).is_ok()),
        address,
        program_found: program
            .as_ref()
            .is_some_and(|program| Path::new(program).is_file()),
        program,
        definition: &place.file,
        log_command: place.system.log_command(&place.log()).filter(|_| installed),
        log: if installed {
            place.system.last_lines(&place.log())
        } else {
            Vec::new()
        },
    };
    out.data(&status, |out| print_status(out, &status));
    Ok(())
}

fn print_status(out: &Output, status: &Status<'_>) {
    if !status.installed {
        out.line("The service is not installed; `imprint service install` installs it");
        return;
    }
    let runs = match (status.running, status.answers) {
        (Some(false), _) => "stopped",
        (Some(true) | None, true) => "running",
        (Some(true), false) => "running, but nothing answers at its address yet",
        (None, false) => "nothing answers at its address",
    };
    out.line(&format!("Service: {runs} ({})", status.system));
    if let Some(address) = status.address {
        out.line(&format!("Address: http://{address}/mcp"));
    }
    out.line(&format!("Defined in: {}", shown(status.definition)));
    if let Some(program) = status.program.as_ref().filter(|_| !status.program_found) {
        out.warning(&format!(
            "`{program}`, which it starts, is gone; `imprint service install` points it at this one"
        ));
    }
    if let Some(command) = &status.log_command {
        out.line(&format!("Log: `{command}`"));
    }
    for line in &status.log {
        out.line(&format!("  {line}"));
    }
}

fn uninstall(place: &Place, out: &Output) -> Result<(), Failure> {
    if place.read()?.is_none() {
        place.done(
            out,
            "unchanged",
            "The service is not installed; there is nothing to do",
        );
        return Ok(());
    }
    place.system.available()?;
    // One that doesn't run can't be stopped, which is what is wanted.
    let _ = place.system.stop();
    place
        .system
        .uninstall(&place.file)
        .map_err(|error| refused("uninstall", &error))?;
    place.done(
        out,
        "uninstalled",
        "Stopped and taken out; what Imprint keeps is as it was",
    );
    Ok(())
}

fn refused(what: &str, error: &io::Error) -> Failure {
    Failure::failed(format!("the system did not {what} the service"))
        .detail(error.to_string())
        .hint("`imprint service status` shows what it logged")
}
