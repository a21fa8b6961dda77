//! Dijkstra's algorithm with a binary heap, the baseline for the parallel search.

use super::result::{NegativeWeight, ShortestPaths, UNREACHED};
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Finds the distance of every vertex from `root` by Dijkstra's algorithm (Dijkstra 1959). A vertex is in the heap once
/// for each time that its distance has improved.
///
/// Work: O((n + m) log m). Memory: the result, and up to 16 bytes for each arc.
///
/// # Errors
///
/// [`NegativeWeight`] if an arc that leaves a reached vertex has a weight below 0.
///
/// # Panics
///
/// Panics if `root` is not a vertex of the graph.
pub fn serial<V: Vertex>(graph: &WeightedCsr<V>, root: V) -> Result<ShortestPaths, NegativeWeight> {
    let mut distances = vec![UNREACHED; graph.num_vertices()];
    let mut relaxed = 0;
    distances[root.index()] = 0.0;
    // The bits of numbers that are not negative are ordered as the numbers are.
    let mut heap = BinaryHeap::from([Reverse((0_u64, root))]);
    while let Some(Reverse((bits, u))) = heap.pop() {
        look_at(u.index());
        let distance = f64::from_bits(bits);
        if distance > distances[u.index()] {
            continue;
        }
        for (&v, &weight) in graph.row(u).iter().zip(graph.weights(u)) {
            if weight < 0.0 {
                return Err(NegativeWeight::first(graph).expect("one was met"));
            }
            relaxed += 1;
            let longer = distance + f64::from(weight);
            if longer < distances[v.index()] {
                distances[v.index()] = longer;
                heap.push(Reverse((longer.to_bits(), v)));
            }
        }
    }
    Ok(ShortestPaths { distances, delta: 0.0, steps: 0, relaxed })
}
