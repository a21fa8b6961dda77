//! Which tree a vertex is in.

use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::tabulate;

/// For each vertex a vertex of the same tree, or itself for the root.
///
/// Cells are relaxed. During a round, only one worker hooks a root. Shortening changes a cell only to a vertex farther
/// up in the same tree, so workers may do it at the same time.
pub(super) struct Trees<V: Vertex> {
    cells: Vec<V::Atomic>,
}

impl<V: Vertex> Trees<V> {
    pub(super) fn new(n: usize) -> Self {
        Trees { cells: tabulate(n, |v| V::Atomic::new(V::new(v))) }
    }

    #[inline(always)]
    pub(super) fn above(&self, v: V) -> V {
        self.cells[v.index()].load()
    }

    /// Hooks a root to another vertex.
    #[inline(always)]
    pub(super) fn hook(&self, root: V, to: V) {
        self.cells[root.index()].store(to);
    }

    /// Makes a vertex point one step farther up. Returns false if that was at the root already.
    #[inline(always)]
    pub(super) fn shorten(&self, v: V) -> bool {
        let above = self.above(v);
        let farther = self.above(above);
        if farther != above {
            self.cells[v.index()].store(farther);
        }
        farther != above
    }

    /// The root of the tree of `v`, by a walk.
    pub(super) fn root(&self, mut v: V) -> V {
        while self.shorten(v) {
            v = self.above(v);
        }
        self.above(v)
    }

    /// Makes every vertex point at its root. Work: O(n) times the binary logarithm of the depth.
    pub(super) fn flatten(&self) {
        let shorten = |v: usize| self.shorten(V::new(v));
        while filch::map_reduce(0..self.cells.len(), || false, |_, v| shorten(v), |a, b| a | b) {}
    }
}
