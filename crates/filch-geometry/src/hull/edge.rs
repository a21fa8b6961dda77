//! Corners, edges, and how far a point lies outside of an edge.

use crate::predicates::orientation;
use std::cmp::Ordering;

/// A point that may be a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) at: [f64; 2],
    /// Which of the given points it is.
    pub(super) index: u32,
}

impl Corner {
    /// No point: there are fewer.
    pub(super) const NONE: Corner = Corner { at: [0.0; 2], index: u32::MAX };

    /// The order by x, then y.
    #[inline]
    pub(super) fn compare(&self, other: &Corner) -> Ordering {
        let [x, y] = [0, 1].map(|axis| self.at[axis].partial_cmp(&other.at[axis]).expect("coordinates are finite"));
        x.then(y)
    }
}

/// The edge of a polygon that is counterclockwise. What lies to its right is outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: [f64; 2],
    to: [f64; 2],
    step: [f64; 2],
}

/// Bounds of a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    #[inline(always)]
    pub(super) fn has_zero(self) -> bool {
        (self.low <= 0.0) & (self.high >= 0.0)
    }
}

impl Edge {
    pub(super) fn new(from: [f64; 2], to: [f64; 2]) -> Self {
        Edge { from, to, step: [to[0] - from[0], to[1] - from[1]] }
    }

    /// How far outside a point lies, times the length of the edge. `offset` is the point minus an end of the edge.
    #[inline(always)]
    pub(super) fn distance(&self, offset: [f64; 2]) -> Interval {
        /// The rounding errors of two differences, a product and a difference are less than four units of 2^-53 of
        /// the sum (Shewchuk 1997, section 4.3), and those of the sum and of the bounds less than another four.
        const ERROR: f64 = 4.0 * f64::EPSILON;
        let (plus, minus) = (self.step[1] * offset[0], self.step[0] * offset[1]);
        let (distance, error) = (plus - minus, ERROR * (plus.abs() + minus.abs()));
        Interval { low: distance - error, high: distance + error }
    }

    /// Whether a point lies outside, exactly.
    pub(super) fn is_outside(&self, point: [f64; 2]) -> bool {
        orientation(self.from, self.to, point) < 0.0
    }

    /// Whether `a` lies further outside than `b`. Of points at the same distance the greatest in the order of corners
    /// is the furthest, which is the last one on their line, except that of points in the same place it is the one with
    /// the lowest index. So the furthest point is a corner, and the one that is to name it.
    pub(super) fn is_further(&self, a: &Corner, b: &Corner) -> bool {
        if a.at == b.at {
            return a.index < b.index;
        }
        let [along, apart] = [difference(self.from, self.to), difference(b.at, a.at)];
        let distance = cross(along, apart);
        if distance == 0.0 { a.compare(b).is_gt() } else { distance < 0.0 }
    }
}

/// A vector whose coordinates are exact, as sums of a number and its rounding error.
type Exact = [[f64; 2]; 2];

fn difference(from: [f64; 2], to: [f64; 2]) -> Exact {
    [0, 1].map(|axis| sum(to[axis], -from[axis]))
}

/// A number that has the sign of the cross product of two vectors.
fn cross(a: Exact, b: Exact) -> f64 {
    // An expansion: its components do not overlap, and become larger (Shewchuk 1997, section 2.4).
    let mut components = [0.0; 16];
    let mut len = 0;
    for (x, y, sign) in [(a[0], b[1], 1.0), (a[1], b[0], -1.0)] {
        for (x, y) in [(x[0], y[0]), (x[0], y[1]), (x[1], y[0]), (x[1], y[1])] {
            let product = sign * x * y;
            for mut term in [(sign * x).mul_add(y, -product), product] {
                for component in &mut components[..len] {
                    [term, *component] = sum(term, *component);
                }
                components[len] = term;
                len += 1;
            }
        }
    }
    components.into_iter().rev().find(|&component| component != 0.0).unwrap_or(0.0)
}

/// The rounded sum of two numbers, and its error (Knuth's).
fn sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let b_in_sum = sum - a;
    [sum, (a - (sum - b_in_sum)) + (b - b_in_sum)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_that_differ_by_less_than_a_rounding_error_are_told_apart() {
        // Products of these whole numbers are exact in 128 bits, but not in doubles.
        let mut random = fastrand::Rng::with_seed(1);
        let mut whole = || i128::from(random.i64(-1 << 44..1 << 44)) << random.u32(0..8);
        let at = |[x, y]: [i128; 2]| [x as f64, y as f64];
        for _ in 0..10_000 {
            let [from, to, b] = [(); 3].map(|()| [whole(), whole()]);
            // Nearly, or just, parallel to the edge.
            let a = [b[0] + (to[0] - from[0]) / 4, b[1] + (to[1] - from[1]) / 4];
            assert!([from, to, a, b].iter().flatten().all(|&x| x as f64 as i128 == x));
            let cross = (to[0] - from[0]) * (a[1] - b[1]) - (to[1] - from[1]) * (a[0] - b[0]);
            let expected = if cross == 0 { a > b } else { cross < 0 };
            let [a, b] = [a, b].map(|point| Corner { at: at(point), index: 0 });
            assert_eq!(Edge::new(at(from), at(to)).is_further(&a, &b), expected);
        }
    }

    #[test]
    fn the_exact_distance_lies_between_the_bounds() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..10_000 {
            let [from, to, p] = [(); 3].map(|()| [(); 2].map(|()| f64::from(random.i8(..)) / 3.0));
            let Interval { low, high } = Edge::new(from, to).distance([p[0] - to[0], p[1] - to[1]]);
            let outside = Edge::new(from, to).is_outside(p);
            assert!(low <= high);
            assert!(if outside { high > 0.0 } else { low <= 0.0 });
        }
    }
}
