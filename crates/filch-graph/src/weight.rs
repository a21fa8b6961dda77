//! Weights of arcs, and the sums of them.

use std::cmp::Ordering;
use std::fmt::{self, Debug, Display, Formatter};

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
    impl Sealed for i64 {}
}

/// What a graph stores for each arc beside its target: `()` for nothing, which takes no memory, or a number.
///
/// Algorithms on weighted graphs are limited by memory, so a weight of 32 bits is faster than one of 64. The GAP
/// Benchmark Suite has 32, and so do files that `filch-graph-io` reads. A weight is finite; it may be negative.
///
/// | weight | [distances](Weight::Distance) | [sums](Weight::Total) of all edges of a forest |
/// |---|---|---|
/// | `f32`, `f64` | `f64`, rounded at each arc; exact for whole numbers below 2^53 | `f64` |
/// | `u32` | `u64`, exact | `u64` |
/// | `u64` | `u64`, exact, or an error | `u128` |
/// | `i64` | `i64`, exact, or an error | `i128` |
/// | `()` | `u64`, the number of arcs | `u64` |
pub trait Weight: Copy + PartialEq + Debug + Send + Sync + 'static + sealed::Sealed {
    /// The length of a path.
    type Distance: Distance;

    /// The sum of the weights of a forest.
    type Total: Copy + PartialEq + PartialOrd + Debug + Display + Send + Sync + 'static;

    /// Whether there is a weight.
    const IS_KEPT: bool;

    /// The weight 1. An arc without a weight weighs 1.
    const ONE: Self;

    /// Whether this is a number, and not infinite.
    fn is_finite(self) -> bool;

    /// The same weight, so that equal weights have equal bits: 0 for -0.
    #[must_use]
    fn canonical(self) -> Self;

    /// Whether it is below 0.
    fn is_negative(self) -> bool;

    /// A number whose order is that of the weights, with -0 below 0 unless it is [canonical](Self::canonical).
    fn rank(self) -> u64;

    /// The weight, rounded.
    fn rounded(self) -> f64;

    /// The length of a path of this length and an arc of this weight, which is not negative; or
    /// [`UNREACHED`](Distance::UNREACHED) if it is beyond what the type can count.
    fn after(self, distance: Self::Distance) -> Self::Distance;

    /// The sum of weights, in their order.
    fn total(weights: impl Iterator<Item = Self>) -> Self::Total;

    /// Writes the weight in digits: see [`InDigits`].
    ///
    /// # Errors
    ///
    /// That of the formatter.
    fn write(self, f: &mut Formatter<'_>) -> fmt::Result;

    /// The order of weights, from the lightest: that of [ranks](Self::rank).
    fn order(&self, other: &Self) -> Ordering;
}

/// The length of a path: `f64`, `u64` or `i64`. It is never negative. The trait is sealed.
pub trait Distance: Copy + PartialEq + PartialOrd + Debug + Display + Send + Sync + 'static + sealed::Sealed {
    /// The length of a path without arcs.
    const ZERO: Self;

    /// What stands for the distance of a vertex that is not reached: more than all distances.
    const UNREACHED: Self;

    /// The largest number of the type that is finite.
    const LARGEST: Self;

    /// The bits. Their order is that of the distances.
    fn bits(self) -> u64;

    /// The distance with these bits.
    fn of_bits(bits: u64) -> Self;

    /// The distance, rounded.
    fn rounded(self) -> f64;
}

impl Distance for f64 {
    const ZERO: Self = 0.0;
    const UNREACHED: Self = f64::INFINITY;
    const LARGEST: Self = f64::MAX;

    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }

    #[inline(always)]
    fn of_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }

    #[inline(always)]
    fn rounded(self) -> f64 {
        self
    }
}

macro_rules! whole_distances {
    ($($int:ty)*) => {$(
        impl Distance for $int {
            const ZERO: Self = 0;
            const UNREACHED: Self = <$int>::MAX;
            const LARGEST: Self = <$int>::MAX;

            #[inline(always)]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                bits as $int
            }

            #[inline(always)]
            fn rounded(self) -> f64 {
                self as f64
            }
        }
    )*};
}
whole_distances! { u64 i64 }

impl Weight for () {
    type Distance = u64;
    type Total = u64;
    const IS_KEPT: bool = false;
    const ONE: Self = ();

    #[inline(always)]
    fn is_finite(self) -> bool {
        true
    }

    #[inline(always)]
    fn canonical(self) -> Self {}

    #[inline(always)]
    fn is_negative(self) -> bool {
        false
    }

    #[inline(always)]
    fn rank(self) -> u64 {
        1
    }

    #[inline(always)]
    fn order(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }

