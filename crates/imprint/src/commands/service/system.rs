//! The system that runs the service, and what it is asked to do.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use service_manager::{
    LaunchdServiceManager, RestartPolicy, ServiceInstallCtx, ServiceLabel, ServiceManager,
    ServiceStartCtx, ServiceStatus, ServiceStatusCtx, ServiceStopCtx, ServiceUninstallCtx,
    SystemdServiceManager,
};

use super::definition::{Service, launch_agent, systemd_unit, windows_task};
use crate::{failure::Failure, home::Home};

/// What the service is called everywhere.
const NAME: &str = "imprint";

/// How many lines of the log `status` shows.
const LOG_LINES: usize = 10;

/// What runs services for a user on this computer.
#[derive(Clone, Copy, Debug)]
pub(super) enum System {
    Systemd,
    Launchd,
    TaskScheduler,
}

impl System {
    pub(super) fn here() -> Self {
        if cfg!(windows) {
            Self::TaskScheduler
        } else if cfg!(target_os = "macos") {
            Self::Launchd
        } else {
            Self::Systemd
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Systemd => "systemd",
            Self::Launchd => "launchd",
            Self::TaskScheduler => "Windows Task Scheduler",
        }
    }

    /// Where the definition is kept. The scheduler has its own copy of it.
    pub(super) fn definition_file(self, home: &Home) -> Result<PathBuf, Failure> {
        let no_home = |_| Failure::failed("can't tell where your home folder is");
        match self {
            Self::Systemd => service_manager::systemd_user_dir_path()
                .map(|folder| folder.join(format!("{NAME}.service")))
                .map_err(no_home),
            Self::Launchd => etcetera::home_dir()
                .map(|user| user.join(format!("Library/LaunchAgents/{NAME}.plist")))
                .map_err(|_| Failure::failed("can't tell where your home folder is")),
            Self::TaskScheduler => Ok(home.root().join("service.xml")),
        }
    }

    pub(super) fn definition(self, service: &Service) -> String {
        match self {
            Self::Systemd => systemd_unit(service),
            Self::Launchd => launch_agent(NAME, service),
            Self::TaskScheduler => windows_task(service),
        }
    }

    /// Fails with what to do where the user has no session that could run it.
    pub(super) fn available(self) -> Result<(), Failure> {
        if env::var_os("SUDO_USER").is_some_and(|user| user != "root") {
            return Err(Failure::failed(
                "under `sudo` the service would be that of root, who doesn't have your clients",
            )
            .hint("run it as yourself, without `sudo`"));
        }
        let Self::Systemd = self else { return Ok(()) };
        match run("systemctl", &["--user", "show-environment"]) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::failed(
                "there is no systemd here, so nothing can run the service",
            )
            .hint("start `imprint serve` with what starts programs here, such as the container")
            .hint(
                "in WSL, set `systemd=true` under `[boot]` in /etc/wsl.conf, then `wsl --shutdown`",
            )),
            Err(error) => Err(Failure::failed("systemd runs no session for you")
                .detail(error.to_string())
                .hint("log in as this user directly; containers and `su` have no session")
                .hint("on a server, `loginctl enable-linger` keeps a session without a log-in")),
        }
    }

    /// Installs the definition so that it starts with each log-in. `file` is its place.
    pub(super) fn install(self, service: &Service, text: &str, file: &Path) -> io::Result<()> {
        if let Self::TaskScheduler = self {
            // The form that `schtasks` reads on every version of Windows.
            let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
            fs::write(file, units.flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
            let file = file.to_string_lossy();
            return run("schtasks", &["/Create", "/TN", NAME, "/XML", &file, "/F"]).map(drop);
        }
        self.manager().install(ServiceInstallCtx {
            label: label(),
            program: PathBuf::from(&service.program),
            args: service.arguments.iter().map(Into::into).collect(),
            contents: Some(text.to_owned()),
            username: None,
            working_directory: None,
            environment: None,
            autostart: true,
            restart_policy: RestartPolicy::Never,
        })
    }

    pub(super) fn start(self) -> io::Result<()> {
        match self {
            Self::TaskScheduler => run("schtasks", &["/Run", "/TN", NAME]).map(drop),
            _ => self.manager().start(ServiceStartCtx { label: label() }),
        }
    }

    pub(super) fn stop(self) -> io::Result<()> {
        match self {
            Self::TaskScheduler => run("schtasks", &["/End", "/TN", NAME]).map(drop),
            _ => self.manager().stop(ServiceStopCtx { label: label() }),
        }
    }

    /// Takes the service out. `file` is the place of its definition.
    pub(super) fn uninstall(self, file: &Path) -> io::Result<()> {
        if let Self::TaskScheduler = self {
            run("schtasks", &["/Delete", "/TN", NAME, "/F"])?;
            return fs::remove_file(file);
        }
        self.manager()
            .uninstall(ServiceUninstallCtx { label: label() })?;
        match self {
            Self::Systemd => run("systemctl", &["--user", "daemon-reload"]).map(drop),
            _ => Ok(()),
        }
    }

    /// Whether it runs; `None` where the system can't be asked in a way that holds everywhere.
    pub(super) fn runs(self) -> Option<bool> {
        if let Self::TaskScheduler = self {
            // What `schtasks` says is in the language of the user.
            return None;
        }
        let status = self.manager().status(ServiceStatusCtx { label: label() });
        status.ok().map(|status| status == ServiceStatus::Running)
    }

    /// How people see the log.
    pub(super) fn log_command(self, log: &Path) -> Option<String> {
        match self {
            Self::Systemd => Some(format!("journalctl --user --unit {NAME}")),
            Self::Launchd => Some(format!("tail -f '{}'", log.display())),
            Self::TaskScheduler => None,
        }
    }

    /// The last lines of the log, as far as they can be read.
    pub(super) fn last_lines(self, log: &Path) -> Vec<String> {
        let lines = LOG_LINES.to_string();
        let text = match self {
            Self::Systemd => run(
                "journalctl",
                &[
                    "--user", "--unit", NAME, "--lines", &lines, "--output", "cat", "--quiet",
                ],
            ),
            Self::Launchd => run("tail", &["-n", &lines, &log.to_string_lossy()]),
            Self::TaskScheduler => return Vec::new(),
        };
        let text = text.unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Whether the service ends when the user logs out.
    pub(super) fn ends_at_logout(self) -> bool {
        let Self::Systemd = self else { return false };
        let Ok(user) = env::var("USER") else {
            return false;
        };
        !Path::new("/var/lib/systemd/linger").join(user).exists()
    }

    fn manager(self) -> Box<dyn ServiceManager> {
        match self {
            Self::Launchd => Box::new(LaunchdServiceManager::user()),
            _ => Box::new(SystemdServiceManager::user()),
        }
    }
}

fn label() -> ServiceLabel {
    ServiceLabel {
        qualifier: None,
        organization: None,
        application: NAME.to_owned(),
    }
}

/// Runs a tool of the system; what it says when it fails is the error.
fn run(tool: &str, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(said.trim().to_owned()))
}
