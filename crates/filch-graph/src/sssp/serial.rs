//! Dijkstra's algorithm with a binary heap, the baseline for the parallel search.

use super::error::SsspError;
use super::result::{Found, ShortestPaths};
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::{Distance, Weight};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Finds the distance of every vertex from `root` by Dijkstra's algorithm (Dijkstra 1959). A vertex is in the heap once
/// for each time that its distance has improved. Predecessors are not found.
///
/// Work: O((n + m) log m). Memory: the result, and up to 16 bytes for each arc.
///
/// # Errors
///
/// [`SsspError`] if an arc that leaves a reached vertex has a weight below 0, or if a vertex can be reached, but its
/// distance is beyond what the type can count.
///
/// # Panics
///
/// Panics if `root` is not a vertex of the graph.
pub fn serial<G: WeightedGraph>(graph: &G, root: G::Vertex) -> Found<G> {
    let unreached = <G::Weight as Weight>::Distance::UNREACHED;
    let mut distances = vec![unreached; graph.num_vertices()];
    let (mut relaxed, mut is_beyond) = (0, false);
    distances[root.index()] = Distance::ZERO;
    // The bits of distances are ordered as the distances are.
    let mut heap = BinaryHeap::from([Reverse((0_u64, root))]);
    while let Some(Reverse((bits, u))) = heap.pop() {
        look_at(u.index());
        let distance = Distance::of_bits(bits);
        if distance > distances[u.index()] {
            continue;
        }
        for (v, weight) in graph.arcs(u) {
            if weight.is_negative() {
                return Err(SsspError::negative(graph));
            }
            relaxed += 1;
            let longer = weight.after(distance);
            is_beyond |= longer == unreached;
            if longer < distances[v.index()] {
                distances[v.index()] = longer;
                heap.push(Reverse((longer.bits(), v)));
            }
        }
    }
    match is_beyond.then(|| SsspError::overflow(graph, &distances)).flatten() {
        Some(error) => Err(error),
        None => Ok(ShortestPaths { distances, predecessors: Vec::new(), delta: 0.0, steps: 0, relaxed }),
    }
}
