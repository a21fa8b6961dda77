//! The checker of factorisations: whether the product of two triangular factors is the matrix, except for rounding.

use std::cmp::Ordering;

use fastrand::Rng;
use filch_kernels::Mismatch;
use filch_kernels::matrix::{random_vector, times};

/// The number of vectors per check.
const VECTORS: usize = 3;

/// The elements of these vectors are integers up to this in absolute value.
const LARGEST_OF_VECTOR: i64 = 1 << 10;

/// Checks that L·(U·r) equals A·r for random vectors r, except for rounding. `product` is the name of L·U.
///
/// Let γ = n·u/(1 − n·u), where u = ε/2 is the error of one operation. For any order of operations, the factors satisfy
/// |L·U − A| ≤ γ·|L|·|U|, element by element, and a matrix times a vector has an error of at most γ times the product
/// of the absolute values (Higham 2002, "Accuracy and Stability of Numerical Algorithms", theorem 9.3 and section 3.5).
/// With roots, as in Cholesky's factors, n + 1 takes the place of n in the first of these (theorem 10.3). Here the left
/// side has two such products one after another and the right side has one, where |A| ≤ (1 + γ)·|L|·|U|. So the sides
/// differ by at most (4·γ + O(γ²))·|L|·|U|·|r|, which is about 2·n·ε times this product; 3·n·ε leaves room for the
/// squares and for the rounding of the bound itself.
pub(crate) fn check_factors(
    random: &mut Rng,
    side: usize,
    product: &str,
    (lower, upper): (impl Fn(usize, usize) -> f64, impl Fn(usize, usize) -> f64),
    matrix: impl Fn(usize, usize) -> f64,
) -> Result<(), Mismatch> {
    check_products(random, side, product, |r| {
        [times(&lower, &times(&upper, r)), times(&matrix, r), sizes(&lower, &upper, r)]
    })
}

/// The same by what gives, for a vector r, L·(U·r), A·r and |L|·|U|·|r|.
pub(crate) fn check_products(
    random: &mut Rng,
    side: usize,
    product: &str,
    products: impl Fn(&[f64]) -> [Vec<f64>; 3],
) -> Result<(), Mismatch> {
    for _ in 0..VECTORS {
        let r: Vec<f64> = random_vector(random, side, LARGEST_OF_VECTOR).into_iter().map(|r| r as f64).collect();
        let [found, expected, sizes] = products(&r);
        for row in 0..side {
            let bound = 3.0 * side as f64 * f64::EPSILON * sizes[row];
            if !is_within(bound, found[row], expected[row]) {
                return Err(Mismatch::Wrong {
                    found: format!("{} in row {row} of {product}·r, r being random", found[row]),
                    expected: format!("{}, give or take {bound:e}", expected[row]),
                });
            }
        }
    }
    Ok(())
}

/// L and U of a matrix that holds both of them: U is in and above its diagonal, and L, whose diagonal is all ones,
/// below it.
pub(crate) fn lower_and_upper(
    factor: impl Fn(usize, usize) -> f64 + Copy,
) -> (impl Fn(usize, usize) -> f64 + Copy, impl Fn(usize, usize) -> f64 + Copy) {
    let lower = move |row: usize, column: usize| match row.cmp(&column) {
        Ordering::Less => 0.0,
        Ordering::Equal => 1.0,
        Ordering::Greater => factor(row, column),
    };
    let upper = move |row, column| if row <= column { factor(row, column) } else { 0.0 };
    (lower, upper)
}

/// |L|·|U|·|x|, which bounds on rounding are made of.
pub(crate) fn sizes(
    lower: impl Fn(usize, usize) -> f64,
    upper: impl Fn(usize, usize) -> f64,
    vector: &[f64],
) -> Vec<f64> {
    let sizes: Vec<f64> = vector.iter().map(|x| x.abs()).collect();
    let sizes = times(|row, column| upper(row, column).abs(), &sizes);
    times(|row, column| lower(row, column).abs(), &sizes)
}

/// Whether two numbers differ by at most a bound. Nothing is within a bound of what is not a number.
pub(crate) fn is_within(bound: f64, found: f64, expected: f64) -> bool {
    (found - expected).abs() <= bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_accepted_up_to_rounding_and_no_further() {
        let element = |row: usize, column: usize| ((row * 7 + column * 3) % 5 + 1) as f64 / 3.0;
        let lower = |row, column| if row >= column { element(row, column) } else { 0.0 };
        let upper = |row, column| if row <= column { element(row, column) } else { 0.0 };
        let side = 9;
        let product = |row: usize, column: usize| (0..side).map(|k| lower(row, k) * upper(k, column)).sum::<f64>();
        let check = |wrong: f64| {
            let matrix = |row, column| product(row, column) + if (row, column) == (4, 6) { wrong } else { 0.0 };
            check_factors(&mut Rng::with_seed(0), side, "L·U", (lower, upper), matrix)
        };
        assert_eq!(check(0.0), Ok(()));
        let mismatch = check(1e-9).unwrap_err().to_string();
        assert!(mismatch.contains("in row 4 of L·U·r"), "{mismatch}");
        assert!(check(f64::NAN).is_err());
    }
}
