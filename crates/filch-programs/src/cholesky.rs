//! Cholesky's factorisation of a dense symmetric matrix: A = L·Lᵀ (Chen, Huang, Guo and Zhou 2011, table III;
//! Frigo, Leiserson and Randall 1998, figure 6, have a sparse one).
//!
//! It works in place, by quadrants, on and below the diagonal. First the upper left quadrant is factored. With its
//! factor, the systems of equations for the lower left quadrant are solved, row by row of quadrants in parallel. The
//! square of what results is subtracted from the lower right quadrant, which is then factored. As in `lu`, everything
//! is computed by quadrants down to blocks.
//!
//! The work is n³/3 operations, half of that of `lu`. The span is S(n) = 2·S(n/2) + O(n·log n), since the systems have
//! a span of O(n·log n) and products one of O(n): it is O(n·log² n).
//!
//! A call starts with a copy of the matrix, which is part of the work and runs in parallel too.

use std::slice::from_ref;

use fastrand::Rng;
use filch_kernels::matrix::{self, Block, Matrix, Update, quadrants, quadrants_mut, random_element};
use filch_kernels::runtime::{Runtime, Serial, Token};
use filch_kernels::{Data, Grain, Mismatch, Program, Sizes};

use crate::factorised::{Factoring, Factorised};
use crate::residual::check_factors;

/// Its entry in the list of programs. The paper does not say how large its matrix is.
pub const PROGRAM: Program = Program {
    grain: Some(Cholesky::GRAIN),
    bytes: |n, _| 2 * matrix::bytes_of(matrix::blocks_of(n as usize)),
    data: Some(Data::Reused(|n| matrix::bytes_of(matrix::blocks_of(n as usize)))),
    ..Program::new(
        ("cholesky", "the triangular factor of a positive definite n × n matrix"),
        Sizes { small: 64, default: 1024, paper: 2048 },
        matrix::SIDES,
        |n| Box::new(Factorised::<Cholesky>::new(positive_definite(n as usize))),
    )
};

/// The program, in place, for a matrix given by its blocks: L is on and below the diagonal. What is above the diagonal
/// is neither read nor, outside of the blocks on the diagonal, written. A leaf has at most `leaf` blocks.
#[inline(never)]
pub fn factor<R: Runtime>(mut t: Token<R>, a: &mut [Block], leaf: usize) {
    if let [a] = a {
        t.touches([], [from_ref(a)]);
        return factor_block(&mut a.0);
    }
    if a.len() <= leaf {
        t.touches([], [a]);
        return factor_leaf(a);
    }
    let [a00, _, a10, a11] = quadrants_mut(a);
    factor(t.reborrow(), a00, leaf);
    divide(t.reborrow(), a10, a00, leaf);
    subtract_square(t.reborrow(), a11, a10, leaf);
    factor(t, a11, leaf);
}

/// B = B·L⁻ᵀ.
#[inline(never)]
fn divide<R: Runtime>(mut t: Token<R>, b: &mut [Block], l: &[Block], leaf: usize) {
    if let [b] = b {
        t.touches([l], [from_ref(b)]);
        return divide_block(&mut b.0, &l[0].0);
    }
    if b.len() <= leaf {
        t.touches([l], [b]);
        return divide_leaf(b, l);
    }
    let [l00, _, l10, l11] = quadrants(l);
    let row = |mut t: Token<R>, left: &mut [Block], right: &mut [Block]| {
        divide(t.reborrow(), left, l00, leaf);
        subtract_product(t.reborrow(), right, left, l10, leaf);
        divide(t, right, l11, leaf);
    };
    let [b00, b01, b10, b11] = quadrants_mut(b);
    t.join(|t| row(t, b00, b01), |t| row(t, b10, b11));
}

/// C = C − A·Aᵀ, on and below the diagonal.
#[inline(never)]
fn subtract_square<R: Runtime>(mut t: Token<R>, c: &mut [Block], a: &[Block], leaf: usize) {
    if let [c] = c {
        t.touches([a], [from_ref(c)]);
        return subtract_block_product(c, &a[0], &a[0]);
    }
    if c.len() <= leaf {
        t.touches([a], [c]);
        return subtract_square_leaf(c, a);
    }
    let [a00, a01, a10, a11] = quadrants(a);
    let [c00, _, c10, c11] = quadrants_mut(c);
    let on_diagonal = |mut t: Token<R>, c: &mut [Block], left: &[Block], right: &[Block]| {
        subtract_square(t.reborrow(), c, left, leaf);
        subtract_square(t, c, right, leaf);
    };
    t.join(
        |mut t| {
            subtract_product(t.reborrow(), c10, a10, a00, leaf);
            subtract_product(t, c10, a11, a01, leaf);
        },
        |mut t| t.join(|t| on_diagonal(t, c00, a00, a01), |t| on_diagonal(t, c11, a10, a11)),
    );
}

