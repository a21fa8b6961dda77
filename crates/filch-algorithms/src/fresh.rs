//! Vectors whose items are written in parallel, without zeroing them first, and slices that are written in this way.
//!
//! They consist of *parts*, and each of them is written by one thread, through a [`Room`], which counts. If one panics,
//! what has been written to a new vector is dropped, in full parts and in others. Types that need no drop need no
//! records for that, nor parts: there a loop writes item by item. (What is asked in a `const` block is answered before
//! code is generated, so that of two ways only one is.)

use crate::blocks::Blocks;
use crate::memory::with_room;
use std::mem::{MaybeUninit, forget, needs_drop, replace};
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The vector `[make(0), make(1), ..., make(len - 1)]`.
pub(crate) fn tabulated<T: Send>(len: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    if const { needs_drop::<T>() } {
        let blocks = Blocks::of::<T>(len);
        return in_blocks(blocks, |block, room| room.extend(blocks.range(block).map(&make)));
    }
    // SAFETY: there are as many numbers.
    unsafe { in_step(len, 0_usize.., make) }
}

/// The results of `f` on each item.
pub(crate) fn mapped<T: Sync, U: Send>(items: &[T], f: impl Fn(&T) -> U + Send + Sync) -> Vec<U> {
    if const { needs_drop::<U>() } {
        return tabulated(items.len(), |index| f(&items[index]));
    }
    // SAFETY: there are as many items.
    unsafe { in_step(items.len(), items, f) }
}

/// The results of `f` on each pair of items, up to the end of the shorter slice.
pub(crate) fn zipped<A: Sync, B: Sync, U: Send>(a: &[A], b: &[B], f: impl Fn(&A, &B) -> U + Send + Sync) -> Vec<U> {
    let len = a.len().min(b.len());
    if const { needs_drop::<U>() } {
        return tabulated(len, |index| f(&a[index], &b[index]));
    }
    // SAFETY: there are as many items in both.
    unsafe { in_step(len, (a, b), |(x, y)| f(x, y)) }
}

/// The results of `f` on each item, for a type that needs no drop, so that a panic leaves nothing behind.
///
/// # Safety
///
/// There are at least `len` items.
unsafe fn in_step<I, T>(len: usize, items: I, f: impl Fn(I::Item) -> T + Send + Sync) -> Vec<T>
where
    I: filch::Indexed + Send,
    T: Send,
{
    let mut made = vector(len);
    let room = &mut made.spare_capacity_mut()[..len];
    filch::for_each((items, room), |_, (item, place)| _ = place.write(f(item)));
    // SAFETY: there is room, and the loop has written each place, since there are enough items.
    unsafe { made.set_len(len) };
    made
}

/// An empty vector with room for `len` items. If there is no memory, it fails as other vectors do.
pub(crate) fn vector<T>(len: usize) -> Vec<T> {
    with_room(len).unwrap_or_else(|_| Vec::with_capacity(len))
}

