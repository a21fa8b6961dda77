//! One source in a graph with weights: Dijkstra's algorithm, the shortest paths, and the dependencies of the source,
//! backward (Brandes 2001, section 3).
//!
//! One worker does all of it, so the numbers depend on nothing but the graph. A vertex is *settled* when its distance
//! is known. An arc to a vertex that is not settled, and to which no shorter way is found later, is on a shortest path.
//! Weights are above 0, so nothing else is, unless a weight is lost by rounding.

use super::arcs::Arcs;
use super::search::Found;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::{Distance, Weight};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a worker needs for a search. Nothing is settled and numbers are 0 before and after.
pub(super) struct Workspace<V, D> {
    distances: Vec<D>,
    is_settled: Vec<bool>,
    /// The shortest paths to a vertex, as far as they are known.
    counts: Vec<f64>,
    /// (1 + dependency) / count.
    pending: Vec<f64>,
    /// The bits of distances, whose order is that of the distances, and vertices.
    heap: BinaryHeap<Reverse<(u64, V)>>,
    /// The arcs by which vertices were reached, in the order in which those that they leave were settled.
    reaching: Vec<Reaching<V, D>>,
    /// For each settled vertex, the end of its arcs in `reaching`.
    ends: Vec<usize>,
}

struct Reaching<V, D> {
    to: V,
    /// The place of the arc among those of the vertex that it leaves.
    at: usize,
    /// The length of the path. The arc is on a shortest one if that is the distance.
    length: D,
}

impl<V: Vertex, D: Distance> Workspace<V, D> {
    pub(super) fn new(num_vertices: usize) -> Self {
        Workspace {
            distances: vec![D::UNREACHED; num_vertices],
            is_settled: vec![false; num_vertices],
            counts: vec![0.0; num_vertices],
            pending: vec![0.0; num_vertices],
            heap: BinaryHeap::new(),
            reaching: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Finds the dependencies of `source` on all vertices other than itself, and adds those on arcs to `arcs`.
    pub(super) fn run<G>(&mut self, graph: &G, source: V, found: &mut Found<V>, arcs: Option<&Arcs>)
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        found.has_overflowed = !self.settle(graph, source, &mut found.order);
        if !found.has_overflowed {
            self.depend(found, arcs);
        }
        for (step, v) in found.order.iter().map(|v| v.index()).enumerate() {
            look_at(step);
            (self.distances[v], self.is_settled[v]) = (D::UNREACHED, false);
            (self.counts[v], self.pending[v]) = (0.0, 0.0);
        }
        self.reaching.clear();
        self.ends.clear();
    }

    /// Dijkstra's algorithm, which counts the shortest paths. Of vertices at the same distance, the smallest is settled
    /// first. Returns false if there are too many paths.
    fn settle<G>(&mut self, graph: &G, source: V, order: &mut Vec<V>) -> bool
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        order.clear();
        (self.distances[source.index()], self.counts[source.index()]) = (D::ZERO, 1.0);
        self.heap.push(Reverse((D::ZERO.bits(), source)));
        let mut are_finite = true;
        while let Some(Reverse((bits, v))) = self.heap.pop() {
            if std::mem::replace(&mut self.is_settled[v.index()], true) {
                continue;
            }
            look_at(order.len());
            order.push(v);
            let count = self.counts[v.index()];
            are_finite &= count.is_finite();
            for (at, (w, weight)) in graph.arcs(v).enumerate() {
                let (length, distance) = (weight.after(D::of_bits(bits)), &mut self.distances[w.index()]);
                if length > *distance || length == D::UNREACHED {
                    continue;
                }
                if length < *distance {
                    *distance = length;
                    self.counts[w.index()] = count;
                    self.heap.push(Reverse((length.bits(), w)));
                } else if !self.is_settled[w.index()] {
                    self.counts[w.index()] += count;
                } else {
                    continue;
                }
                self.reaching.push(Reaching { to: w, at, length });
            }
            self.ends.push(self.reaching.len());
        }
        are_finite
    }

    fn depend(&mut self, found: &mut Found<V>, arcs: Option<&Arcs>) {
        for (step, &v) in found.order.iter().enumerate().rev() {
            look_at(step);
            let (count, mut later) = (self.counts[v.index()], 0.0);
            let begin = step.checked_sub(1).map_or(0, |before| self.ends[before]);
            for &Reaching { to, at, length } in &self.reaching[begin..self.ends[step]] {
                if length == self.distances[to.index()] {
                    later += self.pending[to.index()];
                    if let Some(arcs) = arcs {
                        arcs.add(v, at, count * self.pending[to.index()]);
                    }
                }
            }
            let dependency = count * later;
            self.pending[v.index()] = (1.0 + dependency) / count;
            let is_source = step == 0;
            if !is_source {
                found.set_dependency(v, dependency);
            }
        }
    }
}
