//! Building compressed sparse rows from edges, in parallel.
//!
//! A scatter of arcs straight to their rows writes each to another page and waits for an atomic addition each time. So
//! there are two steps ([`buckets`], [`rows`]): arcs go to some hundred buckets by their sources, then each bucket is
//! ordered within the cache. Blocks of edges and buckets of arcs are what workers share; nothing is written by two of
//! them.

mod buckets;
mod derive;
mod formula;
mod rows;
mod source;

pub use derive::RelabelError;
pub(crate) use formula::rows_by_formula;
pub(crate) use source::{Flipped, Formula, Parts, Source};

use crate::csr::Rows;
use crate::{Csr, Vertex, Watch, memory};
use std::marker::PhantomData;

/// Why a graph cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An edge names a vertex that is not there. Of several, the first one is named.
    #[error("edge {edge} (from 0) names vertex {vertex}, but there are {num_vertices} vertices")]
    VertexOutOfRange {
        /// Which edge, counted from 0.
        edge: usize,
        /// The vertex, in it.
        vertex: usize,
        /// How many there are.
        num_vertices: usize,
    },
    /// The type of vertices has too few numbers.
    #[error("a graph of {num_vertices} vertices needs a wider type for them: this one counts to {max}")]
    TooManyVertices {
        /// How many vertices were asked for.
        num_vertices: usize,
        /// How many the type can count.
        max: usize,
    },
    /// There is not enough memory.
    #[error("no memory for {num_items} items of {item_bytes} bytes")]
    OutOfMemory {
        /// How many items were to be stored.
        num_items: usize,
        /// How long each of them is, in bytes.
        item_bytes: usize,
    },
}

/// How edges become a graph; see [`Csr::builder`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a builder does nothing until it builds"]
pub struct CsrBuilder<V = u32> {
    num_vertices: usize,
    symmetrize: bool,
    assume_symmetric: bool,
    rules: Rules,
    vertex: PhantomData<fn() -> V>,
}

/// What is left out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) remove_duplicates: bool,
    pub(crate) remove_self_loops: bool,
}

impl Rules {
    /// No edge twice, and none from a vertex to itself.
    pub(crate) const SIMPLE: Rules = Rules { remove_duplicates: true, remove_self_loops: true };
    /// Edges as they are.
    pub(crate) const ALL: Rules = Rules { remove_duplicates: false, remove_self_loops: false };
}

impl<V: Vertex> Csr<V> {
    /// Begins a graph of vertices 0 to `num_vertices - 1`.
    ///
    /// ```
    /// use filch_graph::{Csr, Graph};
    ///
    /// let roads = vec![(0, 1), (1, 2), (2, 1), (3, 3)];
    /// let graph: Csr = Csr::builder(4).symmetrize(true).remove_duplicates(true).remove_self_loops(true).build(roads)?;
    /// assert_eq!((graph.num_vertices(), graph.num_arcs()), (4, 4));
    /// assert_eq!(graph.row(1), [0, 2]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    pub fn builder(num_vertices: usize) -> CsrBuilder<V> {
        let rules = Rules::ALL;
        CsrBuilder { num_vertices, symmetrize: false, assume_symmetric: false, rules, vertex: PhantomData }
    }
}

impl<V: Vertex> CsrBuilder<V> {
    /// Whether an edge from u to v leads from v to u, too. Then the graph is undirected; each edge is stored as two
    /// arcs, but a self-loop as one. If not, which is the default, the graph is directed, and each arc is stored at
    /// both of its ends.
    pub fn symmetrize(mut self, symmetrize: bool) -> Self {
        self.symmetrize = symmetrize;
        self
    }

    /// Whether to believe, without a look, that each edge's reverse is among the edges, so that arcs need not be stored
    /// at the vertices that they lead to. If that is not so, [`in_neighbors`](crate::Graph::in_neighbors) does not
    /// tell the truth, and algorithms come to wrong results. Says nothing beside [`symmetrize`](Self::symmetrize).
    pub fn assume_symmetric(mut self, assume_symmetric: bool) -> Self {
        self.assume_symmetric = assume_symmetric;
        self
    }

