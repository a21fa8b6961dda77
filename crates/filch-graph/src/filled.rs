//! Arrays that are initialized in parallel.

/// The vector `[make(0), make(1), ..., make(len - 1)]`, computed in parallel. The thread that computes an item is also
/// the first to touch its memory page. Work: O(`len`); span: O(log `len`).
pub(crate) fn filled<T: Send>(len: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    let mut items = Vec::with_capacity(len);
    let room = &mut items.spare_capacity_mut()[..len];
    filch::for_each((0_usize.., room), |_, (index, place)| {
        place.write(make(index));
    });
    // SAFETY: the vector has capacity for `len` items. The loop visits each of the first `len` places once and writes
    // it; a panic in `make` would have left this function before this line.
    unsafe { items.set_len(len) };
    items
}
