//! Compressed sparse rows: the targets of all arcs in one array, ordered by source.

use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::Vertex;
use crate::weight::Weight;

/// A graph in compressed sparse rows, with a weight for each arc if `W` is `f32`, and without weights by default.
///
/// Memory: a word for each vertex, and a vertex and a weight for each arc. A directed graph takes twice as much,
/// because it stores each arc at both of its ends. In a symmetric graph an arc and its reverse have the same weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<V = u32, W = ()> {
    out: Rows<V, W>,
    /// The sources of the arcs that lead to each vertex. `None` for a symmetric graph, in which they equal `out`.
    into: Option<Rows<V, W>>,
}

/// A graph with weights: all that a [`Csr`] is, and a weight for each arc. See [`Weight`].
pub type WeightedCsr<V = u32> = Csr<V, f32>;

/// The neighbors of vertex v are `targets[offsets[v]..offsets[v + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows<V, W = ()> {
    /// One offset more than there are vertices, in ascending order from 0 to the number of arcs.
    pub(crate) offsets: Vec<usize>,
    /// Each target is below the number of vertices.
    pub(crate) targets: Vec<V>,
    /// The weight of each arc, in the order of `targets`.
    pub(crate) weights: Vec<W>,
}

impl<V: Vertex, W> Rows<V, W> {
    #[inline(always)]
    pub(crate) fn num_vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    pub(crate) fn row(&self, v: V) -> &[V] {
        &self.targets[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }

    #[inline(always)]
    fn weights_of(&self, v: V) -> &[W] {
        &self.weights[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }
}

impl<V: Vertex, W: Weight> Csr<V, W> {
    /// A graph of these rows. The caller ensures the invariants of [`Rows`].
    pub(crate) fn from_rows(out: Rows<V, W>, into: Option<Rows<V, W>>) -> Self {
        debug_assert!(into.as_ref().is_none_or(|into| into.num_vertices() == out.num_vertices()));
        Csr { out, into }
    }

    pub(crate) fn out_rows(&self) -> &Rows<V, W> {
        &self.out
    }

    pub(crate) fn in_rows(&self) -> Option<&Rows<V, W>> {
        self.into.as_ref()
    }

    pub(crate) fn into_rows(self) -> (Rows<V, W>, Option<Rows<V, W>>) {
        (self.out, self.into)
    }

    /// Where the arcs of each vertex begin in [`targets`](Self::targets), and at the end the number of arcs: one offset
    /// more than there are vertices.
    #[inline(always)]
    pub fn offsets(&self) -> &[usize] {
        &self.out.offsets
    }

    /// The targets of all arcs, ordered by source: those of vertex v are `targets[offsets[v]..offsets[v + 1]]`.
    #[inline(always)]
    pub fn targets(&self) -> &[V] {
        &self.out.targets
    }

    /// The targets of the arcs that leave `v`, as a slice.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn row(&self, v: V) -> &[V] {
        self.out.row(v)
    }

    /// The sources of the arcs that lead to `v`, as a slice.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_row(&self, v: V) -> &[V] {
        self.into.as_ref().unwrap_or(&self.out).row(v)
    }

    /// The weights of the arcs that leave `v`, in the order of [`row`](Self::row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn weights(&self, v: V) -> &[W] {
        self.out.weights_of(v)
    }

    /// The weights of the arcs that lead to `v`, in the order of [`in_row`](Self::in_row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_weights(&self, v: V) -> &[W] {
        self.into.as_ref().unwrap_or(&self.out).weights_of(v)
    }
}

impl<V: Vertex, W: Weight> Graph for Csr<V, W> {
    type Vertex = V;

    #[inline(always)]
    fn num_vertices(&self) -> usize {
        self.out.num_vertices()
    }

    #[inline(always)]
    fn num_arcs(&self) -> usize {
        self.out.targets.len()
    }

    #[inline(always)]
    fn is_symmetric(&self) -> bool {
        self.into.is_none()
    }

    #[inline(always)]
    fn degree(&self, v: V) -> usize {
        self.out.offsets[v.index() + 1] - self.out.offsets[v.index()]
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
        prefetch(&self.out.offsets, v.index());
    }

    #[inline(always)]
    fn prefetch_neighbors(&self, v: V) {
        if let Some(&offset) = self.out.offsets.get(v.index()) {
            prefetch(&self.out.targets, offset);
        }
    }
}
