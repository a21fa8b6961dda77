//! Where things lie in the region of a ladder. Because the region is aligned to its size, a mask finds the head from
//! any rung, and a strand is one word.

use super::rung::Slot;
use std::ptr::NonNull;

/// Size of a region in bytes, a power of two. Half a mebibyte of address space holds some 64,500 rungs.
pub(super) const REGION_BYTES: usize = if cfg!(any(miri, loom)) { 8 << 10 } else { 512 << 10 };

/// Bytes reserved for the head at the start of a region, so that the capacity does not depend on the head's exact size.
pub(super) const HEAD_BYTES: usize = if cfg!(any(miri, loom)) { 4 << 10 } else { 8 << 10 };

/// The most rungs that a ladder can have: the slots behind the head, less the floor and the mark above the last rung.
pub(crate) const MAX_CAPACITY: usize = (REGION_BYTES - HEAD_BYTES) / size_of::<Slot<()>>() - 2;

/// The address space that one ladder takes, in bytes.
pub(crate) const REGION_BYTES_RESERVED: usize = 2 * REGION_BYTES;

/// The start of the region that `slot` lies in, with the provenance of `slot`, which is that of the whole region.
#[inline(always)]
pub(super) fn start_of<F>(slot: NonNull<Slot<F>>) -> *const u8 {
    slot.as_ptr().map_addr(|address| address & !(REGION_BYTES - 1)).cast()
}
