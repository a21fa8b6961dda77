//! Clustering: how often two neighbors of a vertex are neighbors of each other.
//!
//! The local clustering coefficient of a vertex of d neighbors is the number of its triangles divided by d (d - 1) / 2
//! (Watts and Strogatz 1998, "Collective dynamics of small-world networks"). The transitivity of a graph is the same
//! for the pairs of neighbors of all vertices together. As in networkx, the coefficient of a vertex with fewer than two
//! neighbors is 0 and counts for the average. Self-loops and parallel edges do not matter.
//!
//! Triangles are found as by [`triangles`](crate::triangles). They are whole numbers, and what follows from them is
//! added up in the order of the vertices, so everything is the same on any number of workers.

// `serial` is independent. May import: triangles, `Graph` and arrays, not other algorithms, builders or readers.

mod serial;

pub use serial::serial;

use crate::graph::Graph;
use crate::simple::simple_degree;
use crate::triangles::{TrianglesError, triangles_of_each};
use crate::vertex::Vertex;
use crate::watch::Watch;
use filch_algorithms::{reduce, tabulate};

/// A computation of clustering coefficients, as a builder.
#[derive(Clone, Copy)]
pub struct Clustering<'w> {
    watch: &'w dyn Watch,
}

impl Default for Clustering<'_> {
    fn default() -> Self {
        Clustering { watch: &() }
    }
}

/// The triangles and the degree of each vertex of `graph`, as [`Clustering::run`] finds them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::clustering::clustering;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let found = clustering(&graph)?;
/// assert_eq!(found.triangles, [1, 1, 1, 0]);
/// assert_eq!(found.coefficients(), [1.0, 1.0, 1.0 / 3.0, 0.0]);
/// assert_eq!((found.average(), found.transitivity()), (7.0 / 12.0, 0.6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Clustering::run`].
///
/// # Panics
///
/// Panics as [`Clustering::run`] does.
pub fn clustering<G: Graph>(graph: &G) -> Result<Clusters, TrianglesError> {
    Clustering::new().run(graph)
}

impl<'w> Clustering<'w> {
    /// A computation without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: two passes over the vertices to prepare the rows, and one to count.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Clustering { watch }
    }

    /// The triangles and the degree of each vertex of `graph`.
    ///
    /// Work and span: as of [`Triangles::run`](crate::triangles::Triangles::run), and a constant for each triangle.
    /// Memory: as there, and three words for each vertex, two of which are the result.
    ///
    /// # Errors
    ///
    /// [`TrianglesError`]: the graph is directed, or there is not enough memory.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Clusters, TrianglesError> {
        let triangles = triangles_of_each(graph, self.watch)?;
        let degrees = tabulate(graph.num_vertices(), |v| simple_degree(graph, G::Vertex::new(v)));
        Ok(Clusters { triangles, degrees })
    }
}

/// The triangles and the degree of each vertex, from which clustering coefficients follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// The number of triangles that each vertex is in.
    pub triangles: Vec<u64>,
    /// The number of neighbors of each vertex, without itself, each counted once.
    pub degrees: Vec<usize>,
}

impl Clusters {
    /// The local clustering coefficient of each vertex. Work: O(n), in parallel.
    pub fn coefficients(&self) -> Vec<f64> {
        tabulate(self.degrees.len(), |v| share(self.triangles[v], pairs(self.degrees[v])))
    }

    /// The mean of the local clustering coefficients, 0 if there are no vertices. Work: O(n), in parallel.
    pub fn average(&self) -> f64 {
        filch_algorithms::sum(&self.coefficients()) / self.degrees.len().max(1) as f64
    }

    /// The number of all triangles. Work: O(n), in parallel.
    pub fn count(&self) -> u64 {
        filch_algorithms::sum(&self.triangles) / 3
    }

    /// The share of all pairs of neighbors of a vertex that are neighbors of each other: three times the number of
    /// triangles divided by that of these pairs, 0 if there are none. Work: O(n), in parallel.
    pub fn transitivity(&self) -> f64 {
        let all = reduce(&self.degrees, || 0.0, |&degree| pairs(degree), |a, b| a + b);
        share(filch_algorithms::sum(&self.triangles), all)
    }
}

/// The number of pairs of neighbors.
fn pairs(degree: usize) -> f64 {
    degree as f64 * degree.saturating_sub(1) as f64 / 2.0
}

fn share(triangles: u64, pairs: f64) -> f64 {
    if pairs > 0.0 { triangles as f64 / pairs } else { 0.0 }
}
