//! The algorithm of Brandes with a queue, serially, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;
use std::collections::VecDeque;

/// The sum of the dependencies of `sources` on each vertex (Brandes 2001, algorithm 1), neither scaled nor halved.
/// Shares no code with [`betweenness`](super::betweenness()).
///
/// Work: O(n + m) for each source.
///
/// # Panics
///
/// Panics if a source is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, sources: &[G::Vertex]) -> Vec<f64> {
    let n = graph.num_vertices();
    let mut sums = vec![0.0; n];
    let (mut depths, mut paths, mut dependencies) = (vec![usize::MAX; n], vec![0.0; n], vec![0.0; n]);
    let (mut queue, mut stack) = (VecDeque::new(), Vec::with_capacity(n));
    for &source in sources {
        (depths[source.index()], paths[source.index()]) = (0, 1.0);
        queue.push_back(source);
        while let Some(v) = queue.pop_front() {
            stack.push(v);
            for w in graph.neighbors(v) {
                if depths[w.index()] == usize::MAX {
                    depths[w.index()] = depths[v.index()] + 1;
                    queue.push_back(w);
                }
                if depths[w.index()] == depths[v.index()] + 1 {
                    paths[w.index()] += paths[v.index()];
                }
            }
        }
        for &v in stack.iter().rev() {
            for w in graph.neighbors(v) {
                if depths[w.index()] == depths[v.index()] + 1 {
                    dependencies[v.index()] += paths[v.index()] / paths[w.index()] * (1.0 + dependencies[w.index()]);
                }
            }
            if v != source {
                sums[v.index()] += dependencies[v.index()];
            }
        }
        for v in stack.drain(..) {
            (depths[v.index()], paths[v.index()], dependencies[v.index()]) = (usize::MAX, 0.0, 0.0);
        }
    }
    sums
}
