//! A tree of boxes around points.

use super::nearest::Candidate;
use super::order::{Cut, in_order};
use crate::bounds::Bounds;
use crate::points::Points;
use crate::scale::scale_to_middle;
use filch::Strand;
use filch_algorithms::map;
use std::ops::Range;

/// Points in a tree that finds those near a query, in up to eight dimensions.
///
/// It has copies of the points in Morton order, which are divided where a bit of it changes, down to leaves of at most
/// 16 points, and the smallest boxes around each part. It has O(log n) levels.
///
/// Distances are compared by their squares as `f64` computes them, without overflow. Equal ones are in the order of
/// indices. Squares underflow where two points differ by less than 2^-911 of the largest coordinate of all, along an
/// axis: they lose bits, and below 2^-937 such points may count as being in the same place.
///
/// ```
/// use filch_geometry::{PointTree, Points};
///
/// let points = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0], [3.0, 4.0]];
/// let tree = PointTree::new(Points::new(&points).unwrap());
/// assert_eq!(tree.nearest([2.0, 1.0], 2), [1, 0]);
/// assert_eq!(tree.within([0.0, 2.0], 2.0), [0, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct PointTree<const D: usize> {
    /// The points in order, multiplied by `scale`.
    pub(super) points: Vec<[f64; D]>,
    /// Their indices.
    pub(super) indices: Vec<u32>,
    /// Each node, then its left part, then its right one. None if there are no points.
    nodes: Vec<Node<D>>,
    scale: f64,
}

/// The place of the node of all points.
pub(super) const ROOT: usize = 0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) bounds: Bounds<D>,
    /// The least index of its points, so that of points at the same distance those that may count are looked for.
    least: u32,
    /// The number of points of a leaf, and 0 for other nodes.
    len: u32,
    /// The place of the first point of a leaf, or of the right part of another node.
    place: u32,
}

/// What a node consists of.
pub(super) enum Parts {
    /// The places of the points of a leaf.
    Leaf(Range<usize>),
    /// The places of two nodes.
    Nodes([usize; 2]),
}

impl<const D: usize> Node<D> {
    const EMPTY: Self = Node { bounds: Bounds::EMPTY, least: u32::MAX, len: 0, place: 0 };

    /// What no point of it comes before, for queries within some bounds.
    #[inline(always)]
    pub(super) fn best(&self, queries: &Bounds<D>) -> Candidate {
        Candidate { square: square_between(&self.bounds, queries), index: self.least }
    }
}

/// The square of the distance of two boxes. It is rounded as those of points are, and so is at most that of two points
/// in them.
#[inline(always)]
fn square_between<const D: usize>(a: &Bounds<D>, b: &Bounds<D>) -> f64 {
    // Numbers, so this is one instruction, which `f64::max` is not.
    let max = |a: f64, b: f64| if a > b { a } else { b };
    (0..D).fold(0.0, |sum, axis| {
        let apart = max(max(a.low[axis] - b.high[axis], b.low[axis] - a.high[axis]), 0.0);
        sum + apart * apart
    })
}

/// The square of the distance of two points.
#[inline(always)]
pub(super) fn square_of<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, axis| sum + (a[axis] - b[axis]) * (a[axis] - b[axis]))
}

impl<const D: usize> PointTree<D> {
    /// Makes a tree of these points.
    ///
    /// Work: O(n log n). Span: O(n / P + log² n) for P workers, if points are distributed evenly, and O(n) at worst.
    /// Memory: 8 D + 4 bytes for each point, and 17 meanwhile. Boxes take some 3 D + 3 more if points are distributed
    /// evenly, since leaves then have 11 points on average, and up to 32 D + 32 at worst.
    #[must_use]
    pub fn new(points: Points<'_, D>) -> Self {
        const { assert!(D >= 1 && D <= 8, "points have one to eight coordinates") };
        let Bounds { low, high } = points.bounds();
        let size = low.into_iter().chain(high).map(f64::abs).fold(0.0, f64::max);
        let scale = scale_to_middle(size);
        let scaled = |index: u32| {
            let point = points.at(index);
            std::array::from_fn(|axis| point[axis] * scale)
        };
        let (indices, cuts) = in_order(points.len(), scaled);
        let points = map(&indices, |&index| scaled(index));
        let mut tree = PointTree { points, indices, nodes: Vec::new(), scale };
        if !tree.points.is_empty() {
            let mut nodes = vec![Node::EMPTY; 2 * cuts.len() + 1];
            let all = 0..tree.points.len();
            filch::scope(|s, _| tree.build(s, &mut nodes, ROOT, &cuts, all));
            tree.nodes = nodes;
        }
        tree
    }

