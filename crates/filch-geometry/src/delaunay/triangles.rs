//! The triangles of a subdivision.

use super::edges::{Half, NONE, twin};
use super::merge::Corner;
use filch_algorithms::{map, pack_indices};

/// The faces of a subdivision, except for that outside of its hull, in the order of their first half-edges.
pub(super) fn triangles(halves: &mut [Half], hull: Corner, ids: &[u32]) -> Vec<[u32; 3]> {
    // What the rings begin with is not needed any more: it marks the outside.
    let mut edge = hull.edge;
    while edge != NONE && halves[edge as usize].next != NONE {
        halves[edge as usize].next = NONE;
        edge = around(halves, edge);
    }
    let halves = &*halves;
    let firsts = pack_indices(halves.len(), |index| {
        let half = index as u32;
        let second = around(halves, half);
        let third = around(halves, second);
        let Half { origin, next, .. } = halves[index];
        // Without branches, since they could not be predicted.
        (origin != NONE) & (next != NONE) & (half < second) & (half < third)
    });
    map(&firsts, |&first| {
        let second = around(halves, first as u32);
        [first as u32, second, around(halves, second)].map(|half| ids[halves[half as usize].origin as usize])
    })
}

/// The next half-edge around the face to the left.
#[inline(always)]
fn around(halves: &[Half], half: u32) -> u32 {
    halves[twin(half) as usize].previous
}
