//! What is removed in levels of ascending degree: vertices or edges.

use crate::choose::tuning::SMALL;
use crate::vertex::Vertex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The lowest degree among no items.
pub(crate) const NO_DEGREE: u32 = u32::MAX;

/// What was found in a piece of the items that are left.
struct Piece<V> {
    /// The number of items that stay, which have been moved to the front.
    staying: usize,
    /// The lowest degree of those that stay.
    lowest: u32,
    now: Vec<V>,
}

/// Removes from `left` all items but those of a degree above `level`. Returns those of this degree, and the lowest
/// degree that is left. The others have been removed on earlier levels.
pub(crate) fn split<V: Vertex>(degrees: &[AtomicU32], left: &mut Vec<V>, level: u32) -> (Vec<V>, u32) {
    let split = |piece: &mut Piece<V>, items: &mut [V]| {
        for at in 0..items.len() {
            let v = items[at];
            let degree = degrees[v.index()].load(Ordering::Relaxed);
            if degree > level {
                items[piece.staying] = v;
                piece.staying += 1;
                piece.lowest = piece.lowest.min(degree);
            } else if degree == level {
                piece.now.push(v);
            }
        }
    };
    let new_piece = || Piece { staying: 0, lowest: NO_DEGREE, now: Vec::new() };
    let mut pieces: Vec<_> = std::iter::repeat_with(new_piece).take(left.len().div_ceil(SMALL)).collect();
    filch::for_each((&mut pieces, filch::chunks_mut(left, SMALL)), |_, (piece, items)| split(piece, items));
    let (mut now, mut lowest, mut len) = (Vec::new(), NO_DEGREE, 0);
    for (index, piece) in pieces.into_iter().enumerate() {
        let start = index * SMALL;
        left.copy_within(start..start + piece.staying, len);
        len += piece.staying;
        lowest = lowest.min(piece.lowest);
        now.extend(piece.now);
    }
    left.truncate(len);
    (now, lowest)
}

/// Decrements a degree above `level`, unless it is at most that: then the item is removed on this level already. True
/// if this was the decrement that makes it `level`, which is unique.
#[inline(always)]
pub(crate) fn decrement(cell: &AtomicU32, level: u32, is_shared: bool) -> bool {
    let degree = cell.load(Ordering::Relaxed);
    if degree <= level {
        return false;
    }
    if !is_shared {
        cell.store(degree - 1, Ordering::Relaxed);
        return degree == level + 1;
    }
    let degree = cell.fetch_sub(1, Ordering::Relaxed);
    if degree <= level {
        cell.fetch_add(1, Ordering::Relaxed);
    }
    degree == level + 1
}
