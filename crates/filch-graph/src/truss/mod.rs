//! The trussness of each edge: the largest k for which the edge is in the k-truss, the largest subgraph in which every
//! edge is in at least k - 2 triangles (Cohen 2008, "Trusses: cohesive subgraphs for social network analysis").
//!
//! Edges are peeled in levels, as vertices are for cores (Kabir and Madduri 2017, "Parallel k-truss decomposition on
//! multicore systems"). The support of an edge is the number of triangles that are left with it. Level k removes the
//! edges whose support is k, and those whose support becomes k because of that, in rounds. In a round, workers share
//! the edges. A triangle that has several edges of the round is removed by the one with the lowest number, so that the
//! support of its other edges is decremented once. Trussness depends on nothing but the graph, so it is the same on any
//! number of workers.

// Modules, from the bottom up: `rows` (neighbors with numbers of edges), `support`, `peel`; `serial` is independent.
// May import: peeling, the builder of rows, `Graph` and bitmaps, not other algorithms or readers.

mod peel;
mod rows;
mod serial;
mod support;

pub use serial::serial;

use crate::graph::Graph;
use crate::triangles::TrianglesError;
use crate::vertex::Vertex;
use crate::watch::Watch;
use rows::EdgeRows;

/// A computation of trussness, as a builder.
#[derive(Clone, Copy)]
pub struct Truss<'w> {
    watch: &'w dyn Watch,
}

impl Default for Truss<'_> {
    fn default() -> Self {
        Truss { watch: &() }
    }
}

/// The trussness of each edge of `graph`, as [`Truss::run`] finds it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::truss::truss;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let found = truss(&graph)?;
/// assert_eq!(found.edges, [(0, 1), (0, 2), (1, 2), (2, 3)]);
/// assert_eq!(found.trussness, [3, 3, 3, 2]);
/// assert!(found.truss(3).eq([(0, 1), (0, 2), (1, 2)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Truss::run`].
///
/// # Panics
///
/// Panics as [`Truss::run`] does.
pub fn truss<G: Graph>(graph: &G) -> Result<Trussness<G::Vertex>, TrianglesError> {
    Truss::new().run(graph)
}

impl<'w> Truss<'w> {
    /// A computation without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: two passes over the vertices to prepare the rows, one to count triangles, and one
    /// over the edges, which ends when all have been peeled.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Truss { watch }
    }

    /// The trussness of each edge of `graph`. Self-loops are no edges here, and parallel edges count once.
    ///
    /// Work: for each edge twice the lower degree of its ends, in total O(m^1.5), the second time with the logarithm of
    /// the ratio of the degrees. Each level also reads the supports of the edges that are left, which adds up to the
    /// sum of all trussness values. Span: the number of rounds times the longest row. Memory: two vertices and two
    /// numbers of edges for each edge, and 13 bytes and a number, and a bit for each vertex and worker.
    ///
    /// # Errors
    ///
    /// [`TrianglesError`]: the graph is directed, or there is not enough memory.
    ///
    /// # Panics
    ///
    /// Panics if there are 2^64 - 1 edges, or if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Trussness<G::Vertex>, TrianglesError> {
        if !graph.is_symmetric() {
            return Err(TrianglesError::Directed);
        }
        // Numbers of edges of 32 bits, if that is enough, take half the memory.
        if graph.num_arcs() < u32::MAX as usize {
            self.run_with::<G, u32>(graph)
        } else {
            self.run_with::<G, u64>(graph)
        }
    }

    fn run_with<G: Graph, E: Vertex>(self, graph: &G) -> Result<Trussness<G::Vertex>, TrianglesError> {
        let rows = EdgeRows::<G::Vertex, E>::new(graph, self.watch)?;
        let edges = rows.edges();
        let supports = support::supports(&rows, edges.len(), self.watch);
        let trussness = peel::peel(rows, &edges, supports, self.watch);
        Ok(Trussness { edges, trussness })
    }
}

/// The trussness of each edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trussness<V = u32> {
    /// The edges, each as its ends in ascending order, in the order of these pairs.
    pub edges: Vec<(V, V)>,
    /// For each of them, the largest k for which it is in the k-truss: at least 2.
    pub trussness: Vec<u32>,
}

impl<V: Vertex> Trussness<V> {
    /// The largest trussness, or `None` if the graph has no edges. Work: O(m), serial.
    pub fn max(&self) -> Option<u32> {
        self.trussness.iter().copied().max()
    }

    /// The number of edges of each trussness, from 0 to the largest. Work: O(m), serial.
    pub fn histogram(&self) -> Vec<usize> {
        let mut counts = vec![0; self.max().map_or(0, |most| most as usize + 1)];
        for &trussness in &self.trussness {
            counts[trussness as usize] += 1;
        }
        counts
    }

    /// The edges of the k-truss.
    pub fn truss(&self, k: u32) -> impl Iterator<Item = (V, V)> + '_ {
        self.edges.iter().zip(&self.trussness).filter(move |&(_, &trussness)| trussness >= k).map(|(&edge, _)| edge)
    }
}
