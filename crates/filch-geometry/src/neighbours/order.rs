//! An order of points in which near points are near each other, and how they are divided.
//!
//! The order is that of Morton (1966): the bits of the coordinates are interleaved, beginning with the highest. A key
//! has few bits. Points that have the same key although they are many are ordered again, by keys for the box around
//! them. So the order is as fine as it must be wherever points are close together.

use crate::bounds::Bounds;
use crate::morton::Morton;
use filch::Strand;
use filch_algorithms::{map, pack_indices, radix_sort_by_key, reduce, tabulate};
use std::array;

/// The most points of a leaf. Their coordinates are a few cache lines.
pub(super) const LEAF: usize = 16;

/// A key and the index of a point.
type Keyed = (u32, u32);

/// Points within so many cuts that still have the same key are cut in halves. Then the tree is not deep, however much
/// distances differ. It is enough for cells 2^-50 times as large as the box around all points of a plane.
const MOST_CUTS: u8 = 100;

/// The depth where there is no cut. Cuts are less deep: within 100, at most 32 by a key, and at most 32 in halves.
const NOT_CUT: u8 = u8::MAX;

/// Where points are divided: the end of one leaf, and the beginning of the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The number of points before it.
    pub(super) place: usize,
    /// How many others it is within: it divides the points between the next ones before and after it that are within
    /// fewer.
    pub(super) depth: u8,
}

/// The indices of `len` points in order, and all cuts.
pub(super) fn in_order<const D: usize>(len: usize, at: impl Fn(u32) -> [f64; D] + Sync) -> (Vec<u32>, Vec<Cut>) {
    let mut keyed = tabulate(len, |index| (0, index as u32));
    let mut depths = tabulate(len, |_| NOT_CUT);
    filch::scope(|s, _| order(s, &mut keyed, &mut depths, 0, &at));
    let places = pack_indices(len, |place| depths[place] != NOT_CUT);
    (map(&keyed, |keyed| keyed.1), map(&places, |&place| Cut { place, depth: depths[place] }))
}

/// Orders points that are in the order of their indices. `depths` are those of the cuts before each.
fn order<const D: usize>(
    s: Strand<'_>,
    points: &mut [Keyed],
    depths: &mut [u8],
    depth: u8,
    at: &(impl Fn(u32) -> [f64; D] + Sync),
) {
    let bounds = reduce(points, || Bounds::EMPTY, |point| Bounds::of(at(point.1)), Bounds::union);
    if bounds.low == bounds.high || depth > MOST_CUTS {
        return halve(s, points, depths, depth, at);
    }
    let grid = Grid::over(bounds);
    filch::for_each(&mut *points, |_, point| point.0 = grid.key(at(point.1)));
    sort(points);
    divide(s, points, depths, depth, at);
}

/// Cuts points in halves along the longest side of the box around them, as a k-d tree does (Friedman, Bentley and
/// Finkel 1977). Points in the same place stay in order.
fn halve<const D: usize>(
    s: Strand<'_>,
    points: &mut [Keyed],
    depths: &mut [u8],
    depth: u8,
    at: &(impl Fn(u32) -> [f64; D] + Sync),
) {
    if points.len() <= LEAF {
        return;
    }
    let Bounds { low, high } = reduce(points, || Bounds::EMPTY, |point| Bounds::of(at(point.1)), Bounds::union);
    let extent = |axis: &usize| high[*axis] - low[*axis];
    let axis = (0..D).max_by(|a, b| extent(a).total_cmp(&extent(b))).expect("there is an axis");
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |a, b| at(a.1)[axis].total_cmp(&at(b.1)[axis]).then(a.1.cmp(&b.1)));
    cut(s, points, depths, (depth, middle), &|s, points, depths, depth| halve(s, points, depths, depth, at));
}

/// Cuts before the point in the middle, and goes on with both parts.
fn cut(
    mut s: Strand<'_>,
    points: &mut [Keyed],
    depths: &mut [u8],
    (depth, middle): (u8, usize),
    part: &(impl Fn(Strand<'_>, &mut [Keyed], &mut [u8], u8) + Sync),
) {
    depths[middle] = depth;
    let (low, high) = points.split_at_mut(middle);
    let (low_depths, high_depths) = depths.split_at_mut(middle);
    s.join(|s| part(s, low, low_depths, depth + 1), |s| part(s, high, high_depths, depth + 1));
}

/// Sorts by key, then index. The points are in the order of their indices.
fn sort(points: &mut [Keyed]) {
    /// The fewest points for which a radix sort pays: so many that its counts for each value of a digit do not matter.
    const LEAST: usize = 1 << 12;
    if points.len() < LEAST {
        points.sort_unstable();
    } else {
        radix_sort_by_key(points, |point| point.0);
    }
}

/// Divides points that are sorted by keys into leaves, where the highest bit of the keys changes.
fn divide<const D: usize>(
    s: Strand<'_>,
    points: &mut [Keyed],
    depths: &mut [u8],
    depth: u8,
    at: &(impl Fn(u32) -> [f64; D] + Sync),
) {
    if points.len() <= LEAF {
        return;
    }
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let Some(bit) = (first ^ last).checked_ilog2() else { return order(s, points, depths, depth, at) };
    let second_half = last >> bit << bit;
    let middle = points.partition_point(|point| point.0 < second_half);
    cut(s, points, depths, (depth, middle), &|s, points, depths, depth| divide(s, points, depths, depth, at));
}

/// A grid of equal cells over a box that is not a point.
struct Grid<const D: usize> {
    low: [f64; D],
    cells_per_unit: f64,
}

impl<const D: usize> Grid<D> {
    fn over(Bounds { low, high }: Bounds<D>) -> Self {
        let extent = (0..D).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        Grid { low, cells_per_unit: Morton::<D>::CELLS / extent }
    }

    /// The numbers of the point's cell along all axes, interleaved. They rise with the coordinates, also where the
    /// number of cells per unit overflows.
    #[inline(always)]
    fn key(&self, point: [f64; D]) -> u32 {
        Morton::<D>::key(array::from_fn(|axis| Morton::<D>::cell((point[axis] - self.low[axis]) * self.cells_per_unit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_hold_all_points_and_are_small_however_close_together_points_are() {
        let mut random = fastrand::Rng::with_seed(1);
        let uniform = |random: &mut fastrand::Rng| [random.f64(), random.f64()];
        let clusters = |random: &mut fastrand::Rng| {
            let scale = 2.0_f64.powi(-random.i32(0..1000));
            [random.f64() * scale, random.f64() * scale]
        };
        let equal = |random: &mut fastrand::Rng| [f64::from(random.u8(0..2)), 1e-300];
        for draw in [&uniform as &dyn Fn(&mut fastrand::Rng) -> [f64; 2], &clusters, &equal] {
            for len in [1, 16, 17, 5000] {
                let points: Vec<[f64; 2]> = (0..len).map(|_| draw(&mut random)).collect();
                let (order, cuts) = in_order(len, |index| points[index as usize]);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..len as u32));
                assert!(cuts.is_sorted_by_key(|cut| cut.place));
                let ends = cuts.iter().map(|cut| cut.place).chain([len]);
                let sizes: Vec<usize> = ends.scan(0, |start, end| Some(end - std::mem::replace(start, end))).collect();
                assert!(sizes.iter().all(|size| (1..=LEAF).contains(size)), "{sizes:?}");
            }
        }
    }
}
