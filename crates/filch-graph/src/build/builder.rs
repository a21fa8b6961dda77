//! Building graphs from lists of edges.

use super::error::BuildError;
use super::rows::rows_of;
use super::rules::Rules;
use super::source::{Edge, Parts};
use crate::csr::Csr;
use crate::vertex::Vertex;
use crate::watch::Watch;
use crate::weight::Weight;
use std::marker::PhantomData;

/// Builds a graph from edges. Created by [`Csr::builder`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a builder does nothing until it builds"]
pub struct CsrBuilder<V = u32> {
    num_vertices: usize,
    assume_symmetric: bool,
    rules: Rules,
    vertex: PhantomData<fn() -> V>,
}

impl Csr {
    /// Starts to build a graph with the vertices 0 to `num_vertices - 1`, numbered in 32 bits. [`CsrBuilder::new`]
    /// numbers them in 64 bits, if that is wanted.
    ///
    /// ```
    /// use filch_graph::{Csr, Graph};
    ///
    /// let roads = vec![(0, 1), (1, 2), (2, 1), (3, 3)];
    /// let graph = Csr::builder(4).symmetrize(true).remove_duplicates(true).remove_self_loops(true).build(roads)?;
    /// assert_eq!((graph.num_vertices(), graph.num_arcs()), (4, 4));
    /// assert_eq!(graph.row(1), [0, 2]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    pub fn builder(num_vertices: usize) -> CsrBuilder {
        CsrBuilder::new(num_vertices)
    }
}

/// The directed graph with these edges, and the vertices from 0 to the highest one among them. Built as by
/// [`CsrBuilder::build`]: if memory may be short, or vertices may be out of range, call that.
///
/// ```
/// use filch_graph::{Csr, Graph};
///
/// let graph: Csr = [(0, 1), (1, 4)].into_iter().collect();
/// assert_eq!((graph.num_vertices(), graph.row(1)), (5, &[4][..]));
/// ```
///
/// # Panics
///
/// Panics if there is not enough memory, if the highest vertex is the highest number of its type, or if a weight is
/// infinite or not a number.
impl<E: Edge> FromIterator<E> for Csr<E::Vertex, E::Weight> {
    fn from_iter<I: IntoIterator<Item = E>>(edges: I) -> Self {
        let mut num_vertices = 0;
        let highest = |edge: E| {
            let (u, v, _) = edge.split();
            num_vertices = num_vertices.max(u.index().saturating_add(1)).max(v.index().saturating_add(1));
            edge
        };
        let edges = Vec::from_iter(edges.into_iter().map(highest));
        let built = CsrBuilder::new(num_vertices).build_watched(vec![edges], &());
        built.unwrap_or_else(|error| panic!("the graph cannot be built: {error}"))
    }
}

