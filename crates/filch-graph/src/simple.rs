//! The neighbors of a vertex in the simple graph, without self-loops and without parallel arcs.

use crate::graph::Graph;

/// Replaces `row` by the neighbors of `v` other than `v`, each once, in ascending order. Work: linear in the degree if
/// the row is in order, as in compressed sparse rows.
pub(crate) fn simple_row<G: Graph>(graph: &G, v: G::Vertex, row: &mut Vec<G::Vertex>) {
    row.clear();
    row.extend(graph.neighbors(v).filter(|&u| u != v));
    if !row.is_sorted() {
        row.sort_unstable();
    }
    row.dedup();
}

/// The number of these neighbors.
pub(crate) fn simple_degree<G: Graph>(graph: &G, v: G::Vertex) -> usize {
    // A row that ascends needs no copy.
    let (mut degree, mut last) = (0, None);
    for u in graph.neighbors(v).filter(|&u| u != v) {
        if last > Some(u) {
            let mut row = Vec::new();
            simple_row(graph, v, &mut row);
            return row.len();
        }
        degree += usize::from(last != Some(u));
        last = Some(u);
    }
    degree
}