/// The vector that consists of these blocks, each of which `write` fills.
///
/// # Panics
///
/// If `write` panics or leaves room.
pub(crate) fn in_blocks<T: Send>(blocks: Blocks, write: impl Fn(usize, &mut Room<'_, T>) + Send + Sync) -> Vec<T> {
    // SAFETY: the blocks are disjoint, and together they are all places.
    unsafe { written(blocks.len(), blocks.count(), |block| blocks.range(block), write) }
}

/// Writes the blocks of a slice, each of which `write` fills.
///
/// # Panics
///
/// If `write` panics or leaves room, or if the blocks are those of another number of items.
pub(crate) fn into_blocks<T: Send>(
    out: &mut [T],
    blocks: Blocks,
    write: impl Fn(usize, &mut Room<'_, T>) + Send + Sync,
) {
    assert_room(out.len(), blocks.len());
    let start = Start(out.as_mut_ptr());
    // SAFETY: the blocks are disjoint, and together they are all places, all of which have items.
    unsafe { write_parts(&start, blocks.count(), |block| blocks.range(block), false, write, |_| ()) };
}

/// The vector of consecutive parts, each of which `write` fills; `ends` has the end of each.
///
/// # Panics
///
/// If `write` panics or leaves room.
pub(crate) fn in_parts<T: Send>(ends: &[usize], write: impl Fn(usize, &mut Room<'_, T>) + Send + Sync) -> Vec<T> {
    let (len, range) = parts(ends);
    // SAFETY: the ends are in order, so the parts are disjoint, and together they are all places.
    unsafe { written(len, ends.len(), range, write) }
}

/// Writes consecutive parts of a slice, each of which `write` fills; `ends` has the end of each.
///
/// # Panics
///
/// If `write` panics or leaves room, or if the last part does not end with the slice.
pub(crate) fn into_parts<T: Send>(
    out: &mut [T],
    ends: &[usize],
    write: impl Fn(usize, &mut Room<'_, T>) + Send + Sync,
) {
    let (len, range) = parts(ends);
    assert_room(out.len(), len);
    let start = Start(out.as_mut_ptr());
    // SAFETY: the ends are in order, so the parts are disjoint; all places have items.
    unsafe { write_parts(&start, ends.len(), range, false, write, |_| ()) };
}

/// # Panics
///
/// If a result does not fit exactly.
#[track_caller]
pub(crate) fn assert_room(room: usize, len: usize) {
    assert!(room == len, "the result has {len} items, but the slice for it has {room}");
}

/// The places of all parts and of each.
fn parts(ends: &[usize]) -> (usize, impl Fn(usize) -> Range<usize> + Send + Sync) {
    assert!(ends.is_sorted(), "parts are in their order");
    let len = ends.last().copied().unwrap_or(0);
    (len, |part: usize| part.checked_sub(1).map_or(0, |before| ends[before])..ends[part])
}

/// The vector of `len` items that consists of these parts.
///
/// # Safety
///
/// The ranges of all parts are disjoint, and together they are `0..len`. `range` returns the same for the same part.
unsafe fn written<T: Send>(
    len: usize,
    parts: usize,
    range: impl Fn(usize) -> Range<usize> + Send + Sync,
    write: impl Fn(usize, &mut Room<'_, T>) + Send + Sync,
) -> Vec<T> {
    let are_full =
        if const { needs_drop::<T>() } { (0..parts).map(|_| AtomicBool::new(false)).collect() } else { Vec::new() };
    let mut unfinished = Unfinished { items: vector::<T>(len), are_full, range };
    let start = Start(unfinished.items.as_mut_ptr());
    let Unfinished { are_full, range, .. } = &unfinished;
    let note = |part: usize| {
        if let Some(is_full) = are_full.get(part) {
            is_full.store(true, Ordering::Relaxed);
        }
    };
    // SAFETY: the vector has room for `len` items. The rest is guaranteed by the caller.
    unsafe { write_parts(&start, parts, range, true, write, note) };
    unfinished.are_full.clear();
    let mut items = std::mem::take(&mut unfinished.items);
    // SAFETY: all parts are full, and they are all places.
    unsafe { items.set_len(len) };
    items
}

/// Writes each part, and notes which ones are full.
///
/// # Safety
///
/// The ranges of all parts are disjoint, and their places are there, for this call alone. They have items if they are
/// not fresh.
unsafe fn write_parts<T: Send>(
    start: &Start<T>,
    parts: usize,
    range: impl Fn(usize) -> Range<usize> + Send + Sync,
    is_fresh: bool,
    write: impl Fn(usize, &mut Room<'_, T>) + Send + Sync,
    note: impl Fn(usize) + Send + Sync,
) {
    filch::for_each(0..parts, |_, part| {
        let places = range(part);
        // SAFETY: the place is there, by contract.
        let first = unsafe { start.at(places.start) };
        // SAFETY: no other part has these places, by contract. They may be uninitialised until they are written.
        let places = unsafe { std::slice::from_raw_parts_mut(first.cast::<MaybeUninit<T>>(), places.len()) };
        let mut room = Room { places, written: 0, is_fresh };
        write(part, &mut room);
        assert!(room.is_full(), "a part is full when it has been written");
        forget(room);
        note(part);
    });
}

/// The address of the first of some items, for all threads.
pub(crate) struct Start<T>(pub(crate) *mut T);

// SAFETY: it is only an address, and what is written there is `Send`. Who may write where, its users say.
unsafe impl<T: Send> Send for Start<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Start<T> {}

impl<T> Start<T> {
    /// # Safety
    ///
    /// The index is at most the number of items.
    #[inline(always)]
    pub(crate) unsafe fn at(&self, index: usize) -> *mut T {
        // SAFETY: guaranteed by the caller.
        unsafe { self.0.add(index) }
    }
}

/// A vector with a length of zero, some parts of which are full. It drops these.
struct Unfinished<T, R: Fn(usize) -> Range<usize>> {
    items: Vec<T>,
    are_full: Vec<AtomicBool>,
    range: R,
}

impl<T, R: Fn(usize) -> Range<usize>> Drop for Unfinished<T, R> {
    fn drop(&mut self) {
        for (part, is_full) in self.are_full.iter_mut().enumerate() {
            if *is_full.get_mut() {
                let places = (self.range)(part);
                // SAFETY: the place is one of the vector's.
                let first = unsafe { self.items.as_mut_ptr().add(places.start) };
                // SAFETY: the part is full, and nobody uses its items any more.
                unsafe { ptr::slice_from_raw_parts_mut(first, places.len()).drop_in_place() };
            }
        }
    }
}

/// The places of a part. If they are fresh, it drops what has been written, unless it is forgotten.
pub(crate) struct Room<'a, T> {
    places: &'a mut [MaybeUninit<T>],
    written: usize,
    /// Whether the places have no items before they are written.
    is_fresh: bool,
}

impl<T> Room<'_, T> {
    /// # Panics
    ///
    /// If the part is full.
    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) {
        let old = replace(&mut self.places[self.written], MaybeUninit::new(item));
        self.written += 1;
        if const { needs_drop::<T>() } && !self.is_fresh {
            // SAFETY: it is an item of the slice, which has another one in its place now.
            drop(unsafe { old.assume_init() });
        }
    }

    /// Writes items until the part is full.
    #[inline(always)]
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        if const { needs_drop::<T>() } {
            items.into_iter().take(self.places.len() - self.written).for_each(|item| self.push(item));
        } else {
            // Without the count in between, which keeps loops from being vectorised.
            let mut written = self.written;
            for (place, item) in self.places[written..].iter_mut().zip(items) {
                place.write(item);
                written += 1;
            }
            self.written = written;
        }
    }

    fn is_full(&self) -> bool {
        self.written == self.places.len()
    }
}

impl<T> Drop for Room<'_, T> {
    fn drop(&mut self) {
        if !self.is_fresh {
            return;
        }
        let written: *mut [MaybeUninit<T>] = &raw mut self.places[..self.written];
        // SAFETY: these places have been written, and nobody else has them.
        unsafe { (written as *mut [T]).drop_in_place() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    struct Counted<'a>(&'a AtomicUsize);

    impl<'a> Counted<'a> {
        fn new(alive: &'a AtomicUsize) -> Self {
            alive.fetch_add(1, Ordering::Relaxed);
            Counted(alive)
        }
    }

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn what_has_been_made_before_a_panic_is_dropped_once() {
        let alive = AtomicUsize::new(0);
        for bad in [0, 1, 7, 63] {
            let made = catch_unwind(AssertUnwindSafe(|| {
                tabulated(64, |index| {
                    assert_ne!(index, bad);
                    Counted::new(&alive)
                })
            }));
            assert!(made.is_err());
            assert_eq!(alive.load(Ordering::Relaxed), 0, "panic at {bad}");
        }
        assert_eq!(tabulated(64, |_| Counted::new(&alive)).len(), 64);
        assert_eq!(alive.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_part_that_is_not_full_is_a_panic_that_drops_what_is_there() {
        let alive = AtomicUsize::new(0);
        let made = catch_unwind(AssertUnwindSafe(|| in_parts(&[2, 2, 5], |_, room| room.push(Counted::new(&alive)))));
        assert!(made.is_err());
        assert_eq!(alive.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn parts_lie_one_after_the_other_also_of_items_without_a_size() {
        let fill = |part, room: &mut Room<'_, usize>| room.extend(std::iter::repeat(part));
        assert_eq!(in_parts(&[2, 2, 5], fill), [0, 0, 2, 2, 2]);
        assert_eq!(in_parts::<usize>(&[], fill), []);
        assert_eq!(tabulated(1000, |_| ()).len(), 1000);
    }
}
