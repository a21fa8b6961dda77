//! Points along a curve that visits the quarters of a square one after the other, and so on within each of them (the
//! order of Morton 1966).

use crate::bounds::Bounds;
use filch_algorithms::{radix_sort_by_key, reduce, tabulate};

/// The cells of the square along each axis, as a power of two.
const CELL_BITS: u32 = 16;

/// The bits of a key: those of the cell on either axis, in turns.
pub(super) const KEY_BITS: u32 = 2 * CELL_BITS;

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
    let cells = f64::from(1 << CELL_BITS) / extent;
    // It never decreases with x, rounded or not. So a line separates the points of different cells.
    let cell = |x: f64, low: f64| (((x - low) * cells) as u32).min((1 << CELL_BITS) - 1);
    let mut keyed = tabulate(points.len(), |index| {
        let key = spread(cell(points[index][0], low[0])) << 1 | spread(cell(points[index][1], low[1]));
        Keyed(u64::from(key) << u32::BITS | index as u64)
    });
    if keyed.len() < FEW {
        keyed.sort_unstable();
    } else {
        radix_sort_by_key(&mut keyed, |keyed| keyed.key());
    }
    Some(keyed)
}

/// Zeros between the lowest 16 bits.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    let bits = (bits | bits << 4) & 0x0F0F_0F0F;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}
