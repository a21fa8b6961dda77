//! Points are divided at lines, down to single points, and the triangulations of both sides are merged.
//!
//! The lines are those between the squares of the [order](super::order): horizontal and vertical ones in turns, so
//! that few points are next to a line (Dwyer 1987). Points of the same cell are put into an order of their own.

use super::edges::{Edges, Half, NONE, PER_POINT};
use super::merge::{Corner, Part, merge};
use super::order::{KEY_BITS, in_order};

/// A range of the points in their order.
pub(super) struct Sites<'a> {
    /// The index of the first one in the order.
    pub(super) first: u32,
    pub(super) points: &'a mut [[f64; 2]],
    /// Their indices in the order in which they were given.
    pub(super) ids: &'a mut [u32],
    pub(super) keys: &'a mut [u32],
    /// The room for edges.
    pub(super) halves: &'a mut [Half],
}

impl Sites<'_> {
    fn split_at(&mut self, at: usize) -> (Sites<'_>, Sites<'_>) {
        let (points, more_points) = self.points.split_at_mut(at);
        let (ids, more_ids) = self.ids.split_at_mut(at);
        let (keys, more_keys) = self.keys.split_at_mut(at);
        let (halves, more_halves) = self.halves.split_at_mut(at * PER_POINT);
        let behind = self.first + at as u32;
        (
            Sites { first: self.first, points, ids, keys, halves },
            Sites { first: behind, points: more_points, ids: more_ids, keys: more_keys, halves: more_halves },
        )
    }

    /// Puts points of the same cell into an order of their own; `false` if all are equal.
    fn refine(&mut self) -> bool {
        let Some(order) = in_order(self.points) else { return false };
        let (points, ids) = (self.points.to_vec(), self.ids.to_vec());
        filch::for_each((&mut *self.points, &mut *self.ids, &mut *self.keys, &order), |_, (point, id, key, keyed)| {
            *point = points[keyed.index()];
            *id = ids[keyed.index()];
            *key = keyed.key();
        });
        true
    }
}

/// Triangulates points, which are at least one. Of equal points, it takes the first.
pub(super) fn divide(mut s: filch::Strand<'_>, mut sites: Sites<'_>) -> Part {
    let len = sites.points.len();
    let is_one_cell = |keys: &[u32]| keys[0] == keys[len - 1];
    if len == 1 || is_one_cell(sites.keys) && !sites.refine() {
        let hull = Corner { point: sites.first, edge: NONE };
        return Part { hull, free: Edges::free(sites.first, len) };
    }
    // The highest bit that is not the same in all keys, and the smallest key that has it.
    let last = sites.keys[len - 1];
    let bit = (KEY_BITS - 1) - (sites.keys[0] ^ last).leading_zeros();
    let middle = sites.keys.partition_point(|&key| key < last >> bit << bit);
    let (left, right) = sites.split_at(middle);
    let (left, right) = s.join(|s| divide(s, left), |s| divide(s, right));
    let mut edges = Edges { first: sites.first, points: sites.points, halves: sites.halves };
    let axis = if bit % 2 == 1 { 0 } else { 1 };
    merge(&mut edges, left, right, axis)
}