/// C = C − A·Bᵀ.
#[inline(never)]
fn subtract_product<R: Runtime>(mut t: Token<R>, c: &mut [Block], a: &[Block], b: &[Block], leaf: usize) {
    if let [c] = c {
        t.touches([a, b], [from_ref(c)]);
        return subtract_block_product(c, &a[0], &b[0]);
    }
    if c.len() <= leaf {
        t.touches([a, b], [c]);
        return subtract_product_leaf(c, a, b);
    }
    let [a00, a01, a10, a11] = quadrants(a);
    let [b00, b01, b10, b11] = quadrants(b);
    let both = |mut t: Token<R>, c: &mut [Block], [a0, a1]: [&[Block]; 2], [b0, b1]: [&[Block]; 2]| {
        subtract_product(t.reborrow(), c, a0, b0, leaf);
        subtract_product(t, c, a1, b1, leaf);
    };
    let [c00, c01, c10, c11] = quadrants_mut(c);
    t.join4(
        |t| both(t, c00, [a00, a01], [b00, b01]),
        |t| both(t, c01, [a00, a01], [b10, b11]),
        |t| both(t, c10, [a10, a11], [b00, b01]),
        |t| both(t, c11, [a10, a11], [b10, b11]),
    );
}

// The leaves: the same operations in the same order without forks, down to blocks. All runtimes share them.

#[inline(never)]
fn factor_leaf(a: &mut [Block]) {
    factor(Serial::token(), a, 1);
}

#[inline(never)]
fn divide_leaf(b: &mut [Block], l: &[Block]) {
    divide(Serial::token(), b, l, 1);
}

#[inline(never)]
fn subtract_square_leaf(c: &mut [Block], a: &[Block]) {
    subtract_square(Serial::token(), c, a, 1);
}

#[inline(never)]
fn subtract_product_leaf(c: &mut [Block], a: &[Block], b: &[Block]) {
    subtract_product(Serial::token(), c, a, b, 1);
}

/// The transpose takes 16² steps and the product 16³, which it turns into one of whole rows.
#[inline(never)]
fn subtract_block_product(c: &mut Block, a: &Block, b: &Block) {
    Update::Subtract.multiply(c, a, &Block(transposed(&b.0)));
}

#[inline(always)]
pub(crate) fn transposed<const N: usize>(block: &[[f64; N]; N]) -> [[f64; N]; N] {
    let mut result = [[0.0; N]; N];
    for (column, row) in block.iter().enumerate() {
        for (to, element) in result.iter_mut().zip(row) {
            to[column] = *element;
        }
    }
    result
}

#[inline(never)]
pub(crate) fn factor_block<const N: usize>(a: &mut [[f64; N]; N]) {
    for pivot in 0..N {
        let (_, rest) = a.split_at_mut(pivot);
        let root = rest[0][pivot].sqrt();
        let mut column = [0.0; N];
        for (index, row) in rest.iter_mut().enumerate() {
            row[pivot] = if index == 0 { root } else { row[pivot] / root };
            column[pivot + index] = row[pivot];
        }
        for (index, row) in rest.iter_mut().enumerate().skip(1) {
            let l = row[pivot];
            for k in pivot + 1..=pivot + index {
                row[k] -= l * column[k];
            }
        }
    }
}

#[inline(never)]
pub(crate) fn divide_block<const N: usize>(b: &mut [[f64; N]; N], l: &[[f64; N]; N]) {
    let columns = transposed(l);
    for row in b {
        for (index, l) in columns.iter().enumerate() {
            row[index] /= l[index];
            let quotient = row[index];
            for (element, l) in row[index + 1..].iter_mut().zip(&l[index + 1..]) {
                *element -= quotient * l;
            }
        }
    }
}

