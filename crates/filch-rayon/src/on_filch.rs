//! The adapter that has Filch drive an iterator.

use crate::drive::bridge;
use rayon::iter::plumbing::{Consumer, ProducerCallback, UnindexedConsumer};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};

/// `filch()` on every indexed parallel iterator.
pub trait Filch: ParallelIterator {
    /// Has Filch drive this iterator, instead of rayon.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let lengths: Vec<usize> = vec!["a", "bc"].into_par_iter().filch().map(str::len).collect();
    /// assert_eq!(lengths, [1, 2]);
    /// ```
    ///
    /// [The crate](crate) says which adaptors may follow. Work: that of the serial loop, and some tens of nanoseconds
    /// for each block of some microseconds. Span: that of the longest block, and the logarithm of the number of items.
    ///
    /// What has no indices cannot be driven from outside of rayon. The message of the compiler says what can:
    /// ```compile_fail,E0277
    /// use filch_rayon::prelude::*;
    ///
    /// "text".par_chars().filch().count();
    /// ```
    fn filch(self) -> OnFilch<Self>
    where
        Self: Drivable,
    {
        OnFilch { inner: self }
    }
}

impl<I: ParallelIterator> Filch for I {}

/// What Filch can drive: every indexed parallel iterator.
#[diagnostic::on_unimplemented(
    message = "Filch cannot drive `{Self}`, which has no indices",
    label = "rayon drives this by itself, on its own pool",
    note = "begin with Filch instead: `text.filch().par_lines()` and the like for texts, `slice.filch().par_sort()` to \
            sort, `(0..n).filch()` for ranges, `iterator.filch_bridge()` for `par_bridge`, and \
            `map.iter().filch_collected()` for maps, sets and lists",
    note = "after an adaptor without indices, such as `filter`, everything is on Filch already if `.filch()` stands \
            before it"
)]
pub trait Drivable: IndexedParallelIterator {}

#[diagnostic::do_not_recommend]
impl<I: IndexedParallelIterator> Drivable for I {}

/// An indexed parallel iterator that Filch drives; see [`filch()`](Filch::filch).
///
/// The methods here are those of [`IndexedParallelIterator`] that make a new indexed iterator, or that use one. They
/// shadow those of the trait, and return an iterator that Filch drives as well. All other methods come from the traits.
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct OnFilch<I> {
    pub(crate) inner: I,
}

impl<I: IndexedParallelIterator> ParallelIterator for OnFilch<I> {
    type Item = I::Item;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<I::Item>,
    {
        bridge(self.inner, consumer)
    }

    #[inline]
    fn opt_len(&self) -> Option<usize> {
        Some(self.inner.len())
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for OnFilch<I> {
    #[inline]
    fn drive<C>(self, consumer: C) -> C::Result
    where
        C: Consumer<I::Item>,
    {
        bridge(self.inner, consumer)
    }

    #[inline]
    fn len(&self) -> usize {
        self.inner.len()
    }

    #[inline]
    fn with_producer<CB>(self, callback: CB) -> CB::Output
    where
        CB: ProducerCallback<I::Item>,
    {
        self.inner.with_producer(callback)
    }
}
