//! The program as a person uses it: the real binary in a home of its own.

#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod adopting;
mod attacks;
mod clients;
mod connect;
mod failures;
mod hostile;
mod items;
mod journeys;
mod oauth;
mod processes;
mod screens;
mod serving;
mod setting_up;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A user with an empty home folder.
pub(crate) struct User {
    home: TempDir,
}

impl User {
    pub(crate) fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    pub(crate) fn write(&self, below: &str, text: &str) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// The program with nothing of the environment but this home.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_imprint"));
        command
            .env_clear()
            .env("HOME", self.home.path())
            .env("USERPROFILE", self.home.path())
            .env("IMPRINT_HOME", self.path("imprint"))
            .env("TZ", "UTC")
            .env("PATH", "/usr/bin:/bin")
            .args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs what must succeed and gives its standard output.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(
            output.status.success(),
            "{args:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    /// Runs what must fail and gives exit code and standard error.
    pub(crate) fn fails(&self, args: &[&str]) -> (i32, String) {
        let output = self.run(args);
        assert!(!output.status.success(), "{args:?} succeeded");
        (output.status.code().unwrap(), text(&output.stderr))
    }

    /// Data as JSON.
    pub(crate) fn json(&self, args: &[&str]) -> serde_json::Value {
        let mut with_json = args.to_vec();
        with_json.push("--json");
        serde_json::from_str(&self.ok(&with_json)).unwrap()
    }

    /// One call as a person sees it, for a snapshot: what differs from run to run is replaced.
    pub(crate) fn screen(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let mut screen = match output.status.code() {
            Some(0) => String::new(),
            code => format!("exit {}\n", code.unwrap()),
        };
        screen.push_str(&text(&output.stdout));
        let stderr = text(&output.stderr);
        if !stderr.is_empty() {
            screen.push_str("--- stderr\n");
            screen.push_str(&stderr);
        }
        steady(&screen, self.home.path())
    }

    pub(crate) fn create(&self, name: &str) {
        let description = format!("Does {name}.");
        self.ok(&[
            "skills",
            "create",
            name,
            "-d",
            &description,
            "-i",
            "Do it well.",
        ]);
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Replaces the home's path, revision ids and times.
fn steady(screen: &str, home: &Path) -> String {
    let screen = screen.replace(home.to_str().unwrap(), "[HOME]");
    let ids = regex::Regex::new(r"\b[0-9a-f]{12}\b").unwrap();
    let times = regex::Regex::new(r"\b20\d\d-\d\d-\d\d \d\d:\d\d\b").unwrap();
    let screen = ids.replace_all(&screen, "[revision id]").into_owned();
    let days = regex::Regex::new(r"  20\d\d-\d\d-\d\d  ").unwrap();
    let screen = times.replace_all(&screen, "[time          ]").into_owned();
    days.replace_all(&screen, "  [day     ]  ").into_owned()
}
