//! Slices, and types that lend slices. Items are accessed one by one, shared or mutable.

use super::{Access, Indexed, Items};
use filch_policy::Over;
use std::marker::PhantomData;

impl<'a, T: Sync> Indexed for &'a [T] {
    type Item = &'a T;
    type Access = &'a [T];

    #[inline]
    fn items(self) -> Items<&'a [T]> {
        // SAFETY: the items are shared references.
        unsafe { Items::new(self) }
    }
}

// SAFETY: the length of a borrowed slice never changes.
unsafe impl<'a, T: Sync> Access for &'a [T] {
    type Item = &'a T;

    const OVER: Over = Over::Items;

    #[inline(always)]
    fn len(&self) -> u64 {
        <[T]>::len(self) as u64
    }

    #[inline(always)]
    unsafe fn item(&self, index: u64) -> &'a T {
        // SAFETY: the caller guarantees that the index is below the length.
        unsafe { self.get_unchecked(index as usize) }
    }
}

/// A mutable slice that is handed out in pieces.
#[doc(hidden)]
#[derive(Debug)]
pub struct Mutable<'a, T> {
    slice: *mut [T],
    borrowed: PhantomData<&'a mut [T]>,
}

// By hand, because derived implementations would require `T: Copy`.
impl<T> Copy for Mutable<'_, T> {}

impl<T> Clone for Mutable<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

// SAFETY: each item is handed out once, so at most one thread has it. It may move to that thread because `T` is `Send`.
unsafe impl<T: Send> Sync for Mutable<'_, T> {}
// SAFETY: for the same reason as `Sync`.
unsafe impl<T: Send> Send for Mutable<'_, T> {}

impl<'a, T> Mutable<'a, T> {
    #[inline]
    pub(super) fn new(slice: &'a mut [T]) -> Self {
        Mutable { slice, borrowed: PhantomData }
    }

    /// The number of items, handed out or not.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.slice.len()
    }

    /// # Safety
    ///
    /// `from <= to <= len`, and no item between them may have been handed out before.
    #[inline(always)]
    pub(super) unsafe fn piece(&self, from: usize, to: usize) -> &'a mut [T] {
        // SAFETY: the caller guarantees that `from` is within the slice.
        let start = unsafe { self.slice.cast::<T>().add(from) };
        // SAFETY: the slice is borrowed for 'a, and the caller guarantees that this piece is handed out once.
        unsafe { std::slice::from_raw_parts_mut(start, to - from) }
    }
}

impl<'a, T: Send> Indexed for &'a mut [T] {
    type Item = &'a mut T;
    type Access = Mutable<'a, T>;

    #[inline]
    fn items(self) -> Items<Mutable<'a, T>> {
        // SAFETY: this is the only access to a slice that has been mutably borrowed for it.
        unsafe { Items::new(Mutable::new(self)) }
    }
}

// SAFETY: the length of a slice never changes.
unsafe impl<'a, T: Send> Access for Mutable<'a, T> {
    type Item = &'a mut T;

    const OVER: Over = Over::Items;

    #[inline(always)]
    fn len(&self) -> u64 {
        self.slice.len() as u64
    }

    #[inline(always)]
    unsafe fn item(&self, index: u64) -> &'a mut T {
        // SAFETY: the caller guarantees that the index is below the length.
        let item = unsafe { self.slice.cast::<T>().add(index as usize) };
        // SAFETY: the slice is borrowed for 'a, and the caller guarantees that this item is handed out once.
        unsafe { &mut *item }
    }
}

/// Implements the trait for types that lend a slice: vectors and arrays.
macro_rules! lends_a_slice {
    ($([$($n:tt)*] $of:ty;)*) => {$(
        impl<'a, T: Sync, $($n)*> Indexed for &'a $of {
            type Item = &'a T;
            type Access = &'a [T];

            #[inline]
            fn items(self) -> Items<&'a [T]> {
                self.as_slice().items()
            }
        }

        impl<'a, T: Send, $($n)*> Indexed for &'a mut $of {
            type Item = &'a mut T;
            type Access = Mutable<'a, T>;

            #[inline]
            fn items(self) -> Items<Mutable<'a, T>> {
                self.as_mut_slice().items()
            }
        }
    )*};
}
lends_a_slice!([] Vec<T>; [const N: usize] [T; N];);
