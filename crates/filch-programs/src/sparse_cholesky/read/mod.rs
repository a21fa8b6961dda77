//! Matrices in files: those of the Harwell-Boeing collection, as BCSSTK32 is published, and of Matrix Market.
//!
//! - `harwell_boeing`: columns of a fixed width; `market`: a line for each element; `fault`: what is wrong
//!   in either, and their numbers

mod fault;
mod harwell_boeing;
mod market;

use std::path::{Path, PathBuf};

use filch_text::{FileError, named, read_text};

use super::lists::Columns;
use super::mesh::Element;
pub use fault::Fault;

/// More than any matrix of the collection has. It ends the reading of what has no end, such as `/dev/zero`.
const MAX_BYTES: u64 = 4 << 30;

/// A symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The number of its rows.
    pub side: usize,
    /// Its elements on and below the diagonal, all of which is there.
    pub elements: Vec<Element>,
}

/// Why a file has no such matrix. The message names the file and, if there is one, the line, counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// It cannot be opened or decompressed, or is no text.
    #[error(transparent)]
    File(#[from] FileError),
    /// The text in it is wrong.
    #[error("{}:{fault}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
}

/// The least number of bytes that the factor of a matrix takes with this many elements: they are in lists, and in
/// blocks.
pub const BYTES_OF_FACTOR: u64 = 24;

impl Matrix {
    /// Reads a file in either format. [`check`](Self::check) does what takes as long as the program.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no real symmetric matrix with a positive diagonal.
    pub fn read(path: &Path) -> Result<Self, MatrixError> {
        let text = read_text(path, MAX_BYTES)?;
        Self::parse(&text).map_err(|fault| MatrixError::Text { path: named(path).to_owned(), fault })
    }

