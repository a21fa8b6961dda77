//! Sorting on Filch. rayon's `par_sort` runs on rayon's pool.

use std::cmp::Ordering;

/// `filch()` on a mutable slice.
pub trait FilchSlice<T> {
    /// Has Filch sort this slice.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let mut words = ["four", "one", "three", "six"];
    /// words.filch().par_sort_by_key(|word| word.len());
    /// assert_eq!(words, ["one", "six", "four", "three"]);
    /// ```
    fn filch(&mut self) -> SliceOnFilch<'_, T>;
}

impl<T> FilchSlice<T> for [T] {
    fn filch(&mut self) -> SliceOnFilch<'_, T> {
        SliceOnFilch { items: self }
    }
}

/// A slice that Filch sorts; see [`filch()`](FilchSlice::filch). The methods are the sorts of
/// [`rayon::slice::ParallelSliceMut`], by those of `filch-algorithms`. Its iterators stay rayon's; those with indices,
/// such as `par_chunks_mut`, take a `filch()`. Sorts that are not stable, or cache keys, compare what several threads
/// share, so it must be `Sync`; the stable ones do without.
///
/// Work: O(n log n) comparisons. Memory: n items.
///
/// # Panics
///
/// All methods panic if a comparison does, and may panic if there is no total order. All items are there then, each
/// once, in an unspecified order.
#[must_use = "nothing is sorted without a call of a method"]
#[derive(Debug)]
pub struct SliceOnFilch<'a, T> {
    items: &'a mut [T],
}

impl<T: Send> SliceOnFilch<'_, T> {
    /// [`slice::sort`].
    pub fn par_sort(self)
    where
        T: Ord,
    {
        filch_algorithms::sort(self.items);
    }

    /// [`slice::sort_by`].
    pub fn par_sort_by<F>(self, compare: F)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        let compare = &compare;
        filch_algorithms::sort_by(self.items, |a, b| compare(a, b));
    }

    /// [`slice::sort_by_key`].
    pub fn par_sort_by_key<K, F>(self, key: F)
    where
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        self.par_sort_by(|a, b| key(a).cmp(&key(b)));
    }

    /// [`slice::sort_by_cached_key`]. The keys are made in parallel, each once.
    pub fn par_sort_by_cached_key<K, F>(self, key: F)
    where
        K: Ord + Send + Sync,
        F: Fn(&T) -> K + Sync,
        T: Sync,
    {
        use crate::Filch;
        use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

        let items = self.items;
        let mut order: Vec<(K, usize)> =
            items.par_iter().filch().enumerate().map(|(place, item)| (key(item), place)).collect();
        order.filch().par_sort_unstable();
        // What belongs to place `i` was at `order[i]`, and may have been swapped on since, to where it then came from.
        for i in 0..items.len() {
            let mut from = order[i].1;
            while from < i {
                from = order[from].1;
            }
            order[i].1 = from;
            items.swap(i, from);
        }
    }

    /// [`slice::sort_unstable`].
    pub fn par_sort_unstable(self)
    where
        T: Ord + Sync,
    {
        filch_algorithms::sort_unstable(self.items);
    }

    /// [`slice::sort_unstable_by`].
    pub fn par_sort_unstable_by<F>(self, compare: F)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
        T: Sync,
    {
        let compare = &compare;
        filch_algorithms::sort_unstable_by(self.items, |a, b| compare(a, b));
    }

    /// [`slice::sort_unstable_by_key`].
    pub fn par_sort_unstable_by_key<K, F>(self, key: F)
    where
        K: Ord,
        F: Fn(&T) -> K + Sync,
        T: Sync,
    {
        self.par_sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    }
}