    /// Makes the nodes of the points that are divided at these cuts, the first of which is at `place`.
    fn build(&self, mut s: Strand<'_>, nodes: &mut [Node<D>], place: usize, cuts: &[Cut], points: Range<usize>) {
        let (node, parts) = nodes.split_first_mut().expect("a leaf more than there are cuts");
        let Some(first) = (0..cuts.len()).min_by_key(|&cut| cuts[cut].depth) else {
            *node = Node { len: points.len() as u32, place: points.start as u32, ..Node::EMPTY };
            for place in points {
                node.bounds = node.bounds.union(Bounds::of(self.points[place]));
                node.least = node.least.min(self.indices[place]);
            }
            return;
        };
        let middle = cuts[first].place;
        let (left, right) = parts.split_at_mut(2 * first + 1);
        let right_place = place + 1 + left.len();
        s.join(
            |s| self.build(s, left, place + 1, &cuts[..first], points.start..middle),
            |s| self.build(s, right, right_place, &cuts[first + 1..], middle..points.end),
        );
        let bounds = left[0].bounds.union(right[0].bounds);
        *node = Node { bounds, least: left[0].least.min(right[0].least), len: 0, place: right_place as u32 };
    }

    /// The indices of the points whose distance from a query is at most `radius`, in ascending order. There are none if
    /// it is negative or not a number.
    ///
    /// Squares underflow as [above](Self), compared to the radius and the coordinates of the query, too.
    ///
    /// Work: O(m log m + log n) for m points, if points are distributed evenly. It runs on one worker.
    ///
    /// # Panics
    ///
    /// If the query has a coordinate that is not finite.
    #[must_use]
    pub fn within(&self, query: [f64; D], radius: f64) -> Vec<u32> {
        let mut found = Vec::new();
        if radius >= 0.0 && !self.points.is_empty() {
            let size = self.finite(query).into_iter().map(f64::abs).fold(radius, f64::max);
            let scale = self.scale.min(scale_to_middle(size));
            let query = query.map(|x| x * scale);
            let square = (radius * scale) * (radius * scale);
            self.collect_within(ROOT, query, square, scale / self.scale, &mut found);
        }
        found.sort_unstable();
        found
    }

    /// Collects the points of a node, multiplied by `shrink`, whose square of the distance is at most `square`.
    fn collect_within(&self, node: usize, query: [f64; D], square: f64, shrink: f64, found: &mut Vec<u32>) {
        let shrunk = |point: [f64; D]| point.map(|x| x * shrink);
        let Bounds { low, high } = self.nodes[node].bounds;
        let bounds = Bounds { low: shrunk(low), high: shrunk(high) };
        if square_between(&bounds, &Bounds::of(query)) > square {
            return;
        }
        match self.parts(node) {
            Parts::Leaf(places) => {
                let is_within = |place: &usize| square_of(shrunk(self.points[*place]), query) <= square;
                found.extend(places.filter(is_within).map(|place| self.indices[place]));
            }
            Parts::Nodes(parts) => {
                parts.into_iter().for_each(|part| self.collect_within(part, query, square, shrink, found));
            }
        }
    }

    /// A query as the points are kept. What is further away than 2^510 is as far from all of them as what
    /// is there: differences are rounded to the same.
    pub(super) fn scaled(&self, query: [f64; D]) -> [f64; D] {
        let far = 2.0_f64.powi(510);
        self.finite(query).map(|x| (x * self.scale).clamp(-far, far))
    }

    fn finite(&self, query: [f64; D]) -> [f64; D] {
        assert!(query.iter().all(|x| x.is_finite()), "a query has finite coordinates, found {query:?}");
        query
    }

    #[inline(always)]
    pub(super) fn node(&self, node: usize) -> &Node<D> {
        &self.nodes[node]
    }

    #[inline(always)]
    pub(super) fn parts(&self, node: usize) -> Parts {
        let Node { len, place, .. } = self.nodes[node];
        let place = place as usize;
        if len > 0 { Parts::Leaf(place..place + len as usize) } else { Parts::Nodes([node + 1, place]) }
    }
}
