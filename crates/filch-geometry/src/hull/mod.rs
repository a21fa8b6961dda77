//! Convex hulls of points in the plane.
//!
//! - `outer`: the points that are not certainly within the hull
//! - `edge`: how far a point lies outside of an edge, with an error, and exactly where that matters
//! - `divide`: the points outside of two edges, and the furthest of them, in one pass over memory
//!
//! This module has the recursion, and what comes before it.

mod divide;
mod edge;
mod outer;

use crate::points::Points;
use crate::scale::scale_to_middle;
use divide::Bend;
use edge::Corner;
use filch::Strand;
use filch_algorithms::{filter, map, reduce, tabulate};
use outer::outer;

/// The corners of the convex hull as indices of points: counterclockwise, beginning with the point of the smallest x,
/// and of these the smallest y.
///
/// Points on an edge between two corners are left out. Of points in the same place the one with the lowest index is
/// named. If all points lie on a line, its two ends are the corners; if all are in one place, there is one corner.
///
/// Most points within the hull are discarded first (an idea of Akl and Toussaint 1978). The others are left to
/// quickhull (Barber, Dobkin and Huhdanpaa 1996): points outside of an edge are divided into those outside of the two
/// edges to the furthest of them, and the rest. All decisions are exact if coordinates that are not zero differ by a
/// factor of at most 2^880. Otherwise products of the smallest ones may underflow, and points so near an edge may be
/// corners wrongly, or wrongly be none.
///
/// Work: O(n log h) for h corners that lie evenly, O(n h) at worst. Span: O(n / P + log n) for P workers, if corners
/// lie evenly. Memory: 56 bytes for each point that is not discarded first, and a bit for each point.
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
    let corner = |&index: &usize| Corner { at: points.at(index as u32), index: index as u32 };
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

