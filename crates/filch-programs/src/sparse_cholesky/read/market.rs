//! The Matrix Market exchange format (Boisvert, Pozo and Remington 1996, "The Matrix Market exchange formats: initial
//! design"), of real symmetric matrices.
//!
//! The reader of graphs in `filch-graph-io` keeps 32 bits of a value, which is too little here.

use super::fault::{Fault, number, quoted, side, value};
use crate::sparse_cholesky::mesh::Element;

/// What the first line must be, whatever its case.
const BANNER: &str = "%%MatrixMarket matrix coordinate real symmetric";

/// Reads a text: the number of rows, and the elements on and below the diagonal.
pub(super) fn parse(text: &str) -> Result<(usize, Vec<Element>), Fault> {
    let first = text.lines().next().unwrap_or_default();
    let words = |line: &str| line.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>();
    if words(first) != words(BANNER) {
        return Err(Fault::at(1, BANNER, quoted(first)));
    }
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('%'));
    let sizes = "the numbers of rows, columns and elements";
    let (header, line) = lines.next().ok_or_else(|| Fault::at(None, sizes, "the end of the file"))?;
    let [rows, columns, count] = three(header, line, sizes)?;
    let side = side(header, rows, columns)?;
    let count = number(header, count, "a number of elements", (1, u32::MAX.into()))?;

    let mut elements = Vec::new();
    for (at, line) in lines {
        let [row, column, a] = three(at, line, "a row, a column and a value")?;
        let [row, column] =
            [(row, "a row"), (column, "a column")].map(|(text, what)| number(at, text, what, (1, side)));
        let (row, column) = (row?, column?);
        if column > row {
            let found = format!("row {row}, column {column}");
            return Err(Fault::at(at, "an element on or below the diagonal", found));
        }
        elements.push((row as u32 - 1, column as u32 - 1, value(at, a)?));
    }
    if elements.len() as u64 != count {
        return Err(Fault::at(None, format!("{count} elements, as line {header} says"), elements.len()));
    }
    Ok((side as usize, elements))
}

/// The three words of a line.
fn three<'t>(at: usize, line: &'t str, what: &str) -> Result<[&'t str; 3], Fault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.try_into().map_err(|_| Fault::at(at, what, quoted(line.trim())))
}
