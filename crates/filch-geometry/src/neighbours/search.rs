//! Searching the points nearest to some queries, which lie near each other.

use super::nearest::{Candidate, Nearest};
use super::tree::{Parts, PointTree, ROOT, square_of};
use crate::bounds::Bounds;
use std::ops::Range;

impl<const D: usize> PointTree<D> {
    /// The indices of the `k` points that are nearest to a query, the nearest first; all points if there are fewer.
    ///
    /// Work: O(k log k + log n), if points are distributed evenly. It runs on one worker.
    ///
    /// # Panics
    ///
    /// If the query has a coordinate that is not finite.
    #[must_use]
    pub fn nearest(&self, query: [f64; D], k: usize) -> Vec<u32> {
        let query = self.scaled(query);
        let k = k.min(self.points.len());
        if k == 0 {
            return Vec::new();
        }
        let mut found = vec![Candidate::NONE; k];
        Search::new(self, &[query], Bounds::of(query), &mut found).visit(ROOT);
        Nearest(&mut found).in_order().collect()
    }
}

/// A search for all queries at once, which visits a node if it can have a point for any of them.
pub(super) struct Search<'a, const D: usize> {
    tree: &'a PointTree<D>,
    queries: &'a [[f64; D]],
    bounds: Bounds<D>,
    /// As many for each query, the nearest so far.
    found: &'a mut [Candidate],
    k: usize,
    /// The last one of all.
    last: Candidate,
}

impl<'a, const D: usize> Search<'a, D> {
    pub(super) fn new(
        tree: &'a PointTree<D>,
        queries: &'a [[f64; D]],
        bounds: Bounds<D>,
        found: &'a mut [Candidate],
    ) -> Self {
        let k = found.len() / queries.len();
        Search { tree, queries, bounds, found, k, last: Candidate::NONE }
    }

    /// Searches among the points of a leaf, which are the queries themselves. A point is not near itself.
    pub(super) fn visit_own(&mut self, places: Range<usize>) {
        for (query, found) in self.found.chunks_exact_mut(self.k).enumerate() {
            let mut nearest = Nearest(found);
            for (other, &point) in self.queries.iter().enumerate() {
                if other != query {
                    let index = self.tree.indices[places.start + other];
                    nearest.offer(Candidate { square: square_of(point, self.queries[query]), index });
                }
            }
        }
        self.update_last();
    }

    /// Searches among the points of a node.
    pub(super) fn visit(&mut self, node: usize) {
        let best = self.tree.node(node).best(&self.bounds);
        if best.is_before(&self.last) {
            self.visit_parts(node);
        }
    }

    fn visit_parts(&mut self, node: usize) {
        match self.tree.parts(node) {
            Parts::Leaf(places) => self.visit_leaf(node, places),
            Parts::Nodes([near, far]) => {
                let bests = [self.tree.node(near).best(&self.bounds), self.tree.node(far).best(&self.bounds)];
                let parts = [(near, bests[0]), (far, bests[1])];
                let [first, second] = if bests[1].is_before(&bests[0]) { [1, 0] } else { [0, 1] };
                for (node, best) in [parts[first], parts[second]] {
                    if best.is_before(&self.last) {
                        self.visit_parts(node);
                    }
                }
            }
        }
    }

    fn visit_leaf(&mut self, node: usize, places: Range<usize>) {
        let leaf = self.tree.node(node);
        let points = || places.clone().map(|place| (self.tree.points[place], self.tree.indices[place]));
        let mut is_nearer = false;
        for (&query, found) in self.queries.iter().zip(self.found.chunks_exact_mut(self.k)) {
            let mut nearest = Nearest(found);
            if leaf.best(&Bounds::of(query)).is_before(&nearest.last()) {
                is_nearer = true;
                for (point, index) in points() {
                    nearest.offer(Candidate { square: square_of(point, query), index });
                }
            }
        }
        if is_nearer {
            self.update_last();
        }
    }

    fn update_last(&mut self) {
        let lasts = self.found.iter().step_by(self.k);
        let last = lasts.copied().reduce(|a, b| if a.is_before(&b) { b } else { a });
        self.last = last.expect("there is a query");
    }
}
