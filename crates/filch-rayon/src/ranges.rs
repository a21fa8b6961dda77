//! Ranges of integers that may be wider than `usize`, which rayon does not count as indexed.

use crate::drive::bridge;
use crate::{Filch, OnFilch};
use rayon::iter::plumbing::{Consumer, ProducerCallback, UnindexedConsumer};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::ops::{Range, RangeInclusive};

/// `filch()` on a range of integers.
pub trait FilchRange {
    /// The integers of the range.
    type Integer: Send;

    /// Has Filch drive this range, whatever its type of integer. It is indexed.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let squares: Vec<u64> = (1_u64..=4).filch().map(|n| n * n).collect();
    /// assert_eq!(squares, [1, 4, 9, 16]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the range has more integers than a `usize` can count.
    fn filch(self) -> OnFilch<Integers<Self::Integer>>;
}

/// The integers of a range; see [`filch()`](FilchRange::filch).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct Integers<T> {
    start: T,
    len: usize,
}

const TOO_LONG: &str = "a range of more integers than a usize can count: divide it into several";

macro_rules! ranges {
    ($($int:ty as $unsigned:ty),*) => {$(
        impl FilchRange for Range<$int> {
            type Integer = $int;

            fn filch(self) -> OnFilch<Integers<$int>> {
                let len = if self.start < self.end { self.end.wrapping_sub(self.start) as $unsigned } else { 0 };
                Integers { start: self.start, len: usize::try_from(len).expect(TOO_LONG) }.filch()
            }
        }

        impl FilchRange for RangeInclusive<$int> {
            type Integer = $int;

            fn filch(self) -> OnFilch<Integers<$int>> {
                let (start, end) = (*self.start(), *self.end());
                // A range that has been iterated to its end is empty, whatever its bounds.
                if self.is_empty() {
                    return (start..start).filch();
                }
                let before_last = usize::try_from(end.wrapping_sub(start) as $unsigned).ok();
                let len = before_last.and_then(|len| len.checked_add(1)).expect(TOO_LONG);
                Integers { start, len }.filch()
            }
        }

        impl ParallelIterator for Integers<$int> {
            type Item = $int;

            fn drive_unindexed<C>(self, consumer: C) -> C::Result
            where
                C: UnindexedConsumer<$int>,
            {
                bridge(self, consumer)
            }

            fn opt_len(&self) -> Option<usize> {
                Some(self.len)
            }
        }

        impl IndexedParallelIterator for Integers<$int> {
            fn len(&self) -> usize {
                self.len
            }

            fn drive<C: Consumer<$int>>(self, consumer: C) -> C::Result {
                bridge(self, consumer)
            }

            fn with_producer<CB: ProducerCallback<$int>>(self, callback: CB) -> CB::Output {
                let start = self.start;
                let integers = (0..self.len).into_par_iter().map(move |place| start.wrapping_add(place as $int));
                integers.with_producer(callback)
            }
        }
    )*};
}
ranges!(
    u8 as u8,
    u16 as u16,
    u32 as u32,
    u64 as u64,
    u128 as u128,
    usize as usize,
    i8 as u8,
    i16 as u16,
    i32 as u32,
    i64 as u64,
    i128 as u128,
    isize as usize
);
