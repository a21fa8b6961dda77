//! Matrix multiplication without temporary memory (Frigo, Leiserson and Randall 1998, section 6 and figure 6).
//!
//! An element of a quadrant of C is the sum of two products. The first products of all four quadrants are computed in
//! parallel; after that, the second ones are added. So each level has twice the span of the next one, and n/16 products
//! of blocks follow one another: the work is O(n³) and the span O(n).

use std::hint::black_box;
use std::slice::from_ref;

use crate::answer::Mismatch;
use crate::kernel::Kernel;
use crate::matrix::{self, Block, Matrix, Update, quadrants, quadrants_mut};
use crate::product::Product;
use crate::program::{Data, Grain, Program, Sizes};
use crate::runtime::{Runtime, Serial, Token};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    grain: Some(GRAIN),
    bytes: |n, _| 3 * matrix::bytes_of(matrix::blocks_of(n as usize)),
    data: Some(Data::Reused(|n| 2 * matrix::bytes_of(matrix::blocks_of(n as usize)))),
    ..Program::new(
        ("notempmul", "the product of two n × n matrices, without temporary memory"),
        Sizes { small: 64, default: 1024, paper: 1024 },
        matrix::SIDES,
        |n| NoTempMul::of(Product::random(n)).boxed(),
    )
};

const GRAIN: Grain = matrix::grain(4);

/// The program, for matrices given by their blocks: C = A·B, or another update. A leaf has at most `leaf` blocks.
#[inline(never)]
pub fn multiply<R: Runtime>(mut t: Token<R>, update: Update, c: &mut [Block], a: &[Block], b: &[Block], leaf: usize) {
    if let [c] = c {
        t.touches([a, b], [from_ref(c)]);
        return update.multiply(c, &a[0], &b[0]);
    }
    if c.len() <= leaf {
        t.touches([a, b], [c]);
        return multiply_leaf(update, c, a, b);
    }
    let [c00, c01, c10, c11] = quadrants_mut(c);
    let [a00, a01, a10, a11] = quadrants(a);
    let [b00, b01, b10, b11] = quadrants(b);
    t.join4(
        |t| multiply(t, update, c00, a00, b00, leaf),
        |t| multiply(t, update, c01, a00, b01, leaf),
        |t| multiply(t, update, c10, a10, b00, leaf),
        |t| multiply(t, update, c11, a10, b01, leaf),
    );
    let update = update.next();
    t.join4(
        |t| multiply(t, update, c00, a01, b10, leaf),
        |t| multiply(t, update, c01, a01, b11, leaf),
        |t| multiply(t, update, c10, a11, b10, leaf),
        |t| multiply(t, update, c11, a11, b11, leaf),
    );
}

/// A leaf: the same operations in the same order without forks, down to blocks. All runtimes and all programs share it.
#[inline(never)]
pub fn multiply_leaf(update: Update, c: &mut [Block], a: &[Block], b: &[Block]) {
    multiply(Serial::token(), update, c, a, b, 1);
}

/// Two matrices, and the place for their product.
#[derive(Debug)]
pub struct NoTempMul {
    product: Product,
    /// The number of blocks of a leaf.
    leaf: usize,
}

impl NoTempMul {
    /// A kernel that computes A·B.
    ///
    /// # Panics
    ///
    /// If the sides differ; if an element is not an integer; or if the side times the largest element of A times the
    /// largest element of B exceeds 2^53, so that the product might not be exact, as the check requires.
    pub fn new(a: Matrix, b: Matrix) -> Self {
        Self::of(Product::new(a, b))
    }

    fn of(product: Product) -> Self {
        Self { product, leaf: matrix::leaf_blocks(GRAIN.default) }
    }

    /// As an object. Whoever makes one elsewhere compiles all forms once more.
    #[inline(never)]
    pub fn boxed(self) -> Box<dyn crate::Instance> {
        Box::new(self)
    }

    /// The product, as the last call left it. Read it before the check, which overwrites it. Before the first call, the
    /// elements are not numbers.
    pub fn product(&self) -> &Matrix {
        self.product.result()
    }
}

impl Kernel for NoTempMul {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let (c, a, b) = self.product.for_a_call();
        multiply(t, Update::Assign, c, black_box(a), black_box(b), self.leaf);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.product.verify()
    }

    fn set_grain(&mut self, grain: u64) {
        self.leaf = matrix::leaf_blocks(grain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::by_definition;
    use fastrand::Rng;

    fn random(side: usize, seed: u64) -> Matrix {
        let mut random = Rng::with_seed(seed);
        Matrix::from_fn(side, |_, _| random.i64(-4..=4) as f64)
    }

    #[test]
    fn the_product_is_that_of_the_definition_and_can_be_read_until_it_is_checked() {
        for side in [16, 32, 64] {
            let (a, b) = (random(side, 1), random(side, 2));
            let expected = by_definition(&a, &b);
            let mut program = NoTempMul::new(a, b);
            for grain in [1, 2, 3, 4, 1024] {
                program.set_grain(grain);
                assert!(program.product().get(0, 0).is_nan(), "nothing computed");
                program.run(Serial::token());
                assert_eq!(*program.product(), expected, "side {side}, grain {grain}");
                assert_eq!(Kernel::verify(&mut program), Ok(()));
            }
        }
    }

    #[test]
    fn the_square_of_a_graph_counts_paths_of_two_edges() {
        // A ring of 20 vertices; the other rows are padding.
        let ring = Matrix::from_fn(32, |from, to| if from < 20 && (from + 1) % 20 == to { 1.0 } else { 0.0 });
        let mut program = NoTempMul::new(ring.clone(), ring);
        program.run(Serial::token());
        let two_on = Matrix::from_fn(32, |from, to| if from < 20 && (from + 2) % 20 == to { 1.0 } else { 0.0 });
        assert_eq!(*program.product(), two_on);
        assert_eq!(Kernel::verify(&mut program), Ok(()));
    }

    #[test]
    fn a_product_can_be_added_and_subtracted() {
        let (a, b, c) = (random(32, 1), random(32, 2), random(32, 3));
        let product = by_definition(&a, &b);
        for (update, sign) in [(Update::Add, 1.0), (Update::Subtract, -1.0)] {
            let mut result = c.clone();
            multiply(Serial::token(), update, result.blocks_mut(), a.blocks(), b.blocks(), 1);
            let expected = Matrix::from_fn(32, |row, column| c.get(row, column) + sign * product.get(row, column));
            assert_eq!(result, expected, "{update:?}");
        }
    }

    #[test]
    #[should_panic(expected = "expected matrices of one side")]
    fn matrices_of_different_sides_are_refused() {
        NoTempMul::new(random(16, 1), random(32, 1));
    }

    #[test]
    #[should_panic(expected = "expected integers so small")]
    fn fractions_are_refused() {
        NoTempMul::new(random(16, 1), Matrix::from_fn(16, |_, _| 0.1));
    }
}
