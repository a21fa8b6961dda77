//! Allocation of large arrays, and prefetching.

use std::collections::TryReserveError;

/// The size of a large page on x86-64 and most other processors. A multiple of the small page size everywhere.
const LARGE_PAGE_BYTES: usize = 2 << 20;

/// The smallest array for which large pages are requested.
const LARGE_BYTES: usize = LARGE_PAGE_BYTES;

/// What an allocator keeps before an array that has pages of its own.
const HEADER_BYTES: usize = 16;

/// An empty vector with room for `len` items. If it is large, it is placed on large pages where the system provides
/// them on request (on Linux by `madvise`). Then it has room for more, up to half of a large page, if it fills the last
/// of them with that.
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
    vec.try_reserve_exact(len.saturating_add(to_the_end_of_the_last_page::<T>(len)))?;
    ask_for_large_pages(&mut vec);
    Ok(vec)
}

/// How many items to add, so that the last large page of an array that fills half of it belongs to the array.
fn to_the_end_of_the_last_page<T>(len: usize) -> usize {
    let Some(bytes) = len.checked_mul(size_of::<T>()).filter(|bytes| *bytes >= LARGE_BYTES) else { return 0 };
    // The size of an array is at most `isize::MAX` bytes.
    let rest = LARGE_PAGE_BYTES - bytes.saturating_add(HEADER_BYTES) % LARGE_PAGE_BYTES;
    if rest <= LARGE_PAGE_BYTES / 2 { rest / size_of::<T>() } else { 0 }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn ask_for_large_pages<T>(vec: &mut Vec<T>) {
    let room = vec.spare_capacity_mut();
    let bytes = size_of_val(room);
    if bytes < LARGE_BYTES {
        return;
    }
    // Since 6.7, Linux aligns what it maps to large pages, and the allocator puts a few bytes before the array. So the
    // advice begins with the small page in which the array begins. It ends with the one in which the array ends.
    // SAFETY: `sysconf` may always be called.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as usize;
    let start = room.as_mut_ptr().cast::<u8>();
    let before = start.addr() % page;
    // SAFETY: the pages are mapped, because each has a byte of this vector. `MADV_HUGEPAGE` does not change the
    // contents of memory, so it does not matter what else is on the first and the last. An error is ignored, because
    // the advice is only an optimization.
    unsafe { libc::madvise(start.wrapping_sub(before).cast(), before + bytes, libc::MADV_HUGEPAGE) };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_array_has_room_to_the_end_of_its_last_page_if_it_fills_half_of_it() {
        let page = LARGE_PAGE_BYTES / 4;
        let room = |len| with_room::<u32>(len).unwrap().capacity();
        let header = HEADER_BYTES / 4;
        for (len, expected) in [
            (page - 1, page - 1),
            (page, page),
            (page + page / 2 - header - 1, page + page / 2 - header - 1),
            (page + page / 2, 2 * page - header),
            (2 * page - header - 1, 2 * page - header),
            (2 * page - header, 2 * page - header),
        ] {
            assert_eq!(room(len), expected, "{len}");
        }
        assert!(with_room::<u8>(usize::MAX).is_err() && with_room::<u64>(usize::MAX).is_err());
        assert_eq!(with_room::<()>(usize::MAX).unwrap().len(), 0);
    }
}
