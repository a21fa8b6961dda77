//! Shortest paths from a vertex, or from the nearest of several.
//!
//! The search is delta-stepping (Meyer and Sanders 2003, "Δ-stepping: a parallelizable shortest path algorithm"), with
//! the bucket fusion of Zhang, Brahmakshatriya, Chen, Dhulipala, Kamil, Amarasinghe and Shun (2020, "Optimizing ordered
//! graph algorithms with GraphIt", section 3): vertices wait in buckets by their distance, and the vertices of the
//! lowest bucket are processed in parallel. A bucket of few vertices is processed by one worker.

// Modules, from the bottom up: `error`, `result`, `bins` (the buckets) and `predecessors`, and above them `search`;
// `serial` is independent. May import: weighted graphs and `Watch`, not other algorithms, builders or readers.

mod bins;
mod error;
mod predecessors;
mod result;
mod search;
mod serial;

pub use error::SsspError;
pub use result::{ShortestPaths, UNREACHED};
pub use serial::serial;

use crate::choose::tuning::SMALL;
use crate::graph::WeightedGraph;
use crate::vertex::{Vertex, expect_vertices};
use crate::watch::{Pass, Watch};
use crate::weight::{Distance, Weight};
use predecessors::predecessors;
use result::Found;

/// A search for shortest paths, as a builder.
#[derive(Clone, Copy)]
pub struct Sssp<'w, V = u32, D = f64> {
    delta: Option<f64>,
    limit: Option<D>,
    targets: &'w [V],
    predecessors: bool,
    watch: &'w dyn Watch,
}

impl<V, D> Default for Sssp<'_, V, D> {
    fn default() -> Self {
        Sssp { delta: None, limit: None, targets: &[], predecessors: false, watch: &() }
    }
}

/// Finds the distance of every vertex from `root`, as [`Sssp::run`] does with the default options.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::sssp::{UNREACHED, sssp};
///
/// let roads = Csr::builder(4).build_weighted(vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)])?;
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
pub fn sssp<G: WeightedGraph>(graph: &G, root: G::Vertex) -> Found<G> {
    Sssp::new().run(graph, root)
}

impl<'w, V: Vertex, D: Distance> Sssp<'w, V, D> {
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

    /// Finds only vertices at most this far away. The others are [unreached](Distance::UNREACHED), and their arcs are
    /// not followed.
    ///
    /// ```
    /// use filch_graph::{Csr, sssp::Sssp};
    ///
    /// let path: Csr<u32, u64> = Csr::builder(3).build_weighted([(0, 1, 5), (1, 2, 5)])?;
    /// assert_eq!(Sssp::new().limit(9).run(&path, 0)?.distances, [0, 5, u64::MAX]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if it is below 0 or not a number.
    #[must_use]
    pub fn limit(self, limit: D) -> Self {
        assert!(limit >= D::ZERO, "the limit must be a distance of at least 0, found {limit}");
        // -0 has other bits.
        Sssp { limit: Some(if limit == D::ZERO { D::ZERO } else { limit }), ..self }
    }

    /// Ends when the distances of all these vertices are known. Vertices that are farther away than the farthest of
    /// them are then [unreached](Distance::UNREACHED). If one cannot be reached, this has no effect.
    ///
    /// ```
    /// use filch_graph::{Csr, sssp::Sssp};
    ///
    /// let path: Csr<u32, u32> = Csr::builder(4).build_weighted([(0, 1, 5), (1, 2, 5), (2, 3, 5)])?;
    /// assert_eq!(Sssp::new().targets(&[1]).run(&path, 0)?.distances, [0, 5, u64::MAX, u64::MAX]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn targets(self, targets: &'w [V]) -> Self {
        Sssp { targets, ..self }
    }

    /// Whether [`predecessors`](ShortestPaths::predecessors) are found, too, which [`path_to`](ShortestPaths::path_to)
    /// needs. This is a pass over the arcs at the end.
    #[must_use]
    pub fn predecessors(self, predecessors: bool) -> Self {
        Sssp { predecessors, ..self }
    }

    /// Reports progress to `watch`: one pass, in which a vertex counts when a path to it has been found, and vertices
    /// to which there is none at the end. After an error, the pass is not complete.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Sssp { watch, ..self }
    }

    /// Finds the distance of every vertex from `root`: the least sum of the weights of the arcs of a path.
    ///
    /// Weights are added from the root on, in the [type of distances](Weight::Distance), and the result does not depend
    /// on the schedule. With whole weights it is exact. With `f32` and `f64` it is exact if all weights are whole
    /// numbers and the distances are below 2^53; otherwise it is the least of the rounded sums.
    ///
    /// Work: O(n + m) for random weights and a suitable `delta` (Meyer and Sanders 2003, section 4), and in the worst
    /// case, as for all algorithms of this family, much more. Span: the number of steps times the length of the longest
    /// row. Memory: eight bytes for each vertex, which is the result, and the vertices that wait, some of them several
    /// times; a vertex more for each vertex with [`predecessors`](Self::predecessors).
    ///
    /// # Errors
    ///
    /// [`SsspError::NegativeWeight`] if an arc that leaves a reached vertex has a weight below 0, and
    /// [`SsspError::Overflow`] if a vertex can be reached, but its distance is beyond what the type can count.
    ///
    /// # Panics
    ///
    /// Panics if `root` or a target is not a vertex of the graph, or if the global pool is needed and cannot be
    /// started; see [`filch::run`].
    pub fn run<G>(self, graph: &G, root: V) -> Found<G>
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        self.run_from(graph, &[root])
    }

    /// Finds the distance of every vertex from the nearest of these sources, as [`run`](Self::run) does from one.
    ///
    /// ```
    /// use filch_graph::{Csr, sssp::Sssp};
    ///
    /// let path: Csr<u32, u32> = Csr::builder(4).symmetrize(true).build_weighted([(0, 1, 5), (1, 2, 5), (2, 3, 5)])?;
    /// let found = Sssp::new().predecessors(true).run_from(&path, &[0, 3])?;
    /// assert_eq!(found.distances, [0, 5, 5, 0]);
    /// assert_eq!(found.path_to(2), Some(vec![3, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn run_from<G>(self, graph: &G, sources: &[V]) -> Found<G>
    where
        G: WeightedGraph<Vertex = V>,
        G::Weight: Weight<Distance = D>,
    {
        let Sssp { delta, limit, targets, predecessors: has_predecessors, watch } = self;
        let n = graph.num_vertices();
        expect_vertices("source", sources, n);
        expect_vertices("target", targets, n);
        watch.begin(Pass::new("reaching", "vertices", n));
        let is_small = n.saturating_add(graph.num_arcs()) < SMALL;
        let mut found = match (sources, targets, limit, delta) {
            (&[root], [], None, None) if is_small => {
                let found = serial(graph, root)?;
                watch.advance(n);
                found
            }
            _ => search::run(graph, sources, search::Options { delta, limit, targets }, watch)?,
        };
        if has_predecessors {
            found.predecessors = predecessors(graph, &found.distances, sources);
        }
        Ok(found)
    }
}