    fn parse(text: &str) -> Result<Self, Fault> {
        let text = filch_text::check_text(text)?;
        let is_market = text.starts_with('%');
        let parse = if is_market { market::parse } else { harwell_boeing::parse };
        let (side, elements) = parse(text)?;
        let mut matrix = Self { side, elements };
        matrix.elements.sort_unstable_by_key(|&(row, column, _)| (column, row));
        let place = |&(row, column, _): &Element| format!("row {}, column {}", row + 1, column + 1);
        let mut pairs = matrix.elements.windows(2);
        if let Some(twice) = pairs.find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err(Fault::at(None, "each element once", format!("two in {}", place(&twice[0]))));
        }
        let mut diagonal = matrix.elements.iter().filter(|(row, column, _)| row == column);
        for row in 0..matrix.side as u32 {
            let found = match diagonal.next() {
                Some(&(at, _, value)) if at == row && value > 0.0 => continue,
                Some(&(at, _, value)) if at == row => format!("{value}"),
                _ => "none".to_owned(),
            };
            let expected = "a positive definite matrix, which has positive elements on its diagonal";
            return Err(Fault::at(None, expected, format!("{found} in row {}", row + 1)));
        }
        Ok(matrix)
    }

    /// The number of elements of the factor, found without computing it: in a row, the columns on the ways up from its
    /// elements in the tree in which the parent of a column is the next row where it has one (Liu 1990, "The Role of
    /// Elimination Trees in Sparse Factorization").
    pub fn elements_of_factor(&self) -> u64 {
        const NONE: u32 = u32::MAX;
        let mut by_row = self.elements.clone();
        by_row.sort_unstable_by_key(|&(row, column, _)| (row, column));
        let (mut parent, mut seen_in) = (vec![NONE; self.side], vec![NONE; self.side]);
        let mut count = 0;
        for (row, column, _) in by_row {
            let mut at = column;
            while at != row && seen_in[at as usize] != row {
                count += 1;
                seen_in[at as usize] = row;
                if parent[at as usize] == NONE {
                    parent[at as usize] = row;
                }
                at = parent[at as usize];
            }
        }
        count + self.side as u64
    }

    /// Whether the matrix is positive definite, as the serial program finds out.
    ///
    /// # Errors
    ///
    /// If it is not: that of `path`.
    pub fn check(&self, path: &Path) -> Result<(), MatrixError> {
        let mut wrong = None;
        Columns::factor(self.side, &self.elements).for_each(&mut |(row, column, root)| {
            if row == column && (root <= 0.0 || root.is_nan()) {
                wrong.get_or_insert(row + 1);
            }
        });
        let fault = |row| Fault::at(None, "a positive definite matrix", format!("no root in row {row} of its factor"));
        let error = |row| MatrixError::Text { path: named(path).to_owned(), fault: fault(row) };
        wrong.map_or(Ok(()), |row| Err(error(row)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::mesh::shell;
    use super::*;
    use std::fmt::Write;

    /// A matrix in the format of Matrix Market.
    fn market(side: usize, elements: &[Element]) -> String {
        let header = format!("%%MatrixMarket matrix coordinate real symmetric\n% a comment\n{side} {side}");
        elements.iter().fold(format!("{header} {}\n", elements.len()), |mut text, (row, column, value)| {
            writeln!(text, "{} {} {value:e}", row + 1, column + 1).unwrap();
            text
        })
    }

    /// The same in that of Harwell and Boeing, where numbers need no spaces between them.
    fn harwell_boeing(side: usize, elements: &[Element]) -> String {
        let mut sorted = elements.to_vec();
        sorted.sort_unstable_by_key(|&(row, column, _)| (column, row));
        let begins = (0..=side as u32).map(|column| sorted.partition_point(|element| element.1 < column) + 1);
        let cards = |items: Vec<String>, each: usize| -> Vec<String> {
            items.chunks(each).map(|items| items.concat()).collect()
        };
        let begins = cards(begins.map(|begin| format!("{begin:6}")).collect(), 13);
        let rows = cards(sorted.iter().map(|element| format!("{:6}", element.0 + 1)).collect(), 13);
        let value = |element: &Element| format!("{:25.15e}", element.2).replace('e', "D");
        let values = cards(sorted.iter().map(value).collect(), 3);
        let numbers = |list: &[usize]| list.iter().map(|number| format!("{number:14}")).collect::<String>();
        let total = begins.len() + rows.len() + values.len();
        let mut text = format!("{:<72}{:<8}\n", "A mesh", "MESH");
        let _ = writeln!(text, "{}", numbers(&[total, begins.len(), rows.len(), values.len(), 0]));
        let _ = writeln!(text, "{:<14}{}", "RSA", numbers(&[side, side, sorted.len(), 0]));
        let _ = writeln!(text, "{:<16}{:<16}{:<20}", "(13I6)", "(13I6)", "(1P,3D25.15)");
        text + &[begins, rows, values].concat().join("\n") + "\n"
    }

    #[test]
    fn a_matrix_is_the_same_in_both_formats() {
        for side in [1, 2, 30, 333] {
            let mut expected = shell(side);
            expected.sort_unstable_by_key(|&(row, column, _)| (column, row));
            for text in [market(side, &expected), harwell_boeing(side, &expected)] {
                let matrix = Matrix::parse(&text).unwrap();
                assert_eq!(matrix.side, side);
                assert_eq!(matrix.elements.len(), expected.len());
                for (found, expected) in matrix.elements.iter().zip(&expected) {
                    assert_eq!((found.0, found.1), (expected.0, expected.1));
                    assert!((found.2 - expected.2).abs() <= 1e-14 * expected.2.abs(), "{found:?} {expected:?}");
                }
            }
        }
    }

    #[test]
    fn the_elements_of_the_factor_are_as_many_as_it_has() {
        for side in [1, 8, 100, 777] {
            let matrix = Matrix { side, elements: shell(side) };
            let mut count = 0;
            Columns::factor(side, &matrix.elements).for_each(&mut |_| count += 1);
            assert_eq!(matrix.elements_of_factor(), count);
        }
    }

    #[test]
    fn what_is_no_such_matrix_is_refused_with_line_and_reason() {
        let head = "%%MatrixMarket matrix coordinate real symmetric\n";
        let good = harwell_boeing(30, &shell(30));
        let cases = [
            (
                head.replace("symmetric", "general"),
                "1: expected %%MatrixMarket matrix coordinate real symmetric, found",
            ),
            (head.to_owned(), " expected the numbers of rows, columns and elements, found the end of the file"),
            (format!("{head}2 3 1\n"), "2: expected as many columns as rows, found 2 rows and 3 columns"),
            (format!("{head}2 2 1\n1 1\n"), "3: expected a row, a column and a value, found \"1 1\""),
            (format!("{head}2 2 1\n3 1 1.0\n"), "3: expected a row, from 1 to 2, found \"3\""),
            (
                format!("{head}2 2 1\n1 2 1.0\n"),
                "3: expected an element on or below the diagonal, found row 1, column 2",
            ),
            (format!("{head}2 2 1\n1 1 x\n"), "3: expected a finite number, found \"x\""),
            (format!("{head}2 2 2\n1 1 1\n"), " expected 2 elements, as line 2 says, found 1"),
            (format!("{head}1 1 2\n1 1 1\n1 1 1\n"), " expected each element once, found two in row 1, column 1"),
            (format!("{head}2 2 1\n1 1 1\n"), "found none in row 2"),
            (format!("{head}1 1 1\n1 1 -1\n"), "positive elements on its diagonal, found -1 in row 1"),
            (good.replace("RSA", "RUA"), "3: expected RSA, a real, symmetric and assembled matrix, found \"RUA\""),
            (good.replace("(13I6)", "(13X6)"), "4: expected a format such as (13I6), found \"(13X6)\""),
            (
                good.lines().take(5).collect::<Vec<_>>().join("\n"),
                "expected 31 begins of columns, as line 3 says, found",
            ),
            ("no matrix\n".to_owned(), " expected four lines of a header, found the end of the file"),
        ];
        for (text, words) in cases {
            let fault = Matrix::parse(&text).unwrap_err().to_string();
            assert!(fault.contains(words), "{fault:?} and not {words:?}");
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused_with_its_row() {
        let indefinite = Matrix { side: 3, elements: vec![(0, 0, 1.0), (1, 1, 1.0), (2, 1, 2.0), (2, 2, 1.0)] };
        let error = indefinite.check(Path::new("a.mtx")).unwrap_err().to_string();
        assert_eq!(error, "a.mtx: expected a positive definite matrix, found no root in row 3 of its factor");
        Matrix { side: 40, elements: shell(40) }.check(Path::new("a.mtx")).unwrap();
    }
}
