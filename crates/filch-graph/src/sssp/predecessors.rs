//! The vertex before each vertex on a shortest path, from the distances.
//!
//! An arc is *tight* if its target is as far away as its source and its weight. Every vertex is reached by tight arcs.
//! In a first pass, each vertex takes the lowest source of a tight arc that is nearer than itself, so these choices
//! have no circle. A vertex may have only tight arcs from vertices at the same distance, by arcs of weight 0 or by
//! rounding. Such vertices are found from those that have a predecessor, one after the other.

use super::result::DistanceOf;
use crate::choose::tuning::PIECE;
use crate::graph::WeightedGraph;
use crate::parallel_vec::repeated;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::look_at;
use crate::weight::{Distance, Weight};

/// The predecessor of each vertex; a source is its own one.
pub(super) fn predecessors<G: WeightedGraph>(
    graph: &G,
    distances: &[DistanceOf<G>],
    sources: &[G::Vertex],
) -> Vec<G::Vertex> {
    let (n, none) = (distances.len(), G::Vertex::NONE);
    let before: Vec<<G::Vertex as Vertex>::Atomic> = repeated(n, || AtomicVertex::new(none));
    sources.iter().for_each(|source| before[source.index()].store(*source));
    let is_source = |v: G::Vertex| distances[v.index()] == DistanceOf::<G>::ZERO && before[v.index()].load() == v;
    filch::for_each(0..n.div_ceil(PIECE), |_, piece| {
        for u in (piece * PIECE..n.min((piece + 1) * PIECE)).map(G::Vertex::new) {
            for (v, distance) in tight_arcs(graph, distances, u) {
                if distances[u.index()] < distance && !is_source(v) {
                    lower(&before[v.index()], u);
                }
            }
        }
    });
    let is_open = |v: usize| distances[v] != DistanceOf::<G>::UNREACHED && before[v].load() == none;
    if filch::find_any(0..n, |_, &v| is_open(v)).is_some() {
        let mut stack = Vec::new();
        for first in 0..n {
            look_at(first);
            if before[first].load() != none {
                stack.push(G::Vertex::new(first));
            }
            while let Some(u) = stack.pop() {
                look_at(u.index());
                for (v, _) in tight_arcs(graph, distances, u) {
                    if before[v.index()].load() == none {
                        before[v.index()].store(u);
                        stack.push(v);
                    }
                }
            }
        }
    }
    AtomicVertex::into_vertices(before)
}

/// The targets of the tight arcs of a vertex, and their distances.
fn tight_arcs<'a, G: WeightedGraph>(
    graph: &'a G,
    distances: &'a [DistanceOf<G>],
    u: G::Vertex,
) -> impl Iterator<Item = (G::Vertex, DistanceOf<G>)> + 'a {
    let from = Some(distances[u.index()]).filter(|distance| *distance != DistanceOf::<G>::UNREACHED);
    let arcs = from.map(|from| graph.arcs(u).map(move |(v, weight)| (v, weight.after(from))));
    arcs.into_iter()
        .flatten()
        .filter(|(v, distance)| *distance == distances[v.index()] && *distance != DistanceOf::<G>::UNREACHED)
}

/// Lowers a vertex in a cell, in which no vertex is the highest.
fn lower<V: Vertex>(cell: &V::Atomic, new: V) {
    loop {
        let old = cell.load();
        if old <= new || cell.replace(old, new) {
            return;
        }
    }
}
