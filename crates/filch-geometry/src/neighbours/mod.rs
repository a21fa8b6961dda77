//! Nearest neighbours of points.
//!
//! - `order`: an order in which near points are near each other, and leaves in it
//! - `tree`: boxes around leaves, and what users ask of them
//! - `nearest`: the nearest points that have been found
//! - `search`: which boxes to look into
//!
//! This module has the neighbours of all points.

mod nearest;
mod order;
mod search;
mod tree;

use crate::points::Points;
use filch::Strand;
use filch_algorithms::tabulate;
use nearest::{Candidate, Nearest};
use search::Search;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
pub use tree::PointTree;
use tree::{Parts, ROOT};

/// The indices of the `k` points that are nearest to each point, this excluded; all others if there are fewer. With `m`
/// for each, those of point `i` are the ones from `i * m`, the nearest first.
///
/// Points in the same place are at distance 0. Equal distances are in the order of indices; see [`PointTree`], in which
/// the points are searched. All points of a leaf are searched for together.
///
/// Work: O(n (log n + k log k)), if points are distributed evenly. Span: that of the tree, and O(k log k + log n).
/// Memory: that of the tree, and 4 k bytes for each point.
///
/// ```
/// use filch_geometry::{Points, nearest_neighbors};
///
/// let points = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0], [3.0, 4.1]];
/// let points = Points::new(&points).unwrap();
/// assert_eq!(nearest_neighbors(points, 1), [1, 0, 3, 2]);
/// assert_eq!(nearest_neighbors(points, 9), [1, 2, 3, 0, 3, 2, 3, 0, 1, 2, 1, 0]);
/// ```
#[must_use]
pub fn nearest_neighbors<const D: usize>(points: Points<'_, D>, k: usize) -> Vec<u32> {
    let k = k.min(points.len().saturating_sub(1));
    if k == 0 {
        return Vec::new();
    }
    let tree = PointTree::new(points);
    let neighbors = tabulate(points.len() * k, |_| AtomicU32::new(0));
    let all = All { tree: &tree, k, neighbors: &neighbors };
    filch::scope(|s, _| all.find(s, ROOT, None));
    neighbors.into_iter().map(AtomicU32::into_inner).collect()
}

/// The search for the neighbours of all points.
struct All<'a, const D: usize> {
    tree: &'a PointTree<D>,
    k: usize,
    neighbors: &'a [AtomicU32],
}

/// The other part of a node, and so on up to the root: all other points.
struct Others<'a> {
    node: usize,
    above: Option<&'a Others<'a>>,
}

