//! Recursion of bounded depth, in stages: serial, and parallel with short-term and long-term lists (Yasugi, Hiraishi,
//! Umatani and Yuasa 2012, sections 5 to 5.3).
//!
//! A traversal by recursion can be as deep as the graph has vertices. So the depth is bounded. A vertex that is deeper
//! overflows: it is claimed, and waits in a list for the next stage, which begins with all vertices that wait. A stage
//! is a balanced divide-and-conquer program, as far as the graph allows.
//!
//! In parallel, the question is where overflowed vertices are collected without synchronization:
//!
//! * *Short-term*: each call makes a list and returns it, and its caller joins the lists.
//! * *Long-term*: a call uses the list of its caller. Only a part that another worker runs gets another list, which is
//!   joined when the part is over. So there are as many lists as parts that moved, and each can have large arrays.

use super::claim::Claim;
use super::grower::{EDGES_IN_A_ROW, Grower, Part};
use super::overflow::{Array, LONG, Overflow, SHORT};
use super::result::Counts;
use super::rows::Rows;
use crate::vertex::Vertex;
use filch::Strand;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A way to do stages.
pub(super) trait Stages<V, const N: usize> {
    /// Visits `root` and what is found from it, down to the bound. Returns what overflows.
    fn first(&self, s: Strand<'_>, root: V) -> Overflow<V, N>;

    /// The same from each of the vertices in `arrays`.
    fn next(&self, s: Strand<'_>, arrays: &[&Array<V, N>]) -> Overflow<V, N>;
}

/// Grows the tree of `root`, which has been claimed.
pub(super) fn in_stages<V: Vertex, const N: usize>(
    mut s: Strand<'_>,
    root: V,
    stages: &impl Stages<V, N>,
    counts: &mut Counts,
) {
    let mut overflow = stages.first(s.reborrow(), root);
    while !overflow.is_empty() {
        counts.stages += 1;
        counts.add_overflow(overflow.size(), N);
        overflow = stages.next(s.reborrow(), &overflow.arrays());
    }
}

/// Serial stages (figure 4). It is given a strand as the others are, and does not use it.
pub(super) struct Serial<'g, R: Rows, C> {
    pub(super) grower: Grower<'g, R, C>,
    pub(super) bound: usize,
}

impl<R: Rows, C: Claim> Stages<R::Vertex, LONG> for Serial<'_, R, C> {
    fn first(&self, _: Strand<'_>, root: R::Vertex) -> Overflow<R::Vertex, LONG> {
        let mut overflow = Overflow::new();
        self.visit(root, self.bound, &mut overflow);
        overflow
    }

    fn next(&self, _: Strand<'_>, arrays: &[&Array<R::Vertex, LONG>]) -> Overflow<R::Vertex, LONG> {
        let mut overflow = Overflow::new();
        for array in arrays {
            array.vertices().iter().for_each(|&v| self.visit(v, self.bound, &mut overflow));
        }
        overflow
    }
}

impl<R: Rows, C: Claim> Serial<'_, R, C> {
    fn visit(&self, v: R::Vertex, below: usize, overflow: &mut Overflow<R::Vertex, LONG>) {
        self.grower.visit(v, |w| if below > 0 { self.visit(w, below - 1, overflow) } else { overflow.push(w) });
    }
}

/// Parallel stages in which each call returns a list (figure 7).
pub(super) struct ShortTerm<'g, R: Rows, C> {
    pub(super) grower: Grower<'g, R, C>,
    pub(super) bound: usize,
}

type Short<R> = Overflow<<R as Rows>::Vertex, SHORT>;

impl<R: Rows, C: Claim> Stages<R::Vertex, SHORT> for ShortTerm<'_, R, C> {
    fn first(&self, s: Strand<'_>, root: R::Vertex) -> Short<R> {
        self.visit(s, self.grower.row(root), self.bound)
    }

    fn next(&self, mut s: Strand<'_>, arrays: &[&Array<R::Vertex, SHORT>]) -> Short<R> {
        match arrays {
            [] => Overflow::new(),
            [array] => self.vertices(s, array.vertices()),
            _ => {
                let (left, right) = arrays.split_at(arrays.len() / 2);
                joined(s.join(|s| self.next(s, left), |s| self.next(s, right)))
            }
        }
    }
}

impl<R: Rows, C: Claim> ShortTerm<'_, R, C> {
    fn vertices(&self, mut s: Strand<'_>, vertices: &[R::Vertex]) -> Short<R> {
        match vertices {
            [] => Overflow::new(),
            [v] => self.visit(s, self.grower.row(*v), self.bound),
            _ => {
                let (left, right) = vertices.split_at(vertices.len() / 2);
                joined(s.join(|s| self.vertices(s, left), |s| self.vertices(s, right)))
            }
        }
    }

    /// Follows the edges of a part, down to `below` levels below their vertex.
    fn visit(&self, mut s: Strand<'_>, mut part: Part<R>, below: usize) -> Short<R> {
        if part.len > EDGES_IN_A_ROW {
            let (lower, upper) = self.grower.halves(part);
            return joined(s.join(|s| self.visit(s, lower, below), |s| self.visit(s, upper, below)));
        }
        let mut overflow = Overflow::new();
        while part.len > 0 {
            let (w, rest) = self.grower.split_first(part);
            part = rest;
            if !self.grower.claim(w, part.of) {
                continue;
            }
            if below == 0 {
                overflow.push(w);
                continue;
            }
            part = self.grower.open(part);
            let child = |s: Strand<'_>| self.visit(s, self.grower.row(w), below - 1);
            if part.len == 0 {
                overflow.append(child(s));
                break;
            }
            // The rest of the row can be stolen, as the continuation of a spawn in Cilk.
            overflow.append(joined(s.join(child, |s| self.visit(s, part, below))));
            break;
        }
        overflow
    }
}

