//! Weights of arcs: none, or a 32-bit floating-point number.

use std::cmp::Ordering;
use std::fmt::{self, Debug, Display, Formatter};

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for f32 {}
}

/// What a graph stores for each arc beside its target: `()` for nothing, which takes no memory, or an `f32`.
///
/// A weight has 32 bits, as in the GAP Benchmark Suite, because algorithms on weighted graphs are limited by memory. It
/// is a floating-point number, because many files have fractions. Whole numbers are exact up to 2^24; a file of whole
/// numbers with a larger one is refused rather than rounded. Sums of weights are `f64`, so they are exact for whole
/// numbers up to 2^53, whatever the order of adding them. A weight is finite; it may be negative.
pub trait Weight: Copy + PartialEq + Debug + Send + Sync + 'static + sealed::Sealed {
    /// Whether there is a weight.
    const IS_KEPT: bool;

    /// Stores a weight, or forgets it.
    fn of(weight: f32) -> Self;

    /// The weight. An arc without one weighs 1.
    fn value(self) -> f32;

    /// The order of weights, from the lightest.
    fn order(&self, other: &Self) -> Ordering;
}

impl Weight for () {
    const IS_KEPT: bool = false;

    #[inline(always)]
    fn of(_: f32) -> Self {}

    #[inline(always)]
    fn value(self) -> f32 {
        1.0
    }

    #[inline(always)]
    fn order(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

/// A weight in digits, as many as it takes to read the same number again: all of a whole number, which would not be
/// exact otherwise, and the fewest of a fraction.
///
/// ```
/// use filch_graph::InDigits;
///
/// assert_eq!([0.1, 1e-7, 1e11].map(|weight| InDigits(weight).to_string()), ["0.1", "1e-7", "99999997952"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InDigits(pub f32);

impl Display for InDigits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        /// Below this, fractions have an exponent.
        const SMALL: f32 = 1e-5;
        let InDigits(weight) = *self;
        match weight.abs() {
            size if size.fract() == 0.0 => write!(f, "{:.0}", f64::from(weight)),
            size if size < SMALL => write!(f, "{weight:e}"),
            _ => write!(f, "{weight}"),
        }
    }
}

impl Weight for f32 {
    const IS_KEPT: bool = true;

    /// Stores -0 as 0, so that equal weights have equal bits.
    #[inline(always)]
    fn of(weight: f32) -> Self {
        weight + 0.0
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }

    #[inline(always)]
    fn order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }
}
