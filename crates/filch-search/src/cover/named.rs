//! Exact covers whose columns have names.

use super::ExactCover;

/// An exact cover problem whose columns and colours have names and whose rows are lines of a file. See
/// [`read`](Self::read) and `docs/search.md` for the format.
#[derive(Debug)]
pub struct NamedCover {
    /// The problem.
    pub cover: ExactCover,
    /// The names of its columns, the primary ones first.
    pub names: Vec<String>,
    /// The names of its colours.
    pub colours: Vec<String>,
    /// The line of each row, counted from 1.
    pub lines: Vec<usize>,
}

impl NamedCover {
    /// A row as a line of the format: its primary columns, and behind a bar the secondary ones with their colours.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> String {
        let word = |(column, colour): (usize, Option<u32>)| {
            let colour = colour.map_or(String::new(), |colour| format!(":{}", self.colours[colour as usize]));
            format!("{}{colour}", self.names[column])
        };
        let words = |secondary: bool| {
            let entries = self.cover.entries(row);
            let entries = entries.filter(|&(column, _)| (column >= self.cover.num_primary()) == secondary);
            entries.map(word).collect::<Vec<_>>().join(" ")
        };
        let [primary, secondary] = [false, true].map(words);
        if secondary.is_empty() { primary } else { format!("{primary} | {secondary}") }
    }
}
