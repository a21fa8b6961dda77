//! Prefetching into the cache.

use filch_algorithms::memory;

/// A hint that `slice[index]` will be read soon. Does nothing if `index` is out of bounds.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    memory::prefetch(slice.as_ptr().wrapping_add(index));
}
