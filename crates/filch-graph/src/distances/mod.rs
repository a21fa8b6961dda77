//! Distances from many vertices: a row for each of them, with the distance of every vertex.
//!
//! Without weights, up to 64 breadth-first searches share a pass over the arcs, with a bit for each of them at every
//! vertex (Then et al. 2014, "The more the merrier: efficient multi-source graph traversal"), and workers share the
//! batches. With weights, workers share the searches of [`sssp`](crate::sssp). Distances do not depend on the number of
//! workers or on the schedule.

// Modules: `serial` is independent. The searches are in `sets` and in `sssp`. May import: these and `bfs`, not builders
// or readers.

mod serial;

pub use crate::bfs::UNREACHED;
pub use serial::serial;

use crate::graph::{Graph, WeightedGraph};
use crate::sets::{MOST, Many, Visit, ones};
use crate::sssp::{Sssp, SsspError};
use crate::vertex::{Vertex, expect_vertices};
use crate::watch::{Pass, Watch};
use crate::weight::Weight;
use filch_algorithms::{flatten, tabulate};

/// Searches from many vertices, as a builder.
#[derive(Clone, Copy)]
pub struct Distances<'w> {
    watch: &'w dyn Watch,
}

impl Default for Distances<'_> {
    fn default() -> Self {
        Distances { watch: &() }
    }
}

/// The number of arcs on the way from each of `sources` to every vertex, as [`Distances::run`] finds it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::distances::{UNREACHED, distances};
///
/// let graph: Csr = Csr::builder(4).build([(0, 1), (1, 2)])?;
/// let found = distances(&graph, &[0, 1]);
/// assert_eq!((found.row(0), found.row(1)), (&[0, 1, 2, UNREACHED][..], &[UNREACHED, 0, 1, UNREACHED][..]));
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`Distances::run`] does.
pub fn distances<G: Graph>(graph: &G, sources: &[G::Vertex]) -> Matrix<u32> {
    Distances::new().run(graph, sources)
}

impl<'w> Distances<'w> {
    /// Searches without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: one pass over the sources.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Distances { watch }
    }

    /// The number of arcs on the way from each of `sources` to every vertex. A source may be there several times.
    ///
    /// Work: O(n + m) for each source at most; for each batch of 64, the arcs that leave a vertex are followed as often
    /// as its distances differ, at most 64 times and often a few. Span: that of a batch, which one worker searches.
    /// With fewer than 64 sources for each worker, batches are smaller. Memory: 24 bytes and two vertices for each
    /// vertex and worker; the result has 4 bytes for each vertex and source.
    ///
    /// # Panics
    ///
    /// Panics if a source is not a vertex of the graph, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G, sources: &[G::Vertex]) -> Matrix<u32> {
        let n = graph.num_vertices();
        expect_vertices("source", sources, n);
        self.watch.begin(Pass::new("searching", "vertices", sources.len()));
        let mut values = tabulate(n.checked_mul(sources.len()).expect("memory for all rows"), |_| UNREACHED);
        let size = sources.len().div_ceil(filch::num_workers()).clamp(1, MOST);
        let batches = (filch::chunks(sources, size), filch::chunks_mut(&mut values, size * n.max(1)));
        filch::for_each_with(
            || Many::new(n),
            batches,
            |_, search, (sources, rows)| {
                search.run::<G, false>(graph, sources, &mut Rows { rows, columns: n });
                self.watch.advance(sources.len());
            },
        );
        Matrix { columns: n, values }
    }

    /// The length of the shortest path from each of `sources` to every vertex, as [`Sssp::run`] finds it.
    ///
    /// Work, for each source: that of [`Sssp::run`]. Span: that of the longest search. Memory: a distance for each
    /// vertex and source, while they are put together twice as much, and that of a search for each worker.
    ///
    /// ```
    /// use filch_graph::Csr;
    /// use filch_graph::distances::Distances;
    ///
    /// let roads: Csr<u32, u32> = Csr::builder(3).symmetrize(true).build_weighted([(0, 1, 7), (1, 2, 2)])?;
    /// let found = Distances::new().run_weighted(&roads, &[0, 1, 2])?;
    /// assert_eq!(found.into_values(), [0, 7, 9, 7, 0, 2, 9, 2, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SsspError`] of the first source whose search fails.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub fn run_weighted<G: WeightedGraph>(
        self,
        graph: &G,
        sources: &[G::Vertex],
    ) -> Result<Matrix<<G::Weight as Weight>::Distance>, SsspError<G::Weight>> {
        let n = graph.num_vertices();
        expect_vertices("source", sources, n);
        self.watch.begin(Pass::new("searching", "vertices", sources.len()));
        let search = |at: usize| {
            let found = Sssp::new().run(graph, sources[at]);
            self.watch.advance(1);
            found.map(|found| found.distances)
        };
        let rows: Vec<_> = tabulate(sources.len(), search).into_iter().collect::<Result<_, _>>()?;
        Ok(Matrix { columns: n, values: flatten(rows) })
    }
}

/// A row for each source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix<D> {
    columns: usize,
    values: Vec<D>,
}

impl<D> Matrix<D> {
    /// The distances from a source, by its place in the list of the sources.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many sources.
    pub fn row(&self, source: usize) -> &[D] {
        &self.values[source * self.columns..][..self.columns]
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[D] {
        &self.values
    }

    /// Converts this into the vector of all rows, one after the other.
    pub fn into_values(self) -> Vec<D> {
        self.values
    }
}

/// The rows of a batch.
struct Rows<'r> {
    rows: &'r mut [u32],
    columns: usize,
}

impl<V: Vertex> Visit<V> for Rows<'_> {
    #[inline(always)]
    fn reach(&mut self, distance: u64, v: V, searches: u64) {
        // There are at most as many arcs on a way as vertices that 32 bits can number, or memory for rows.
        ones(searches).for_each(|search| self.rows[search * self.columns + v.index()] = distance as u32);
    }
}
