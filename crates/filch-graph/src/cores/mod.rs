//! The coreness of each vertex: the largest k for which the vertex is in the k-core, the largest subgraph in which
//! every vertex has at least k neighbors (Seidman 1983, "Network structure and minimum degree").
//!
//! The vertices are peeled in levels (Kabir and Madduri 2017, "Parallel k-core decomposition on multicore platforms").
//! Level k removes the vertices that have k neighbors left, and those that have no more than k left because of that. A
//! level with few vertices is peeled by one worker with a stack, and shared as soon as it grows.

// Modules: `result` and above it `peel`; `serial` is independent. May import: `Graph` and arrays, not other
// algorithms, builders or readers.

mod peel;
mod result;
mod serial;

pub use result::Cores;
pub use serial::serial;

use crate::graph::Graph;
use crate::watch::Watch;

/// The graph is directed, so there are no k-cores in the usual sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("k-cores are those of undirected graphs, but this graph is directed: symmetrize it first")]
pub struct DirectedError;

/// The coreness of each vertex of `graph`. Self-loops do not count. A neighbor counts as often as there are edges to
/// it.
///
/// Work: O(n + m). Every arc is followed once. Each level also reads the degrees of the vertices that are left, which
/// adds up to the sum of all coreness values. Span: the number of levels, plus the longest chain in which the removal
/// of a vertex causes that of the next. Memory: at most three vertices and 4 bytes for each vertex.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::cores::cores;
///
/// let graph: Csr = Csr::builder(5).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let found = cores(&graph)?;
/// assert_eq!(found.coreness, [2, 2, 2, 1, 0]);
/// assert_eq!((found.degeneracy(), found.histogram()), (Some(2), vec![1, 1, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`DirectedError`] if the graph is directed.
///
/// # Panics
///
/// Panics if a degree does not fit in 32 bits, or if the global pool is needed and cannot be started; see
/// [`filch::run`].
pub fn cores<G: Graph>(graph: &G) -> Result<Cores, DirectedError> {
    cores_watched(graph, &())
}

/// The same as [`cores`], and reports progress to `watch`: one pass, which ends when all vertices have been peeled.
///
/// # Errors
///
/// As for [`cores`].
///
/// # Panics
///
/// Panics as [`cores`] does, and if `watch` does.
pub fn cores_watched<G: Graph>(graph: &G, watch: &dyn Watch) -> Result<Cores, DirectedError> {
    if graph.is_symmetric() { Ok(peel::run(graph, watch)) } else { Err(DirectedError) }
}
