//! Slices that are split into chunks of equal length.

use super::slices::Mutable;
use super::{Access, Indexed, Items};
use filch_policy::Over;

/// Splits a slice into chunks of `size` items, the last of which may be shorter, like [`slice::chunks`].
///
/// # Panics
///
/// If `size` is 0.
///
/// ```
/// let text = [3, 1, 4, 1, 5, 9, 2];
/// let sum = |chunk: &[i32]| format!("{} ", chunk.iter().sum::<i32>());
/// let sums = filch::map_reduce(filch::chunks(&text, 3), String::new, |_, chunk| sum(chunk), |a, b| a + &b);
/// assert_eq!(sums, "8 15 2 ");
/// ```
pub fn chunks<T: Sync>(slice: &[T], size: usize) -> Chunks<'_, T> {
    assert!(size > 0, "chunks have at least one item");
    Chunks { slice, size }
}

/// The chunks of a slice; see [`chunks`].
#[derive(Debug)]
pub struct Chunks<'a, T> {
    slice: &'a [T],
    size: usize,
}

// By hand, because derived implementations would require `T: Copy`.
impl<T> Copy for Chunks<'_, T> {}

impl<T> Clone for Chunks<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Sync> Indexed for Chunks<'a, T> {
    type Item = &'a [T];
    type Access = Self;

    #[inline]
    fn items(self) -> Items<Self> {
        // SAFETY: the items are shared references.
        unsafe { Items::new(self) }
    }
}

// SAFETY: the length depends only on the two fields, which never change.
unsafe impl<'a, T: Sync> Access for Chunks<'a, T> {
    type Item = &'a [T];

    const OVER: Over = Over::Chunks;

    #[inline]
    fn len(&self) -> u64 {
        self.slice.len().div_ceil(self.size) as u64
    }

    #[inline]
    unsafe fn item(&self, index: u64) -> &'a [T] {
        // The product is below the length of the slice, because the caller guarantees that the index is below `len`.
        let start = index as usize * self.size;
        let len = self.size.min(self.slice.len() - start);
        // The end is a plain sum, because the compiler does not unroll a loop if the end comes from a comparison.
        // SAFETY: `start + len` is at most the length of the slice.
        unsafe { self.slice.get_unchecked(start..start + len) }
    }
}

/// Splits a mutable slice into chunks of `size` items, the last of which may be shorter, like [`slice::chunks_mut`].
///
/// # Panics
///
/// If `size` is 0.
///
/// ```
/// let mut rows = [0; 6];
/// filch::for_each((0.., filch::chunks_mut(&mut rows, 2)), |_, (i, row)| row.fill(i));
/// assert_eq!(rows, [0, 0, 1, 1, 2, 2]);
/// ```
pub fn chunks_mut<T: Send>(slice: &mut [T], size: usize) -> ChunksMut<'_, T> {
    assert!(size > 0, "chunks have at least one item");
    ChunksMut { items: Mutable::new(slice), size }
}

/// The chunks of a mutable slice; see [`chunks_mut`].
#[derive(Debug)]
pub struct ChunksMut<'a, T> {
    items: Mutable<'a, T>,
    size: usize,
}

impl<'a, T: Send> Indexed for ChunksMut<'a, T> {
    type Item = &'a mut [T];
    type Access = MutableChunks<'a, T>;

    #[inline]
    fn items(self) -> Items<Self::Access> {
        // SAFETY: this is the only access to a slice that has been mutably borrowed for it, and chunks do not overlap.
        unsafe { Items::new(MutableChunks { items: self.items, size: self.size }) }
    }
}

/// The chunks of a mutable slice, which are handed out one by one.
#[doc(hidden)]
#[derive(Debug)]
pub struct MutableChunks<'a, T> {
    items: Mutable<'a, T>,
    size: usize,
}

// By hand, because derived implementations would require `T: Copy`.
impl<T> Copy for MutableChunks<'_, T> {}

impl<T> Clone for MutableChunks<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

// SAFETY: the length depends only on the two fields, which never change.
unsafe impl<'a, T: Send> Access for MutableChunks<'a, T> {
    type Item = &'a mut [T];

    const OVER: Over = Over::Chunks;

    #[inline]
    fn len(&self) -> u64 {
        self.items.count().div_ceil(self.size) as u64
    }

    #[inline]
    unsafe fn item(&self, index: u64) -> &'a mut [T] {
        let start = index as usize * self.size;
        let len = self.size.min(self.items.count() - start);
        // SAFETY: the caller guarantees that the index is below `len`, so the chunk starts within the slice, and that
        // the index is used once. Chunks do not overlap.
        unsafe { self.items.piece(start, start + len) }
    }
}
