//! Memory for arrays, or the error that says that there is none.

use super::error::BuildError;
use crate::memory;

/// An empty vector with room for `len` items, and no more.
pub(crate) fn with_room<T>(len: usize) -> Result<Vec<T>, BuildError> {
    let too_many = |_| BuildError::OutOfMemory { num_items: len, item_bytes: size_of::<T>() };
    memory::with_room(len).map_err(too_many)
}
