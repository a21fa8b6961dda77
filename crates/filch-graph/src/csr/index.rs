//! The types of numbers that borrowed rows may have.

use std::fmt::Debug;

mod sealed {
    pub trait Sealed {}
}

/// A type of the numbers in [borrowed rows](crate::RowsView): `u32`, `u64`, `usize`, `i32` or `i64`.
///
/// Signed numbers are read as unsigned ones of the same size, without a copy, after it has been checked that none is
/// negative. The trait is sealed.
pub trait Index: Copy + Debug + Send + Sync + 'static + sealed::Sealed {
    /// The unsigned type of the same size.
    type Unsigned: Index<Unsigned = Self::Unsigned>;

    /// The largest number of this type that is a position.
    const LARGEST: usize;

    /// The same numbers as unsigned ones.
    fn unsigned(numbers: &[Self]) -> &[Self::Unsigned];

    /// This number as a position, the last one if it is no position.
    fn position(self) -> usize;

    /// This number, whatever its type.
    fn number(self) -> i128;
}

macro_rules! indices {
    ($($int:ty, $unsigned:ty, $largest:expr;)*) => {$(
        impl sealed::Sealed for $int {}

        impl Index for $int {
            type Unsigned = $unsigned;
            const LARGEST: usize = $largest;

            #[inline(always)]
            fn unsigned(numbers: &[$int]) -> &[$unsigned] {
                const { assert!(size_of::<$int>() == size_of::<$unsigned>()) };
                const { assert!(align_of::<$int>() == align_of::<$unsigned>()) };
                // SAFETY: the slice is valid as long as its reference. Both types are integers of the same size and
                // alignment, as is checked above, and every bit pattern is a value of each.
                unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
            }

            #[inline(always)]
            fn position(self) -> usize {
                usize::try_from(self).unwrap_or(usize::MAX)
            }

            fn number(self) -> i128 {
                self as i128
            }
        }
    )*};
}
indices! {
    u32, u32, u32::MAX as usize;
    u64, u64, usize::MAX;
    usize, usize, usize::MAX;
    i32, u32, i32::MAX as usize;
    i64, u64, isize::MAX as usize;
}
