//! Checks topological orders, levels, and cycles.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Checks whether `order` has each vertex once, and every arc leads to a later one.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_topological_order;
///
/// let graph: Csr = [(2, 0), (0, 1)].into_iter().collect();
/// verify_topological_order(&graph, &[2, 0, 1])?;
/// assert!(verify_topological_order(&graph, &[0, 2, 1]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial. Memory: a word for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_topological_order<G: Graph>(graph: &G, order: &[G::Vertex]) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    if order.len() != count {
        return Err(Wrong::length(order.len(), "places", count));
    }
    let mut places = vec![count; count];
    for (place, v) in order.iter().map(|v| v.index()).enumerate() {
        match places.get_mut(v) {
            None => return Err(Wrong(format!("the order has {v} in place {place}: expected a vertex below {count}"))),
            Some(found) if *found < count => {
                return Err(Wrong(format!("the order has vertex {v} in places {found} and {place}")));
            }
            Some(found) => *found = place,
        }
    }
    let mut wrong = None;
    for_each_arc(graph, |u, w| {
        if places[u] >= places[w] {
            wrong.get_or_insert((u, w));
        }
    });
    wrong.map_or(Ok(()), |(u, w)| Err(Wrong(format!("an arc leads from {u} to {w}, which is not later in the order"))))
}

/// Checks whether the level of each vertex is the number of arcs on the longest path that ends there: one more than the
/// highest level from which an arc leads to it.
///
/// Time: O(n + m), serial. Memory: a word for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_levels<G: Graph>(graph: &G, levels: &[G::Vertex]) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    if levels.len() != count {
        return Err(Wrong::length(levels.len(), "levels", count));
    }
    let mut expected = vec![0; count];
    for_each_arc(graph, |u, w| expected[w] = expected[w].max(levels[u].index() + 1));
    match (0..count).find(|&v| levels[v].index() != expected[v]) {
        None => Ok(()),
        Some(v) => Err(Wrong(format!("the level of vertex {v} is {}: expected {}", levels[v], expected[v]))),
    }
}

/// Checks whether `cycle` is a cycle: no vertex comes twice, and an arc leads from each to the next one, and from the
/// last to the first.
///
/// Time: O(n + m), serial. Memory: a byte for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
pub fn verify_cycle<G: Graph>(graph: &G, cycle: &[G::Vertex]) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    let Some(last) = cycle.last() else {
        return Err(Wrong("a cycle has at least one vertex, and this has none".into()));
    };
    let mut is_seen = vec![false; count];
    for v in cycle.iter().map(|v| v.index()) {
        match is_seen.get_mut(v) {
            None => return Err(Wrong(format!("the cycle has {v}: expected a vertex below {count}"))),
            Some(is_seen) if *is_seen => return Err(Wrong(format!("the cycle has vertex {v} twice"))),
            Some(is_seen) => *is_seen = true,
        }
    }
    for (&u, &w) in [last].into_iter().chain(cycle).zip(cycle) {
        if !graph.neighbors(u).any(|target| target == w) {
            return Err(Wrong(format!("the cycle goes from vertex {u} to {w}, but no arc does")));
        }
    }
    Ok(())
}
