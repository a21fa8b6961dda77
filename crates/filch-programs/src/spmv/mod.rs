//! A sparse matrix times a vector, y = A·x: a loop over rows, and inside it a sum over the entries of the row, both
//! parallel. A user who knows neither the number of rows nor their lengths has no other choice.
//!
//! The matrices ([`Matrix`]) are in compressed rows. They differ in where the entries are: spread evenly, few in each
//! row, most of them in few rows, or as in an arrowhead, whose first row is as long as all others together.
//!
//! Values are small integers, so that sums in any order are equal to the last bit.

mod matrix;

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token, enumerate};
use filch_kernels::{Domain, Kernel, Mismatch, Program, Sizes};
pub use matrix::Matrix;

/// Rows of 0 to 29 entries. None of these programs is from a paper; the size `paper` is ten times the default size.
pub const RANDOM: Program = Program {
    name: "spmv-random",
    about: "n rows of 0 to 29 entries, times a vector",
    sizes: Sizes { small: 1000, default: 500_000, paper: 5_000_000 },
    loops: &[|n| n, |_| Matrix::LONGEST_RANDOM],
    bytes: |n, _| bytes(n, n * Matrix::LONGEST_RANDOM.div_ceil(2)),
    data: None,
    shape: None,
    build: |n| Box::new(Spmv::new(Matrix::random(n as usize))),
    ..THREE
};

/// Rows of 3 entries: the inner loop is hardly a loop.
pub const THREE: Program = Program {
    loops: &[|n| n, |_| 3],
    bytes: |n, _| bytes(n, 3 * n),
    ..Program::new(
        ("spmv-3", "n rows of 3 entries, times a vector"),
        Sizes { small: 1000, default: 2_000_000, paper: 20_000_000 },
        Domain { counts: "the number of rows", min: 1, max: 1 << 28, rule: None },
        |n| Box::new(Spmv::new(Matrix::three(n as usize))),
    )
};

/// The longest row has an entry in every column, the next one half as many, then a third, and so on.
pub const POWER_LAW: Program = Program {
    name: "spmv-powerlaw",
    about: "rows of n, n/2, n/3 ... entries, times a vector",
    sizes: Sizes { small: 1000, default: 400_000, paper: 4_000_000 },
    loops: &[|n| n, |n| n],
    bytes: |n, _| bytes(n, Matrix::entries_by_power_law(n)),
    data: None,
    shape: None,
    build: |n| Box::new(Spmv::new(Matrix::power_law(n as usize))),
    ..THREE
};

/// The first row, the first column and the diagonal are full.
pub const ARROWHEAD: Program = Program {
    name: "spmv-arrowhead",
    about: "an arrowhead of n rows, times a vector",
    sizes: Sizes { small: 1000, default: 2_000_000, paper: 20_000_000 },
    loops: &[|n| n, |n| n],
    bytes: |n, _| bytes(n, 3 * n),
    data: None,
    shape: None,
    build: |n| Box::new(Spmv::new(Matrix::arrowhead(n as usize))),
    ..THREE
};

/// The matrix, both vectors, the checker's vector, and the lengths of rows while the matrix is made.
const fn bytes(n: u64, entries: u64) -> u64 {
    entries * (size_of::<u32>() + size_of::<f64>()) as u64 + 5 * n * size_of::<f64>() as u64
}

/// The program.
#[inline(never)]
pub fn multiply<R: Runtime>(mut t: Token<R>, matrix: &Matrix, x: &[f64], y: &mut [f64]) {
    t.for_each(enumerate(y), |mut t, (row, y)| {
        *y = t.sum(matrix.row(row), |_, (&column, &value)| value * x[column as usize]);
    });
}

struct Spmv {
    matrix: Matrix,
    x: Vec<f64>,
    y: Vec<f64>,
    /// The checker's result, once it has been computed.
    expected: Option<Vec<i64>>,
}

impl Spmv {
    fn new(matrix: Matrix) -> Self {
        let n = matrix.rows();
        // From 1 to 8, each different from its neighbours.
        let x = (0..n).map(|place| (1 + place * 3 % 8) as f64).collect();
        Self { matrix, x, y: vec![f64::NAN; n], expected: None }
    }
}

impl Kernel for Spmv {
    const LOOPS: usize = 2;

    fn run<R: Runtime>(&mut self, t: Token<R>) {
        multiply(t, black_box(&self.matrix), &self.x, &mut self.y);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let expected = self.expected.get_or_insert_with(|| in_integers(&self.matrix, &self.x));
        let checked = check(&self.y, expected);
        self.y.fill(f64::NAN);
        checked
    }
}

/// The checker: all entries in one loop, from the last to the first, in integers.
fn in_integers(matrix: &Matrix, x: &[f64]) -> Vec<i64> {
    let mut y = vec![0; matrix.rows()];
    for (row, column, value) in matrix.entries_backwards() {
        y[row] += value as i64 * x[column] as i64;
    }
    y
}

fn check(found: &[f64], expected: &[i64]) -> Result<(), Mismatch> {
    if found.iter().all(|y| y.is_nan()) {
        return Err(Mismatch::Nothing);
    }
    for (row, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        if found != expected as f64 {
            let found = format!("{found} in row {row}");
            return Err(Mismatch::Wrong { found, expected: expected.to_string() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn a_small_product_is_as_by_hand() {
        // 1 1 1     1     1 + 4 + 7
        // 1 1 0  ·  4  =  1 + 4
        // 1 0 1     7     1 + 7
        let arrowhead = Matrix::arrowhead(3).with_all_values(1.0);
        let x = [1.0, 4.0, 7.0];
        let mut y = [0.0; 3];
        multiply(Serial::token(), &arrowhead, &x, &mut y);
        assert_eq!(y, [12.0, 5.0, 8.0]);
        assert_eq!(in_integers(&arrowhead, &x), [12, 5, 8]);
    }

    #[test]
    fn the_checker_rejects_an_entry_left_out_a_row_left_out_and_rows_that_change_places() {
        for matrix in [Matrix::random(100), Matrix::power_law(100), Matrix::arrowhead(100), Matrix::three(100)] {
            let mut instance = Spmv::new(matrix);
            let mut run = |spoil: &dyn Fn(&mut Spmv)| {
                instance.run(Serial::token());
                spoil(&mut instance);
                instance.verify()
            };
            assert_eq!(run(&|_| ()), Ok(()));
            let leave_an_entry_out = |spmv: &mut Spmv| {
                let (row, column, value) = spmv.matrix.entries_backwards().next().unwrap();
                spmv.y[row] -= value * spmv.x[column];
            };
            assert!(run(&leave_an_entry_out).is_err());
            assert!(run(&|spmv| spmv.y[17] = f64::NAN).is_err());
            assert!(run(&|spmv| spmv.y.rotate_left(1)).is_err());
        }
    }
}
