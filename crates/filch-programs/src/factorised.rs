//! Programs that factor a matrix in place: what they have in common is all but how, and how that is checked.

use std::hint::black_box;
use std::marker::PhantomData;

use fastrand::Rng;
use filch_kernels::matrix::{Block, Matrix, copy_leaf, elementwise, leaf_blocks};
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Grain, Kernel, Mismatch};

/// A way to factor a matrix.
pub(crate) trait Factoring: Sized + Send {
    const GRAIN: Grain;

    /// Factors the matrix with these blocks in place. A leaf has at most `leaf` of them.
    fn factor<R: Runtime>(t: Token<R>, blocks: &mut [Block], leaf: usize);

    /// The checker: compares the product of the factors with the matrix.
    fn check(program: &mut Factorised<Self>) -> Result<(), Mismatch>;
}

/// A matrix, and its factors after a call. A call starts with a copy of the matrix.
#[derive(Debug)]
pub(crate) struct Factorised<F> {
    pub(crate) matrix: Matrix,
    /// A check overwrites them.
    pub(crate) factors: Matrix,
    called: bool,
    /// Draws the vectors of the checks.
    pub(crate) random: Rng,
    /// The number of blocks of a leaf.
    leaf: usize,
    factoring: PhantomData<F>,
}

impl<F: Factoring> Factorised<F> {
    pub(crate) fn new(matrix: Matrix) -> Self {
        let mut factors = matrix.clone();
        factors.poison();
        let leaf = leaf_blocks(F::GRAIN.default);
        Self { matrix, factors, called: false, random: Rng::with_seed(0), leaf, factoring: PhantomData }
    }
}

impl<F: Factoring> Kernel for Factorised<F> {
    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        self.called = true;
        let (matrix, factors) = (self.matrix.blocks(), self.factors.blocks_mut());
        elementwise(t.reborrow(), [black_box(matrix)], [&mut *factors], self.leaf, copy_leaf);
        F::factor(t, factors, self.leaf);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let checked = F::check(self);
        self.called = false;
        self.factors.poison();
        checked
    }

    fn set_grain(&mut self, grain: u64) {
        self.leaf = leaf_blocks(grain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::matrix::grain;
    use filch_kernels::runtime::Serial;

    /// The matrix is its own factor.
    struct Itself;

    impl Factoring for Itself {
        const GRAIN: Grain = grain(1);

        fn factor<R: Runtime>(_: Token<R>, _: &mut [Block], _: usize) {}

        fn check(program: &mut Factorised<Self>) -> Result<(), Mismatch> {
            let copied = program.factors == program.matrix;
            let wrong = || Mismatch::Wrong { found: "something else".into(), expected: "a copy".into() };
            copied.then_some(()).ok_or_else(wrong)
        }
    }

    #[test]
    fn a_check_sees_what_the_last_call_left_and_forgets_it() {
        let mut program = Factorised::<Itself>::new(Matrix::from_fn(16, |row, _| row as f64));
        assert_eq!(Kernel::verify(&mut program), Err(Mismatch::Nothing));
        program.run(Serial::token());
        assert_eq!(Kernel::verify(&mut program), Ok(()));
        assert_eq!(Kernel::verify(&mut program), Err(Mismatch::Nothing));
        program.run(Serial::token());
        program.factors.set(3, 5, -1.0);
        assert!(matches!(Kernel::verify(&mut program), Err(Mismatch::Wrong { .. })), "a call that computes wrongly");
    }
}
