//! Iteration over all arcs.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// Calls `visit(u, w)` for each arc from `u` to `w`.
pub(super) fn for_each_arc<G: Graph>(graph: &G, mut visit: impl FnMut(usize, usize)) {
    for u in 0..graph.num_vertices() {
        for w in graph.neighbors(G::Vertex::new(u)) {
            visit(u, w.index());
        }
    }
}
