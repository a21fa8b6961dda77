//! Checks the two sides of a graph, and odd cycles.

use super::topological_order::verify_cycle;
use super::{Wrong, arcs::for_each_arc};
use crate::graph::Graph;

/// Checks whether every edge has its ends on different sides.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::{verify_odd_cycle, verify_sides};
///
/// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// verify_sides(&path, &[false, true, false])?;
/// assert!(verify_odd_cycle(&path, &[0, 1, 2]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_sides<G: Graph>(graph: &G, sides: &[bool]) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    if sides.len() != count {
        return Err(Wrong::length(sides.len(), "sides", count));
    }
    let mut within = None;
    for_each_arc(graph, |u, w| {
        if sides[u] == sides[w] {
            within.get_or_insert((u, w));
        }
    });
    within.map_or(Ok(()), |(u, w)| Err(Wrong(format!("vertices {u} and {w} are neighbors, and on the same side"))))
}

/// Checks whether these vertices are a cycle of an odd number of edges, which shows that the graph is not bipartite.
///
/// Time: O(n + m), serial. Memory: a byte for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
pub fn verify_odd_cycle<G: Graph>(graph: &G, cycle: &[G::Vertex]) -> Result<(), Wrong> {
    if cycle.len().is_multiple_of(2) {
        return Err(Wrong(format!("the cycle has {} edges: expected an odd number", cycle.len())));
    }
    verify_cycle(graph, cycle)
}
