//! What loops run over, as each library expects it.

use std::ops::Range;

use filch::Indexed;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator,
    ParallelIterator,
};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Ranges, slices, [chunks], and tuples of these, which are iterated together up to the end of the shortest.
pub trait Items: Sized + Send {
    /// The argument of the body of a loop.
    type Item: Send;

    /// For a plain loop.
    fn in_order(self) -> impl Iterator<Item = Self::Item>;

    /// For Filch's loops.
    fn for_filch(self) -> impl Indexed<Item = Self::Item> + Send;

    /// For rayon's loops.
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = Self::Item>;

    /// The number of items.
    fn length(&self) -> usize;

    /// The first `place` items, and the rest.
    fn split_at(self, place: usize) -> (Self, Self);
}

impl Items for Range<usize> {
    type Item = usize;

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = usize> {
        self
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = usize> + Send {
        self
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = usize> {
        self.into_par_iter()
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        let middle = self.start + place;
        (self.start..middle, middle..self.end)
    }
}

impl<'a, T: Sync> Items for &'a [T] {
    type Item = &'a T;

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = &'a T> {
        self.iter()
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = &'a T> + Send {
        self
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = &'a T> {
        self.par_iter()
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        <[T]>::split_at(self, place)
    }
}

impl<'a, T: Send> Items for &'a mut [T] {
    type Item = &'a mut T;

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = &'a mut T> {
        self.iter_mut()
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = &'a mut T> + Send {
        self
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = &'a mut T> {
        self.par_iter_mut()
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        self.split_at_mut(place)
    }
}

/// A slice in chunks of `size` items. The last chunk may be shorter.
pub fn chunks<T>(slice: &[T], size: usize) -> Chunks<'_, T> {
    Chunks { slice, size }
}

/// See [`chunks`].
#[derive(Debug)]
pub struct Chunks<'a, T> {
    slice: &'a [T],
    size: usize,
}

impl<'a, T: Sync> Items for Chunks<'a, T> {
    type Item = &'a [T];

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = &'a [T]> {
        self.slice.chunks(self.size)
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = &'a [T]> + Send {
        filch::chunks(self.slice, self.size)
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = &'a [T]> {
        self.slice.par_chunks(self.size)
    }

    fn length(&self) -> usize {
        self.slice.len().div_ceil(self.size)
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        let (left, right) = self.slice.split_at((place * self.size).min(self.slice.len()));
        (chunks(left, self.size), chunks(right, self.size))
    }
}

/// A mutable slice in chunks of `size` items. The last chunk may be shorter.
pub fn chunks_mut<T>(slice: &mut [T], size: usize) -> ChunksMut<'_, T> {
    ChunksMut { slice, size }
}

/// See [`chunks_mut`].
#[derive(Debug)]
pub struct ChunksMut<'a, T> {
    slice: &'a mut [T],
    size: usize,
}

impl<'a, T: Send> Items for ChunksMut<'a, T> {
    type Item = &'a mut [T];

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = &'a mut [T]> {
        self.slice.chunks_mut(self.size)
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = &'a mut [T]> + Send {
        filch::chunks_mut(self.slice, self.size)
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = &'a mut [T]> {
        self.slice.par_chunks_mut(self.size)
    }

    fn length(&self) -> usize {
        self.slice.len().div_ceil(self.size)
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        let middle = (place * self.size).min(self.slice.len());
        let (left, right) = self.slice.split_at_mut(middle);
        (chunks_mut(left, self.size), chunks_mut(right, self.size))
    }
}

/// Items with their numbers.
pub fn enumerate<I: Items>(items: I) -> Enumerate<I> {
    Enumerate { first: 0, items }
}

/// See [`enumerate`].
#[derive(Debug)]
pub struct Enumerate<I> {
    first: usize,
    items: I,
}

impl<I: Items> Items for Enumerate<I> {
    type Item = (usize, I::Item);

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = Self::Item> {
        self.items.in_order().enumerate().map(move |(number, item)| (self.first + number, item))
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = Self::Item> + Send {
        (self.first.., self.items.for_filch())
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = Self::Item> {
        self.items.for_rayon().enumerate().map(move |(number, item)| (self.first + number, item))
    }

    fn length(&self) -> usize {
        self.items.length()
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        let (left, right) = self.items.split_at(place);
        (Self { first: self.first, items: left }, Self { first: self.first + place, items: right })
    }
}

impl<A: Items, B: Items> Items for (A, B) {
    type Item = (A::Item, B::Item);

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = Self::Item> {
        self.0.in_order().zip(self.1.in_order())
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = Self::Item> + Send {
        (self.0.for_filch(), self.1.for_filch())
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = Self::Item> {
        self.0.for_rayon().zip(self.1.for_rayon())
    }

    fn length(&self) -> usize {
        self.0.length().min(self.1.length())
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        let (a, b) = (self.0.split_at(place), self.1.split_at(place));
        ((a.0, b.0), (a.1, b.1))
    }
}

impl<A: Items, B: Items, C: Items> Items for (A, B, C) {
    type Item = (A::Item, B::Item, C::Item);

    #[inline(always)]
    fn in_order(self) -> impl Iterator<Item = Self::Item> {
        self.0.in_order().zip(self.1.in_order()).zip(self.2.in_order()).map(|((a, b), c)| (a, b, c))
    }

    #[inline(always)]
    fn for_filch(self) -> impl Indexed<Item = Self::Item> + Send {
        (self.0.for_filch(), self.1.for_filch(), self.2.for_filch())
    }

    #[inline(always)]
    fn for_rayon(self) -> impl IndexedParallelIterator<Item = Self::Item> {
        self.0.for_rayon().zip(self.1.for_rayon()).zip(self.2.for_rayon()).map(|((a, b), c)| (a, b, c))
    }

    fn length(&self) -> usize {
        self.0.length().min(self.1.length()).min(self.2.length())
    }

    fn split_at(self, place: usize) -> (Self, Self) {
        let (a, b, c) = (self.0.split_at(place), self.1.split_at(place), self.2.split_at(place));
        ((a.0, b.0, c.0), (a.1, b.1, c.1))
    }
}
