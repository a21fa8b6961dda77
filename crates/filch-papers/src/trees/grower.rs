//! What the traversals of a tree have in common.

use super::claim::Claim;
use super::rows::Rows;
use filch_graph::{AtomicVertex, Vertex};
use std::marker::PhantomData;

/// The parents of vertices, [`Vertex::NONE`] for those that are in no tree.
pub(super) type Cells<V> = [<V as Vertex>::Atomic];

/// A row of more edges is divided in halves before the edges are followed one after another. This bounds the stack:
/// each vertex on the path takes a frame for each of these edges, and for each halving.
pub(super) const EDGES_IN_A_ROW: usize = 8;

/// A graph, and the trees that grow in it.
pub(super) struct Grower<'g, R: Rows, C> {
    pub(super) rows: &'g R,
    pub(super) parents: &'g Cells<R::Vertex>,
    pub(super) claims: PhantomData<C>,
}

/// Some successive edges of a vertex: the first place, and their number.
pub(super) struct Part<R: Rows> {
    pub(super) of: R::Vertex,
    pub(super) place: R::Place,
    pub(super) len: usize,
}

impl<R: Rows> Clone for Part<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rows> Copy for Part<R> {}

impl<R: Rows, C: Claim> Grower<'_, R, C> {
    /// Puts `w` into the tree below `v`, if it is in none. Returns whether the caller must visit it.
    #[inline(always)]
    pub(super) fn claim(&self, w: R::Vertex, v: R::Vertex) -> bool {
        C::claim(&self.parents[w.index()], v)
    }

    /// All edges of `v`.
    #[inline(always)]
    pub(super) fn row(&self, v: R::Vertex) -> Part<R> {
        Part { of: v, place: self.rows.first(v), len: self.rows.row_len(v) }
    }

    /// The two halves of a part, which has at least two edges.
    pub(super) fn halves(&self, part: Part<R>) -> (Part<R>, Part<R>) {
        self.split(part, part.len / 2)
    }

    /// The first `middle` edges of a part, which has more, and the others. A linked list is walked to there.
    pub(super) fn split(&self, part: Part<R>, middle: usize) -> (Part<R>, Part<R>) {
        let upper = Part { place: self.rows.skip(part.place, middle), len: part.len - middle, ..part };
        (Part { len: middle, ..part }, upper)
    }

    /// The edges of a part one by one: the first one's other end, and the rest. The part has at least one edge.
    #[inline(always)]
    fn split_first(&self, part: Part<R>) -> (R::Vertex, Part<R>) {
        let len = part.len - 1;
        let place = if len > 0 { self.rows.after(part.place) } else { part.place };
        (self.rows.vertex(part.place), Part { place, len, ..part })
    }

    /// The part without the edges at its beginning whose other ends are in the tree, where they will stay. A call whose
    /// part is empty then has nothing that could move, and needs no fork.
    #[inline(always)]
    pub(super) fn open(&self, mut part: Part<R>) -> Part<R> {
        while part.len > 0 {
            let (w, rest) = self.split_first(part);
            if self.parents[w.index()].load() == R::Vertex::NONE {
                break;
            }
            part = rest;
        }
        part
    }

    /// Visits the vertices on `stack`, and all vertices found from them (figure 3). Returns how many were visited.
    pub(super) fn drain(&self, stack: &mut Vec<R::Vertex>) -> usize {
        let mut visited = 0;
        while let Some(v) = stack.pop() {
            visited += 1;
            self.visit(v, |w| stack.push(w));
        }
        visited
    }

    /// Claims the next end of an edge of a part that is in no tree. Returns it, and leaves the edges after it.
    #[inline(always)]
    pub(super) fn claim_next(&self, part: &mut Part<R>) -> Option<R::Vertex> {
        while part.len > 0 {
            let (w, rest) = self.split_first(*part);
            *part = rest;
            if self.claim(w, part.of) {
                return Some(w);
            }
        }
        None
    }

    /// Claims the neighbors of `v` that are in no tree, and calls `found` for each.
    #[inline(always)]
    pub(super) fn visit(&self, v: R::Vertex, mut found: impl FnMut(R::Vertex)) {
        let mut part = self.row(v);
        while let Some(w) = self.claim_next(&mut part) {
            found(w);
        }
    }
}
