//! Allocation of large arrays, and prefetching.

use std::collections::TryReserveError;

/// The size of a large page on x86-64 and most other processors. A multiple of the small page size everywhere.
const LARGE_PAGE_BYTES: usize = 2 << 20;

/// Whether the system is asked for large pages, for arrays of at least the size of one.
const ASKS: bool = cfg!(all(target_os = "linux", not(miri)));

/// What an allocator keeps before an array that has pages of its own.
const HEADER_BYTES: usize = 16;

/// An empty vector with room for `len` items. If it is large, it is placed on large pages where the system provides
/// them on request (on Linux by `madvise`). If its items fill at least half of the last of these pages, it has room for
/// more items, up to the end of that page, because the system gives out whole pages.
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

/// How many more items there is room for on the last large page, or 0 if more than half of it would be left over.
fn to_the_end_of_the_last_page<T>(len: usize) -> usize {
    let bytes = len.checked_mul(size_of::<T>()).filter(|bytes| ASKS && *bytes >= LARGE_PAGE_BYTES);
    let Some(bytes) = bytes else { return 0 };
    let rest = LARGE_PAGE_BYTES - bytes.saturating_add(HEADER_BYTES) % LARGE_PAGE_BYTES;
    if rest <= LARGE_PAGE_BYTES / 2 { rest / size_of::<T>() } else { 0 }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn ask_for_large_pages<T>(vec: &mut Vec<T>) {
    let room = vec.spare_capacity_mut();
    let bytes = size_of_val(room);
    if bytes < LARGE_PAGE_BYTES {
        return;
    }
    // Since version 6.7, Linux aligns large mappings to large pages, and the allocator puts its header before the
    // array. So the array begins a few bytes behind the start of a large page. To have that page, too, the advice
    // begins with the small page in which the array begins. It ends with the one in which the array ends.
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
fn ask_for_large_pages<T>(_: &mut Vec<T>) {}

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
    #[cfg_attr(not(all(target_os = "linux", not(miri))), ignore = "no large pages are asked for")]
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
