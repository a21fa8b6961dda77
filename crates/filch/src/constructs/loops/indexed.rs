//! What loops run over: things with a length whose items can be had by index, each of them once.

use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeInclusive};

/// What a loop can run over in parallel: integer ranges, slices (shared or mutable), [`chunks`] of slices, and
/// tuples of these, which are walked side by side up to the end of the shortest. In a tuple, a range without an end counts
/// along.
///
/// Cutting one anywhere costs nothing, so a loop has no grain: it hands over half of what is left whenever somebody asks.
///
/// ```
/// let xs = [1, 2, 3, 4];
/// let mut ys = [10, 20, 30, 40];
/// filch::for_each((&xs, &mut ys), |_, (x, y)| *y += x);
/// assert_eq!(ys, [11, 22, 33, 44]);
/// ```
///
/// Items that go to other threads must be allowed to:
/// ```compile_fail,E0277
/// let local = [std::cell::Cell::new(1)];
/// filch::run(|mut s| s.for_each(&local, |_, _| ()));
/// ```
/// ```compile_fail,E0277
/// let mut local = [std::rc::Rc::new(1)];
/// filch::run(|mut s| s.for_each(&mut local, |_, _| ()));
/// ```
pub trait Indexed: Sealed {
    /// What the body gets.
    type Item;
    #[doc(hidden)]
    type Access: Access<Item = Self::Item>;
    #[doc(hidden)]
    fn access(self) -> Self::Access;
}

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// Access to items by index, from any thread. A few words, which a loop keeps in registers.
///
/// # Safety
///
/// `len` is always the same.
#[doc(hidden)]
#[allow(unreachable_pub, reason = "reached through `Indexed::Access`, which compilers before 1.90 do not see")]
pub unsafe trait Access: Copy + Sync {
    type Item;

    /// Whether it goes on for ever, but for what its type can count.
    const IS_OPEN: bool = false;

    fn len(&self) -> u64;

    /// One item.
    ///
    /// # Safety
    ///
    /// The index is below `len`, and is not asked for twice.
    unsafe fn item(&self, index: u64) -> Self::Item;
}

/// A range of integers: where it begins, and how long it is.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Integers<T> {
    start: T,
    len: u64,
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl Sealed for Range<$int> {}

        impl Indexed for Range<$int> {
            type Item = $int;
            type Access = Integers<$int>;

            #[inline]
            fn access(self) -> Integers<$int> {
                let len = if self.start < self.end { self.end.wrapping_sub(self.start) as u64 } else { 0 };
                // The difference of two signed numbers fits in as many bits without a sign.
                let len = len & (u64::MAX >> (64 - <$int>::BITS));
                Integers { start: self.start, len }
            }
        }

        impl Sealed for RangeInclusive<$int> {}

        /// # Panics
        ///
        /// A range of 2^64 integers is one too long.
        impl Indexed for RangeInclusive<$int> {
            type Item = $int;
            type Access = Integers<$int>;

            #[inline]
            fn access(self) -> Integers<$int> {
                // Also of one that has been iterated to its end, which its bounds do not tell.
                if self.is_empty() {
                    return Integers { start: *self.start(), len: 0 };
                }
                let (start, end) = self.into_inner();
                let Integers { start, len } = (start..end).access();
                let len = len.checked_add(1).expect("a loop has at most 2^64 - 1 iterations");
                Integers { start, len }
            }
        }

        // SAFETY: the length is a field that nobody writes.
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

impl<T: Sync> Sealed for &[T] {}

impl<'a, T: Sync> Indexed for &'a [T] {
    type Item = &'a T;
    type Access = &'a [T];

    #[inline]
    fn access(self) -> &'a [T] {
        self
    }
}

// SAFETY: a slice keeps its length.
unsafe impl<'a, T: Sync> Access for &'a [T] {
    type Item = &'a T;

    #[inline(always)]
    fn len(&self) -> u64 {
        <[T]>::len(self) as u64
    }

    #[inline(always)]
    unsafe fn item(&self, index: u64) -> &'a T {
        // SAFETY: within the slice, by contract.
        unsafe { self.get_unchecked(index as usize) }
    }
}

/// A mutable slice, to be handed out in pieces.
#[doc(hidden)]
#[derive(Debug)]
pub struct Mutable<'a, T> {
    slice: *mut [T],
    borrowed: PhantomData<&'a mut [T]>,
}

