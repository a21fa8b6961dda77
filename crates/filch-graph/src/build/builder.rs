//! The builder of graphs from edges.

use super::error::BuildError;
use super::from_edges::{Rules, rows_of};
use super::source::{Flipped, Parts};
use crate::csr::Csr;
use crate::vertex::Vertex;
use crate::watch::Watch;
use std::marker::PhantomData;

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
