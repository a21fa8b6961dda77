//! Kahn's algorithm, serially, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;
use std::collections::VecDeque;

/// The vertices in a topological order, by the algorithm of Kahn (1962) with a queue; `None` if there is a cycle.
/// Shares no code with [`topological_order`](super::topological_order()).
///
/// Work: O(n + m).
pub fn serial<G: Graph>(graph: &G) -> Option<Vec<G::Vertex>> {
    let n = graph.num_vertices();
    let mut waiting = vec![0_usize; n];
    for v in 0..n {
        graph.neighbors(G::Vertex::new(v)).for_each(|w| waiting[w.index()] += 1);
    }
    let mut queue: VecDeque<_> = (0..n).filter(|&v| waiting[v] == 0).map(G::Vertex::new).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(v) = queue.pop_front() {
        order.push(v);
        for w in graph.neighbors(v) {
            waiting[w.index()] -= 1;
            if waiting[w.index()] == 0 {
                queue.push_back(w);
            }
        }
    }
    (order.len() == n).then_some(order)
}