    /// Whether of several arcs from one vertex to another, one is kept (default: all).
    pub fn remove_duplicates(mut self, remove_duplicates: bool) -> Self {
        self.rules.remove_duplicates = remove_duplicates;
        self
    }

    /// Whether edges from a vertex to itself are left out (default: kept).
    pub fn remove_self_loops(mut self, remove_self_loops: bool) -> Self {
        self.rules.remove_self_loops = remove_self_loops;
        self
    }

    /// Builds the graph, in parallel. The neighbours of a vertex are in ascending order, so it is the same graph in
    /// whatever order the edges come, and on however many workers.
    ///
    /// Work: O(n + m log d) for m edges and d the largest degree. Span: that of the largest bucket of sources, of which
    /// there are some hundred, so one vertex with most of the edges is ordered by one worker. Memory, in vertices:
    /// four for each edge and two for the edge itself, which is freed half-way; the finished graph has two for each
    /// edge.
    ///
    /// # Errors
    ///
    /// [`BuildError`]: a vertex out of range, more vertices than `V` counts, or not enough memory.
    pub fn build(self, edges: Vec<(V, V)>) -> Result<Csr<V>, BuildError> {
        self.build_parts(vec![edges])
    }

    /// [`build`](Self::build) from edges in several parts, in any sizes: each part is freed as soon as it has been
    /// read, so this takes a third less memory if there are some ten parts and more. In errors the edges are
    /// counted through.
    ///
    /// ```
    /// use filch_graph::{Csr, Graph};
    ///
    /// let graph = Csr::<u32>::builder(3).build_parts(vec![vec![(0, 1)], vec![(2, 1)]])?;
    /// assert_eq!(graph.in_row(1), [0, 2]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_parts(self, parts: Vec<Vec<(V, V)>>) -> Result<Csr<V>, BuildError> {
        self.build_watched(parts, &())
    }

    /// [`build_parts`](Self::build_parts), and `watch` is told how far it has come.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    ///
    /// # Panics
    ///
    /// If `watch` does.
    pub fn build_watched(self, parts: Vec<Vec<(V, V)>>, watch: &dyn Watch) -> Result<Csr<V>, BuildError> {
        let (n, source) = (self.num_vertices, Parts::new(parts));
        let out = rows_of(n, &source, self.symmetrize, self.rules, watch)?;
        drop(source);
        if self.symmetrize || self.assume_symmetric {
            return Ok(Csr::from_rows(out, None));
        }
        let into = rows_of(n, &Flipped::new(&out), false, Rules::ALL, watch)?;
        Ok(Csr::from_rows(out, Some(into)))
    }
}

/// The rows of `n` vertices, in ascending order each, with the edges of `source`, in both directions if told so.
pub(crate) fn rows_of<V: Vertex>(
    n: usize,
    source: &impl Source<V>,
    both_ways: bool,
    rules: Rules,
    watch: &dyn Watch,
) -> Result<Rows<V>, BuildError> {
    if n > V::MAX_COUNT {
        return Err(BuildError::TooManyVertices { num_vertices: n, max: V::MAX_COUNT });
    }
    // First, so that no number of vertices is too large to be counted with.
    let offsets = rows::offsets_of(n)?;
    let buckets = buckets::fill(n, source, both_ways, rules.remove_self_loops, watch)?;
    rows::order(offsets, n, buckets, rules.remove_duplicates, watch)
}

/// An empty vector with room for `len` items, and no more.
pub(crate) fn with_room<T>(len: usize) -> Result<Vec<T>, BuildError> {
    let too_many = |_| BuildError::OutOfMemory { num_items: len, item_bytes: size_of::<T>() };
    memory::with_room(len).map_err(too_many)
}
