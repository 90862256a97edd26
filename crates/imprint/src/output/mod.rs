//! Printing: data on standard output, messages on standard error, as text or JSON.

use std::{
    cell::Cell,
    io::{self, IsTerminal, Write},
};

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};
use imprint_format::text;
use serde::Serialize;

use crate::{
    cli::{ColorWhen, Global},
    failure::{Failure, FailureKind},
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// How and where to print. A closed pipe ends the output quietly.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
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
            has_data: Cell::new(false),
        }
    }

    /// Output where the arguments that say how could not be read.
    pub(crate) fn unread(json: bool) -> Self {
        Self {
            json,
            quiet: false,
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

    /// Whether a person can be asked: both ends are a terminal and the answer isn't for a script.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Data: the value as JSON, or what `text` prints.
    pub(crate) fn data<T: Serialize>(&self, value: &T, text: impl FnOnce(&Self)) {
        if self.json {
            let mut stdout = std::io::stdout().lock();
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

    /// Data that need not be text, byte for byte; on a terminal as [`Output::text`].
    pub(crate) fn bytes(&self, data: &[u8]) {
        let mut stdout = std::io::stdout().lock();
        if stdout.is_terminal() {
            return self.text(&String::from_utf8_lossy(data));
        }
        written(stdout.write_all(data).and_then(|()| stdout.flush()));
    }

    /// A message for a person; silent with `--quiet` and with `--json`.
    pub(crate) fn message(&self, line: &str) {
        if !self.quiet && !self.json {
            to_stderr(&text::visible(line));
        }
    }

    /// A warning, also with `--quiet`.
    pub(crate) fn warning(&self, line: &str) {
        to_stderr(&format!(
            "{WARNING}warning{WARNING:#}: {}",
            text::visible(line)
        ));
    }

    /// What is said before the program ends with a failure. A script that already has its data
    /// reads it from the exit code and standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        let failure = &failure.masked();
        if self.json && !self.has_data.get() {
            self.data(&serde_json::json!({ "error": failure }), |_| {});
            return;
        }
        to_stderr(&format!(
            "{ERROR}error{ERROR:#}: {}",
            text::visible(&failure.message)
        ));
        for detail in &failure.details {
            to_stderr(&format!("  {}", text::visible(detail)));
        }
        if !failure.hints.is_empty() {
            to_stderr("");
        }
        for hint in &failure.hints {
            to_stderr(&format!("{HINT}hint{HINT:#}: {}", text::visible(hint)));
        }
    }

    /// A table without lines, fitted to the terminal's width (or not cut at all in a pipe).
    pub(crate) fn table(&self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_header(header.iter().copied());
        table.set_content_arrangement(if std::io::stdout().is_terminal() {
            ContentArrangement::Dynamic
        } else {
            ContentArrangement::Disabled
        });
        for row in rows {
            table.add_row(row.into_iter().map(|cell| text::one_line(&cell)));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for (number, line) in table.lines().enumerate() {
            match number {
                0 => self.heading(line.trim_end()),
                _ => self.line(line.trim_end()),
            }
        }
    }

    /// A heading of data.
    pub(crate) fn heading(&self, line: &str) {
        self.styled(&format!("{BOLD}{}{BOLD:#}", text::visible(line)));
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
            to_stderr(&format!(
                "{ERROR}error{ERROR:#}: can't write to standard output: {error}"
            ));
            std::process::exit(FailureKind::Failed.exit_code().into());
        }
    }
}

fn to_stderr(line: &str) {
    // With standard error closed there is nowhere left to say so.
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// `1 skill`, `2 skills`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}
