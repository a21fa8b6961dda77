//! What programs have in common that factor a matrix in place: the matrix, and the place for its factors.

use fastrand::Rng;

use crate::answer::Mismatch;
use crate::matrix::{Block, Matrix, leaf_blocks};
use crate::program::Grain;

/// A matrix, and its factors after a call.
#[derive(Debug)]
pub(crate) struct Factorised {
    pub(crate) matrix: Matrix,
    /// A check overwrites them.
    pub(crate) factors: Matrix,
    called: bool,
    /// Draws the vectors of the checks.
    pub(crate) random: Rng,
    /// The number of blocks of a leaf.
    leaf: usize,
}

impl Factorised {
    pub(crate) fn new(matrix: Matrix, grain: Grain) -> Self {
        let mut factors = matrix.clone();
        factors.poison();
        Self { matrix, factors, called: false, random: Rng::with_seed(0), leaf: leaf_blocks(grain.default) }
    }

    /// The memory of a call: the matrix, and where it is copied and factored. Also the number of blocks of a leaf.
    pub(crate) fn for_a_call(&mut self) -> (&[Block], &mut [Block], usize) {
        self.called = true;
        (self.matrix.blocks(), self.factors.blocks_mut(), self.leaf)
    }

    /// Checks the factors of the last call, and forgets them.
    pub(crate) fn verify(&mut self, check: fn(&mut Self) -> Result<(), Mismatch>) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let checked = check(self);
        self.called = false;
        self.factors.poison();
        checked
    }

    pub(crate) fn set_grain(&mut self, grain: u64) {
        self.leaf = leaf_blocks(grain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::grain;

    #[test]
    fn a_check_sees_what_the_last_call_left_and_forgets_it() {
        let is_copied = |program: &mut Factorised| {
            let copied = program.factors == program.matrix;
            let wrong = || Mismatch::Wrong { found: "something else".into(), expected: "a copy".into() };
            copied.then_some(()).ok_or_else(wrong)
        };
        let mut program = Factorised::new(Matrix::from_fn(16, |row, _| row as f64), grain(1));
        assert_eq!(program.verify(is_copied), Err(Mismatch::Nothing));
        let (from, to, _) = program.for_a_call();
        to.copy_from_slice(from);
        assert_eq!(program.verify(is_copied), Ok(()));
        assert_eq!(program.verify(is_copied), Err(Mismatch::Nothing));
        program.for_a_call();
        assert!(matches!(program.verify(is_copied), Err(Mismatch::Wrong { .. })), "a call that computes nothing");
    }
}
