//! Large arrays.

use std::collections::TryReserveError;

/// Bytes of a large page, on x86-64 and most others; a multiple of the small ones everywhere.
const LARGE_PAGE_BYTES: usize = 2 << 20;

/// From this size on, in bytes, an array is worth large pages: it has some of them for sure.
const LARGE_BYTES: usize = 4 * LARGE_PAGE_BYTES;

/// An empty vector with room for `len` items, and no more; on large pages if it is large and the system has them for
/// those who ask (Linux: `madvise`).
///
/// Whoever walks a graph jumps about in its arrays. With pages of 4 KiB, most jumps miss in the translation of
/// addresses as well as in the cache, and an array is written for the first time at the cost of a fault for each of
/// them.
pub(crate) fn with_room<T>(len: usize) -> Result<Vec<T>, TryReserveError> {
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
    // What is advised are whole large pages; the system would round up what is not whole to the end of a small one.
    let to_page = room.as_mut_ptr().cast::<u8>().align_offset(LARGE_PAGE_BYTES);
    let Some(after) = bytes.checked_sub(to_page) else { return };
    let len = after - after % LARGE_PAGE_BYTES;
    let start = room.as_mut_ptr().cast::<u8>().wrapping_add(to_page);
    // SAFETY: the pages from `start` on, for `len` bytes, are this vector's own: `start` is where a page begins, `len`
    // is a number of whole ones, and both ends are within its room. The advice changes nothing of what they hold;
    // that it may be refused does not matter.
    unsafe { libc::madvise(start.cast(), len, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask_for_large_pages<T>(vec: &mut Vec<T>) {
    let _ = (vec, LARGE_BYTES);
}
