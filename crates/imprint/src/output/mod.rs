//! Printing: data on standard output, messages on standard error, as text or JSON.

mod table;
mod wrap;

use std::{
    cell::Cell,
    io::{self, IsTerminal, Write},
};

use anstyle::{AnsiColor, Style};
use imprint_format::text;
use serde::Serialize;
use terminal_size::{Width, terminal_size_of};

use crate::{
    cli::{ColorWhen, Global},
    failure::{Failure, FailureKind},
    home,
};
use wrap::wrap;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();

/// How wide the bar before a quoted line is.
const BAR: usize = 4;

/// How and where to print. A closed pipe ends the output quietly.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    verbose: bool,
    /// Whether the one JSON value that a script reads is printed.
    has_data: Cell<bool>,
}

#[expect(
    clippy::unused_self,
    reason = "all output goes through the value that says how"
)]
impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        match global.color {
            ColorWhen::Auto => {}
            ColorWhen::Always => anstream::ColorChoice::Always.write_global(),
            ColorWhen::Never => anstream::ColorChoice::Never.write_global(),
        }
        Self {
            json: global.json,
            quiet: global.quiet,
            verbose: global.verbose > 0,
            has_data: Cell::new(false),
        }
    }

    /// Output where the arguments that say how could not be read.
    pub(crate) fn unread(json: bool) -> Self {
        Self {
            json,
            quiet: false,
            verbose: false,
            has_data: Cell::new(false),
        }
    }

    /// The same for a command whose standard output is not for data.
    pub(crate) fn without_json(self) -> Self {
        Self {
            json: false,
            ..self
        }
    }

    /// Whether data is to be JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Refuses `--json` for a command that shows things to a person as they happen.
    pub(crate) fn refuse_json(&self, command: &str) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "`imprint {command}` shows things to a person and has no JSON form"
        ))
        .hint("leave `--json` out"))
    }

    /// Whether everything is to be listed that is else counted.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Whether a person can be asked: both ends are a terminal and the answer isn't for a script.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Fails where nobody can be asked for a yes; `instead` says which flags do without one.
    pub(crate) fn needs_someone(&self, instead: &str) -> Result<(), Failure> {
        if self.can_ask() {
            return Ok(());
        }
        Err(Failure::usage("this needs a yes, and there is nobody to ask").hint(instead))
    }

    /// Asks for a yes or no; a yes is what Enter means. No answer is a no.
    pub(crate) fn ask(&self, question: &str) -> bool {
        let answer = inquire::Confirm::new(question).with_default(true).prompt();
        answer.unwrap_or(false)
    }

    /// Data: the value as JSON, or what `text` prints.
    pub(crate) fn data<T: Serialize>(&self, value: &T, text: impl FnOnce(&Self)) {
        if self.json {
            let mut stdout = io::stdout().lock();
            written(
                serde_json::to_writer_pretty(&mut stdout, value)
                    .map_err(io::Error::from)
                    .and_then(|()| writeln!(stdout))
                    .and_then(|()| stdout.flush()),
            );
            self.has_data.set(true);
        } else {
            text(self);
        }
    }

    /// One line of data, in which control characters of text from others are shown, not obeyed.
    pub(crate) fn line(&self, line: &str) {
        self.styled(&text::visible(line));
    }

    /// One line of data with styles in it. Text from others must have been made visible.
    pub(crate) fn styled(&self, line: &str) {
        let mut stdout = anstream::stdout().lock();
        written(writeln!(stdout, "{line}").and_then(|()| stdout.flush()));
    }

    /// Lines of data that may hold text from others.
    pub(crate) fn text(&self, text: &str) {
        let mut stdout = anstream::stdout().lock();
        let text = text::visible(text);
        written(write!(stdout, "{text}").and_then(|()| stdout.flush()));
    }

    /// Sentences of data, broken at words in a terminal. The user's home folder is `~` in them.
    pub(crate) fn prose(&self, sentences: &str) {
        let shown = text::visible(&home::tilde(sentences));
        self.styled(&wrap(&shown, width_of(&io::stdout())));
    }

    /// A text that someone else says, behind a bar.
    pub(crate) fn quote(&self, quoted: &str) {
        let bar = dim("│");
        let room = width_of(&io::stdout()).map(|width| width.saturating_sub(BAR));
        for line in wrap(&text::visible(quoted), room).lines() {
            self.styled(format!("  {bar} {line}").trim_end());
        }
    }

    /// Data that need not be text, byte for byte; on a terminal as [`Output::text`].
    pub(crate) fn bytes(&self, data: &[u8]) {
        let mut stdout = io::stdout().lock();
        if stdout.is_terminal() {
            return self.text(&String::from_utf8_lossy(data));
        }
        written(stdout.write_all(data).and_then(|()| stdout.flush()));
    }

    /// A message for a person; silent with `--quiet` and with `--json`.
    pub(crate) fn message(&self, line: &str) {
        if !self.quiet && !self.json {
            to_stderr(&text::visible(&home::tilde(line)));
        }
    }

    /// A warning, also with `--quiet`.
    pub(crate) fn warning(&self, line: &str) {
        labelled("warning", WARNING, line);
    }

    /// What is said before the program ends with a failure. A script that already has its data
    /// reads it from the exit code and standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        let failure = &failure.masked();
        if self.json && !self.has_data.get() {
            self.data(&serde_json::json!({ "error": failure }), |_| {});
            return;
        }
        labelled("error", ERROR, &failure.message);
        for detail in &failure.details {
            to_stderr(&format!("  {}", text::visible(&home::tilde(detail))));
        }
        for hint in &failure.hints {
            labelled("hint", HINT, &hint.to_string());
        }
    }

    /// Says what takes a while; gone again with what is returned. Nothing in a pipe.
    pub(crate) fn status(&self, what: &str) -> Status {
        let shown = !self.quiet && !self.json && io::stderr().is_terminal();
        let status = Status { shown };
        status.say(what);
        status
    }

    /// A heading of data.
    pub(crate) fn heading(&self, line: &str) {
        self.styled(&format!("{BOLD}{}{BOLD:#}", text::visible(line)));
    }

    /// A unified diff, its lines coloured by what they say.
    pub(crate) fn diff(&self, diff: &str) {
        for line in text::visible(diff).lines() {
            match line.as_bytes().first() {
                _ if line.starts_with("---") || line.starts_with("+++") => self.heading(line),
                Some(b'+') => self.styled(&format!("{ADDED}{line}{ADDED:#}")),
                Some(b'-') => self.styled(&format!("{REMOVED}{line}{REMOVED:#}")),
                Some(b'@') => self.styled(&dim(line)),
                _ => self.styled(line),
            }
        }
    }
}

