//! The twelve pentominoes on a rectangle of 60 squares, and the eighteen one-sided ones on one of 90, as an exact cover
//! (Knuth 2000).

use crate::cover::ExactCover;
use std::collections::BTreeSet;

/// The problem to cover a rectangle of 60 squares with the twelve pentominoes, each of which is used once, or one of 90
/// squares with the eighteen one-sided ones: they are turned, but not turned over, and those that differ from their
/// reflection are there twice. Solutions that are reflections or rotations of each other count as one.
///
/// Its exact cover has a primary column for each piece and for each square. To find one solution of each symmetric set,
/// the centre of the cross is placed in one quarter of the board (Knuth 2000). If that lies on an axis of the board, a
/// reflection leaves the cross where it is; then V, whose axis is a diagonal, must be in the first of its two reflected
/// places. A secondary column says so.
///
/// ```
/// assert_eq!(filch_search::Pentominoes::new(20, 3).unwrap().cover().count(), 2);
/// ```
#[derive(Debug)]
pub struct Pentominoes {
    width: usize,
    height: usize,
    /// The letters of the pieces: small ones for reflections.
    letters: Vec<char>,
    cover: ExactCover,
    /// The piece and the squares of each row of the exact cover.
    placements: Vec<Placement>,
}

/// A size that is not one of 60 or 90 squares.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a board of {SQUARES} squares, such as 6x10, 5x12, 4x15 or 3x20, or of {ONE_SIDED} for the one-sided \
     pieces, such as 3x30, found {width}x{height} with {}",
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

/// The squares of the one-sided pieces.
const ONE_SIDED: u64 = 90;

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
/// The piece that decides if the cross does not: it is its own reflection, but in another place.
const DECIDES: char = 'V';

impl Pentominoes {
    /// The problem on a board of this size.
    ///
    /// # Errors
    ///
    /// If it does not have 60 or 90 squares.
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        let Some(squares @ (SQUARES | ONE_SIDED)) = width.checked_mul(height) else {
            return Err(SizeError { width, height });
        };
        let (pieces, squares) = (pieces(squares == ONE_SIDED), squares as usize);
        let extra = squares + pieces.len();
        let (width, height) = (width as usize, height as usize);
        let mut placements = Vec::new();
        let mut rows = Vec::new();
        for (piece, (name, shapes)) in pieces.iter().enumerate() {
            for shape in shapes {
                for covered in places(shape, width, height) {
                    let Some(is_extra) = canonical(*name, &covered, width, height) else { continue };
                    // The squares across the shorter side come one after another, so that of two columns with equally
                    // few rows the one near the end of the board is taken.
                    let number = |&(row, column): &(usize, usize)| {
                        if width > height { column * height + row } else { row * width + column }
                    };
                    let columns = covered.iter().map(number).chain([squares + piece]);
                    rows.push(columns.chain(is_extra.then_some(extra)).collect::<Vec<_>>());
                    placements.push(Placement { piece, squares: covered });
                }
            }
        }
        let cover = ExactCover::new(extra, 1, rows).expect("a piece covers five squares, each of them once");
        let letters = pieces.into_iter().map(|(name, _)| name).collect();
        Ok(Pentominoes { width, height, letters, cover, placements })
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
                board[row][column] = self.letters[*piece];
            }
        }
        board.into_iter().map(String::from_iter).collect()
    }
}

/// The pieces with their shapes.
fn pieces(are_one_sided: bool) -> Vec<(char, BTreeSet<Shape>)> {
    let mut pieces = Vec::new();
    for (name, drawn) in PIECES {
        let [mut turned, flipped] = orientations(drawn);
        if !are_one_sided {
            turned.extend(flipped);
        } else if turned != flipped {
            pieces.push((name.to_ascii_lowercase(), flipped));
        }
        pieces.push((name, turned));
    }
    pieces
}

/// The different shapes of a piece that is turned, and of its reflection.
fn orientations(drawn: &[&str]) -> [BTreeSet<Shape>; 2] {
    let squares = drawn.iter().enumerate().flat_map(|(row, line)| {
        line.char_indices().filter(|&(_, letter)| letter == '#').map(move |(column, _)| (row, column))
    });
    let mut shape: Shape = squares.collect();
    let mut all = [BTreeSet::new(), BTreeSet::new()];
    for _ in 0..4 {
        let height = shape.iter().map(|&(row, _)| row).max().unwrap_or(0);
        let mut turned: Shape = shape.iter().map(|&(row, column)| (column, height - row)).collect();
        let mut flipped: Shape = shape.iter().map(|&(row, column)| (column, row)).collect();
        turned.sort_unstable();
        flipped.sort_unstable();
        shape.clone_from(&turned);
        all[0].insert(turned);
        all[1].insert(flipped);
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
    // 60 and 90 are no products of two odd numbers, so there is one axis with squares on it at most.
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

    /// Fixed, free and one-sided pentominoes: OEIS A001168, A000105 and A000988.
    #[test]
    fn there_are_63_orientations_of_12_and_of_18_pieces() {
        let counts = [false, true].map(|are_one_sided| {
            let pieces = pieces(are_one_sided);
            assert!(pieces.iter().flat_map(|(_, shapes)| shapes).all(|shape| shape.len() == 5));
            (pieces.len(), pieces.iter().map(|(_, shapes)| shapes.len()).sum())
        });
        assert_eq!(counts, [(12, 63), (18, 63_usize)]);
    }
}
