//! Square matrices in blocks, laid out such that each quadrant is one slice.
//!
//! The blocks are in Z-order: first those of the upper left quadrant, then those of the upper right, the lower left and
//! the lower right one, and within each quadrant likewise. So a program that recurses on quadrants splits slices, and
//! at every level its data is as close together in memory as possible.

use std::ops::Mul;

use fastrand::Rng;

use crate::program::{Domain, Grain, POWER_OF_TWO};
use crate::runtime::{Runtime, Token};

/// The side of a [`Block`], in numbers.
pub const BLOCK_SIDE: usize = 16;

/// A row of a block.
pub type Row = [f64; BLOCK_SIDE];

/// 16 × 16 numbers, row by row. A block has 2 KiB, so three of them fit well into a first-level cache.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))] // a cache line: no block shares one with its neighbours
pub struct Block(pub [Row; BLOCK_SIDE]);

impl Block {
    /// A block of one number.
    pub const fn filled_with(number: f64) -> Self {
        Self([[number; BLOCK_SIDE]; BLOCK_SIDE])
    }
}

/// A square matrix whose side is a power of two.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    side: usize,
    /// In Z-order.
    blocks: Vec<Block>,
}

impl Matrix {
    /// The matrix with these elements by row and column.
    ///
    /// # Panics
    ///
    /// If the side is not a power of two, or less than [`BLOCK_SIDE`].
    pub fn from_fn(side: usize, mut element: impl FnMut(usize, usize) -> f64) -> Self {
        assert!(
            side.is_power_of_two() && side >= BLOCK_SIDE,
            "a side of {side}, expected a power of two from {BLOCK_SIDE}"
        );
        let mut matrix = Self { side, blocks: vec![Block::filled_with(0.0); blocks_of(side)] };
        for row in 0..side {
            for column in 0..side {
                matrix.set(row, column, element(row, column));
            }
        }
        matrix
    }

    /// The number of rows, and of columns.
    pub fn side(&self) -> usize {
        self.side
    }

    /// An element.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.blocks[self.block_at(row, column)].0[row % BLOCK_SIDE][column % BLOCK_SIDE]
    }

    /// Changes an element.
    pub fn set(&mut self, row: usize, column: usize, element: f64) {
        let block = self.block_at(row, column);
        self.blocks[block].0[row % BLOCK_SIDE][column % BLOCK_SIDE] = element;
    }

    /// The blocks, for a program that recurses on [`quadrants`].
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks, for a program that recurses on [`quadrants_mut`].
    pub fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    /// Overwrites all elements. Any result computed from one of them is not a number.
    pub fn poison(&mut self) {
        self.blocks.fill(Block::filled_with(f64::NAN));
    }

    fn block_at(&self, row: usize, column: usize) -> usize {
        assert!(row < self.side && column < self.side, "no element {row}, {column} in a matrix of side {}", self.side);
        // A digit of the row, which distinguishes upper from lower, precedes the same digit of the column.
        spread((row / BLOCK_SIDE) as u32) << 1 | spread((column / BLOCK_SIDE) as u32)
    }
}

/// Inserts a zero above each binary digit of a number below 2^16.
fn spread(number: u32) -> usize {
    let mut digits = number & 0x0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff;
    digits = (digits | digits << 4) & 0x0f0f_0f0f;
    digits = (digits | digits << 2) & 0x3333_3333;
    digits = (digits | digits << 1) & 0x5555_5555;
    digits as usize
}

/// The number of blocks of a matrix.
pub const fn blocks_of(side: usize) -> usize {
    (side / BLOCK_SIDE).pow(2)
}

/// The number of bytes of this many blocks.
pub const fn bytes_of(blocks: usize) -> u64 {
    blocks as u64 * size_of::<Block>() as u64
}

/// The sides of matrices that users can ask for.
pub const SIDES: Domain =
    Domain { counts: "the side of the matrix", min: BLOCK_SIDE as u64, max: 16_384, rule: Some(POWER_OF_TWO) };

/// A cut-off that counts the side of the result of a leaf.
pub const fn grain(default: u64) -> Grain {
    Grain { counts: "the side of what a leaf computes, in blocks of 16 × 16", default, max: SIDES.max / SIDES.min }
}