#[inline]
fn joined<V: Vertex, const N: usize>((mut first, second): (Overflow<V, N>, Overflow<V, N>)) -> Overflow<V, N> {
    first.append(second);
    first
}

/// Parallel stages in which a call uses the list of its caller, unless it has moved (figures 8 and 9).
pub(super) struct LongTerm<'g, R: Rows, C> {
    pub(super) grower: Grower<'g, R, C>,
    pub(super) bound: usize,
    /// The number of edges that are followed one by one, the rest of which can move. With one edge, rows are always
    /// divided in halves.
    pub(super) edges_in_a_row: usize,
    moved: AtomicUsize,
}

type Long<R> = Overflow<<R as Rows>::Vertex, LONG>;

impl<R: Rows, C: Claim> Stages<R::Vertex, LONG> for LongTerm<'_, R, C> {
    fn first(&self, s: Strand<'_>, root: R::Vertex) -> Long<R> {
        let mut overflow = Overflow::new();
        self.visit(s, self.grower.row(root), self.bound, &mut overflow);
        overflow
    }

    fn next(&self, s: Strand<'_>, arrays: &[&Array<R::Vertex, LONG>]) -> Long<R> {
        let mut overflow = Overflow::new();
        self.arrays(s, arrays, &mut overflow);
        overflow
    }
}

impl<'g, R: Rows, C: Claim> LongTerm<'g, R, C> {
    /// The rest of a row can move.
    pub(super) fn of_rests(grower: Grower<'g, R, C>, bound: usize) -> Self {
        LongTerm { grower, bound, edges_in_a_row: EDGES_IN_A_ROW, moved: AtomicUsize::new(0) }
    }

    /// The upper half of a row can move.
    pub(super) fn of_halves(grower: Grower<'g, R, C>, bound: usize) -> Self {
        LongTerm { edges_in_a_row: 1, ..Self::of_rests(grower, bound) }
    }

    /// The number of lists that were made because a part had moved.
    pub(super) fn moved(&self) -> usize {
        self.moved.load(Ordering::Relaxed)
    }

    fn arrays(&self, s: Strand<'_>, arrays: &[&Array<R::Vertex, LONG>], overflow: &mut Long<R>) {
        match arrays {
            [] => {}
            [array] => self.vertices(s, array.vertices(), overflow),
            _ => {
                let (left, right) = arrays.split_at(arrays.len() / 2);
                self.both(s, overflow, |s, list| self.arrays(s, left, list), |s, list| self.arrays(s, right, list));
            }
        }
    }

    fn vertices(&self, s: Strand<'_>, vertices: &[R::Vertex], overflow: &mut Long<R>) {
        match vertices {
            [] => {}
            [v] => self.visit(s, self.grower.row(*v), self.bound, overflow),
            _ => {
                let (left, right) = vertices.split_at(vertices.len() / 2);
                self.both(s, overflow, |s, list| self.vertices(s, left, list), |s, list| self.vertices(s, right, list));
            }
        }
    }

    fn visit(&self, s: Strand<'_>, mut part: Part<R>, below: usize, overflow: &mut Long<R>) {
        if part.len > self.edges_in_a_row {
            let (lower, upper) = self.grower.halves(part);
            return self.both(
                s,
                overflow,
                |s, list| self.visit(s, lower, below, list),
                |s, list| self.visit(s, upper, below, list),
            );
        }
        while part.len > 0 {
            let (w, rest) = self.grower.split_first(part);
            part = rest;
            if !self.grower.claim(w, part.of) {
                continue;
            }
            if below == 0 {
                overflow.push(w);
                continue;
            }
            part = self.grower.open(part);
            let child = |s: Strand<'_>, list: &mut Long<R>| self.visit(s, self.grower.row(w), below - 1, list);
            if part.len == 0 {
                return child(s, overflow);
            }
            return self.both(s, overflow, child, |s, list| self.visit(s, part, below, list));
        }
    }

    /// Runs both with one list, unless the second one moves.
    #[inline(always)]
    fn both(
        &self,
        mut s: Strand<'_>,
        overflow: &mut Long<R>,
        first: impl FnOnce(Strand<'_>, &mut Long<R>),
        second: impl FnOnce(Strand<'_>, &mut Long<R>) + Send,
    ) {
        let begin = || {
            self.moved.fetch_add(1, Ordering::Relaxed);
            Overflow::new()
        };
        s.join_with(overflow, begin, first, second, Overflow::append);
    }
}
