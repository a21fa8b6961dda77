//! Positions and comparisons. rayon's methods would zip or count on rayon.

use crate::on_filch::OnFilch;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::cmp::Ordering;

impl<I: IndexedParallelIterator> OnFilch<I> {
    /// [`IndexedParallelIterator::position_any`], driven by Filch.
    pub fn position_any<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(I::Item) -> bool + Sync + Send,
    {
        self.positions(predicate).find_any(|_| true)
    }

    /// [`IndexedParallelIterator::position_first`], driven by Filch.
    pub fn position_first<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(I::Item) -> bool + Sync + Send,
    {
        self.positions(predicate).find_first(|_| true)
    }

    /// [`IndexedParallelIterator::position_last`], driven by Filch.
    pub fn position_last<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(I::Item) -> bool + Sync + Send,
    {
        self.positions(predicate).find_last(|_| true)
    }

    /// [`IndexedParallelIterator::cmp`], driven by Filch.
    pub fn cmp<J>(self, other: J) -> Ordering
    where
        J: IntoParallelIterator<Item = I::Item, Iter: IndexedParallelIterator>,
        I::Item: Ord,
    {
        let other = other.into_par_iter();
        let lengths = self.len().cmp(&other.len());
        self.zip(other).map(|(a, b)| a.cmp(&b)).find_first(|order| order.is_ne()).unwrap_or(lengths)
    }

    /// [`IndexedParallelIterator::partial_cmp`], driven by Filch.
    pub fn partial_cmp<J>(self, other: J) -> Option<Ordering>
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialOrd<J::Item>,
    {
        let other = other.into_par_iter();
        let lengths = self.len().cmp(&other.len());
        let decides = |order: &Option<Ordering>| *order != Some(Ordering::Equal);
        self.zip(other).map(|(a, b)| a.partial_cmp(&b)).find_first(decides).unwrap_or(Some(lengths))
    }

    /// [`IndexedParallelIterator::eq`], driven by Filch.
    pub fn eq<J>(self, other: J) -> bool
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialEq<J::Item>,
    {
        let other = other.into_par_iter();
        self.len() == other.len() && self.zip(other).all(|(a, b)| a == b)
    }

    /// [`IndexedParallelIterator::ne`], driven by Filch.
    pub fn ne<J>(self, other: J) -> bool
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialEq<J::Item>,
    {
        !self.eq(other)
    }

    /// [`IndexedParallelIterator::lt`], driven by Filch.
    pub fn lt<J>(self, other: J) -> bool
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialOrd<J::Item>,
    {
        self.partial_cmp(other).is_some_and(Ordering::is_lt)
    }

    /// [`IndexedParallelIterator::le`], driven by Filch.
    pub fn le<J>(self, other: J) -> bool
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialOrd<J::Item>,
    {
        self.partial_cmp(other).is_some_and(Ordering::is_le)
    }

    /// [`IndexedParallelIterator::gt`], driven by Filch.
    pub fn gt<J>(self, other: J) -> bool
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialOrd<J::Item>,
    {
        self.partial_cmp(other).is_some_and(Ordering::is_gt)
    }

    /// [`IndexedParallelIterator::ge`], driven by Filch.
    pub fn ge<J>(self, other: J) -> bool
    where
        J: IntoParallelIterator<Iter: IndexedParallelIterator>,
        I::Item: PartialOrd<J::Item>,
    {
        self.partial_cmp(other).is_some_and(Ordering::is_ge)
    }
}