// SAFETY: each item is handed out once, so at most one thread has it; it may move there because it is `Send`.
unsafe impl<T: Send> Sync for Mutable<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Mutable<'_, T> {}

impl<'a, T> Mutable<'a, T> {
    #[inline]
    fn new(slice: &'a mut [T]) -> Self {
        Mutable { slice, borrowed: PhantomData }
    }

    /// # Safety
    ///
    /// `from <= to <= len`, and nobody has asked for any of it before.
    #[inline(always)]
    unsafe fn piece(&self, from: usize, to: usize) -> &'a mut [T] {
        // SAFETY: within the slice, by contract.
        let start = unsafe { self.slice.cast::<T>().add(from) };
        // SAFETY: borrowed for 'a, and nobody else has this piece.
        unsafe { std::slice::from_raw_parts_mut(start, to - from) }
    }
}

impl<T: Send> Sealed for &mut [T] {}

impl<'a, T: Send> Indexed for &'a mut [T] {
    type Item = &'a mut T;
    type Access = Mutable<'a, T>;

    #[inline]
    fn access(self) -> Mutable<'a, T> {
        Mutable::new(self)
    }
}

// SAFETY: a slice keeps its length.
unsafe impl<'a, T: Send> Access for Mutable<'a, T> {
    type Item = &'a mut T;

    #[inline(always)]
    fn len(&self) -> u64 {
        self.slice.len() as u64
    }

    #[inline(always)]
    unsafe fn item(&self, index: u64) -> &'a mut T {
        // SAFETY: within the slice, by contract.
        let item = unsafe { self.slice.cast::<T>().add(index as usize) };
        // SAFETY: borrowed for 'a, and nobody else has it.
        unsafe { &mut *item }
    }
}

/// Anything that lends a slice: vectors and arrays.
macro_rules! lends_a_slice {
    ($([$($n:tt)*] $of:ty;)*) => {$(
        impl<T: Sync, $($n)*> Sealed for &$of {}

        impl<'a, T: Sync, $($n)*> Indexed for &'a $of {
            type Item = &'a T;
            type Access = &'a [T];

            #[inline]
            fn access(self) -> &'a [T] {
                self
            }
        }

        impl<T: Send, $($n)*> Sealed for &mut $of {}

        impl<'a, T: Send, $($n)*> Indexed for &'a mut $of {
            type Item = &'a mut T;
            type Access = Mutable<'a, T>;

            #[inline]
            fn access(self) -> Mutable<'a, T> {
                Mutable::new(self)
            }
        }
    )*};
}
lends_a_slice!([] Vec<T>; [const N: usize] [T; N];);

/// A slice in chunks of `size` items, the last of which may be shorter; like [`slice::chunks`].
///
/// # Panics
///
/// If `size` is 0.
///
/// ```
/// let text = [3, 1, 4, 1, 5, 9, 2];
/// let sums = filch::map_reduce(filch::chunks(&text, 3), String::new, |_, c| format!("{} ", c.iter().sum::<i32>()), |a, b| a + &b);
/// assert_eq!(sums, "8 15 2 ");
/// ```
pub fn chunks<T: Sync>(slice: &[T], size: usize) -> Chunks<'_, T> {
    assert!(size > 0, "chunks have at least one item");
    Chunks { slice, size }
}

/// See [`chunks`].
#[derive(Debug)]
pub struct Chunks<'a, T> {
    slice: &'a [T],
    size: usize,
}

impl<T: Sync> Sealed for Chunks<'_, T> {}

impl<'a, T: Sync> Indexed for Chunks<'a, T> {
    type Item = &'a [T];
    type Access = Self;

    #[inline]
    fn access(self) -> Self {
        self
    }
}

// SAFETY: both fields stay as they are.
unsafe impl<'a, T: Sync> Access for Chunks<'a, T> {
    type Item = &'a [T];

    #[inline]
    fn len(&self) -> u64 {
        self.slice.len().div_ceil(self.size) as u64
    }

    #[inline]
    unsafe fn item(&self, index: u64) -> &'a [T] {
        // The product is below the length of the slice, by contract.
        let start = index as usize * self.size;
        let len = self.size.min(self.slice.len() - start);
        // A plain sum for its end: what is made of a comparison, the compiler does not unroll a loop over.
        // SAFETY: as computed.
        unsafe { self.slice.get_unchecked(start..start + len) }
    }
}

