//! A sorted vector that is made of an input, and how it is checked.

use std::fmt::Debug;

use filch_kernels::Mismatch;

use super::work::wrong;

/// An input, and what the last call has made of it.
pub(super) struct Sorted<T> {
    input: Vec<T>,
    output: Option<Vec<T>>,
}

impl<T: Copy + PartialEq + Debug + Send + Sync> Sorted<T> {
    pub(super) fn new(input: Vec<T>) -> Self {
        Sorted { input, output: None }
    }

    /// Makes a sorted vector.
    pub(super) fn make(&mut self, sorted: impl FnOnce(&[T]) -> Vec<T>) {
        // As after any other use of it: what an earlier call has made is gone.
        self.output = None;
        self.output = Some(sorted(&self.input));
    }

    /// Sorts a copy.
    pub(super) fn sort(&mut self, sort: impl FnOnce(&mut [T])) {
        self.make(|input| {
            let mut copy = input.to_vec();
            sort(&mut copy);
            copy
        });
    }

    /// Compares with what `sort`, a stable sort of the standard library, makes of the input.
    pub(super) fn verify(&mut self, sort: impl FnOnce(&mut [T])) -> Result<(), Mismatch> {
        let output = self.output.take().ok_or(Mismatch::Nothing)?;
        let mut expected = self.input.clone();
        sort(&mut expected);
        if output.len() != expected.len() {
            return Err(wrong(format!("{} items", output.len()), format!("{}", expected.len())));
        }
        match output.iter().zip(&expected).position(|(found, expected)| found != expected) {
            Some(at) => Err(wrong(format!("{:?} at place {at}", output[at]), format!("{:?}", expected[at]))),
            None => Ok(()),
        }
    }
}

/// The bytes of the input, the output, the memory of a sort, and that of the check.
pub(super) const fn bytes<T>(n: u64) -> u64 {
    4 * n * size_of::<T>() as u64
}
