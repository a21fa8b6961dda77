//! Tables of at most 80 columns.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// The maximum width of every table.
const COLUMNS: u16 = 80;

/// An empty table with this header, without lines.
pub fn plain_table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(COLUMNS)
        .set_header(header);
    table
}

/// The largest number of columns that leaves room for two spaces between them.
const FEW_COLUMNS: usize = 5;

/// The table as text. All columns but the first hold numbers. No line ends in spaces.
pub fn text(mut table: Table) -> String {
    let gap = if table.column_count() > FEW_COLUMNS { 1 } else { 2 };
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if place == 0 { 0 } else { gap }, 0));
        if place > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// The table as text, with words in the last column and numbers in the columns between it and the first.
pub fn with_words(mut table: Table) -> String {
    let last = table.column_count() - 1;
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if place == 0 { 0 } else { 2 }, 0));
        if (1..last).contains(&place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}
