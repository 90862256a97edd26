//! Printing: data on standard output, messages on standard error, as text or JSON.

use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};
use imprint_format::text;
use serde::Serialize;

use crate::{
    cli::{ColorWhen, Global},
    failure::Failure,
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
        }
    }

    /// Whether data is to be JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a person can be asked: both ends are a terminal and the answer isn't for a script.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Data: the value as JSON, or what `text` prints.
    pub(crate) fn data<T: Serialize>(&self, value: &T, text: impl FnOnce(&Self)) {
        if self.json {
            // Our own types have string keys and no failing serialisers.
            let line = serde_json::to_string_pretty(value).unwrap_or_default();
            self.line(&line);
        } else {
            text(self);
        }
    }

    /// One line of data.
    pub(crate) fn line(&self, line: &str) {
        self.raw(line);
        self.raw("\n");
    }

    /// Data as it stands, without a line end.
    pub(crate) fn raw(&self, data: &str) {
        let mut stdout = anstream::stdout().lock();
        if stdout
            .write_all(data.as_bytes())
            .and_then(|()| stdout.flush())
            .is_err()
        {
            // The reader has what it wanted (`imprint … | head`).
            std::process::exit(0);
        }
    }

    /// Lines of data that may hold text from others.
    pub(crate) fn text(&self, text: &str) {
        self.raw(&text::visible(text));
    }

    /// Data that need not be text.
    pub(crate) fn bytes(&self, data: &[u8]) {
        let mut stdout = std::io::stdout().lock();
        if stdout
            .write_all(data)
            .and_then(|()| stdout.flush())
            .is_err()
        {
            std::process::exit(0);
        }
    }

    /// A message for a person; silent with `--quiet` and with `--json`.
    pub(crate) fn message(&self, line: &str) {
        if !self.quiet && !self.json {
            to_stderr(line);
        }
    }

    /// A warning, also with `--quiet`.
    pub(crate) fn warning(&self, line: &str) {
        to_stderr(&format!(
            "{WARNING}warning{WARNING:#}: {}",
            text::visible(line)
        ));
    }

    /// What is said before the program ends with a failure.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.json {
            let object = serde_json::json!({ "error": failure });
            self.line(&serde_json::to_string_pretty(&object).unwrap_or_default());
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
        self.line(&format!("{BOLD}{line}{BOLD:#}"));
    }
}

/// Text that matters less.
pub(crate) fn dim(text: &str) -> String {
    format!("{DIM}{text}{DIM:#}")
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
