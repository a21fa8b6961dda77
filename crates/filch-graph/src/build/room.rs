//! Allocation that reports a [`BuildError`].

use super::error::BuildError;
use crate::memory;

/// An empty vector with room for exactly `len` items.
pub(crate) fn with_room<T>(len: usize) -> Result<Vec<T>, BuildError> {
    let too_many = |_| BuildError::OutOfMemory { num_items: len, item_bytes: size_of::<T>() };
    memory::with_room(len).map_err(too_many)
}
