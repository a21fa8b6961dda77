//! Counting triangles: sets of three vertices, each two of which are neighbors.
//!
//! The vertices are ordered, and each triangle is found once, from its last vertex u: for each earlier neighbor v of
//! u, count the earlier neighbors of v that are neighbors of u, which a bitmap shows ("forward" in Schank and Wagner
//! 2005, "Finding, counting and listing all triangles in large graphs"). If vertices of high degree come first, this
//! reads O(m^1.5) arcs; in another order it may be quadratic. So the work that the numbering of the vertices would
//! cause is computed first, and the vertices are renumbered by degree if that pays.

// Modules: `lower` (the earlier neighbors of all vertices), above it `count`, and above that `each` (the triangles of
// each vertex, for `clustering`); `serial` is independent. May import: `Graph`, bitmaps and the builder of rows, not
// other algorithms or readers.

mod count;
mod each;
mod lower;
mod serial;

pub(crate) use each::triangles_of_each;
pub use lower::{Order, ParseOrderError};
pub(crate) use serial::for_each_serially;
pub use serial::serial;

use crate::build::BuildError;
use crate::graph::Graph;
use crate::watch::Watch;

/// The number of triangles of a graph, and how they were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleCount {
    /// The number of triangles.
    pub count: u64,
    /// The order that was used, never [`Order::Auto`].
    pub order: Order,
    /// The number of vertices that were looked up: for each edge, the earlier neighbors of its earlier end.
    pub lookups: u64,
}

/// Why triangles cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrianglesError {
    /// The graph is directed.
    #[error("triangles are counted in undirected graphs, but this graph is directed: symmetrize it first")]
    Directed,
    /// There is not enough memory.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A count of triangles, as a builder.
#[derive(Clone, Copy)]
pub struct Triangles<'w> {
    order: Order,
    watch: &'w dyn Watch,
}

impl Default for Triangles<'_> {
    fn default() -> Self {
        Triangles { order: Order::Auto, watch: &() }
    }
}

/// Counts the triangles of `graph` in the order that seems cheaper, as [`Triangles::run`] does.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::triangles::triangles;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)])?;
/// assert_eq!(triangles(&graph)?.count, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Triangles::run`].
///
/// # Panics
///
/// Panics as [`Triangles::run`] does.
pub fn triangles<G: Graph>(graph: &G) -> Result<TriangleCount, TrianglesError> {
    Triangles::new().run(graph)
}

impl<'w> Triangles<'w> {
    /// A count in the order that seems cheaper.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the vertices.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Triangles { order, ..self }
    }

    /// Reports progress to `watch`: two passes over the vertices to prepare the rows, and one to count.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Triangles { watch, ..self }
    }

    /// Counts the triangles of `graph`. Self-loops and parallel edges do not matter: the triangles are those of the
    /// simple graph.
    ///
    /// Work: [`TriangleCount::lookups`] and sorting the rows, which is O(m^1.5) with [`Order::Degree`] and, up to a
    /// constant factor, with [`Order::Auto`]. Span: about the degree of a vertex times a logarithm. Memory: a word for
    /// each vertex, a vertex for each edge, and a bit for each vertex and worker; two more words for each vertex if
    /// they are renumbered.
    ///
    /// # Errors
    ///
    /// [`TrianglesError`]: the graph is directed, or there is not enough memory.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<TriangleCount, TrianglesError> {
        if !graph.is_symmetric() {
            return Err(TrianglesError::Directed);
        }
        let lower = lower::lower(graph, self.order, self.watch)?;
        let count = count::count(&lower.rows, self.watch);
        Ok(TriangleCount { count, order: lower.order, lookups: lower.lookups })
    }
}
