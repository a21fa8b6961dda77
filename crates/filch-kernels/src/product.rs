//! What the programs that multiply matrices share: the input, the place for the product, and the checker.

use std::fmt::Display;

use fastrand::Rng;

use crate::answer::Mismatch;
use crate::matrix::{Block, Matrix, random_vector, times};

/// The elements of the input are integers up to this in absolute value: small enough for all sums to be exact.
const LARGEST_ELEMENT: i64 = 4;

/// Up to this, every integer is exact as `f64`.
const LARGEST_EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

/// The number of vectors per check.
const VECTORS: usize = 3;

/// The elements of these vectors are integers up to this in absolute value, so there are more than 2^20 of them.
const LARGEST_OF_VECTOR: i64 = 1 << 19;

/// Two matrices of integers, and the place for their product.
#[derive(Debug)]
pub struct Product {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    called: bool,
    /// Draws the vectors of the checks.
    random: Rng,
}

impl Product {
    /// Two matrices to be multiplied.
    ///
    /// # Panics
    ///
    /// If the sides differ, or if the product might not be exact; see `is_exact`.
    pub fn new(a: Matrix, b: Matrix) -> Self {
        assert_eq!(a.side(), b.side(), "expected matrices of one side");
        assert!(is_exact(&a, &b), "expected integers so small that their products add up to less than 2^53");
        let mut c = a.clone();
        c.poison();
        Self { a, b, c, called: false, random: Rng::with_seed(0) }
    }

    /// Two matrices of random numbers, the same in every run.
    pub fn random(side: u64) -> Self {
        let mut random = Rng::with_seed(side);
        let mut matrix =
            || Matrix::from_fn(side as usize, |_, _| random.i64(-LARGEST_ELEMENT..=LARGEST_ELEMENT) as f64);
        Self::new(matrix(), matrix())
    }

    /// The memory of a call: C, A and B.
    pub fn for_a_call(&mut self) -> (&mut [Block], &[Block], &[Block]) {
        self.called = true;
        (self.c.blocks_mut(), self.a.blocks(), self.b.blocks())
    }

    /// The side of the matrices.
    pub fn side(&self) -> usize {
        self.c.side()
    }

    /// The product after a call. A check overwrites it.
    pub fn result(&self) -> &Matrix {
        &self.c
    }

    /// Checks the product of the last call.
    pub fn verify(&mut self) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let checked = self.check();
        self.called = false;
        self.c.poison();
        checked
    }

    /// The checker: C·r = A·(B·r) for random vectors r (Freivalds 1977, "Probabilistic machines can use less running
    /// time").
    ///
    /// A wrong C passes with a probability below 2^-60. If C is wrong, some row d of C − A·B has an element that is not
    /// zero. Whatever the other elements of r are, at most one of more than 2^20 values of the corresponding element
    /// makes d·r zero, and the three vectors are independent. All numbers are integers and exact. The sums of products
    /// of elements of A and B, and the elements of C, are at most 2^53, so with sides up to 2^14 the products with a
    /// vector are at most 2^(53 + 14 + 19) and fit into 128 bits.
    fn check(&mut self) -> Result<(), Mismatch> {
        let side = self.side();
        if let Some((row, column, element)) = elements(&self.c).find(|&(.., element)| !is_integer(element)) {
            return Err(wrong(element, format!("row {row}, column {column} of C"), "an integer up to 2^53"));
        }
        let integer = |matrix: &Matrix, row, column| matrix.get(row, column) as i128;
        for _ in 0..VECTORS {
            let r: Vec<i128> =
                random_vector(&mut self.random, side, LARGEST_OF_VECTOR).into_iter().map(i128::from).collect();
            let b_r = times(|row, column| integer(&self.b, row, column), &r);
            let expected = times(|row, column| integer(&self.a, row, column), &b_r);
            let found = times(|row, column| integer(&self.c, row, column), &r);
            if let Some(row) = (0..side).find(|&row| found[row] != expected[row]) {
                return Err(wrong(found[row], format!("row {row} of C·r, r being random"), expected[row]));
            }
        }
        Ok(())
    }
}

fn wrong(found: impl Display, place: String, expected: impl Display) -> Mismatch {
    Mismatch::Wrong { found: format!("{found} in {place}"), expected: expected.to_string() }
}

