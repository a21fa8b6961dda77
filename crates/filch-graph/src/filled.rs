//! Memory that is written for the first time in parallel.

/// What `make` gives for 0 to `len` - 1. Each page is first touched by who fills it. Work: `len`; span: a logarithm of
/// that.
pub(crate) fn filled<T: Send>(len: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    let mut items = Vec::with_capacity(len);
    let room = &mut items.spare_capacity_mut()[..len];
    filch::for_each((0_usize.., room), |_, (index, place)| {
        place.write(make(index));
    });
    // SAFETY: the loop, which has ended without a panic, has written the first `len` places, and as many there are.
    unsafe { items.set_len(len) };
    items
}
