//! A vector that grows by many pieces at once.

use std::mem::{self, MaybeUninit};

/// Appends what `items` makes of each piece, in the order of the pieces, in parallel over them: an item for each
/// `per_item` elements of a piece.
///
/// Room for them is the caller's to reserve. New memory is first touched by whoever writes to it, so the cost of
/// getting it from the system is shared, too. Work: linear; span: that of the longest piece.
///
/// # Panics
///
/// If there is no room, or if a piece has fewer items.
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
    // SAFETY: the slots cover the first `added` elements of the spare capacity without gaps, and each part was checked
    // to be written to its end. Had one not been, its panic would have left the length as it was.
    unsafe { to.set_len(len) };
}
