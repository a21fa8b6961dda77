//! Strongly connected components: the largest sets of vertices in which paths along the arcs lead from each vertex to
//! each other one.
//!
//! Most graphs of any use have either one giant component or none. So the component of a vertex with many arcs in both
//! directions is found first, as the vertices that it reaches and that reach it (Fleischer, Hendrickson and Pınar
//! 2000, "On identifying strongly connected components in parallel"). The two searches go in either direction and read
//! few of the arcs; they are abandoned if the graph is deep. The rest is left to Tarjan's algorithm on one worker or,
//! with many workers, trimmed and coloured (Slota, Rajamanickam and Madduri 2014, "BFS and coloring-based parallel
//! algorithms for strongly connected components"). Nothing is recursive. The label of a vertex is the smallest vertex
//! of its component, so it depends neither on the algorithm nor on the schedule.

// Modules: `algorithm` (the choice) and `result`; `reach`, `trim`, `color` and `tarjan`, none of which imports
// another; `find` (the steps). May import: `Graph`, bitmaps and arrays, not other algorithms, builders or readers.

mod algorithm;
mod color;
mod find;
mod result;
mod tarjan;
mod trim;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use result::{Counts, StrongComponents};
pub use tarjan::serial;

use crate::graph::Graph;
use crate::watch::Watch;

/// The strongly connected components of `graph`, by [`strong_components_by`] with [`Algorithm::Auto`].
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::scc::strong_components;
///
/// let graph: Csr = Csr::builder(5).build(vec![(0, 3), (3, 1), (1, 3), (1, 4)])?;
/// let found = strong_components(&graph);
/// assert_eq!(found.labels(), [0, 1, 2, 1, 4]);
/// assert_eq!(found.count(), 4);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`strong_components_by`] does.
pub fn strong_components<G: Graph>(graph: &G) -> StrongComponents<G::Vertex> {
    strong_components_by(graph, Algorithm::Auto)
}

/// The strongly connected components of `graph`, by the given algorithm. Those of a symmetric graph are its connected
/// components, which [`components`](crate::components::components()) finds faster.
///
/// Work: O(n + m) with [`Algorithm::Tarjan`], and with [`Algorithm::Auto`] on few workers; expected O((n + m) log n)
/// rounds of propagation at most with [`Algorithm::Color`]. Memory: about three vertices and four bits for each vertex
/// and, for the deepest path that Tarjan's algorithm follows, 32 bytes for each of its vertices; with coloring, four
/// vertices and two words for each vertex.
///
/// # Panics
///
/// Panics if the graph has more than `V::MAX_COUNT` - 1 vertices, or if the global pool is needed and cannot be
/// started; see [`filch::run`].
pub fn strong_components_by<G: Graph>(graph: &G, algorithm: Algorithm) -> StrongComponents<G::Vertex> {
    strong_components_watched(graph, algorithm, &())
}

/// The same as [`strong_components_by`], and reports progress to `watch`: one pass, which ends when all vertices have
/// a label.
///
/// # Panics
///
/// Panics as [`strong_components_by`] does, and if `watch` does.
pub fn strong_components_watched<G: Graph>(
    graph: &G,
    algorithm: Algorithm,
    watch: &dyn Watch,
) -> StrongComponents<G::Vertex> {
    find::find(graph, algorithm, watch)
}
