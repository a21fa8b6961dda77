//! Sizes as users write them: a number, or rows and columns.

use std::fmt;
use std::str::FromStr;

/// The size of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The size n, written `1024`.
    Number(u64),
    /// A number of rows and one of columns, written `3000x2000`; for programs that have a [shape](crate::Shape).
    Grid {
        /// The number of rows.
        rows: u64,
        /// The number of columns.
        columns: u64,
    },
}

impl Extent {
    /// The number n, or the number of rows.
    pub fn n(self) -> u64 {
        match self {
            Self::Number(n) => n,
            Self::Grid { rows, .. } => rows,
        }
    }

    /// The number of columns, if it is given.
    pub fn columns(self) -> Option<u64> {
        match self {
            Self::Number(_) => None,
            Self::Grid { columns, .. } => Some(columns),
        }
    }
}

impl From<u64> for Extent {
    fn from(n: u64) -> Self {
        Self::Number(n)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::Grid { rows, columns } => write!(f, "{rows}x{columns}"),
        }
    }
}

/// A text that is no size.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number such as 1024, or rows and columns such as 3000x2000")]
pub struct ParseExtentError;

impl FromStr for Extent {
    type Err = ParseExtentError;

    fn from_str(text: &str) -> Result<Self, ParseExtentError> {
        let number = |text: &str| text.parse().map_err(|_| ParseExtentError);
        match text.split_once('x') {
            None => Ok(Self::Number(number(text)?)),
            Some((rows, columns)) => Ok(Self::Grid { rows: number(rows)?, columns: number(columns)? }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_read_as_it_is_written_and_nothing_else_is() {
        for extent in [Extent::Number(1024), Extent::Grid { rows: 3000, columns: 2000 }] {
            assert_eq!(extent.to_string().parse(), Ok(extent));
        }
        for text in ["", "x", "3x", "x3", "3x4x5", "3 x 4", "-3", "3X4", "many"] {
            assert_eq!(text.parse::<Extent>(), Err(ParseExtentError), "{text}");
        }
    }
}
