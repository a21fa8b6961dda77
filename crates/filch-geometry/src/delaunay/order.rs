//! Points along a curve that visits the quarters of a square one after the other, and so on within each of them (the
//! order of Morton 1966).

use crate::bounds::Bounds;
use crate::morton::Morton;
use filch_algorithms::{radix_sort_by_key, reduce, tabulate};

/// The bits of a key: those of the cell on either axis, in turns.
pub(super) const KEY_BITS: u32 = 2 * Morton::<2>::BITS;

/// A radix sort of fewer points would spend its time on the counts of a digit of eight bits.
const FEW: usize = 1 << 8;

/// A point's key, and its index, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Keyed(u64);

impl Keyed {
    pub(super) fn key(self) -> u32 {
        (self.0 >> u32::BITS) as u32
    }

    pub(super) fn index(self) -> usize {
        self.0 as u32 as usize
    }
}

/// The points in the order of their cells, and of their indices within a cell; `None` if all are equal, or there are
/// none.
///
/// The square is the smallest around them. So some points that are not equal are in different cells.
pub(super) fn in_order(points: &[[f64; 2]]) -> Option<Vec<Keyed>> {
    let Bounds { low, high } = reduce(points, || Bounds::EMPTY, |&point| Bounds::of(point), Bounds::union);
    let extent = (high[0] - low[0]).max(high[1] - low[1]);
    if extent <= 0.0 {
        return None;
    }
    let cells = Morton::<2>::CELLS / extent;
    // It never decreases with a coordinate, rounded or not. So a line separates the points of different cells.
    let cell = |index: usize, axis: usize| Morton::<2>::cell((points[index][axis] - low[axis]) * cells);
    let mut keyed = tabulate(points.len(), |index| {
        let key = Morton::<2>::key([cell(index, 1), cell(index, 0)]);
        Keyed(u64::from(key) << u32::BITS | index as u64)
    });
    if keyed.len() < FEW {
        keyed.sort_unstable();
    } else {
        radix_sort_by_key(&mut keyed, |keyed| keyed.key());
    }
    Some(keyed)
}