/// A symmetric matrix of random numbers from −1 to 1, the same in every run, with n added to the diagonal. So the
/// diagonal is positive and exceeds the rest of its row, which makes the matrix positive definite.
fn positive_definite(side: usize) -> Matrix {
    let mut random = Rng::with_seed(side as u64);
    let mut matrix = Matrix::from_fn(side, |_, _| 0.0);
    for row in 0..side {
        for column in 0..=row {
            let number = random_element(&mut random);
            matrix.set(row, column, if row == column { number + side as f64 } else { number });
            matrix.set(column, row, matrix.get(row, column));
        }
    }
    matrix
}

/// L of a symmetric matrix, on and below the diagonal.
struct Cholesky;

/// An element of L.
fn lower(factor: &Matrix, row: usize, column: usize) -> f64 {
    if row >= column { factor.get(row, column) } else { 0.0 }
}

impl Factoring for Cholesky {
    const GRAIN: Grain = matrix::grain(2);

    fn factor<R: Runtime>(t: Token<R>, blocks: &mut [Block], leaf: usize) {
        factor(t, blocks, leaf);
    }

    /// L·(Lᵀ·r) equals A·r for random vectors r, except for rounding.
    fn check(program: &mut Factorised<Self>) -> Result<(), Mismatch> {
        let Factorised { matrix, factors, random, .. } = program;
        let parts = (|row, column| lower(factors, row, column), |row, column| lower(factors, column, row));
        check_factors(random, matrix.side(), "L·Lᵀ", parts, |row, column| matrix.get(row, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::Kernel;
    use filch_kernels::matrix::BLOCK_SIDE;

    fn called(side: usize) -> Factorised<Cholesky> {
        let mut program = Factorised::<Cholesky>::new(positive_definite(side));
        program.run(Serial::token());
        program
    }

    #[test]
    fn the_factor_passes_the_check_at_every_size() {
        for side in [16, 32, 64, 128] {
            assert_eq!(Kernel::verify(&mut called(side)), Ok(()), "{side}");
        }
    }

    #[test]
    fn the_factor_of_the_square_of_a_triangular_matrix_of_integers_is_this_matrix() {
        // All operations are exact, since the diagonal consists of powers of two.
        let side = 64;
        let mut random = Rng::with_seed(3);
        let expected = Matrix::from_fn(side, |row, column| match row.cmp(&column) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => (1 << (row % 3)) as f64,
            std::cmp::Ordering::Greater => random.i64(-2..=2) as f64,
        });
        let square = Matrix::from_fn(side, |row, column| {
            (0..=row.min(column)).map(|k| expected.get(row, k) * expected.get(column, k)).sum()
        });
        let mut program = Factorised::<Cholesky>::new(square);
        for grain in [1, 2, 4] {
            program.set_grain(grain);
            program.run(Serial::token());
            assert_eq!(Matrix::from_fn(side, |row, column| lower(&program.factors, row, column)), expected);
        }
    }

    #[test]
    fn the_factor_is_the_same_to_the_last_bit_at_every_cut_off() {
        let mut program = Factorised::<Cholesky>::new(positive_definite(128));
        let factors = [1, 2, 3, 4, 8].map(|grain| {
            program.set_grain(grain);
            program.run(Serial::token());
            program.factors.clone()
        });
        assert!(factors.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn the_checker_rejects_one_wrong_element_anywhere_and_what_is_not_a_number() {
        let mut program = called(2 * BLOCK_SIDE);
        for row in 0..2 * BLOCK_SIDE {
            for column in 0..=row {
                let element = program.factors.get(row, column);
                for wrong in [element + 1e-9, f64::NAN] {
                    program.factors.set(row, column, wrong);
                    assert!(Cholesky::check(&mut program).is_err(), "row {row}, column {column}");
                }
                program.factors.set(row, column, element);
            }
        }
        assert_eq!(Cholesky::check(&mut program), Ok(()));
    }

    #[test]
    fn the_matrix_is_symmetric_and_diagonally_dominant_and_a_call_leaves_it_as_it_was() {
        let program = called(64);
        for row in 0..64 {
            let others: f64 = (0..64).filter(|&k| k != row).map(|k| program.matrix.get(row, k).abs()).sum();
            assert!(program.matrix.get(row, row) > others);
            assert!((0..row).all(|k| program.matrix.get(row, k) == program.matrix.get(k, row)));
        }
        assert_eq!(program.matrix, positive_definite(64));
    }
}
