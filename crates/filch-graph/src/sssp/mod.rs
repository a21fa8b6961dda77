//! Shortest paths from one vertex.
//!
//! The search is delta-stepping (Meyer and Sanders 2003, "Δ-stepping: a parallelizable shortest path algorithm"), with
//! the bucket fusion of Zhang, Brahmakshatriya, Chen, Dhulipala, Kamil, Amarasinghe and Shun (2020, "Optimizing ordered
//! graph algorithms with GraphIt", section 3): vertices wait in buckets by their distance, and the vertices of the
//! lowest bucket are processed in parallel.

// Modules: `result` and `bins` (the buckets), and above them `search`; `serial` is independent. May import: weighted
// rows and `Watch`, not other algorithms, builders or readers.

mod bins;
mod result;
mod search;
mod serial;

pub use result::{NegativeWeight, ShortestPaths, UNREACHED};
pub use serial::serial;

use crate::choose::tuning::SMALL;
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};

/// A search for shortest paths, as a builder.
#[derive(Clone, Copy)]
pub struct Sssp<'w> {
    delta: Option<f64>,
    watch: &'w dyn Watch,
}

impl Default for Sssp<'_> {
    fn default() -> Self {
        Sssp { delta: None, watch: &() }
    }
}

/// Finds the distance of every vertex from `root`, as [`Sssp::run`] does with the default options.
///
/// ```
/// use filch_graph::sssp::{UNREACHED, sssp};
/// use filch_graph::{Csr, WeightedCsr};
///
/// let roads: WeightedCsr = Csr::builder(4).build_weighted(vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)])?;
/// let found = sssp(&roads, 0)?;
/// assert_eq!(found.distances, [0.0, 4.5, 2.0, UNREACHED]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Sssp::run`].
///
/// # Panics
///
/// Panics as [`Sssp::run`] does.
pub fn sssp<V: Vertex>(graph: &WeightedCsr<V>, root: V) -> Result<ShortestPaths, NegativeWeight> {
    Sssp::new().run(graph, root)
}

impl<'w> Sssp<'w> {
    /// A search with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The width of a bucket. Small widths save relaxing arcs that are relaxed again later, large ones give more
    /// parallelism. By default, it follows from the weights and the number of arcs per vertex.
    ///
    /// # Panics
    ///
    /// Panics if it is not a number above 0.
    #[must_use]
    pub fn delta(self, delta: f64) -> Self {
        assert!(delta > 0.0 && delta.is_finite(), "delta must be a number above 0, found {delta}");
        Sssp { delta: Some(delta), ..self }
    }

    /// Reports progress to `watch`: one pass, in which a vertex counts when a path to it has been found, and vertices
    /// to which there is none at the end. After an error, the pass is not complete.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Sssp { watch, ..self }
    }

    /// Finds the distance of every vertex from `root`: the least sum of the weights of the arcs of a path.
    ///
    /// Weights are added in 64 bits from the root on, and the result does not depend on the schedule. It is exact if
    /// all weights are whole numbers and the distances are below 2^53. Otherwise it is the least of the rounded sums.
    ///
    /// Work: O(n + m) for random weights and a suitable `delta` (Meyer and Sanders 2003, section 4), and in the worst
    /// case, as for all algorithms of this family, much more. Span: the number of steps times the length of the longest
    /// row. Memory: eight bytes for each vertex, which is the result, and the vertices that wait, some of them several
    /// times.
    ///
    /// # Errors
    ///
    /// [`NegativeWeight`] if an arc that leaves a reached vertex has a weight below 0.
    ///
    /// # Panics
    ///
    /// Panics if `root` is not a vertex of the graph, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<V: Vertex>(self, graph: &WeightedCsr<V>, root: V) -> Result<ShortestPaths, NegativeWeight> {
        let Sssp { delta, watch } = self;
        let n = graph.num_vertices();
        assert!(root.index() < n, "the root is vertex {root}, but the graph has only {n} vertices");
        watch.begin(Pass::new("reaching", "vertices", n));
        if delta.is_none() && n + graph.num_arcs() < SMALL {
            let found = serial(graph, root)?;
            watch.advance(n);
            return Ok(found);
        }
        search::run(graph, root, delta, watch)
    }
}
