//! The plain serial traversal with a stack, which everything else is compared with.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// The parents of a spanning forest of `graph`, by the plain traversal with a stack (tascell-graphs.txt, figure 3),
/// from the smallest vertex of each component.
///
/// Work: O(n + m), most of it spent waiting for memory where neighbours have distant numbers. Memory: the result, and
/// the stack, up to as large.
///
/// ```
/// # let graph: filch_graph::Csr = filch_graph::Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// assert_eq!(filch_graph::forest::serial(&graph), [0, 0, 1, 3]);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
pub fn serial<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    serial_from(graph, None)
}

/// The same, `first` before all others.
pub(super) fn serial_from<G: Graph>(graph: &G, first: Option<G::Vertex>) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    let mut parents = vec![G::Vertex::NONE; n];
    let mut stack = Vec::new();
    for root in first.into_iter().chain((0..n).map(G::Vertex::new)) {
        if parents[root.index()] != G::Vertex::NONE {
            continue;
        }
        parents[root.index()] = root;
        stack.push(root);
        while let Some(v) = stack.pop() {
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