/// A mutable slice in chunks of `size` items, the last of which may be shorter; like [`slice::chunks_mut`].
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

/// See [`chunks_mut`].
#[derive(Debug)]
pub struct ChunksMut<'a, T> {
    items: Mutable<'a, T>,
    size: usize,
}

impl<T: Send> Sealed for ChunksMut<'_, T> {}

impl<'a, T: Send> Indexed for ChunksMut<'a, T> {
    type Item = &'a mut [T];
    type Access = MutableChunks<'a, T>;

    #[inline]
    fn access(self) -> Self::Access {
        MutableChunks { items: self.items, size: self.size }
    }
}

/// The same, to be handed out chunk by chunk.
#[doc(hidden)]
#[derive(Debug)]
pub struct MutableChunks<'a, T> {
    items: Mutable<'a, T>,
    size: usize,
}

// SAFETY: both fields stay as they are.
unsafe impl<'a, T: Send> Access for MutableChunks<'a, T> {
    type Item = &'a mut [T];

    #[inline]
    fn len(&self) -> u64 {
        self.items.slice.len().div_ceil(self.size) as u64
    }

    #[inline]
    unsafe fn item(&self, index: u64) -> &'a mut [T] {
        let start = index as usize * self.size;
        let len = self.size.min(self.items.slice.len() - start);
        // SAFETY: below the length, so it starts within the slice; chunks do not overlap.
        unsafe { self.items.piece(start, start + len) }
    }
}

/// Integers from one on, up to the largest of the type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Numbers<T>(Integers<T>);

macro_rules! numbers {
    ($($int:ty),*) => {$(
        impl Sealed for RangeFrom<$int> {}

        /// Beside something that has an end: the numbers of its items. By itself it ends with the type's largest number.
        ///
        /// # Panics
        ///
        /// If the type has fewer numbers than there are items beside it.
        impl Indexed for RangeFrom<$int> {
            type Item = $int;
            type Access = Numbers<$int>;

            #[inline]
            fn access(self) -> Numbers<$int> {
                let Integers { start, len } = (self.start..<$int>::MAX).access();
                Numbers(Integers { start, len: len.saturating_add(1) })
            }
        }

        // SAFETY: as `Integers`.
        unsafe impl Access for Numbers<$int> {
            type Item = $int;

            const IS_OPEN: bool = true;

            #[inline(always)]
            fn len(&self) -> u64 {
                self.0.len()
            }

            #[inline(always)]
            unsafe fn item(&self, index: u64) -> $int {
                // SAFETY: forwarded.
                unsafe { self.0.item(index) }
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! tuples {
    ($(($($name:ident $index:tt),*);)*) => {$(
        impl<$($name: Sealed),*> Sealed for ($($name,)*) {}

        impl<$($name: Indexed),*> Indexed for ($($name,)*) {
            type Item = ($($name::Item,)*);
            type Access = ($($name::Access,)*);

            #[inline]
            fn access(self) -> Self::Access {
                let access = ($(self.$index.access(),)*);
                let mut closed = u64::MAX;
                $(if !$name::Access::IS_OPEN { closed = closed.min(access.$index.len()); })*
                assert!(
                    Self::Access::IS_OPEN || access.len() == closed,
                    "a range without an end has too few numbers for {closed} items: they need a larger type of integer"
                );
                access
            }
        }

        // SAFETY: the shortest length stays what it is, as all do.
        unsafe impl<$($name: Access),*> Access for ($($name,)*) {
            type Item = ($($name::Item,)*);

            const IS_OPEN: bool = $($name::IS_OPEN &&)* true;

            #[inline(always)]
            fn len(&self) -> u64 {
                let mut len = u64::MAX;
                $(len = len.min(self.$index.len());)*
                len
            }

            #[inline(always)]
            unsafe fn item(&self, index: u64) -> Self::Item {
                // SAFETY: forwarded; the index is within each.
                ($(unsafe { self.$index.item(index) },)*)
            }
        }
    )*};
}
tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}

/// Copies whatever `T` is, which a derived `Copy` would not.
macro_rules! copy {
    ($($name:ident)*) => {$(
        impl<T> Clone for $name<'_, T> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<'_, T> {}
    )*};
}
copy!(Chunks Mutable MutableChunks);