/// A line about work that goes on.
#[derive(Debug)]
pub(crate) struct Status {
    shown: bool,
}

impl Status {
    /// Says something else in its place.
    pub(crate) fn say(&self, what: &str) {
        if self.shown {
            let mut stderr = anstream::stderr().lock();
            let _ = write!(stderr, "\r\x1b[K{what}").and_then(|()| stderr.flush());
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.say("");
    }
}

/// Text that matters less, for [`Output::styled`].
pub(crate) fn dim(text: &str) -> String {
    format!("{DIM}{}{DIM:#}", text::visible(text))
}

/// Ends the program where data can't be written. A reader that has what it wanted
/// (`imprint … | head`) is no failure; a full disk is.
fn written(outcome: io::Result<()>) {
    match outcome {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            let message = format!("can't write to standard output: {error}");
            labelled("error", ERROR, &message);
            std::process::exit(FailureKind::Failed.exit_code().into());
        }
    }
}

fn labelled(label: &str, style: Style, line: &str) {
    let line = text::visible(&home::tilde(line));
    to_stderr(&format!("{style}{label}{style:#}: {line}"));
}

fn to_stderr(line: &str) {
    let stderr = io::stderr();
    let line = wrap(line, width_of(&stderr));
    // With standard error closed there is nowhere left to say so.
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// How many columns a terminal has; `None` for what is no terminal.
#[cfg(unix)]
fn width_of(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    terminal_size_of(stream).map(|(Width(width), _)| usize::from(width))
}

/// How many columns a terminal has; `None` for what is no terminal.
#[cfg(windows)]
fn width_of(stream: &impl std::os::windows::io::AsHandle) -> Option<usize> {
    terminal_size_of(stream).map(|(Width(width), _)| usize::from(width))
}

/// `1 skill`, `2 skills`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let noun = match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    };
    format!("{number} {noun}")
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<T: AsRef<str>>(parts: &[T]) -> String {
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    match parts.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}
