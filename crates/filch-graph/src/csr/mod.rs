//! Compressed sparse rows: the targets of all arcs in one array, ordered by source.

// Modules, from the bottom up: `index` (the types of borrowed numbers), `rows` (the arcs by one of their ends), `view`
// (a graph in borrowed rows); `Csr` is above them. May import: `Graph`, `Vertex`, `Weight`, not builders.

mod index;
mod rows;
mod view;

pub use index::Index;
pub use rows::{Rows, RowsError, RowsView};
pub use view::CsrView;

use crate::graph::{Graph, WeightedGraph};
use crate::vertex::Vertex;
use crate::weight::Weight;

/// A graph in compressed sparse rows, without weights by default, or with a [`Weight`] of type `W` for each arc.
///
/// Memory: a word for each vertex, and a vertex and a weight for each arc. A directed graph takes twice as much,
/// because it stores each arc at both of its ends. In a symmetric graph an arc and its reverse have the same weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<V = u32, W = ()> {
    out: Rows<V, W>,
    /// The sources of the arcs that lead to each vertex. `None` for a symmetric graph, in which they equal `out`.
    into: Option<Rows<V, W>>,
}

/// A graph with weights of 32 bits. See [`Weight`] for the other types.
pub type WeightedCsr<V = u32> = Csr<V, f32>;

impl<V: Vertex, W: Weight> Csr<V, W> {
    /// The graph with these arcs, by their sources and by their targets, or the symmetric one if `into` is `None`.
    ///
    /// It is not checked that both have the same arcs, or that the reverse of each arc is there, with the same weight.
    /// If that is wrong, algorithms return wrong results, panic or do not end. [`Rows::transposed`] makes the second
    /// rows of the first.
    ///
    /// # Panics
    ///
    /// Panics if both have different numbers of vertices or of arcs.
    pub fn from_rows(out: Rows<V, W>, into: Option<Rows<V, W>>) -> Self {
        let size = |rows: &Rows<V, W>| (rows.num_vertices(), rows.targets.len());
        assert!(into.as_ref().is_none_or(|into| size(into) == size(&out)), "rows of two different graphs");
        Csr { out, into }
    }

    /// The arcs by their sources.
    pub fn out_rows(&self) -> &Rows<V, W> {
        &self.out
    }

    /// The arcs by their targets. `None` if the graph is symmetric, in which they are the same.
    pub fn in_rows(&self) -> Option<&Rows<V, W>> {
        self.into.as_ref()
    }

    /// The arcs by their sources and by their targets: the reverse of [`from_rows`](Self::from_rows).
    pub fn into_rows(self) -> (Rows<V, W>, Option<Rows<V, W>>) {
        (self.out, self.into)
    }

    /// The same graph in borrowed rows.
    #[inline(always)]
    pub fn view(&self) -> CsrView<'_, V, W> {
        match &self.into {
            None => CsrView::symmetric(self.out.view()),
            Some(into) => CsrView::of(self.out.view(), Some(into.view())),
        }
    }

    /// The edges with their weights, `()` for none: each arc of a directed graph, from its source to its target, and of
    /// a symmetric graph each edge once, from the lower vertex. In the order of the rows, without a list of them.
    ///
    /// ```
    /// use filch_graph::Csr;
    ///
    /// let path = Csr::builder(3).symmetrize(true).build([(2, 1), (0, 1)])?;
    /// assert!(path.edges().eq([(0, 1, ()), (1, 2, ())]));
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    pub fn edges(&self) -> impl Iterator<Item = (V, V, W)> + '_ {
        self.view().edges()
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
        self.view().row(v)
    }

    /// The sources of the arcs that lead to `v`, as a slice.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_row(&self, v: V) -> &[V] {
        self.view().in_row(v)
    }

    /// The weights of the arcs that leave `v`, in the order of [`row`](Self::row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn weights(&self, v: V) -> &[W] {
        self.view().weights(v)
    }

    /// The weights of the arcs that lead to `v`, in the order of [`in_row`](Self::in_row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_weights(&self, v: V) -> &[W] {
        self.view().in_weights(v)
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
        self.view().degree(v)
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
        self.view().prefetch(v);
    }

    #[inline(always)]
    fn prefetch_neighbors(&self, v: V) {
        self.view().prefetch_neighbors(v);
    }
}

impl<V: Vertex, W: Weight> WeightedGraph for Csr<V, W> {
    type Weight = W;

    #[inline(always)]
    fn arcs(&self, v: V) -> impl Iterator<Item = (V, W)> + '_ {
        self.view().arcs_of(v)
    }

    #[inline(always)]
    fn arc_slices(&self, v: V) -> Option<(&[V], &[W])> {
        Some((self.row(v), self.weights(v)))
    }

    #[inline(always)]
    fn prefetch_arcs(&self, v: V) {
        self.view().prefetch_arcs(v);
    }
}
