//! Sudoku, as an exact cover (Knuth 2000; the columns are those of cells, rows, columns and boxes).

mod read;

use crate::cover::ExactCover;
use crate::read::Fault;
use std::fmt;

/// A sudoku of 4, 9 or 16 rows: each number occurs once in each row, in each column and in each box.
///
/// ```
/// use filch_search::Sudoku;
///
/// let sudoku = Sudoku::new(&[3, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0]).unwrap();
/// let rows = sudoku.cover().first().unwrap();
/// assert_eq!(sudoku.filled(&rows), [3, 1, 2, 4, 2, 4, 3, 1, 1, 2, 4, 3, 4, 3, 1, 2]);
/// ```
#[derive(Debug)]
pub struct Sudoku {
    side: usize,
    /// The numbers that are given; 0 for a cell that is to be filled.
    cells: Vec<u8>,
    /// A name, which stands in the file as a comment.
    name: Option<String>,
    cover: ExactCover,
    /// The cell and the number of each row of the exact cover.
    candidates: Vec<(usize, u8)>,
}

/// Why numbers are not a sudoku. Rows and columns of the board are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct SudokuError {
    /// The row of the board in which it shows.
    pub row: usize,
    /// What is wrong.
    pub fault: Fault,
}

impl Sudoku {
    /// The sudoku with these numbers, row by row, in which 0 is a cell to be filled.
    ///
    /// # Errors
    ///
    /// If there are not 16, 81 or 256 numbers, one is too high, or one is given twice in a row, column or box.
    pub fn new(cells: &[u8]) -> Result<Self, SudokuError> {
        let side = match cells.len() {
            16 => 4,
            81 => 9,
            256 => 16,
            found => return Err(SudokuError { row: 1, fault: Fault::new("16, 81 or 256 cells", found) }),
        };
        let mut given = vec![false; 4 * cells.len()];
        for (cell, &number) in cells.iter().enumerate().filter(|&(_, &number)| number > 0) {
            let (row, column) = (cell / side + 1, cell % side + 1);
            if usize::from(number) > side {
                let expected = format!("a number up to {side} in row {row}, column {column}");
                return Err(SudokuError { row, fault: Fault::new(expected, number) });
            }
            let units = columns(side, cell, number);
            for (kind, unit) in ["row", "column", "box"].into_iter().zip(&units[1..]) {
                if std::mem::replace(&mut given[*unit], true) {
                    let unit = format!("{kind} {}", unit % (side * side) / side + 1);
                    let found = format!("it again in row {row}, column {column}");
                    let fault = Fault::new(format!("{} once in {unit}", symbol(number)), found);
                    return Err(SudokuError { row, fault });
                }
            }
        }
        let numbers = 1..=side as u8;
        let all = (0..cells.len()).flat_map(|cell| numbers.clone().map(move |number| (cell, number)));
        let candidates: Vec<_> = all.filter(|&(cell, number)| cells[cell] == 0 || cells[cell] == number).collect();
        let rows = candidates.iter().map(|&(cell, number)| columns(side, cell, number));
        let cover = ExactCover::new(4 * cells.len(), 0, rows).expect("a number has four columns, all different");
        Ok(Sudoku { side, cells: cells.to_vec(), name: None, cover, candidates })
    }

    /// The number of rows: 4, 9 or 16.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The numbers that are given, row by row; 0 for a cell to be filled.
    pub fn given(&self) -> &[u8] {
        &self.cells
    }

    /// Its name, if the file has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The exact cover.
    pub fn cover(&self) -> &ExactCover {
        &self.cover
    }

    /// The numbers on the board if these rows of the exact cover are chosen; 0 for cells that they leave free.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn filled(&self, rows: &[usize]) -> Vec<u8> {
        let mut filled = vec![0; self.cells.len()];
        for (cell, number) in rows.iter().map(|&row| self.candidates[row]) {
            filled[cell] = number;
        }
        filled
    }

    /// A board with these numbers, as people draw it: a line for each row, with gaps between boxes.
    pub fn board(&self, numbers: &[u8]) -> Vec<String> {
        let box_side = self.side.isqrt();
        let mut lines = Vec::new();
        for (row, numbers) in numbers.chunks(self.side).enumerate() {
            if row > 0 && row % box_side == 0 {
                lines.push(String::new());
            }
            let boxes = numbers.chunks(box_side);
            let boxes = boxes.map(|numbers| numbers.iter().map(|&number| format!("{} ", symbol(number))).collect());
            lines.push(boxes.collect::<Vec<String>>().join(" ").trim_end().to_owned());
        }
        lines
    }
}

/// The columns of the exact cover for a number in a cell: those of the cell, and of the number in the row, the column
/// and the box.
fn columns(side: usize, cell: usize, number: u8) -> [usize; 4] {
    let (row, column, box_side) = (cell / side, cell % side, side.isqrt());
    let of_box = row / box_side * box_side + column / box_side;
    let number = usize::from(number) - 1;
    let kind = |kind: usize, unit: usize| (kind * side + unit) * side + number;
    [cell, kind(1, row), kind(2, column), kind(3, of_box)]
}

/// A number as a symbol: digits and, from 10 on, letters.
fn symbol(number: u8) -> char {
    match number {
        0 => '.',
        1..=9 => char::from(b'0' + number),
        _ => char::from(b'A' + number - 10),
    }
}

impl fmt::Display for Sudoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.board(&self.cells).join("\n"))
    }
}
