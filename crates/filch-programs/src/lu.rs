//! LU factorisation of a matrix without pivoting (Frigo, Leiserson and Randall 1998, section 6 and figure 6).
//!
//! It works in place, by quadrants. First the upper left quadrant is factored. With its factors, the systems of
//! equations for the upper right and the lower left quadrant are solved, in parallel. Their product is subtracted from
//! the lower right quadrant, which is then factored. The systems and the product are computed by quadrants too, all of
//! them down to blocks.
//!
//! A call starts with a copy of the matrix, which is part of the work and runs in parallel too: n² numbers against n³
//! operations.

use std::slice::from_ref;

use fastrand::Rng;
use filch_kernels::matrix::{self, Block, Matrix, Update, quadrants, quadrants_mut, random_element};
use filch_kernels::notempmul::multiply;
use filch_kernels::runtime::{Runtime, Serial, Token};
use filch_kernels::{Data, Grain, Mismatch, Program, Sizes};

use crate::factorised::{Factoring, Factorised};
use crate::residual::{check_factors, lower_and_upper};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    grain: Some(Lu::GRAIN),
    bytes: |n, _| 2 * matrix::bytes_of(matrix::blocks_of(n as usize)),
    data: Some(Data::Reused(|n| matrix::bytes_of(matrix::blocks_of(n as usize)))),
    ..Program::new(
        ("lu", "the triangular factors of a diagonally dominant n × n matrix"),
        Sizes { small: 64, default: 1024, paper: 2048 },
        matrix::SIDES,
        |n| Box::new(Factorised::<Lu>::new(diagonally_dominant(n as usize))),
    )
};

/// The program, in place, for a matrix given by its blocks: U is in and above the diagonal, and L, whose diagonal is
/// all ones, below it. A leaf has at most `leaf` blocks.
#[inline(never)]
pub fn factor<R: Runtime>(mut t: Token<R>, a: &mut [Block], leaf: usize) {
    if let [a] = a {
        t.touches([], [from_ref(a)]);
        return factor_block(a);
    }
    if a.len() <= leaf {
        t.touches([], [a]);
        return factor_leaf(a);
    }
    let [a00, a01, a10, a11] = quadrants_mut(a);
    factor(t.reborrow(), a00, leaf);
    let factors = &*a00;
    t.join(|t| divide_by_lower(t, a01, factors, leaf), |t| divide_by_upper(t, a10, factors, leaf));
    multiply(t.reborrow(), Update::Subtract, a11, a10, a01, leaf);
    factor(t, a11, leaf);
}

/// B = L⁻¹·B, with the L of these factors.
#[inline(never)]
fn divide_by_lower<R: Runtime>(mut t: Token<R>, b: &mut [Block], factors: &[Block], leaf: usize) {
    if let [b] = b {
        t.touches([factors], [from_ref(b)]);
        return divide_block_by_lower(b, &factors[0]);
    }
    if b.len() <= leaf {
        t.touches([factors], [b]);
        return divide_leaf_by_lower(b, factors);
    }
    let [l00, _, l10, l11] = quadrants(factors);
    let column = |mut t: Token<R>, upper: &mut [Block], lower: &mut [Block]| {
        divide_by_lower(t.reborrow(), upper, l00, leaf);
        multiply(t.reborrow(), Update::Subtract, lower, l10, upper, leaf);
        divide_by_lower(t, lower, l11, leaf);
    };
    let [b00, b01, b10, b11] = quadrants_mut(b);
    t.join(|t| column(t, b00, b10), |t| column(t, b01, b11));
}

/// B = B·U⁻¹, with the U of these factors.
#[inline(never)]
fn divide_by_upper<R: Runtime>(mut t: Token<R>, b: &mut [Block], factors: &[Block], leaf: usize) {
    if let [b] = b {
        t.touches([factors], [from_ref(b)]);
        return divide_block_by_upper(b, &factors[0]);
    }
    if b.len() <= leaf {
        t.touches([factors], [b]);
        return divide_leaf_by_upper(b, factors);
    }
    let [u00, u01, _, u11] = quadrants(factors);
    let row = |mut t: Token<R>, left: &mut [Block], right: &mut [Block]| {
        divide_by_upper(t.reborrow(), left, u00, leaf);
        multiply(t.reborrow(), Update::Subtract, right, left, u01, leaf);
        divide_by_upper(t, right, u11, leaf);
    };
    let [b00, b01, b10, b11] = quadrants_mut(b);
    t.join(|t| row(t, b00, b01), |t| row(t, b10, b11));
}

// The leaves: the same operations in the same order without forks, down to blocks. All runtimes share them.

#[inline(never)]
fn factor_leaf(a: &mut [Block]) {
    factor(Serial::token(), a, 1);
}

#[inline(never)]
fn divide_leaf_by_lower(b: &mut [Block], factors: &[Block]) {
    divide_by_lower(Serial::token(), b, factors, 1);
}

#[inline(never)]
fn divide_leaf_by_upper(b: &mut [Block], factors: &[Block]) {
    divide_by_upper(Serial::token(), b, factors, 1);
}

#[inline(never)]
fn factor_block(a: &mut Block) {
    for pivot in 0..a.0.len() {
        let (done, below) = a.0.split_at_mut(pivot + 1);
        let u = &done[pivot];
        for row in below {
            row[pivot] /= u[pivot];
            let l = row[pivot];
            for (element, u) in row[pivot + 1..].iter_mut().zip(&u[pivot + 1..]) {
                *element -= l * u;
            }
        }
    }
}

