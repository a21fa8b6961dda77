//! How much memory a reader takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes that are allocated, and the most that have been since [`limited`] has begun.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn grow(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every function passes its arguments on to the system's allocator, and returns what that returns.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it is moved, both are there.
        grow(size);
        // SAFETY: as above.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        LIVE.fetch_sub(if moved.is_null() { size } else { layout.size() }, Ordering::Relaxed);
        moved
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What a reader may take whatever the file is, in bytes: buffers, and the offsets of the vertices that a header may
/// declare without an edge for each.
const BASE: usize = 64 << 20;

/// What it may take for each byte of the file.
const PER_BYTE: usize = 3;

/// Calls `read`, which is given a file of `len` bytes.
///
/// # Panics
///
/// Panics if it took more than 64 MiB and three times the length of the file.
pub(crate) fn limited<R>(len: usize, read: impl FnOnce() -> R) -> R {
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let result = read();
    let taken = MOST.load(Ordering::Relaxed).saturating_sub(before);
    let limit = BASE + PER_BYTE * len;
    assert!(taken <= limit, "{taken} bytes of memory for a file of {len}, at most {limit}");
    result
}