/// The first and the last point by x, then y, and the largest absolute value of a coordinate. Of points in the same
/// place it is the first one that counts.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::orientation;

    /// The properties that only one list of corners has.
    fn assert_is_hull(points: &[[f64; 2]]) -> Vec<u32> {
        let hull = convex_hull(Points::new(points).unwrap());
        let at = |corner: usize| points[hull[corner % hull.len()] as usize];
        let order = |&a: &[f64; 2], &b: &[f64; 2]| a.partial_cmp(&b).unwrap();
        assert_eq!(hull.is_empty(), points.is_empty());
        for (corner, &index) in hull.iter().enumerate() {
            let [point, next, third] = [0, 1, 2].map(|step| at(corner + step));
            assert_eq!(points.iter().position(|&other| other == point), Some(index as usize), "the lowest index");
            if hull.len() > 2 {
                assert!(orientation(point, next, third) > 0.0, "corner {corner}");
            }
            assert!(points.iter().all(|&p| orientation(point, next, p) >= 0.0), "outside of {corner}");
        }
        if !points.is_empty() {
            assert_eq!(Some(at(0)), points.iter().copied().min_by(order));
            // All turns are to the left. They are one full turn, since y rises and falls once.
            let falls = |corner: usize| at(corner + 1) < at(corner);
            assert!((0..hull.len()).filter(|&corner| falls(corner) != falls(corner + 1)).count() <= 2);
            if hull.len() <= 2 {
                assert_eq!(Some(at(1)), points.iter().copied().max_by(order));
            }
        }
        hull
    }

    fn random_points(len: usize, mut draw: impl FnMut() -> [f64; 2]) -> Vec<[f64; 2]> {
        (0..len).map(|_| draw()).collect()
    }

    fn on_circle(angle: f64) -> [f64; 2] {
        [angle.cos(), angle.sin()]
    }

    #[test]
    fn few_points_have_the_hull_that_all_comparisons_show() {
        let mut random = fastrand::Rng::with_seed(1);
        for len in (0..40).chain([300]) {
            for _ in 0..20 {
                assert_is_hull(&random_points(len, || [random.f64(), random.f64()]));
                assert_is_hull(&random_points(len, || [f64::from(random.u8(0..4)), f64::from(random.u8(0..4))]));
                assert_is_hull(&random_points(len, || [f64::from(random.u8(0..4)), 7.0]));
                assert_is_hull(&random_points(len, || on_circle(random.f64() * 7.0)));
            }
        }
    }

    #[test]
    fn points_next_to_a_line_have_an_exact_hull() {
        let mut random = fastrand::Rng::with_seed(2);
        for len in [3, 10, 100] {
            for _ in 0..50 {
                assert_is_hull(&random_points(len, || {
                    let x = random.f64();
                    [x, f64::from_bits(x.to_bits().wrapping_add_signed(random.i64(-2..=2)))]
                }));
                // Three times x and two times x round differently.
                assert_is_hull(&random_points(len, || [random.f64() / 3.0; 2].map(|x| x * 3.0)));
                let third = f64::from(random.u8(..)) / 3.0;
                assert_is_hull(&random_points(len, || {
                    let along = f64::from(random.i8(..)) / 7.0;
                    [third + along, 0.1 + along * third]
                }));
            }
        }
    }

    #[test]
    fn collinear_and_equal_points_have_two_corners_and_one() {
        for len in [2, 3, 100] {
            let line: Vec<[f64; 2]> =
                (0..len).map(|i| [f64::from((i * 7) % len), -2.0 * f64::from((i * 7) % len)]).collect();
            assert_eq!(assert_is_hull(&line).len(), 2);
            assert_eq!(assert_is_hull(&line.iter().map(|p| [1.0, p[0]]).collect::<Vec<_>>()).len(), 2);
            assert_eq!(assert_is_hull(&vec![[1.0, 2.0]; len as usize]), [0]);
        }
        assert_eq!(assert_is_hull(&[[0.0, -0.0], [-0.0, 0.0]]), [0], "zeros are equal whatever their signs are");
    }

    #[test]
    fn a_power_of_two_does_not_change_the_hull_however_large_or_small_it_is() {
        let mut random = fastrand::Rng::with_seed(3);
        // Halves of bytes stay exact down to the least exponents.
        let points = random_points(500, || [0, 1].map(|_| f64::from(random.i16(..)) / 2.0));
        let hull = assert_is_hull(&points);
        for exponent in [-1070, -1000, -500, 500, 1000] {
            let scaled = |x: f64| x * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
            let points: Vec<[f64; 2]> = points.iter().map(|point| point.map(scaled)).collect();
            assert_eq!(convex_hull(Points::new(&points).unwrap()), hull, "{exponent}");
        }
        let corners = [[f64::MIN, f64::MIN], [f64::MAX, f64::MIN], [f64::MAX; 2], [f64::MIN, f64::MAX], [1.0, 0.0]];
        assert_eq!(convex_hull(Points::new(&corners).unwrap()), [0, 1, 2, 3]);
    }

    #[test]
    fn a_far_corner_leaves_the_decisions_about_near_points_exact_up_to_the_documented_factor() {
        // Fibonacci numbers: the steps to `middle` and on to `end` have a cross product of one unit of the last place,
        // squared.
        let [short, long] = (0..73).fold([0_i64, 1], |[a, b], _| [b, a + b]);
        let steps = [[long + short, long], [long, short]];
        assert_eq!(i128::from(steps[0][0]) * i128::from(short) - i128::from(long) * i128::from(long), 1);
        for (is_to_the_left, [first, second]) in [(true, steps), (false, [steps[1], steps[0]])] {
            // Doubles from 1 to 2 are whole numbers of such units.
            let at = |steps: &[[i64; 2]]| {
                [0, 1].map(|axis| 1.0 + steps.iter().map(|step| step[axis]).sum::<i64>() as f64 * f64::EPSILON)
            };
            let [start, middle, end] = [at(&[]), at(&[first]), at(&[first, second])];
            for exponent in [100, 880] {
                let far = [2.0_f64.powi(exponent); 2];
                let hull = convex_hull(Points::new(&[start, middle, end, far]).unwrap());
                assert_eq!(hull, if is_to_the_left { vec![0, 1, 2, 3] } else { vec![0, 2, 3] }, "{exponent}");
            }
        }
    }

    #[test]
    fn a_hull_that_shrinks_from_corner_to_corner_is_found() {
        // The furthest point leaves all others on one side: the recursion is as deep as it gets.
        let points: Vec<[f64; 2]> = (0..120).map(|i| 2.0_f64.powi(-2 * i)).map(|x| [x, x * x]).collect();
        assert_eq!(assert_is_hull(&points).len(), points.len());
    }

    #[test]
    fn the_hull_is_the_same_on_any_number_of_workers() {
        let mut random = fastrand::Rng::with_seed(4);
        let many = 20_000;
        let disc = random_points(many, || on_circle(random.f64() * 7.0).map(|x| x * 10.0));
        let grid = random_points(many, || [random.u8(..), random.u8(..)].map(f64::from));
        let both: Vec<[f64; 2]> = disc.iter().chain(&grid).copied().collect();
        for points in [disc, grid, both] {
            let points = Points::new(&points).unwrap();
            let hulls = [1, 2, 3, 4].map(|workers| {
                let pool = filch::Pool::builder().workers(workers).build().unwrap();
                pool.run(|_| convex_hull(points))
            });
            assert!(hulls.iter().all(|hull| *hull == hulls[0]));
            let at = |corner: usize| points.at(hulls[0][corner % hulls[0].len()]);
            for corner in 0..hulls[0].len() {
                assert!(orientation(at(corner), at(corner + 1), at(corner + 2)) > 0.0);
            }
        }
    }
}
