//! Arrays that are initialized in parallel.

use crate::choose::is_near;
use crate::choose::tuning::SMALL;
use filch_algorithms::memory::with_room;

/// `len` items that are all equal, in parallel if they are many. Work: O(`len`); span: O(log `len`).
pub(crate) fn repeated<T: Send>(len: usize, make: impl Fn() -> T + Send + Sync) -> Vec<T> {
    let mut items = with_room(len).unwrap_or_else(|_| Vec::with_capacity(len));
    if filch::num_workers() == 1 || is_near(len, size_of::<T>()) {
        items.resize_with(len, make);
        return items;
    }
    let room = &mut items.spare_capacity_mut()[..len];
    filch::for_each(filch::chunks_mut(room, SMALL), |_, chunk| {
        for place in chunk {
            place.write(make());
        }
    });
    // SAFETY: the vector has capacity for `len` items. The chunks cover the first `len` places, and each of them has
    // been written; a panic in `make` would have left this function before this line.
    unsafe { items.set_len(len) };
    items
}
