//! Convex hulls of points in the plane.
//!
//! - `edge`: how far a point lies outside of an edge, with an error, and exactly where that matters
//! - `divide`: the points outside of two edges, and the furthest of them, in one pass over memory
//!
//! This module has the recursion, and what comes before it.

mod divide;
mod edge;

use crate::points::Points;
use crate::scale::scale_to_middle;
use divide::Bend;
use edge::Corner;
use filch::Strand;
use filch_algorithms::{filter, map, pack_indices, reduce, tabulate};

/// The corners of the convex hull as indices of points: counterclockwise, beginning with the point of the smallest x,
/// and of these the smallest y.
///
/// Points on an edge between two corners are left out. Of points in the same place the one with the lowest index is
/// named. If all points lie on a line, its two ends are the corners; if all are in one place, there is one corner.
///
/// Points within a rectangle that lies within the hull are discarded first (Akl and Toussaint 1978). The others are
/// left to quickhull (Barber, Dobkin and Huhdanpaa 1996): points outside of an edge are divided into those outside of
/// the two edges to the furthest of them, and the rest. All decisions are exact, unless coordinates differ by more than
/// a factor of 2^900.
///
/// Work: O(n log h) for h corners that lie evenly, O(n h) at worst. Span: O(n / P + log n) for P workers, if corners
/// lie evenly. Memory: 56 bytes for each point outside of the rectangle, and a bit for each point.
///
/// ```
/// use filch_geometry::{Points, convex_hull};
///
/// let points = [[1.0, 1.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0], [0.0, 0.0], [1.0, 0.0]];
/// assert_eq!(convex_hull(Points::new(&points).unwrap()), [4, 3, 1, 2]);
/// ```
#[must_use]
pub fn convex_hull(points: Points<'_, 2>) -> Vec<u32> {
    let outer = outer(points);
    let Some(&some) = outer.first() else { return Vec::new() };
    let corner = |&index: &usize| Corner { at: points[index], index: index as u32 };
    let ends = reduce(&outer, || Ends::of(corner(&some)), |index| Ends::of(corner(index)), Ends::union);
    if ends.first.at == ends.last.at {
        return vec![ends.first.index];
    }
    let scale = scale_to_middle(ends.size);
    let scaled = |corner: Corner| Corner { at: corner.at.map(|x| x * scale), ..corner };
    // The ends are there twice, but are not outside of any edge.
    let mut corners = tabulate(outer.len() + 2, |place| match place {
        0 => scaled(ends.first),
        1 => scaled(ends.last),
        _ => scaled(corner(&outer[place - 2])),
    });
    drop(outer);
    let start = corners[0].at;
    let mut room = tabulate(corners.len() - 1, |_| Corner::NONE);
    let share = share_of_worker(room.len());
    let area = Area { points: &mut corners[1..], room: &mut room, is_final: true };
    filch::scope(|s, _| area.find(s, start, start, share));
    drop(room);
    filter(&map(&corners, |corner| corner.index), |&index| index != Corner::NONE.index)
}

/// The indices of the points that are not certainly within the hull.
///
/// A point is within the hull if there are points in all four quadrants around it, and all points of a rectangle are, if
/// it lies between such points.
fn outer(points: Points<'_, 2>) -> Vec<usize> {
    if points.is_empty() {
        return Vec::new();
    }
    // Some points that are far away in these directions. So few take little time.
    let step = points.len().isqrt();
    let furthest = |along: [f64; 2]| {
        let key = |point: &[f64; 2]| along[0] * point[0] + along[1] * point[1];
        points.iter().step_by(step).copied().max_by(|a, b| key(a).total_cmp(&key(b))).expect("there is a point")
    };
    let [upper_right, upper_left, lower_left, lower_right] =
        [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(furthest);
    let low = [upper_left[0].max(lower_left[0]), lower_left[1].max(lower_right[1])];
    let high = [upper_right[0].min(lower_right[0]), upper_left[1].min(upper_right[1])];
    // Without short circuits, because branches would be unpredictable.
    let is_within = |[x, y]: [f64; 2]| (low[0] < x) & (x < high[0]) & (low[1] < y) & (y < high[1]);
    pack_indices(points.len(), |index| !is_within(points[index]))
}

/// The first and the last point, and the largest absolute value of a coordinate.
struct Ends {
    first: Corner,
    last: Corner,
    size: f64,
}

impl Ends {
    fn of(corner: Corner) -> Self {
        Ends { first: corner, last: corner, size: corner.at[0].abs().max(corner.at[1].abs()) }
    }

    fn union(self, other: Self) -> Self {
        Ends {
            first: if other.first.compare(&self.first).is_lt() { other.first } else { self.first },
            last: if other.last.compare(&self.last).is_gt() { other.last } else { self.last },
            size: self.size.max(other.size),
        }
    }
}

/// Points outside of an edge, the furthest of them first, and as much room. The corners among them will be in their
/// order in one of these, with none in other places.
struct Area<'a> {
    points: &'a mut [Corner],
    room: &'a mut [Corner],
    /// Whether `points` is where the corners will be.
    is_final: bool,
}

impl Area<'_> {
    /// Finds the corners outside of an edge. `share` is the number of points that one worker divides alone.
    ///
    /// The recursion is at most some 2,000 deep: the points lie in a triangle over the edge, whose area is at most a
    /// quarter of that of the one before, and areas are between 2^-2148 and 2^2048.
    fn find(self, mut s: Strand<'_>, from: [f64; 2], to: [f64; 2], share: usize) {
        let Area { points, room, is_final } = self;
        let Some(&furthest) = points.first() else { return };
        let bend = Bend::new(from, furthest.at, to);
        let (points, room, is_final, outside) = if points.len() > share {
            let outside = bend.divide_in_parallel(points, room, share);
            (points, room, is_final, outside)
        } else {
            let outside = bend.divide(&points[1..], room);
            (room, points, !is_final, outside)
        };
        let right = points.len() - outside.right;
        let found = if is_final { &mut *points } else { &mut *room };
        found[outside.left..right].fill(Corner::NONE);
        found[outside.left] = furthest;
        let (left_points, right_points) = points.split_at_mut(right);
        let (left_room, right_room) = room.split_at_mut(right);
        let left = Area { points: &mut left_points[..outside.left], room: &mut left_room[..outside.left], is_final };
        let right = Area { points: right_points, room: right_room, is_final };
        s.join(|s| left.find(s, from, furthest.at, share), |s| right.find(s, furthest.at, to, share));
    }
}

/// The number of points that one worker divides alone: so few that the work is balanced.
fn share_of_worker(len: usize) -> usize {
    /// Divisions take different times.
    const PER_WORKER: usize = 4;
    match filch::num_workers() {
        1 => len,
        workers => (len / (PER_WORKER * workers)).max(1),
    }
}
