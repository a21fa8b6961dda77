//! Ranges of integers, with or without an end.

use super::{Access, Indexed, Items};
use std::ops::{Range, RangeFrom, RangeInclusive};

/// A range of integers, as its first number and its length.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Integers<T> {
    start: T,
    len: u64,
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl Indexed for Range<$int> {
            type Item = $int;
            type Access = Integers<$int>;

            #[inline]
            fn items(self) -> Items<Integers<$int>> {
                let len = if self.start < self.end { self.end.wrapping_sub(self.start) as u64 } else { 0 };
                // The difference of two signed integers fits into an unsigned integer of the same width.
                let len = len & (u64::MAX >> (64 - <$int>::BITS));
                // SAFETY: the items are numbers.
                unsafe { Items::new(Integers { start: self.start, len }) }
            }
        }

        /// # Panics
        ///
        /// If the range has 2^64 integers.
        impl Indexed for RangeInclusive<$int> {
            type Item = $int;
            type Access = Integers<$int>;

            #[inline]
            fn items(self) -> Items<Integers<$int>> {
                // Also true of a range that has been iterated to its end, whose bounds alone do not say so.
                if self.is_empty() {
                    return (*self.start()..*self.start()).items();
                }
                let (start, end) = self.into_inner();
                let Integers { start, len } = (start..end).items().into_access();
                let len = len.checked_add(1).expect("a loop has at most 2^64 - 1 iterations");
                // SAFETY: the items are numbers.
                unsafe { Items::new(Integers { start, len }) }
            }
        }

        // SAFETY: the length is a field that never changes.
        unsafe impl Access for Integers<$int> {
            type Item = $int;

            #[inline(always)]
            fn len(&self) -> u64 {
                self.len
            }

            #[inline(always)]
            unsafe fn item(&self, index: u64) -> $int {
                self.start.wrapping_add(index as $int)
            }
        }
    )*};
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Integers from some first number up to the largest of the type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Numbers<T>(Integers<T>);

macro_rules! numbers {
    ($($int:ty),*) => {$(
        /// In a tuple, this numbers the items of the other elements. By itself it ends with the largest number of its
        /// type.
        ///
        /// # Panics
        ///
        /// If the other elements of the tuple have more items than the type has numbers.
        impl Indexed for RangeFrom<$int> {
            type Item = $int;
            type Access = Numbers<$int>;

            #[inline]
            fn items(self) -> Items<Numbers<$int>> {
                let Integers { start, len } = (self.start..<$int>::MAX).items().into_access();
                // SAFETY: the items are numbers.
                unsafe { Items::new(Numbers(Integers { start, len: len.saturating_add(1) })) }
            }
        }

        // SAFETY: the length is that of `Integers`, a field that never changes.
        unsafe impl Access for Numbers<$int> {
            type Item = $int;

            const IS_OPEN: bool = true;

            #[inline(always)]
            fn len(&self) -> u64 {
                self.0.len()
            }

            #[inline(always)]
            unsafe fn item(&self, index: u64) -> $int {
                // SAFETY: by the contract of this function.
                unsafe { self.0.item(index) }
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
