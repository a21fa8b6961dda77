//! A search from each source, serially, as a baseline and a reference for tests.

use super::{Matrix, UNREACHED};
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::collections::VecDeque;

/// The distances from each of `sources`, a row for each, by a breadth-first search with a queue. Shares no code with
/// [`distances`](super::distances()).
///
/// Work: O(n + m) for each source.
///
/// # Panics
///
/// Panics if a source is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, sources: &[G::Vertex]) -> Matrix<u32> {
    let mut queue = VecDeque::new();
    let mut row = |source: &G::Vertex| {
        let mut distances = vec![UNREACHED; graph.num_vertices()];
        distances[source.index()] = 0;
        queue.push_back(*source);
        while let Some(v) = queue.pop_front() {
            for w in graph.neighbors(v) {
                if distances[w.index()] == UNREACHED {
                    distances[w.index()] = distances[v.index()] + 1;
                    queue.push_back(w);
                }
            }
        }
        distances
    };
    Matrix { columns: graph.num_vertices(), values: sources.iter().flat_map(&mut row).collect() }
}
