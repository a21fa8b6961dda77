//! Appending many pieces to a vector, in parallel.

use std::mem::{self, MaybeUninit};

/// Appends the items that `items` returns for each piece, in the order of the pieces. A piece must yield one item for
/// each `per_item` of its elements. Different pieces are processed in parallel.
///
/// The caller reserves the room. The thread that writes an item is also the first to touch its memory page, so the cost
/// of page faults is shared. Work: linear; span: that of the longest piece.
///
/// # Panics
///
/// Panics if there is not enough room, or if a piece yields too few items.
pub(super) fn append<'a, S, T, I>(
    to: &mut Vec<T>,
    pieces: &[&'a [S]],
    per_item: usize,
    items: impl Fn(usize, &'a [S]) -> I + Send + Sync,
) where
    S: Sync,
    T: Copy + Send,
    I: Iterator<Item = T>,
{
    let added = pieces.iter().map(|piece| piece.len() / per_item).sum::<usize>();
    let mut room = &mut to.spare_capacity_mut()[..added];
    let mut parts: Vec<(&'a [S], &mut [MaybeUninit<T>])> = Vec::with_capacity(pieces.len());
    for &piece in pieces {
        let (slots, rest) = mem::take(&mut room).split_at_mut(piece.len() / per_item);
        parts.push((piece, slots));
        room = rest;
    }
    filch::for_each((0_usize.., &mut parts), |_, (index, (piece, slots))| {
        let mut written = 0;
        for (slot, item) in slots.iter_mut().zip(items(index, piece)) {
            slot.write(item);
            written += 1;
        }
        assert_eq!(written, slots.len(), "a piece has as many items as it says");
    });
    let len = to.len() + added;
    // SAFETY: the slots partition the first `added` elements of the spare capacity, and the assertion above has checked
    // that each part was written to its end. If it has failed, the panic left this function before this line.
    unsafe { to.set_len(len) };
}
