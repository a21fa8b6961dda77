//! The greedy loop, serially, as a baseline and a reference for tests.

use super::draws;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// The maximal independent set of a symmetric graph that is found by a loop through the vertices in the order of the
/// seed, in ascending order. Shares no code with [`maximal_independent_set`](super::maximal_independent_set()) but the
/// order.
///
/// Work: O(n log n + m). The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G, seed: u64) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    let draws = draws(seed);
    let mut order: Vec<_> = (0..n).map(|v| (draws.at(v as u64), G::Vertex::new(v))).collect();
    order.sort_unstable();
    let (mut is_out, mut set) = (vec![false; n], Vec::new());
    for (_, v) in order {
        if !is_out[v.index()] {
            set.push(v);
            graph.neighbors(v).for_each(|u| is_out[u.index()] = true);
        }
    }
    set.sort_unstable();
    set
}
