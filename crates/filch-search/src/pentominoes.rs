//! The twelve pentominoes on a rectangle of 60 squares, as an exact cover (Knuth 2000).

use crate::cover::ExactCover;
use std::collections::BTreeSet;

/// The problem to cover a rectangle of 60 squares with the twelve pentominoes, each of which is used once. Solutions
/// that are reflections or rotations of each other count as one.
///
/// Its exact cover has a primary column for each piece and for each square. To find one solution of each symmetric set,
/// the centre of the cross is placed in one quarter of the board (Knuth 2000). If that lies on an axis of the board, a
/// reflection leaves the cross where it is; then P, which has no axis, must be in the first of its two reflected
/// places. A secondary column says so.
///
/// ```
/// assert_eq!(filch_search::Pentominoes::new(20, 3).unwrap().cover().count(), 2);
/// ```
#[derive(Debug)]
pub struct Pentominoes {
    width: usize,
    height: usize,
    cover: ExactCover,
    /// The piece and the squares of each row of the exact cover.
    placements: Vec<Placement>,
}

/// A size that is not one of 60 squares.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a board of {SQUARES} squares, such as 6x10, 5x12, 4x15 or 3x20, found {width}x{height} with {}",
    u128::from(*width) * u128::from(*height)
)]
pub struct SizeError {
    width: u64,
    height: u64,
}

#[derive(Debug)]
struct Placement {
    piece: usize,
    squares: Shape,
}

/// The squares of a piece, row and column, in ascending order.
type Shape = Vec<(usize, usize)>;

const SQUARES: u64 = 60;

/// The pieces, by the letters that they look like, and their rows.
const PIECES: [(char, &[&str]); 12] = [
    ('F', &[" ##", "## ", " # "]),
    ('I', &["#####"]),
    ('L', &["####", "#   "]),
    ('N', &["## ", " ###"]),
    ('P', &["###", " ##"]),
    ('T', &["###", " # ", " # "]),
    ('U', &["# #", "###"]),
    ('V', &["#  ", "#  ", "###"]),
    ('W', &["#  ", "## ", " ##"]),
    ('X', &[" # ", "###", " # "]),
    ('Y', &["####", " #  "]),
    ('Z', &["## ", " # ", " ##"]),
];

/// The cross, whose place says which of the symmetric solutions counts.
const CROSS: char = 'X';
/// The piece without an axis of symmetry that decides if the cross does not.
const DECIDES: char = 'P';

impl Pentominoes {
    /// The problem on a board of this size.
    ///
    /// # Errors
    ///
    /// If it does not have 60 squares.
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        if width.checked_mul(height) != Some(SQUARES) {
            return Err(SizeError { width, height });
        }
        let (width, height) = (width as usize, height as usize);
        let mut placements = Vec::new();
        let mut rows = Vec::new();
        for (piece, &(name, drawn)) in PIECES.iter().enumerate() {
            for shape in orientations(drawn) {
                for squares in places(&shape, width, height) {
                    let Some(is_extra) = canonical(name, &squares, width, height) else { continue };
                    // The squares across the shorter side come one after another, so that of two columns with equally
                    // few rows the one near the end of the board is taken.
                    let number = |&(row, column): &(usize, usize)| {
                        if width > height { column * height + row } else { row * width + column }
                    };
                    let covered = squares.iter().map(number).chain([SQUARES as usize + piece]);
                    rows.push(covered.chain(is_extra.then_some(EXTRA)).collect::<Vec<_>>());
                    placements.push(Placement { piece, squares });
                }
            }
        }
        let cover = ExactCover::new(EXTRA, 1, rows).expect("a piece covers five squares, each of them once");
        Ok(Pentominoes { width, height, cover, placements })
    }

    /// The exact cover.
    pub fn cover(&self) -> &ExactCover {
        &self.cover
    }

    /// The letters of the pieces on the board, row by row, if these rows of the exact cover are chosen. Squares that
    /// they leave free are `.`.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn board(&self, rows: &[usize]) -> Vec<String> {
        let mut board = vec![vec!['.'; self.width]; self.height];
        for Placement { piece, squares } in rows.iter().map(|&row| &self.placements[row]) {
            for &(row, column) in squares {
                board[row][column] = PIECES[*piece].0;
            }
        }
        board.into_iter().map(String::from_iter).collect()
    }
}

/// The secondary column, behind those of squares and pieces.
const EXTRA: usize = SQUARES as usize + PIECES.len();

/// The different shapes of a piece that is turned and turned over.
fn orientations(drawn: &[&str]) -> BTreeSet<Shape> {
    let squares = drawn.iter().enumerate().flat_map(|(row, line)| {
        line.char_indices().filter(|&(_, letter)| letter == '#').map(move |(column, _)| (row, column))
    });
    let mut shape: Shape = squares.collect();
    let mut all = BTreeSet::new();
    for _ in 0..4 {
        let height = shape.iter().map(|&(row, _)| row).max().unwrap_or(0);
        let mut turned: Shape = shape.iter().map(|&(row, column)| (column, height - row)).collect();
        let mut flipped: Shape = shape.iter().map(|&(row, column)| (column, row)).collect();
        turned.sort_unstable();
        flipped.sort_unstable();
        shape.clone_from(&turned);
        all.extend([turned, flipped]);
    }
    all
}

/// All places of a shape on a board.
fn places(shape: &Shape, width: usize, height: usize) -> Vec<Shape> {
    let highest = |of: fn(&(usize, usize)) -> usize| shape.iter().map(of).max().unwrap_or(0);
    let down = 0..height.saturating_sub(highest(|square| square.0));
    let right = 0..width.saturating_sub(highest(|square| square.1));
    let moved = |y, x| shape.iter().map(|&(row, column)| (row + y, column + x)).collect();
    down.flat_map(|y| right.clone().map(move |x| moved(y, x))).collect()
}

/// Whether a piece at this place covers the secondary column, too. `None` if solutions with it are reflections of
/// others.
fn canonical(name: char, squares: &Shape, width: usize, height: usize) -> Option<bool> {
    let on_axis = |place: usize, length: usize| 2 * place + 1 == length;
    if name == CROSS {
        // Its first square is the one above the centre.
        let (row, column) = (squares[0].0 + 1, squares[0].1);
        let in_quarter = 2 * row < height && 2 * column < width;
        return in_quarter.then_some(on_axis(row, height) || on_axis(column, width));
    }
    // 60 is no product of two odd numbers, so there is one axis with squares on it at most.
    let mut mirrored: Shape = match height % 2 {
        1 => squares.iter().map(|&(row, column)| (height - 1 - row, column)).collect(),
        _ => squares.iter().map(|&(row, column)| (row, width - 1 - column)).collect(),
    };
    mirrored.sort_unstable();
    Some(name == DECIDES && mirrored < *squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fixed pentominoes: OEIS A001168.
    #[test]
    fn there_are_63_orientations() {
        let each = PIECES.map(|(_, drawn)| orientations(drawn).len());
        assert_eq!(each, [8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]);
        assert!(PIECES.iter().flat_map(|(_, drawn)| orientations(drawn)).all(|shape| shape.len() == 5));
    }
}
