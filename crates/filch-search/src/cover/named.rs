//! Exact covers whose columns have names.

use super::ExactCover;

/// An exact cover problem whose columns have names and whose rows are lines of a file. See
/// [`read`](Self::read) and `docs/search.md` for the format.
#[derive(Debug)]
pub struct NamedCover {
    /// The problem.
    pub cover: ExactCover,
    /// The names of its columns, the primary ones first.
    pub names: Vec<String>,
    /// The line of each row, counted from 1.
    pub lines: Vec<usize>,
}

impl NamedCover {
    /// A row as a line of the format: its primary columns, and the secondary ones behind a bar.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> String {
        let words = |secondary: bool| {
            let columns =
                self.cover.columns(row).filter(move |&column| (column >= self.cover.num_primary()) == secondary);
            columns.map(|column| self.names[column].as_str()).collect::<Vec<_>>().join(" ")
        };
        let [primary, secondary] = [false, true].map(words);
        if secondary.is_empty() { primary } else { format!("{primary} | {secondary}") }
    }
}
