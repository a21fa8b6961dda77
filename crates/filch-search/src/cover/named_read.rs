//! The reader of exact covers: a row on a line, by the names of its columns.

use super::{ExactCover, NamedCover};
use crate::read::{Fault, ReadError, TextError, lines, read};
use std::collections::HashMap;
use std::path::Path;

/// What separates the primary columns of a row from the secondary ones.
const BAR: &str = "|";

/// What is known of a column.
struct Known {
    number: usize,
    /// The line that names it first.
    line: usize,
    /// The line that has named it last.
    latest: usize,
    is_primary: bool,
}

impl NamedCover {
    /// Reads a text in which each line is a row: the names of its columns, separated by spaces, and behind a bar `|`
    /// those of its secondary columns. Blank lines and lines that begin with `#` are skipped.
    ///
    /// A name is primary in all rows, or secondary in all. The columns are numbered in the order in which the file
    /// names them.
    ///
    /// # Errors
    ///
    /// If the text has no rows, or has a row without a primary column, with a column named twice, with two bars, or
    /// with a column that is primary in one row and secondary in another.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut known: HashMap<&str, Known> = HashMap::new();
        let mut names: [Vec<&str>; 2] = Default::default();
        let mut rows: Vec<Vec<(bool, usize)>> = Vec::new();
        let mut numbers = Vec::new();
        for (line, content) in lines(text) {
            let row = row(content, line, &mut known, &mut names).map_err(|fault| TextError::at(line, fault))?;
            rows.push(row);
            numbers.push(line);
        }
        if rows.is_empty() {
            return Err(TextError::whole(Fault::new("lines with the names of columns", "none")));
        }
        let [primary, secondary] = names;
        let number = |(is_primary, number): (bool, usize)| if is_primary { number } else { primary.len() + number };
        let rows = rows.into_iter().map(|row| row.into_iter().map(number).collect::<Vec<_>>());
        let cover = ExactCover::new(primary.len(), secondary.len(), rows)
            .map_err(|error| TextError::whole(Fault::new("an exact cover problem", error)))?;
        let names = primary.iter().chain(&secondary).map(|&name| name.to_owned()).collect();
        Ok(NamedCover { cover, names, lines: numbers })
    }

    /// Reads a file; see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse` fails.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        read(path, Self::parse)
    }
}

/// The columns of a row: whether each is primary, and its number among those that are or are not.
fn row<'t>(
    content: &'t str,
    line: usize,
    known: &mut HashMap<&'t str, Known>,
    names: &mut [Vec<&'t str>; 2],
) -> Result<Vec<(bool, usize)>, Fault> {
    let mut row: Vec<(bool, usize)> = Vec::new();
    let mut is_primary = true;
    for name in content.split_whitespace() {
        if name == BAR {
            if !is_primary {
                return Err(Fault::new("one | in a row", "two"));
            }
            if row.is_empty() {
                return Err(Fault::new("a primary column before the |", "none"));
            }
            is_primary = false;
            continue;
        }
        let names = &mut names[usize::from(!is_primary)];
        let column = known.entry(name).or_insert_with(|| {
            names.push(name);
            Known { number: names.len() - 1, line, latest: 0, is_primary }
        });
        let kind = |is_primary| if is_primary { "primary" } else { "secondary" };
        if column.is_primary != is_primary {
            return Err(Fault::new(
                format!("a {} column", kind(is_primary)),
                format!("{name:?}, which is {} in line {}", kind(column.is_primary), column.line),
            ));
        }
        if std::mem::replace(&mut column.latest, line) == line {
            return Err(Fault::new("each column once in a row", format!("{name:?} twice")));
        }
        row.push((is_primary, column.number));
    }
    Ok(row)
}
