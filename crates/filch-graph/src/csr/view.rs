//! Graphs in arrays that somebody else has.

use super::index::Index;
use super::rows::RowsView;
use crate::graph::{Graph, WeightedGraph};
use crate::prefetch::prefetch;
use crate::vertex::Vertex;
use crate::weight::Weight;

/// A graph in [borrowed rows](RowsView): what a [`Csr`](crate::Csr) is, without a copy of the arrays. Copies of this
/// value refer to the same arrays. All algorithms run on it, as fast as on a `Csr`.
///
/// `O` is the type of the offsets, and `I` that of the offsets of the arcs by their targets. [`Csr::view`] makes one
/// of a graph.
///
/// [`Csr::view`]: crate::Csr::view
#[derive(Clone, Copy, Debug)]
pub struct CsrView<'a, V = u32, W = (), O = usize, I = O> {
    out: RowsView<'a, V, W, O>,
    /// The sources of the arcs that lead to each vertex. `None` for a symmetric graph, in which they equal `out`.
    into: Option<RowsView<'a, V, W, I>>,
}

impl<'a, V: Vertex, W: Weight, O: Index> CsrView<'a, V, W, O> {
    /// The symmetric graph with these arcs.
    ///
    /// It is not checked that the reverse of each arc is there, with the same weight. If that is wrong, algorithms
    /// return wrong results, panic or do not end.
    ///
    /// ```
    /// use filch_graph::{CsrView, RowsView, components::components};
    ///
    /// let (offsets, targets) = ([0_u64, 1, 2, 2], [1_u32, 0]);
    /// let graph = CsrView::symmetric(RowsView::new(&offsets, &targets)?);
    /// assert_eq!(components(&graph).count(), 2);
    /// # Ok::<(), filch_graph::RowsError>(())
    /// ```
    #[inline(always)]
    pub fn symmetric(rows: RowsView<'a, V, W, O>) -> Self {
        CsrView { out: rows, into: None }
    }
}

impl<'a, V: Vertex, W: Weight, O: Index, I: Index> CsrView<'a, V, W, O, I> {
    /// The directed graph with these arcs, by their sources and by their targets. [`RowsView::transposed`] makes the
    /// second rows of the first.
    ///
    /// It is not checked that both have the same arcs. If that is wrong, algorithms return wrong results, panic or do
    /// not end.
    ///
    /// ```
    /// use filch_graph::{CsrView, RowsView, scc::scc};
    ///
    /// let rows = RowsView::new(&[0_i32, 1, 2, 2], &[1_i32, 2])?;
    /// let into = rows.transposed(&())?;
    /// assert_eq!(scc(&CsrView::directed(rows, into.view())).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if both have different numbers of vertices or of arcs.
    pub fn directed(out: RowsView<'a, V, W, O>, into: RowsView<'a, V, W, I>) -> Self {
        let sizes = [(out.num_vertices(), out.num_arcs()), (into.num_vertices(), into.num_arcs())];
        assert!(sizes[0] == sizes[1], "rows of two different graphs");
        CsrView { out, into: Some(into) }
    }

    /// A graph of rows that are known to fit each other.
    #[inline(always)]
    pub(super) fn of(out: RowsView<'a, V, W, O>, into: Option<RowsView<'a, V, W, I>>) -> Self {
        CsrView { out, into }
    }

    /// The arcs by their sources.
    #[inline(always)]
    pub fn out_rows(&self) -> RowsView<'a, V, W, O> {
        self.out
    }

    /// The arcs by their targets. `None` if the graph is symmetric, in which they are the same.
    #[inline(always)]
    pub fn in_rows(&self) -> Option<RowsView<'a, V, W, I>> {
        self.into
    }

    /// The targets of the arcs that leave `v`.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn row(&self, v: V) -> &'a [V] {
        self.out.row(v)
    }

    /// The sources of the arcs that lead to `v`.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_row(&self, v: V) -> &'a [V] {
        match &self.into {
            Some(into) => into.row(v),
            None => self.out.row(v),
        }
    }

    /// The weights of the arcs that leave `v`, in the order of [`row`](Self::row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn weights(&self, v: V) -> &'a [W] {
        self.out.weights_of(v)
    }

    /// The weights of the arcs that lead to `v`, in the order of [`in_row`](Self::in_row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_weights(&self, v: V) -> &'a [W] {
        match &self.into {
            Some(into) => into.weights_of(v),
            None => self.out.weights_of(v),
        }
    }

    /// The targets of the arcs that leave `v`, with their weights.
    #[inline(always)]
    pub(super) fn arcs_of(&self, v: V) -> impl Iterator<Item = (V, W)> + use<'a, V, W, O, I> {
        self.row(v).iter().zip(self.weights(v)).map(|(&v, &weight)| (v, weight))
    }

    /// The edges with their weights: see [`Csr::edges`](crate::Csr::edges).
    pub fn edges(&self) -> impl Iterator<Item = (V, V, W)> + use<'a, V, W, O, I> {
        let (rows, is_symmetric) = (self.out, self.into.is_none());
        (0..rows.num_vertices()).map(V::new).flat_map(move |u| {
            let arcs = rows.row(u).iter().zip(rows.weights_of(u));
            arcs.filter(move |(v, _)| u <= **v || !is_symmetric).map(move |(&v, &weight)| (u, v, weight))
        })
    }
}

impl<V: Vertex, W: Weight, O: Index, I: Index> Graph for CsrView<'_, V, W, O, I> {
    type Vertex = V;

    #[inline(always)]
    fn num_vertices(&self) -> usize {
        self.out.num_vertices()
    }

    #[inline(always)]
    fn num_arcs(&self) -> usize {
        self.out.num_arcs()
    }

    #[inline(always)]
    fn is_symmetric(&self) -> bool {
        self.into.is_none()
    }

    #[inline(always)]
    fn degree(&self, v: V) -> usize {
        self.out.start(v.index() + 1) - self.out.start(v.index())
    }

    #[inline(always)]
    fn neighbors(&self, v: V) -> impl Iterator<Item = V> + '_ {
        self.row(v).iter().copied()
    }

    #[inline(always)]
    fn in_neighbors(&self, v: V) -> impl Iterator<Item = V> + '_ {
        self.in_row(v).iter().copied()
    }

    #[inline(always)]
    fn in_slice(&self, v: V) -> Option<&[V]> {
        Some(self.in_row(v))
    }

    #[inline(always)]
    fn prefetch(&self, v: V) {
        prefetch(self.out.offsets(), v.index());
    }

    #[inline(always)]
    fn prefetch_neighbors(&self, v: V) {
        if let Some(offset) = self.out.offsets().get(v.index()) {
            prefetch(self.out.targets(), offset.position());
        }
    }
}

impl<V: Vertex, W: Weight, O: Index, I: Index> WeightedGraph for CsrView<'_, V, W, O, I> {
    type Weight = W;

    #[inline(always)]
    fn arcs(&self, v: V) -> impl Iterator<Item = (V, W)> + '_ {
        self.arcs_of(v)
    }

    #[inline(always)]
    fn arc_slices(&self, v: V) -> Option<(&[V], &[W])> {
        Some((self.row(v), self.weights(v)))
    }

    #[inline(always)]
    fn prefetch_arcs(&self, v: V) {
        if let Some(offset) = self.out.offsets().get(v.index()) {
            prefetch(self.out.targets(), offset.position());
            prefetch(self.out.weights(), offset.position());
        }
    }
}
