//! Compressed sparse rows: the targets of all arcs in one array, ordered by source.

use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::Vertex;

/// A graph in compressed sparse rows.
///
/// Memory: a word for each vertex and a vertex for each arc. A directed graph takes twice as much, because it stores
/// each arc at both of its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<V = u32> {
    out: Rows<V>,
    /// The sources of the arcs that lead to each vertex. `None` for a symmetric graph, in which they equal `out`.
    into: Option<Rows<V>>,
}

/// The neighbors of vertex v are `targets[offsets[v]..offsets[v + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows<V> {
    /// One offset more than there are vertices, in ascending order from 0 to the number of arcs.
    pub(crate) offsets: Vec<usize>,
    /// Each target is below the number of vertices.
    pub(crate) targets: Vec<V>,
}

impl<V: Vertex> Rows<V> {
    #[inline(always)]
    pub(crate) fn num_vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    fn row(&self, v: V) -> &[V] {
        &self.targets[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }
}

impl<V: Vertex> Csr<V> {
    /// A graph of these rows. The caller ensures the invariants of [`Rows`].
    pub(crate) fn from_rows(out: Rows<V>, into: Option<Rows<V>>) -> Self {
        debug_assert!(into.as_ref().is_none_or(|into| into.num_vertices() == out.num_vertices()));
        Csr { out, into }
    }

    pub(crate) fn out_rows(&self) -> &Rows<V> {
        &self.out
    }

    pub(crate) fn in_rows(&self) -> Option<&Rows<V>> {
        self.into.as_ref()
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
}

impl<V: Vertex> Graph for Csr<V> {
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
        self.row(v).len()
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