/// The number of blocks of a leaf with that cut-off.
pub const fn leaf_blocks(grain: u64) -> usize {
    grain.saturating_mul(grain) as usize
}

/// The quadrants: upper left, upper right, lower left and lower right.
#[inline]
pub fn quadrants(blocks: &[Block]) -> [&[Block]; 4] {
    let (upper, lower) = blocks.split_at(blocks.len() / 2);
    let (upper_left, upper_right) = upper.split_at(upper.len() / 2);
    let (lower_left, lower_right) = lower.split_at(lower.len() / 2);
    [upper_left, upper_right, lower_left, lower_right]
}

/// The quadrants, in the same order.
#[inline]
pub fn quadrants_mut(blocks: &mut [Block]) -> [&mut [Block]; 4] {
    let (upper, lower) = blocks.split_at_mut(blocks.len() / 2);
    let (upper_left, upper_right) = upper.split_at_mut(upper.len() / 2);
    let (lower_left, lower_right) = lower.split_at_mut(lower.len() / 2);
    [upper_left, upper_right, lower_left, lower_right]
}

/// Applies a function to corresponding elements of matrices of one size, in parallel: divides all of them in halves,
/// down to leaves.
pub fn elementwise<R: Runtime, const SOURCES: usize, const TARGETS: usize>(
    mut t: Token<R>,
    sources: [&[Block]; SOURCES],
    mut targets: [&mut [Block]; TARGETS],
    leaf: usize,
    do_leaf: fn([&[Block]; SOURCES], [&mut [Block]; TARGETS]),
) {
    let blocks = targets[0].len();
    if blocks <= leaf {
        t.touches(sources, targets.each_ref().map(|target| &**target));
        return do_leaf(sources, targets);
    }
    let half = blocks / 2;
    let first_sources = sources.map(|blocks| &blocks[..half]);
    let second_sources = sources.map(|blocks| &blocks[half..]);
    let first_targets = targets.each_mut().map(|blocks| blocks.split_off_mut(..half).expect("half of them"));
    t.join(
        |t| elementwise(t, first_sources, first_targets, leaf, do_leaf),
        |t| elementwise(t, second_sources, targets, leaf, do_leaf),
    );
}

/// A leaf of [`elementwise`] that copies.
#[inline(never)]
pub fn copy_leaf([from]: [&[Block]; 1], [to]: [&mut [Block]; 1]) {
    to.copy_from_slice(from);
}

/// How a product changes C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// C = A·B.
    Assign,
    /// C = C + A·B.
    Add,
    /// C = C − A·B.
    Subtract,
}

impl Update {
    /// The update for the second term of a sum whose first term has been applied by this update.
    pub fn next(self) -> Self {
        if self == Self::Assign { Self::Add } else { self }
    }

    /// Applies the product of two blocks.
    pub fn multiply(self, c: &mut Block, a: &Block, b: &Block) {
        match self {
            Self::Assign => assign_product(c, a, b),
            Self::Add => add_product(c, a, b),
            Self::Subtract => subtract_product(c, a, b),
        }
    }
}

#[inline(never)]
fn assign_product(c: &mut Block, a: &Block, b: &Block) {
    by_rows(c, a, b, |_| [0.0; BLOCK_SIDE], |sum, product| sum + product);
}

#[inline(never)]
fn add_product(c: &mut Block, a: &Block, b: &Block) {
    by_rows(c, a, b, |row| row, |sum, product| sum + product);
}

#[inline(never)]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    by_rows(c, a, b, |row| row, |sum, product| sum - product);
}

/// The kernel. It computes one row of C at a time, which stays in registers while the rows of B, each multiplied by an
/// element of A, are added.
#[inline(always)]
fn by_rows(c: &mut Block, a: &Block, b: &Block, start: impl Fn(Row) -> Row, bring_in: impl Fn(f64, f64) -> f64) {
    for (c, a) in c.0.iter_mut().zip(&a.0) {
        let mut sums = start(*c);
        for (a, b) in a.iter().zip(&b.0) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = bring_in(*sum, a * b);
            }
        }
        *c = sums;
    }
}

