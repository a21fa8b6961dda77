//! What is wrong with a text, and the numbers in it.

use std::fmt::Display;

use filch_text::{BadText, shown};

/// What is wrong with a text.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}expected {expected}, found {found}", line.map_or(" ".to_owned(), |line| format!("{line}: ")))]
pub struct Fault {
    /// Where it is; `None` if it is about the matrix as a whole.
    line: Option<usize>,
    expected: String,
    found: String,
}

impl Fault {
    pub(super) fn at(line: impl Into<Option<usize>>, expected: impl Display, found: impl Display) -> Self {
        Self { line: line.into(), expected: expected.to_string(), found: found.to_string() }
    }
}

impl From<BadText> for Fault {
    fn from(bad: BadText) -> Self {
        Self::at(bad.line as usize, "a text", bad.fault)
    }
}

/// A number of the text, between these bounds.
pub(super) fn number(line: usize, text: &str, what: &str, (low, high): (u64, u64)) -> Result<u64, Fault> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| Fault::at(line, format!("{what}, from {low} to {high}"), quoted(text)))
}

/// A value of the text. Fortran writes exponents with a D, too.
pub(super) fn value(line: usize, text: &str) -> Result<f64, Fault> {
    let value = text.replace(['d', 'D'], "e").parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| Fault::at(line, "a finite number", quoted(text)))
}

pub(super) fn quoted(text: &str) -> String {
    format!("{:?}", shown(text.as_bytes()))
}

/// The number of rows, which that of columns must be, too.
pub(super) fn side(line: usize, rows: &str, columns: &str) -> Result<u64, Fault> {
    let [rows, columns] = [(rows, "a number of rows"), (columns, "a number of columns")]
        .map(|(text, what)| number(line, text, what, (1, 1 << 30)));
    let (side, columns) = (rows?, columns?);
    if columns != side {
        return Err(Fault::at(line, "as many columns as rows", format!("{side} rows and {columns} columns")));
    }
    Ok(side)
}
