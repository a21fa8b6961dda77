//! Dividing points into those outside of one edge, those outside of another, and the rest, in one pass that also finds
//! the furthest of each.

use super::edge::{Corner, Edge, Interval};
use std::mem::take;

/// Two edges of a polygon that have an end in common.
pub(super) struct Bend {
    common: [f64; 2],
    edges: [Edge; 2],
}

/// How many points lie outside of each edge. They are at the front and at the back of their room, and the first of each
/// is the furthest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outside {
    pub(super) left: usize,
    pub(super) right: usize,
}

/// The furthest point so far, if its distance is not 0.
struct Furthest {
    distance: Interval,
    /// Its place in the room.
    place: usize,
}

impl Furthest {
    #[inline(always)]
    fn update(&mut self, edge: &Edge, distance: Interval, place: usize, room: &[Corner]) {
        let is_first = self.distance.high == 0.0;
        if distance.low > self.distance.high || is_first || edge.is_further(&room[place], &room[self.place]) {
            *self = Furthest { distance, place };
        }
    }
}

impl Bend {
    pub(super) fn new(from: [f64; 2], common: [f64; 2], to: [f64; 2]) -> Self {
        Bend { common, edges: [Edge::new(from, common), Edge::new(common, to)] }
    }

    /// Copies the points that lie outside of the first edge to the front of a room that is at least as long, and those
    /// outside of the second one to its back. None is outside of both, if the common end is the furthest point.
    pub(super) fn divide(&self, points: &[Corner], room: &mut [Corner]) -> Outside {
        let end = room.len();
        let (mut left, mut right) = (0, 0);
        let none = || Furthest { distance: Interval { low: 0.0, high: 0.0 }, place: 0 };
        let (mut left_best, mut right_best) = (none(), none());
        for point in points {
            let offset = [point.at[0] - self.common[0], point.at[1] - self.common[1]];
            let [to_left, to_right] = self.edges.each_ref().map(|edge| edge.distance(offset));
            let (mut is_left, mut is_right) = (to_left.low > 0.0, to_right.low > 0.0);
            if to_left.has_zero() | to_right.has_zero() {
                is_left = self.edges[0].is_outside(point.at);
                is_right = self.edges[1].is_outside(point.at);
            }
            // To both, because a branch would be unpredictable.
            let places = [left, end - 1 - right];
            room[places[0]] = *point;
            room[places[1]] = *point;
            if is_left & (to_left.high > left_best.distance.low) {
                left_best.update(&self.edges[0], to_left, places[0], room);
            }
            if is_right & (to_right.high > right_best.distance.low) {
                right_best.update(&self.edges[1], to_right, places[1], room);
            }
            left += usize::from(is_left);
            right += usize::from(is_right & !is_left);
        }
        if left > 0 {
            room.swap(0, left_best.place);
        }
        if right > 0 {
            room.swap(end - right, right_best.place);
        }
        Outside { left, right }
    }

    /// As [`divide`](Self::divide), in parts of some length at a time. The points, all but the first of `corners`, come
    /// back to `corners`.
    pub(super) fn divide_in_parallel(&self, corners: &mut [Corner], room: &mut [Corner], part: usize) -> Outside {
        let (points, room) = (&corners[1..], &mut room[..corners.len() - 1]);
        let mut parts = vec![Outside::default(); points.len().div_ceil(part)];
        filch::for_each(
            (filch::chunks(points, part), filch::chunks_mut(room, part), &mut parts),
            |_, (points, room, outside)| *outside = self.divide(points, room),
        );
        let left: usize = parts.iter().map(|outside| outside.left).sum();
        let right: usize = parts.iter().map(|outside| outside.right).sum();
        let (mut lefts, rest) = corners.split_at_mut(left);
        let mut rights = rest.split_at_mut(rest.len() - right).1;
        let mut copies = Vec::with_capacity(2 * parts.len());
        for (room, outside) in room.chunks(part).zip(&parts) {
            for (from, to, len) in [
                (&room[..outside.left], &mut lefts, outside.left),
                (&room[room.len() - outside.right..], &mut rights, outside.right),
            ] {
                let (first, others) = take(to).split_at_mut(len);
                *to = others;
                copies.push((from, first));
            }
        }
        filch::for_each(&mut copies, |_, (from, to)| to.copy_from_slice(from));
        let (lefts, rest) = corners.split_at_mut(left);
        let start = rest.len() - right;
        furthest_first(&self.edges[0], lefts, parts.iter().map(|outside| outside.left));
        furthest_first(&self.edges[1], &mut rest[start..], parts.iter().map(|outside| outside.right));
        Outside { left, right }
    }
}

/// Swaps the furthest point of all to the front. The first point of each part is the furthest of it.
fn furthest_first(edge: &Edge, points: &mut [Corner], lens: impl Iterator<Item = usize>) {
    let mut end = 0;
    let starts = lens.filter(|&len| len > 0).map(|len| (end, end += len).0);
    let further = |a: usize, b: usize| if edge.is_further(&points[b], &points[a]) { b } else { a };
    if let Some(furthest) = starts.reduce(further) {
        points.swap(0, furthest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_points_outside_and_the_furthest_of_them_first() {
        let mut random = fastrand::Rng::with_seed(3);
        let [from, common, to] = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0]];
        for len in 1..100 {
            // Points of a grid, none outside of both: many are on an edge, in the same place or at the same distance.
            let mut at = || [f64::from(random.i8(0..12)), f64::from(random.i8(-4..8))];
            let mut points: Vec<Corner> = (0..len).map(|index| Corner { at: at(), index }).collect();
            points.retain(|p| p.at[1] >= 0.0 || p.at[0] <= 8.0);
            let is_outside = [|p: &Corner| p.at[1] < 0.0, |p: &Corner| p.at[0] > 8.0];
            let bend = Bend::new(from, common, to);
            let check = |room: &[Corner], outside: Outside| {
                let both = [&room[..outside.left], &room[room.len() - outside.right..]];
                for (side, found) in both.into_iter().enumerate() {
                    let indices = |corners: &mut dyn Iterator<Item = &Corner>| {
                        let mut indices: Vec<u32> = corners.map(|corner| corner.index).collect();
                        indices.sort_unstable();
                        indices
                    };
                    let expected = indices(&mut points.iter().filter(|p| is_outside[side](p)));
                    assert_eq!(indices(&mut found.iter()), expected);
                    if let Some((first, others)) = found.split_first() {
                        let distance = |p: &Corner| if side == 0 { -p.at[1] } else { p.at[0] };
                        let key = |p: &Corner| (distance(p), p.at, -f64::from(p.index));
                        assert!(others.iter().all(|other| key(other) < key(first)), "{side}");
                    }
                }
            };
            let mut room = vec![Corner { at: common, index: u32::MAX }; points.len() + 1];
            let outside = bend.divide(&points, &mut room);
            check(&room, outside);
            for part in [1, 2, 7, 100] {
                let mut corners = vec![Corner { at: common, index: u32::MAX }];
                corners.extend_from_slice(&points);
                let outside = bend.divide_in_parallel(&mut corners, &mut room, part);
                check(&corners, outside);
            }
        }
    }
}
