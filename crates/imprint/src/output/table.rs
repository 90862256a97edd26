//! Tables without lines: fitted to a terminal, and whole in a pipe.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};
use imprint_format::text;
use unicode_width::UnicodeWidthStr as _;

use super::{Output, width_of};

/// Blank columns between two columns.
const GAP: usize = 2;
/// How narrow the last column may be before the others are narrowed too.
const LEAST_LAST: usize = 20;
/// A terminal that is narrower has no room for what matters less.
const NARROW: usize = 72;
/// Lines of a row in a terminal before it is cut.
const LINES_OF_A_ROW: usize = 2;

impl Output {
    /// Whether a table goes to a terminal with little room.
    #[expect(
        clippy::unused_self,
        reason = "all output goes through the value that says how"
    )]
    pub(crate) fn is_narrow(&self) -> bool {
        width_of(&std::io::stdout()).is_some_and(|width| width < NARROW)
    }

    /// A table in which nothing is cut, in a terminal neither: its cells break into lines.
    pub(crate) fn table(&self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.print(header, rows.into_iter().collect(), None);
    }

    /// A table of which a terminal shows two lines a row; the last column gives way first.
    pub(crate) fn overview(&self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.print(header, rows.into_iter().collect(), Some(LINES_OF_A_ROW));
    }

    fn print(&self, header: &[&str], rows: Vec<Vec<String>>, lines_of_a_row: Option<usize>) {
        let table = build(header, rows, width_of(&std::io::stdout()), lines_of_a_row);
        for (number, line) in table.lines().enumerate() {
            match number {
                0 => self.heading(line.trim_end()),
                _ => self.line(line.trim_end()),
            }
        }
    }
}

fn build(
    header: &[&str],
    rows: Vec<Vec<String>>,
    width: Option<usize>,
    lines_of_a_row: Option<usize>,
) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(header.iter().copied())
        .set_truncation_indicator("…");
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.iter().map(|cell| text::one_line(cell)).collect())
        .collect();
    let front_fits = width.is_some_and(|width| front(header, &rows) + LEAST_LAST <= width);
    match width.and_then(|width| u16::try_from(width).ok()) {
        Some(width) => table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    for row in rows {
        let mut row = comfy_table::Row::from(row);
        if let Some(lines) = lines_of_a_row.filter(|_| width.is_some()) {
            row.max_height(lines);
        }
        table.add_row(row);
    }
    let last = header.len().saturating_sub(1);
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, u16::try_from(GAP).unwrap_or_default()));
        if front_fits && number < last {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

/// How wide all columns but the last are.
fn front(header: &[&str], rows: &[Vec<String>]) -> usize {
    let columns = header.iter().enumerate().take(header.len() - 1);
    columns
        .map(|(at, title)| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|c| c.width());
            cells.max().unwrap_or_default().max(title.width()) + GAP
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        vec![
            row([
                "tea",
                "2026-01-31",
                "Times green and black tea, and says when it is ready to drink, and when it is cold",
            ]),
            row(["meeting", "2026-01-31", "会议纪要"]),
        ]
    }

    fn shown(width: Option<usize>, lines: Option<usize>) -> String {
        let table = build(&["NAME", "CHANGED", "DESCRIPTION"], rows(), width, lines);
        let lines: Vec<_> = table
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        lines.join("\n")
    }

    #[test]
    fn the_last_column_gives_way_and_is_cut() {
        insta::assert_snapshot!(shown(Some(50), Some(2)), @"
        NAME     CHANGED     DESCRIPTION
        tea      2026-01-31  Times green and black tea,
                             and says when it is ready…
        meeting  2026-01-31  会议纪要
        ");
    }

    #[test]
    fn a_table_of_facts_is_never_cut() {
        insta::assert_snapshot!(shown(Some(50), None), @"
        NAME     CHANGED     DESCRIPTION
        tea      2026-01-31  Times green and black tea,
                             and says when it is ready
                             to drink, and when it is
                             cold
        meeting  2026-01-31  会议纪要
        ");
    }

    #[test]
    fn a_pipe_gets_everything_in_one_line_a_row() {
        insta::assert_snapshot!(shown(None, Some(2)), @"
        NAME     CHANGED     DESCRIPTION
        tea      2026-01-31  Times green and black tea, and says when it is ready to drink, and when it is cold
        meeting  2026-01-31  会议纪要
        ");
    }
}
