//! The weights that files have.

use filch_graph::Weight;

/// A weight that is read and written: `f32`, or `()` for files without weights. Other types of weights are made of it
/// by [`Csr::with_weights`](filch_graph::Csr::with_weights).
///
/// It has 32 bits, as in the GAP Benchmark Suite, and is a floating-point number, because many files have fractions.
/// Whole numbers are exact up to 2^24; a file of whole numbers with a larger one is refused rather than rounded.
/// The trait cannot be implemented for other types, because [`Weight`] is sealed.
pub trait FileWeight: Weight {
    /// Stores a weight, or forgets it.
    fn of(weight: f32) -> Self;

    /// The weight. An arc without one weighs 1.
    fn value(self) -> f32;
}

impl FileWeight for () {
    #[inline(always)]
    fn of(_: f32) -> Self {}

    #[inline(always)]
    fn value(self) -> f32 {
        1.0
    }
}

impl FileWeight for f32 {
    /// Stores -0 as 0, so that equal weights have equal bits.
    #[inline(always)]
    fn of(weight: f32) -> Self {
        weight.canonical()
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }
}