impl<V: Vertex> CsrBuilder<V> {
    /// Starts to build a graph with the vertices 0 to `num_vertices - 1`. For vertices of 32 bits, [`Csr::builder`]
    /// does the same.
    ///
    /// ```
    /// use filch_graph::{Csr, CsrBuilder};
    ///
    /// let wide: Csr<u64> = CsrBuilder::new(2).build([(0, 1)])?;
    /// assert_eq!(wide.row(0), [1_u64]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    pub fn new(num_vertices: usize) -> Self {
        let rules = Rules::ALL;
        CsrBuilder { num_vertices, assume_symmetric: false, rules, vertex: PhantomData }
    }

    /// If true, an edge from u to v also leads from v to u, and the graph is undirected: each edge is stored as two
    /// arcs, and a self-loop as one. If false, which is the default, the graph is directed, and each arc is stored at
    /// both of its ends.
    pub fn symmetrize(mut self, symmetrize: bool) -> Self {
        self.rules.symmetrize = symmetrize;
        self
    }

    /// If true, the builder assumes that the edges contain the reverse of each edge, and does not store arcs at the
    /// vertices that they lead to. This is not checked. If it is wrong, [`in_neighbors`](crate::Graph::in_neighbors)
    /// returns wrong vertices, and algorithms return wrong results. Has no effect together with
    /// [`symmetrize`](Self::symmetrize).
    pub fn assume_symmetric(mut self, assume_symmetric: bool) -> Self {
        self.assume_symmetric = assume_symmetric;
        self
    }

    /// If true, only one of several arcs from the same source to the same target is kept. The default is to keep all.
    pub fn remove_duplicates(mut self, remove_duplicates: bool) -> Self {
        self.rules.remove_duplicates = remove_duplicates;
        self
    }

    /// If true, edges from a vertex to itself are left out. The default is to keep them.
    pub fn remove_self_loops(mut self, remove_self_loops: bool) -> Self {
        self.rules.remove_self_loops = remove_self_loops;
        self
    }

    /// Builds the graph, in parallel. The neighbors of each vertex are in ascending order, so the result depends
    /// neither on the order of the edges nor on the number of workers.
    ///
    /// Work: O(n + m log d) for n vertices, m edges and largest degree d. Span: that of sorting the largest bucket.
    /// There are at most 1024 buckets of consecutive source vertices, and one worker sorts each; so if one vertex has
    /// most of the edges, one worker does most of this. Memory, counted in vertices: two for each edge in the list and
    /// four for its arcs; the list is freed half-way. The finished graph has two for each
    /// edge. A vector of edges is taken as it is; other edges are collected first.
    ///
    /// # Errors
    ///
    /// [`BuildError`]: a vertex out of range, more vertices than `V` counts, or not enough memory.
    pub fn build(self, edges: impl IntoIterator<Item = (V, V)>) -> Result<Csr<V>, BuildError> {
        self.build_parts(vec![Vec::from_iter(edges)])
    }

    /// Builds the graph from several lists of edges, as [`build`](Self::build) does from one. Each list is freed as
    /// soon as it has been read; if there are ten lists or more, this takes a third less memory. Errors count the edges
    /// across all lists.
    ///
    /// ```
    /// use filch_graph::{Csr, Graph};
    ///
    /// let graph = Csr::builder(3).build_parts(vec![vec![(0, 1)], vec![(2, 1)]])?;
    /// assert_eq!(graph.in_row(1), [0, 2]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    pub fn build_parts(self, parts: Vec<Vec<(V, V)>>) -> Result<Csr<V>, BuildError> {
        self.build_watched(parts, &())
    }

    /// Builds a graph with weights, as [`build`](Self::build) does without. Of several arcs from the same source to the
    /// same target, [`remove_duplicates`](Self::remove_duplicates) keeps the lightest.
    ///
    /// ```
    /// use filch_graph::Csr;
    ///
    /// let roads = vec![(0, 1, 2.5), (1, 2, 4.0)];
    /// let graph = Csr::builder(3).symmetrize(true).build_weighted(roads)?;
    /// assert_eq!((graph.row(1), graph.weights(1)), (&[0, 2][..], &[2.5, 4.0][..]));
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// Memory: that of [`build`](Self::build), and one weight more for every two vertices.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    ///
    /// # Panics
    ///
    /// Panics if a weight is infinite or not a number.
    pub fn build_weighted<W: Weight>(
        self,
        edges: impl IntoIterator<Item = (V, V, W)>,
    ) -> Result<Csr<V, W>, BuildError> {
        self.build_watched(vec![Vec::from_iter(edges)], &())
    }

    /// Builds the graph from several lists of edges, with or without weights, and reports progress to `watch`.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    ///
    /// # Panics
    ///
    /// Panics if a weight is infinite or not a number, or if `watch` panics.
    pub fn build_watched<E: Edge<Vertex = V>>(
        self,
        parts: Vec<Vec<E>>,
        watch: &dyn Watch,
    ) -> Result<Csr<V, E::Weight>, BuildError> {
        let source = Parts::new(parts);
        let out = rows_of(self.num_vertices, &source, self.rules, watch)?;
        drop(source);
        let is_symmetric = self.rules.symmetrize || self.assume_symmetric;
        let into = if is_symmetric { None } else { Some(out.transposed(watch)?) };
        Ok(Csr::from_rows(out, into))
    }
}
