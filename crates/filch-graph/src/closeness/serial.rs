//! The distances to each vertex by a search of its own, serially, as a baseline and a reference for tests.

use super::result::Sums;
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::collections::VecDeque;

/// The distances to each of `vertices`, summed up, by a breadth-first search against the arcs from each. Shares no code
/// with [`closeness`](super::closeness()).
///
/// Work: O(n + m) for each vertex.
///
/// # Panics
///
/// Panics if one of them is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, vertices: &[G::Vertex]) -> Vec<Sums> {
    let mut distances = vec![u64::MAX; graph.num_vertices()];
    let mut queue = VecDeque::new();
    let mut sums_of = |vertex: G::Vertex| {
        distances.fill(u64::MAX);
        distances[vertex.index()] = 0;
        queue.push_back(vertex);
        let mut sums = Sums::default();
        while let Some(v) = queue.pop_front() {
            let distance = distances[v.index()] + 1;
            for u in graph.in_neighbors(v) {
                if distances[u.index()] == u64::MAX {
                    distances[u.index()] = distance;
                    sums.vertices += 1;
                    sums.total += distance;
                    sums.harmonic += 1.0 / distance as f64;
                    queue.push_back(u);
                }
            }
        }
        sums
    };
    vertices.iter().map(|&vertex| sums_of(vertex)).collect()
}
