//! Descending: the parent of each vertex is a smaller neighbor. A vertex without one is called a *low*.
//!
//! A parent is smaller than its child, so there is no cycle, regardless of the schedule. This needs neither claims nor
//! barriers: a single pass reads the beginnings of the rows in order. Each low is the root of a tree. If the vertices
//! of a component are numbered by rows or levels, it has one low, and its tree is complete. Where there are several
//! lows, a [sweep](super::sweep) also joins their trees.

use crate::graph::Graph;
use crate::parallel_vec::filled;
use crate::vertex::{AtomicVertex, Vertex};

/// The smaller neighbor of each vertex, or the vertex itself if it has none. `None` if there are several lows with
/// neighbors, whose trees may be in the same component.
///
/// Work: O(n) and reading the beginnings of the rows.
pub(super) fn descend<G: Graph>(graph: &G) -> Option<Vec<<G::Vertex as Vertex>::Atomic>> {
    let lower = |v: G::Vertex| graph.neighbors(v).find(|&w| w < v).unwrap_or(v);
    let parents = filled(graph.num_vertices(), |v| <G::Vertex as Vertex>::Atomic::new(lower(G::Vertex::new(v))));
    let is_low = |v: G::Vertex, parent: G::Vertex| v == parent && graph.neighbors(v).any(|w| w != v);
    let lows = filch::map_reduce(
        (0_usize.., &parents),
        || 0,
        |_, (v, parent)| usize::from(is_low(G::Vertex::new(v), parent.load())),
        |a, b| a + b,
    );
    (lows <= 1).then_some(parents)
}
