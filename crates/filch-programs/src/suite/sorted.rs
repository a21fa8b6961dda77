//! A copy of the input that is sorted in place, and how it is checked.

use std::fmt::Debug;

use crate::answer::Mismatch;

use super::work::wrong;

/// An input, and a copy of it to be sorted.
pub(super) struct Sorted<T> {
    input: Vec<T>,
    output: Vec<T>,
    has_run: bool,
}

impl<T: Copy + PartialEq + Debug + Send + Sync> Sorted<T> {
    pub(super) fn new(input: Vec<T>) -> Self {
        Sorted { output: input.clone(), input, has_run: false }
    }

    /// The input, to be sorted by `sort`.
    pub(super) fn run(&mut self, sort: impl FnOnce(&mut [T])) {
        self.output.copy_from_slice(&self.input);
        sort(&mut self.output);
        self.has_run = true;
    }

    /// Compares with what the stable sort of the standard library makes of the input.
    pub(super) fn verify(&mut self, sort: impl FnOnce(&mut [T])) -> Result<(), Mismatch> {
        if !std::mem::take(&mut self.has_run) {
            return Err(Mismatch::Nothing);
        }
        let mut expected = self.input.clone();
        sort(&mut expected);
        match self.output.iter().zip(&expected).position(|(found, expected)| found != expected) {
            Some(at) => Err(wrong(format!("{:?} at place {at}", self.output[at]), format!("{:?}", expected[at]))),
            None => Ok(()),
        }
    }
}

/// The bytes of the input, the output, the memory of a sort, and that of the check.
pub(super) const fn bytes<T>(n: u64) -> u64 {
    4 * n * size_of::<T>() as u64
}