impl<const D: usize> All<'_, D> {
    /// Finds the neighbours of the points of a node.
    fn find(&self, mut s: Strand<'_>, node: usize, others: Option<&Others<'_>>) {
        match self.tree.parts(node) {
            Parts::Nodes([left, right]) => {
                s.join(
                    |s| self.find(s, left, Some(&Others { node: right, above: others })),
                    |s| self.find(s, right, Some(&Others { node: left, above: others })),
                );
            }
            Parts::Leaf(places) => self.find_of_leaf(node, places, others),
        }
    }

    fn find_of_leaf(&self, leaf: usize, places: Range<usize>, mut others: Option<&Others<'_>>) {
        let PointTree { points, indices, .. } = self.tree;
        let mut found = vec![Candidate::NONE; places.len() * self.k];
        let mut search = Search::new(self.tree, &points[places.clone()], self.tree.node(leaf).bounds, &mut found);
        search.visit_own(places.clone());
        while let Some(&Others { node, above }) = others {
            search.visit(node);
            others = above;
        }
        for (found, &index) in found.chunks_exact_mut(self.k).zip(&indices[places]) {
            let neighbors = &self.neighbors[index as usize * self.k..][..self.k];
            let nearest = Nearest(found).in_order();
            neighbors.iter().zip(nearest).for_each(|(neighbor, index)| neighbor.store(index, Ordering::Relaxed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Draw<const D: usize> = fn(&mut fastrand::Rng) -> [f64; D];

    fn square<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
        (0..D).fold(0.0, |sum, axis| sum + (a[axis] - b[axis]).powi(2))
    }

    /// All points but one, by distance and index.
    fn sorted<const D: usize>(points: &[[f64; D]], query: [f64; D], but: Option<usize>) -> Vec<u32> {
        let mut others: Vec<u32> = (0..points.len()).filter(|&i| Some(i) != but).map(|i| i as u32).collect();
        let distance = |index: u32| square(points[index as usize], query);
        others.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
        others
    }

    fn assert_are_nearest<const D: usize>(points: &[[f64; D]], ks: &[usize]) {
        let checked = Points::new(points).unwrap();
        for &k in ks {
            let neighbors = nearest_neighbors(checked, k);
            let k = k.min(points.len().saturating_sub(1));
            assert_eq!(neighbors.len(), points.len() * k);
            for (index, &point) in points.iter().enumerate() {
                let found = &neighbors[index * k..][..k];
                assert_eq!(found, &sorted(points, point, Some(index))[..k], "{k} nearest to {index}: {point:?}");
            }
        }
    }

    fn distributions<const D: usize>() -> [Draw<D>; 6] {
        [
            |random| [(); D].map(|()| random.f64()),
            // Many are in the same place, and many at the same distance.
            |random| [(); D].map(|()| f64::from(random.u8(0..5))),
            |random| [random.f64(); D],
            |random| [f64::from(random.u8(0..2)); D],
            // Closer together in each of many steps.
            |random| {
                let scale = 2.0_f64.powi(-random.i32(0..200));
                [(); D].map(|()| random.f64() * scale)
            },
            |random| [(); D].map(|()| 1e9 + random.f64()),
        ]
    }

    fn assert_all_distributions<const D: usize>() {
        let mut random = fastrand::Rng::with_seed(D as u64);
        for draw in distributions::<D>() {
            for len in [0, 1, 2, 3, 16, 17, 130] {
                let points: Vec<[f64; D]> = (0..len).map(|_| draw(&mut random)).collect();
                assert_are_nearest(&points, &[0, 1, 10, 500]);
            }
        }
    }

    #[test]
    fn the_neighbours_of_all_points_are_those_that_all_distances_show() {
        assert_all_distributions::<1>();
        assert_all_distributions::<2>();
        assert_all_distributions::<3>();
        assert_all_distributions::<5>();
    }

    #[test]
    fn the_points_near_a_query_are_those_that_all_distances_show() {
        let mut random = fastrand::Rng::with_seed(7);
        for draw in distributions::<2>() {
            for len in [0, 1, 20, 200] {
                let points: Vec<[f64; 2]> = (0..len).map(|_| draw(&mut random)).collect();
                let tree = PointTree::new(Points::new(&points).unwrap());
                for round in 0..10 {
                    let query = if round % 2 == 0 { draw(&mut random) } else { [random.f64() * 9.0 - 4.0, 1.0] };
                    let nearest = sorted(&points, query, None);
                    for k in [0, 1, 7, 1000] {
                        assert_eq!(tree.nearest(query, k), nearest[..k.min(len)], "{k} nearest to {query:?}");
                    }
                    for radius in [0.0, 0.5, 1.0, 5.0, f64::INFINITY] {
                        let is_within = |&index: &u32| square(points[index as usize], query) <= radius * radius;
                        let expected: Vec<u32> = (0..len as u32).filter(is_within).collect();
                        assert_eq!(tree.within(query, radius), expected, "within {radius} of {query:?}");
                    }
                    assert_eq!(tree.within(query, -1.0), []);
                    assert_eq!(tree.within(query, f64::NAN), []);
                }
            }
        }
    }

    #[test]
    fn a_power_of_two_does_not_change_the_neighbours_however_large_or_small_it_is() {
        let mut random = fastrand::Rng::with_seed(8);
        let whole: Vec<[f64; 3]> = (0..300).map(|_| [(); 3].map(|()| f64::from(random.i16(..)))).collect();
        let expected = nearest_neighbors(Points::new(&whole).unwrap(), 3);
        for exponent in [-1070, -600, 600, 1000] {
            let scaled = |x: f64| x * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
            let points: Vec<[f64; 3]> = whole.iter().map(|point| point.map(scaled)).collect();
            let tree = PointTree::new(Points::new(&points).unwrap());
            assert_eq!(nearest_neighbors(Points::new(&points).unwrap(), 3), expected, "{exponent}");
            let query = [-7.0, 300.0, 10_000.0];
            assert_eq!(tree.nearest(query.map(scaled), 9), sorted(&whole, query, None)[..9]);
        }
    }

    #[test]
    fn points_near_each_other_are_told_apart_down_to_the_documented_part_of_the_largest_coordinate() {
        let mut random = fastrand::Rng::with_seed(10);
        let near: Vec<[f64; 2]> = (0..20).map(|_| [(); 2].map(|()| f64::from(random.u8(0..8)))).collect();
        for largest in [1.0, 1.5, 2.0_f64.powi(1023)] {
            // Multiples of this have exact squares.
            let unit = 2.0_f64.powi(-911) * largest;
            let mut points: Vec<[f64; 2]> = near.iter().map(|point| point.map(|x| x * unit)).collect();
            points.push([largest; 2]);
            let neighbors = nearest_neighbors(Points::new(&points).unwrap(), 19);
            for (index, &point) in near.iter().enumerate() {
                assert_eq!(neighbors[index * 19..][..19], sorted(&near, point, Some(index)));
            }
        }
    }

    #[test]
    fn a_query_may_be_as_far_away_as_numbers_allow() {
        let points = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let tree = PointTree::new(Points::new(&points).unwrap());
        // All distances are rounded to the same.
        assert_eq!(tree.nearest([f64::MAX, f64::MIN], 3), [0, 1, 2]);
        assert_eq!(tree.within([f64::MAX, 0.0], 1e300), []);
        assert_eq!(tree.within([1e300, 0.0], 1e300), [0, 1, 2]);
        assert_eq!(tree.within([1e-300, 0.0], 1e-300), [0]);
        let far = [[f64::MIN; 2], [f64::MAX; 2]];
        let tree = PointTree::new(Points::new(&far).unwrap());
        assert_eq!(tree.nearest([1e300; 2], 2), [1, 0]);
        assert_eq!(tree.nearest([f64::MIN / 2.0, f64::MIN], 1), [0]);
    }

    #[test]
    #[should_panic(expected = "a query has finite coordinates, found [0.0, NaN]")]
    fn a_query_that_is_not_a_point_is_refused() {
        let _ = PointTree::new(Points::new(&[[0.0, 0.0]]).unwrap()).nearest([0.0, f64::NAN], 1);
    }

    #[test]
    fn many_points_in_one_place_take_little_time() {
        // If each looked at each, it would be a billion steps.
        let points = vec![[1.0, 2.0]; 30_000];
        let neighbors = nearest_neighbors(Points::new(&points).unwrap(), 2);
        assert_eq!(neighbors[..6], [1, 2, 0, 2, 0, 1]);
        assert!(neighbors[6..].chunks(2).all(|found| found == [0, 1]));
    }

    #[test]
    fn neighbours_are_the_same_on_any_number_of_workers() {
        let mut random = fastrand::Rng::with_seed(9);
        for draw in distributions::<2>() {
            let points: Vec<[f64; 2]> = (0..2000).map(|_| draw(&mut random)).collect();
            let points = Points::new(&points).unwrap();
            let neighbors = [1, 2, 4].map(|workers| {
                let pool = filch::Pool::builder().workers(workers).build().unwrap();
                pool.run(|_| nearest_neighbors(points, 4))
            });
            assert!(neighbors.iter().all(|found| *found == neighbors[0]));
        }
    }
}