/// For checkers: a matrix times a vector, by the definition.
pub fn times<T>(element: impl Fn(usize, usize) -> T, vector: &[T]) -> Vec<T>
where
    T: Copy + Mul<Output = T> + std::iter::Sum,
{
    let row = |row: usize| (0..vector.len()).map(|column| element(row, column) * vector[column]).sum();
    (0..vector.len()).map(row).collect()
}

/// The number of steps from 0 to 1 in random elements.
const STEPS: i64 = 1 << 20;

/// A pseudo-random element from −1 to 1.
pub fn random_element(random: &mut Rng) -> f64 {
    random.i64(-STEPS..=STEPS) as f64 / STEPS as f64
}

/// A pseudo-random vector of integers whose absolute value is at most `limit`.
pub fn random_vector(random: &mut Rng, length: usize, limit: i64) -> Vec<i64> {
    (0..length).map(|_| random.i64(-limit..=limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::Serial;

    /// Elements that identify their place.
    fn numbered(side: usize) -> Matrix {
        Matrix::from_fn(side, |row, column| (row * side + column) as f64)
    }

    fn random(seed: u64) -> Block {
        let mut random = Rng::with_seed(seed);
        Block([(); BLOCK_SIDE].map(|()| [(); BLOCK_SIDE].map(|()| random.i64(-9..=9) as f64)))
    }

    #[test]
    fn an_element_is_found_where_it_was_put() {
        for side in [16, 32, 64, 128] {
            let matrix = numbered(side);
            for row in 0..side {
                for column in 0..side {
                    assert_eq!(matrix.get(row, column), (row * side + column) as f64);
                }
            }
        }
    }

    #[test]
    fn the_slices_are_the_quadrants_at_every_level() {
        fn check(matrix: &Matrix, blocks: &[Block], row: usize, column: usize, side: usize) {
            assert_eq!(blocks[0].0[0][0], matrix.get(row, column));
            if side == BLOCK_SIDE {
                return;
            }
            let half = side / 2;
            let [upper_left, upper_right, lower_left, lower_right] = quadrants(blocks);
            check(matrix, upper_left, row, column, half);
            check(matrix, upper_right, row, column + half, half);
            check(matrix, lower_left, row + half, column, half);
            check(matrix, lower_right, row + half, column + half, half);
        }
        let mut matrix = numbered(128);
        check(&matrix, matrix.blocks(), 0, 0, 128);
        let shared = quadrants(matrix.blocks()).map(<[Block]>::to_vec);
        assert_eq!(quadrants_mut(matrix.blocks_mut()).map(|blocks| blocks.to_vec()), shared);
    }

    #[test]
    #[should_panic(expected = "a side of 48, expected a power of two from 16")]
    fn a_side_that_is_not_a_power_of_two_is_refused() {
        numbered(48);
    }

    #[test]
    fn blocks_are_multiplied_as_the_definition_says() {
        let (a, b, c) = (random(1), random(2), random(3));
        for update in [Update::Assign, Update::Add, Update::Subtract] {
            let mut result = c;
            update.multiply(&mut result, &a, &b);
            for row in 0..BLOCK_SIDE {
                for column in 0..BLOCK_SIDE {
                    let product: f64 = (0..BLOCK_SIDE).map(|k| a.0[row][k] * b.0[k][column]).sum();
                    let before = c.0[row][column];
                    let expected = match update {
                        Update::Assign => product,
                        Update::Add => before + product,
                        Update::Subtract => before - product,
                    };
                    assert_eq!(result.0[row][column], expected, "{update:?} {row} {column}");
                }
            }
        }
    }

    #[test]
    fn every_element_is_reached_once_with_its_partners() {
        for leaf in [1, 4, 7, 64, 1000] {
            let (a, mut b) = (numbered(128), numbered(128));
            elementwise(Serial::token(), [a.blocks()], [b.blocks_mut()], leaf, |[a], [b]| {
                assert_eq!(a.len(), b.len());
                for (a, b) in
                    a.iter().flat_map(|a| a.0.as_flattened()).zip(b.iter_mut().flat_map(|b| b.0.as_flattened_mut()))
                {
                    assert_eq!(a, b);
                    *b = a + 0.5;
                }
            });
            let expected = Matrix::from_fn(128, |row, column| a.get(row, column) + 0.5);
            assert_eq!(b, expected, "leaves of {leaf}");
        }
    }
}