#[inline(never)]
fn divide_block_by_lower(b: &mut Block, factors: &Block) {
    for (index, l) in factors.0.iter().enumerate() {
        let (done, rest) = b.0.split_at_mut(index);
        let mut row = rest[0];
        for (l, done) in l.iter().zip(done) {
            for (element, done) in row.iter_mut().zip(done) {
                *element -= l * *done;
            }
        }
        rest[0] = row;
    }
}

#[inline(never)]
fn divide_block_by_upper(b: &mut Block, factors: &Block) {
    for row in &mut b.0 {
        for (index, u) in factors.0.iter().enumerate() {
            row[index] /= u[index];
            let quotient = row[index];
            for (element, u) in row[index + 1..].iter_mut().zip(&u[index + 1..]) {
                *element -= quotient * u;
            }
        }
    }
}

/// Random numbers from −1 to 1, the same in every run, with n added to the diagonal. So the diagonal exceeds the rest
/// of its row, and no pivot is near zero.
fn diagonally_dominant(side: usize) -> Matrix {
    let mut random = Rng::with_seed(side as u64);
    Matrix::from_fn(side, |row, column| {
        let number = random_element(&mut random);
        if row == column { number + side as f64 } else { number }
    })
}

/// L and U in one matrix, without pivoting.
struct Lu;

impl Factoring for Lu {
    const GRAIN: Grain = matrix::grain(2);

    fn factor<R: Runtime>(t: Token<R>, blocks: &mut [Block], leaf: usize) {
        factor(t, blocks, leaf);
    }

    /// L·(U·r) equals A·r for random vectors r, except for rounding.
    fn check(program: &mut Factorised<Self>) -> Result<(), Mismatch> {
        let Factorised { matrix, factors, random, .. } = program;
        let parts = lower_and_upper(|row, column| factors.get(row, column));
        check_factors(random, matrix.side(), "L·U", parts, |row, column| matrix.get(row, column))
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use filch_kernels::Kernel;
    use filch_kernels::matrix::BLOCK_SIDE;

    use super::*;

    fn called(side: usize) -> Factorised<Lu> {
        let mut program = Factorised::<Lu>::new(diagonally_dominant(side));
        program.run(Serial::token());
        program
    }

    #[test]
    fn the_factors_pass_the_check_at_every_size() {
        for side in [16, 32, 64, 128] {
            assert_eq!(Kernel::verify(&mut called(side)), Ok(()), "{side}");
        }
    }

    #[test]
    fn the_factors_of_a_product_of_triangular_matrices_of_integers_are_these() {
        // All operations are exact, since the diagonal of U consists of 1 and −1.
        let side = 64;
        let mut random = Rng::with_seed(3);
        let expected = Matrix::from_fn(side, |row, column| match row.cmp(&column) {
            Ordering::Equal => (1 - 2 * (row % 2) as i64) as f64,
            _ => random.i64(-2..=2) as f64,
        });
        let product = Matrix::from_fn(side, |row, column| {
            let l = |k| if k == row { 1.0 } else { expected.get(row, k) };
            (0..=row.min(column)).map(|k| l(k) * expected.get(k, column)).sum()
        });
        let mut program = Factorised::<Lu>::new(product);
        for grain in [1, 2, 4] {
            program.set_grain(grain);
            program.run(Serial::token());
            assert_eq!(program.factors, expected);
        }
    }

    #[test]
    fn the_factors_are_the_same_to_the_last_bit_at_every_cut_off() {
        let mut program = Factorised::<Lu>::new(diagonally_dominant(128));
        let factors = [1, 2, 3, 4, 8].map(|grain| {
            program.set_grain(grain);
            program.run(Serial::token());
            program.factors.clone()
        });
        assert!(factors.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn the_checker_rejects_one_wrong_element_of_either_factor_anywhere() {
        let mut program = called(2 * BLOCK_SIDE);
        let right = program.factors.clone();
        for row in 0..right.side() {
            for column in 0..right.side() {
                let element = right.get(row, column);
                program.factors.set(row, column, element + 1e-9);
                assert!(Lu::check(&mut program).is_err(), "row {row}, column {column}");
                program.factors.set(row, column, element);
            }
        }
        assert_eq!(Lu::check(&mut program), Ok(()));
    }

    #[test]
    fn the_checker_rejects_what_is_not_a_number_and_the_matrix_itself() {
        let mut program = called(16);
        program.factors.set(3, 5, f64::NAN);
        assert!(Lu::check(&mut program).is_err());
        program.factors = program.matrix.clone();
        let mismatch = Lu::check(&mut program).unwrap_err().to_string();
        assert!(mismatch.contains("of L·U·r, r being random, expected "), "{mismatch}");
    }

    #[test]
    fn the_matrix_is_diagonally_dominant_and_a_call_leaves_it_as_it_was() {
        let program = called(64);
        for row in 0..64 {
            let others: f64 = (0..64).filter(|&k| k != row).map(|k| program.matrix.get(row, k).abs()).sum();
            assert!(program.matrix.get(row, row).abs() > others);
        }
        assert_eq!(program.matrix, diagonally_dominant(64));
    }
}