fn elements(matrix: &Matrix) -> impl Iterator<Item = (usize, usize, f64)> {
    let side = matrix.side();
    (0..side).flat_map(move |row| (0..side).map(move |column| (row, column, matrix.get(row, column))))
}

fn is_integer(element: f64) -> bool {
    element.trunc() == element && element.abs() <= LARGEST_EXACT
}

/// Whether all elements are integers and all sums of their products, in any order, are exact.
fn is_exact(a: &Matrix, b: &Matrix) -> bool {
    let largest = |matrix: &Matrix| elements(matrix).map(|(.., element)| element.abs()).fold(0.0, f64::max);
    let integers = |matrix: &Matrix| elements(matrix).all(|(.., element)| is_integer(element));
    // A matrix of zeros must not hide large elements of the other one.
    let bound = a.side() as f64 * largest(a).max(1.0) * largest(b).max(1.0);
    integers(a) && integers(b) && bound <= LARGEST_EXACT
}

/// The product by the definition, for tests.
pub fn by_definition(a: &Matrix, b: &Matrix) -> Matrix {
    let side = a.side();
    Matrix::from_fn(side, |row, column| (0..side).map(|k| a.get(row, k) * b.get(k, column)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of the check for a product that `change` has modified.
    fn checked(side: u64, change: impl FnOnce(&mut Matrix)) -> Result<(), Mismatch> {
        let mut product = Product::random(side);
        product.for_a_call();
        product.c = by_definition(&product.a, &product.b);
        change(&mut product.c);
        product.verify()
    }

    #[test]
    fn the_checker_accepts_the_product() {
        for side in [16, 32, 64] {
            assert_eq!(checked(side, |_| ()), Ok(()));
        }
    }

    #[test]
    fn the_checker_rejects_one_wrong_element_anywhere_and_says_in_which_row() {
        for (row, column) in [(0, 0), (0, 31), (31, 0), (31, 31), (15, 16), (20, 7)] {
            for wrong in [1.0, -1.0, 1e9] {
                let mismatch = checked(32, |c| c.set(row, column, c.get(row, column) + wrong)).unwrap_err().to_string();
                assert!(mismatch.contains(&format!("in row {row} of C·r")), "{mismatch}");
            }
        }
    }

    #[test]
    fn the_checker_rejects_what_is_not_an_integer() {
        for element in [0.5, f64::NAN, f64::INFINITY, 1e300] {
            let mismatch = checked(16, |c| c.set(3, 5, element)).unwrap_err().to_string();
            assert!(mismatch.ends_with("in row 3, column 5 of C, expected an integer up to 2^53"), "{mismatch}");
        }
    }

    #[test]
    fn the_checker_rejects_two_swapped_columns_and_the_product_the_other_way_round() {
        let swap = |c: &mut Matrix| {
            let before = c.clone();
            *c = Matrix::from_fn(16, |row, column| before.get(row, column ^ 1));
        };
        assert!(checked(16, swap).is_err());
        let Product { a, b, .. } = Product::random(16);
        assert!(checked(16, |c| *c = by_definition(&b, &a)).is_err());
    }

    #[test]
    fn a_check_forgets_the_product() {
        let mut product = Product::random(16);
        product.for_a_call();
        product.c = by_definition(&product.a, &product.b);
        assert_eq!(product.verify(), Ok(()));
        assert_eq!(product.verify(), Err(Mismatch::Nothing));
        product.for_a_call();
        assert!(matches!(product.verify(), Err(Mismatch::Wrong { .. })), "a call that computes nothing");
    }

    #[test]
    fn every_check_has_vectors_of_its_own() {
        let mut random = Product::random(16).random;
        assert_ne!(
            random_vector(&mut random, 16, LARGEST_OF_VECTOR),
            random_vector(&mut random, 16, LARGEST_OF_VECTOR)
        );
    }

    #[test]
    fn only_matrices_with_exact_products_are_taken() {
        let of = |element: f64| Matrix::from_fn(16, |_, _| element);
        let largest = (1_u64 << 49) as f64; // 16 of them are 2^53
        assert!(is_exact(&of(largest), &of(1.0)));
        assert!(!is_exact(&of(largest), &of(-2.0)));
        assert!(!is_exact(&of(1.0), &of(2.0 * largest)));
        assert!(!is_exact(&of(0.5), &of(1.0)));
        assert!(!is_exact(&of(0.0), &of(f64::NAN)));
        assert!(!is_exact(&of(0.0), &of(2.0 * largest)));
    }
}
