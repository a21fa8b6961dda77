//! The serial traversal with a stack, the baseline for the other algorithms.

use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// The parents of a spanning forest of `graph`, by a serial traversal with a stack (Yasugi, Hiraishi, Umatani and Yuasa
/// 2012, figure 3). The roots are the smallest vertices of the components.
///
/// Work: O(n + m). If neighbors have distant numbers, most of the time is spent waiting for memory. Memory: the result,
/// and a stack of at most the same size.
///
/// ```
/// # let graph: filch_graph::Csr = filch_graph::Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// assert_eq!(filch_graph::forest::serial(&graph), [0, 0, 1, 3]);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
pub fn serial<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    serial_from(graph, None)
}

/// The same, with `first` as the root of its tree.
pub(super) fn serial_from<G: Graph>(graph: &G, first: Option<G::Vertex>) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    let mut parents = vec![G::Vertex::NONE; n];
    let mut stack = Vec::new();
    for root in first.into_iter().chain((0..n).map(G::Vertex::new)) {
        look_at(root.index());
        if parents[root.index()] != G::Vertex::NONE {
            continue;
        }
        parents[root.index()] = root;
        stack.push(root);
        while let Some(v) = stack.pop() {
            look_at(v.index());
            for w in graph.neighbors(v) {
                if parents[w.index()] == G::Vertex::NONE {
                    parents[w.index()] = v;
                    stack.push(w);
                }
            }
        }
    }
    parents
}
