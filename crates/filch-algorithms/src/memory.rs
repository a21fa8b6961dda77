//! Allocation of large arrays, and prefetching.

use std::collections::TryReserveError;

/// The size of a large page on x86-64 and most other processors. A multiple of the small page size everywhere.
const LARGE_PAGE_BYTES: usize = 2 << 20;

/// The smallest array for which large pages are requested. A smaller one contains no whole large page.
const LARGE_BYTES: usize = LARGE_PAGE_BYTES;

/// An empty vector with room for exactly `len` items. If it is large, it is placed on large pages where the system
/// provides them on request (on Linux by `madvise`).
///
/// With pages of 4 KiB, initializing an array costs a page fault for each of its pages, and most accesses at random
/// miss in the translation lookaside buffer as well as in the cache.
///
/// ```
/// let mut items = filch_algorithms::memory::with_room(3)?;
/// items.extend([1, 2, 3]);
/// assert_eq!((items.len(), items.capacity()), (3, 3));
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
///
/// # Errors
///
/// There is not enough memory.
pub fn with_room<T>(len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len)?;
    ask_for_large_pages(&mut vec);
    Ok(vec)
}

#[cfg(all(target_os = "linux", not(miri)))]
fn ask_for_large_pages<T>(vec: &mut Vec<T>) {
    let room = vec.spare_capacity_mut();
    let bytes = size_of_val(room);
    if bytes < LARGE_BYTES {
        return;
    }
    // The advice covers whole large pages only. If the end were not aligned, the system would round it up to the end of
    // a small page, beyond the array.
    let to_page = room.as_mut_ptr().cast::<u8>().align_offset(LARGE_PAGE_BYTES);
    let Some(after) = bytes.checked_sub(to_page) else { return };
    let len = after - after % LARGE_PAGE_BYTES;
    let start = room.as_mut_ptr().cast::<u8>().wrapping_add(to_page);
    // SAFETY: `start..start + len` lies within the spare capacity of `vec`, so the pages belong to this vector:
    // `to_page + len` is at most `bytes`. `start` is aligned to a page and `len` is a multiple of the page size.
    // `MADV_HUGEPAGE` does not change the contents of memory. An error is ignored, because the advice is only an
    // optimization.
    unsafe { libc::madvise(start.cast(), len, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask_for_large_pages<T>(vec: &mut Vec<T>) {
    let _ = (vec, LARGE_BYTES);
}

/// A hint that this address will be accessed soon. It may be any address.
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch instruction accesses no memory in a way that the program can observe, and does not fault
        // for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