    #[inline(always)]
    fn rounded(self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn after(self, distance: u64) -> u64 {
        distance.saturating_add(1)
    }

    fn total(weights: impl Iterator<Item = Self>) -> u64 {
        weights.count() as u64
    }

    fn write(self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("1")
    }
}

macro_rules! floats {
    ($($float:ty, $bits:ty;)*) => {$(
        impl Weight for $float {
            type Distance = f64;
            type Total = f64;
            const IS_KEPT: bool = true;
            const ONE: Self = 1.0;

            #[inline(always)]
            fn is_finite(self) -> bool {
                <$float>::is_finite(self)
            }

            #[inline(always)]
            fn canonical(self) -> Self {
                self + 0.0
            }

            #[inline(always)]
            fn is_negative(self) -> bool {
                self < 0.0
            }

            #[inline(always)]
            fn rank(self) -> u64 {
                /// The sign.
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let bits = self.to_bits();
                u64::from(if bits & SIGN == 0 { bits | SIGN } else { !bits })
            }

            #[inline(always)]
            fn order(&self, other: &Self) -> Ordering {
                self.total_cmp(other)
            }

            #[inline(always)]
            fn rounded(self) -> f64 {
                f64::from(self)
            }

            #[inline(always)]
            fn after(self, distance: f64) -> f64 {
                distance + f64::from(self)
            }

            fn total(weights: impl Iterator<Item = Self>) -> f64 {
                // The sum of no numbers is -0 in the standard library.
                weights.map(f64::from).fold(0.0, |sum, weight| sum + weight)
            }

            fn write(self, f: &mut Formatter<'_>) -> fmt::Result {
                /// Below this, fractions have an exponent.
                const SMALL: $float = 1e-5;
                match self.abs() {
                    size if size.fract() == 0.0 => write!(f, "{self:.0}"),
                    size if size < SMALL => write!(f, "{self:e}"),
                    _ => write!(f, "{self}"),
                }
            }
        }
    )*};
}
floats! { f32, u32; f64, u64; }

macro_rules! whole_weights {
    ($($int:ty, $distance:ty, $total:ty;)*) => {$(
        impl Weight for $int {
            type Distance = $distance;
            type Total = $total;
            const IS_KEPT: bool = true;
            const ONE: Self = 1;

            #[inline(always)]
            fn is_finite(self) -> bool {
                true
            }

            #[inline(always)]
            fn canonical(self) -> Self {
                self
            }

            #[inline(always)]
            fn is_negative(self) -> bool {
                self < <$int>::MIN.max(0)
            }

            #[inline(always)]
            fn rank(self) -> u64 {
                self.abs_diff(<$int>::MIN).into()
            }

            #[inline(always)]
            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            #[inline(always)]
            fn rounded(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn after(self, distance: $distance) -> $distance {
                distance.saturating_add(self.into())
            }

            fn total(weights: impl Iterator<Item = Self>) -> $total {
                weights.map(<$total>::from).sum()
            }

            fn write(self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }
    )*};
}
whole_weights! { u32, u64, u64; u64, u64, u128; i64, i64, i128; }

/// A weight in digits, as many as it takes to read the same number again: all of a whole number, which would not be
/// exact otherwise, and the fewest of a fraction.
///
/// ```
/// use filch_graph::InDigits;
///
/// assert_eq!([0.1_f32, 1e-7, 1e11].map(|weight| InDigits(weight).to_string()), ["0.1", "1e-7", "99999997952"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InDigits<W = f32>(pub W);

impl<W: Weight> Display for InDigits<W> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascend<W: Weight>(weights: &[W]) {
        assert!(weights.windows(2).all(|pair| pair[0].rank() < pair[1].rank()), "{weights:?}");
        assert!(weights.windows(2).all(|pair| pair[0].order(&pair[1]).is_lt()), "{weights:?}");
    }

    #[test]
    fn ranks_are_in_the_order_of_the_weights() {
        ascend(&[f32::MIN, -1.5, -f32::MIN_POSITIVE, 0.0, 1e-40, 1.0, f32::MAX]);
        ascend(&[f64::MIN, -1.5, -f64::MIN_POSITIVE, 0.0, 1e-310, 1.0, f64::MAX]);
        ascend(&[0_u32, 1, u32::MAX]);
        ascend(&[0_u64, 1, u64::MAX]);
        ascend(&[i64::MIN, -1, 0, 1, i64::MAX]);
        assert_eq!(((-0.0_f32).canonical().rank(), (-0.0_f64).canonical().rank()), (0.0_f32.rank(), 0.0_f64.rank()));
    }

    #[test]
    fn lengths_beyond_the_type_are_unreached() {
        assert_eq!(9_u64.after(u64::MAX - 3), u64::UNREACHED);
        assert_eq!(9_i64.after(i64::MAX - 3), i64::UNREACHED);
        assert_eq!(f64::MAX.after(f64::MAX), f64::UNREACHED);
        assert_eq!(u32::MAX.after(u32::MAX.into()), 2 * u64::from(u32::MAX));
        assert_eq!(u64::total([u64::MAX; 3].into_iter()), 3 * u128::from(u64::MAX));
        assert_eq!(f64::total([].into_iter()).to_bits(), 0.0_f64.to_bits());
    }
}
