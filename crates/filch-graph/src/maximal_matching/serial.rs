//! The greedy loop, serially, as a baseline and a reference for tests.

use super::Order;
use crate::graph::Graph;
use crate::vertex::Vertex;
use filch_algorithms::memory::with_room;

/// The maximal matching of a symmetric graph that is found by a loop through the edges in the order of the seed: the
/// other end of the edge of each vertex, [`Vertex::NONE`] if it has none. Shares no code with
/// [`maximal_matching`](super::maximal_matching()) but the order.
///
/// Work: O(n + m log m). The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G, seed: u64) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    let order = Order::new(seed);
    let mut edges = with_room(graph.num_arcs() / 2).unwrap_or_default();
    for v in (0..n).map(G::Vertex::new) {
        edges.extend(graph.neighbors(v).filter(|&u| v < u).map(|u| order.place(v, u)));
    }
    edges.sort_unstable();
    let mut mates = vec![G::Vertex::NONE; n];
    for (_, u, v) in edges {
        if mates[u.index()] == G::Vertex::NONE && mates[v.index()] == G::Vertex::NONE {
            (mates[u.index()], mates[v.index()]) = (v, u);
        }
    }
    mates
}
