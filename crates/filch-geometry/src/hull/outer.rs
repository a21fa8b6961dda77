//! The points that are not certainly within the hull.

use crate::points::Points;
use filch_algorithms::pack_indices;

/// The indices of the points that are not certainly within the hull.
///
/// A point is within the hull if there are points in all four quadrants around it. Here these are looked for in a
/// sample, and only among points that lie in other slabs, which are vertical. So a table has the y of a slab between
/// which a point has all four.
pub(super) fn outer(points: Points<'_, 2>) -> Vec<usize> {
    // So few points that they take little time, and as many slabs.
    let step = points.len().isqrt().max(1);
    let sample = || points.iter().step_by(step).copied();
    let count = sample().count();
    let [left, right] = sample().fold(NO_RANGE, |range, [x, _]| union(range, [x, x]));
    let slabs_per_unit = count as f64 / (right - left);
    // A point of a lower slab has a smaller x, whatever the rounding errors are.
    let slab = |x: f64| (((x - left) * slabs_per_unit) as usize).min(count - 1);
    let mut ranges = vec![NO_RANGE; count];
    for [x, y] in sample() {
        ranges[slab(x)] = union(ranges[slab(x)], [y, y]);
    }
    let mut inner = Vec::with_capacity(count);
    let mut before = NO_RANGE;
    for &range in &ranges {
        inner.push(before);
        before = union(before, range);
    }
    let mut after = NO_RANGE;
    for (inner, &range) in inner.iter_mut().zip(&ranges).rev() {
        *inner = [inner[0].max(after[0]), inner[1].min(after[1])];
        after = union(after, range);
    }
    pack_indices(points.len(), |index| {
        let [x, y] = points[index];
        let [low, high] = inner[slab(x)];
        // No short circuit, because a branch would be unpredictable.
        !((low < y) & (y < high))
    })
}

/// The least and the largest of no numbers.
const NO_RANGE: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

fn union(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_points_of_a_disc_are_discarded_and_each_of_them_has_points_in_all_quadrants() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut points: Vec<[f64; 2]> = Vec::new();
        while points.len() < 3000 {
            let point = [(); 2].map(|()| random.f64() * 2.0 - 1.0);
            if point[0].hypot(point[1]) < 1.0 {
                points.push(point);
            }
        }
        // The widths of the last two overflow: they cost time only.
        for (scale, are_discarded) in [(1.0, true), (1e-300, true), (1e300, true), (1e-320, false), (f64::MAX, false)] {
            let points: Vec<[f64; 2]> = points.iter().map(|point| point.map(|x| x * scale)).collect();
            let outer = outer(Points::new(&points).unwrap());
            assert!(outer.len() < points.len() * 2 / 3 || !are_discarded);
            for (index, p) in points.iter().enumerate().filter(|(index, _)| outer.binary_search(index).is_err()) {
                for [x, y] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
                    assert!(points.iter().any(|q| x * q[0] > x * p[0] && y * q[1] > y * p[1]), "{index}");
                }
            }
        }
    }
}
