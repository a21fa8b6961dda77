//! Tables as wide as the terminal, and of at most 80 columns elsewhere; of Markdown where a report is made of them.

use std::sync::LazyLock;

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, presets};
use console::Term;

/// The width of tables where there is no terminal.
const USUAL: u16 = 80;

/// Numbers are not broken in narrower terminals either.
const NARROWEST: u16 = 60;

/// The width of tables.
fn columns() -> u16 {
    Term::stdout().size_checked().map_or(USUAL, |(_, columns)| columns.max(NARROWEST))
}

/// The variable that makes tables those of Markdown. `filch report` sets it for the commands that it runs.
pub const MARKDOWN: &str = "FILCH_MARKDOWN_TABLES";

static IS_MARKDOWN: LazyLock<bool> = LazyLock::new(|| std::env::var_os(MARKDOWN).is_some());

/// An empty table with this header, without lines.
pub fn plain_table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    table
}

/// A first column of words may be as narrow as this; all other columns keep the width of their widest number.
const WORDS: u16 = 36;

/// The table as text. All columns but the first hold numbers, which are never broken: what does not fit beside the
/// first column follows in a table of its own, behind the first column again. No line ends in spaces.
pub fn text(table: Table) -> String {
    if *IS_MARKDOWN { markdown(&table, |column| column == 0) } else { text_within(columns(), table) }
}

fn text_within(width: u16, table: Table) -> String {
    let widths = table.column_max_content_widths();
    let Some((first, others)) = widths.split_first() else { return String::new() };
    let left = width - WORDS.min(*first);
    let fits = |gap: u16| others.iter().map(|own| own + gap).sum::<u16>() <= left;
    if fits(2) {
        return aligned(width, table, 2);
    }
    if fits(1) {
        return aligned(width, table, 1);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut taken = 0;
    for (place, own) in (1..).zip(others) {
        match groups.last_mut() {
            Some(group) if taken + own + 2 <= left => group.push(place),
            _ => {
                taken = 0;
                groups.push(vec![place]);
            }
        }
        taken += own + 2;
    }
    let tables: Vec<String> = groups.iter().map(|group| aligned(width, part(&table, group), 2)).collect();
    tables.join("\n\n")
}

/// The first column of a table, and these others.
fn part(table: &Table, others: &[usize]) -> Table {
    let pick = |row: &Row| -> Vec<String> {
        let cells: Vec<String> = row.cell_iter().map(Cell::content).collect();
        std::iter::once(0).chain(others.iter().copied()).filter_map(|place| cells.get(place).cloned()).collect()
    };
    let mut part = plain_table(table.header().map(pick).unwrap_or_default());
    part.add_rows(table.row_iter().map(pick));
    part
}

fn aligned(width: u16, mut table: Table, gap: u16) -> String {
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if place == 0 { 0 } else { gap }, 0));
        if place > 0 {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    lines(width, table)
}

fn lines(width: u16, mut table: Table) -> String {
    table.set_width(width);
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// The table as text, with words in the last column and numbers in the columns between it and the first. Only words are
/// broken.
pub fn with_words(table: Table) -> String {
    if *IS_MARKDOWN {
        let last = table.column_max_content_widths().len() - 1;
        markdown(&table, |column| column == 0 || column == last)
    } else {
        with_words_within(columns(), table)
    }
}

fn with_words_within(width: u16, mut table: Table) -> String {
    let last = table.column_count() - 1;
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if place == 0 { 0 } else { 2 }, 0));
        if (1..last).contains(&place) {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    lines(width, table)
}

/// The table as one of Markdown, with these columns of words, and else numbers.
pub fn markdown(table: &Table, is_words: impl Fn(usize) -> bool) -> String {
    let line = |row: &Row| {
        let cells: Vec<String> = row.cell_iter().map(|cell| cell.content().replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let side = |column| if is_words(column) { ":--|" } else { "--:|" };
    let sides: String = (0..table.column_max_content_widths().len()).map(side).collect();
    let header = table.header().map(line).unwrap_or_default();
    [header, format!("|{sides}")].into_iter().chain(table.row_iter().map(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_markdown_has_numbers_on_the_right_and_no_bar_inside_of_a_cell() {
        let mut table = plain_table(["what", "time", "about"].map(str::to_owned).to_vec());
        table.add_row(["run(|_| ())", "23 ns", "empty"]);
        assert_eq!(
            markdown(&table, |column| column != 1),
            "| what | time | about |\n|:--|--:|:--|\n| run(\\|_\\| ()) | 23 ns | empty |"
        );
    }

    #[test]
    fn no_number_is_broken_and_no_line_is_too_long_however_many_columns_there_are() {
        for first in ["P", "filch:default,period=50us,patience=never,wait=descendants"] {
            for columns in 1..20 {
                for (width, limit) in [(1, 80), (7, 60), (7, 132), (24, 80), (40, 80)] {
                    let number = |row: usize, column: usize| format!("{:0width$}", 100 * row + column);
                    let header =
                        (0..=columns).map(|column| if column == 0 { "runner".into() } else { format!("c{column}") });
                    let mut table = plain_table(header.collect());
                    for row in 0..3 {
                        let numbers = (1..=columns).map(|column| number(row, column));
                        table.add_row(std::iter::once(first.to_owned()).chain(numbers));
                    }
                    let shown = text_within(limit, table);
                    assert!(shown.lines().all(|line| line.chars().count() <= limit.into()), "{shown}");
                    let words: Vec<&str> = shown.split_whitespace().collect();
                    for row in 0..3 {
                        for column in 1..=columns {
                            assert!(words.contains(&&*number(row, column)), "{row}, {column}: {shown}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn words_at_the_end_are_broken_and_numbers_before_them_are_not() {
        let mut table = plain_table(["depth", "vertices", "such as"].map(str::to_owned).to_vec());
        table.add_row(["1", "1,000,000,000", &"libsomething-dev, ".repeat(20)]);
        let shown = with_words_within(80, table);
        assert!(shown.contains(" 1,000,000,000 ") && shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }
}
