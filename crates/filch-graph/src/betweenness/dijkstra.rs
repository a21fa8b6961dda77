//! One source in a graph with weights: Dijkstra's algorithm, the shortest paths, and the dependencies of the source,
//! backward (Brandes 2001, section 3).
//!
//! One worker does all of it, so the numbers depend on nothing but the graph. A vertex is *settled* when its distance
//! is known; an arc to a vertex that is settled later, and whose length is the difference of the distances, is on a
//! shortest path. Weights are above 0, so nothing else is, unless a weight is lost by rounding.

use super::arcs::Arcs;
use super::search::Found;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::{Distance, Weight};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a worker needs for a search. Places are [`NOT_SETTLED`] and numbers 0 before and after.
pub(super) struct Workspace<V, D> {
    distances: Vec<D>,
    /// Where a vertex is among the settled ones.
    places: Vec<usize>,
    /// The shortest paths to a vertex.
    counts: Vec<f64>,
    /// (1 + dependency) / count.
    pending: Vec<f64>,
    /// The bits of distances, whose order is that of the distances, and vertices.
    heap: BinaryHeap<Reverse<(u64, V)>>,
}

const NOT_SETTLED: usize = usize::MAX;

impl<V: Vertex, D: Distance> Workspace<V, D> {
    pub(super) fn new(num_vertices: usize) -> Self {
        Workspace {
            distances: vec![D::UNREACHED; num_vertices],
            places: vec![NOT_SETTLED; num_vertices],
            counts: vec![0.0; num_vertices],
            pending: vec![0.0; num_vertices],
            heap: BinaryHeap::new(),
        }
    }

    /// Finds the dependencies of `source` on all vertices other than itself, and adds those on arcs to `arcs`.
    pub(super) fn run<G>(&mut self, graph: &G, source: V, found: &mut Found<V>, arcs: Option<&Arcs>)
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        self.settle(graph, source, &mut found.order);
        found.has_overflowed = !self.count_paths(graph, &found.order);
        if !found.has_overflowed {
            self.depend(graph, found, arcs);
        }
        for (step, v) in found.order.iter().map(|v| v.index()).enumerate() {
            look_at(step);
            (self.distances[v], self.places[v]) = (D::UNREACHED, NOT_SETTLED);
            (self.counts[v], self.pending[v]) = (0.0, 0.0);
        }
    }

    /// Dijkstra's algorithm. Of vertices at the same distance, the smallest is settled first.
    fn settle<G>(&mut self, graph: &G, source: V, order: &mut Vec<V>)
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        order.clear();
        self.distances[source.index()] = D::ZERO;
        self.heap.push(Reverse((D::ZERO.bits(), source)));
        while let Some(Reverse((bits, v))) = self.heap.pop() {
            if self.places[v.index()] != NOT_SETTLED {
                continue;
            }
            look_at(order.len());
            self.places[v.index()] = order.len();
            order.push(v);
            for (w, weight) in graph.arcs(v) {
                let longer = weight.after(D::of_bits(bits));
                if longer < self.distances[w.index()] {
                    self.distances[w.index()] = longer;
                    self.heap.push(Reverse((longer.bits(), w)));
                }
            }
        }
    }

    /// Whether an arc from `v` is on a shortest path.
    #[inline(always)]
    fn is_tight<W: Weight<Distance = D>>(&self, v: V, w: V, weight: W) -> bool {
        let (from, to) = (self.distances[v.index()], self.distances[w.index()]);
        to != D::UNREACHED && weight.after(from) == to && self.places[v.index()] < self.places[w.index()]
    }

    /// Returns false if there are too many paths.
    fn count_paths<G>(&mut self, graph: &G, order: &[V]) -> bool
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        self.counts[order[0].index()] = 1.0;
        for (step, &v) in order.iter().enumerate() {
            look_at(step);
            let count = self.counts[v.index()];
            for (w, weight) in graph.arcs(v) {
                if self.is_tight(v, w, weight) {
                    self.counts[w.index()] += count;
                }
            }
            if !count.is_finite() {
                return false;
            }
        }
        true
    }

    fn depend<G>(&mut self, graph: &G, found: &mut Found<V>, arcs: Option<&Arcs>)
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        for (step, &v) in found.order.iter().enumerate().rev() {
            look_at(step);
            let mut later = 0.0;
            for (at, (w, weight)) in graph.arcs(v).enumerate() {
                if self.is_tight(v, w, weight) {
                    later += self.pending[w.index()];
                    if let Some(arcs) = arcs {
                        arcs.add(v, at, self.counts[v.index()] * self.pending[w.index()]);
                    }
                }
            }
            let (count, is_source) = (self.counts[v.index()], step == 0);
            let dependency = count * later;
            self.pending[v.index()] = (1.0 + dependency) / count;
            if !is_source {
                found.set_dependency(v, dependency);
            }
        }
    }
}
