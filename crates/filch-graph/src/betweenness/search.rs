//! One source: a search that counts shortest paths, level by level, and the dependencies of the source, backward.
//!
//! | numbers of a vertex | are not 0 |
//! |---|---|
//! | `counts` | from the time on when its level is complete: the shortest paths from the source to it |
//! | `pending`, forward | while its level is found: what has been counted |
//! | `pending`, backward | once its level is done: (1 + dependency) / count |
//! | `dependencies` | once its level is done, until they have been added to the totals |
//!
//! So no depths are stored. An arc from the current level to a vertex without a count leads to the next level. A vertex
//! without a count has arcs from no level but the current one, so it may add up the counts of all vertices that lead to
//! it. And on the way back, nothing but the next level has pending numbers among the vertices that a vertex leads to.
//!
//! Within a loop, each number is written by one worker, or by several that add to it; what others read in the same loop
//! is not written in it. Loops are ordered by their ends, so all accesses are relaxed.
//!
//! Counts below 2^53 are whole, so they are exact and the same in any order of summation. A larger one is added up
//! again, in the order of the vertices that lead to it. Therefore no number depends on the schedule.

use super::arcs::Arcs;
use super::numbers::Numbers;
use crate::choose::tuning::{CHUNK, PIECE, PIECES, SMALL};
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use std::ops::Range;

/// Whole numbers below this are exact in double precision, and so are their sums.
const EXACT: f64 = (1_u64 << 53) as f64;
/// Arcs into vertices that have not been reached, for each arc out of the level, from which the former are read. They
/// are read in order and without branches that cannot be predicted.
const PULL: usize = 2;

/// What a worker needs for a search. All numbers are 0 before and after.
pub(super) struct Workspace {
    counts: Numbers,
    pending: Numbers,
}

impl Workspace {
    pub(super) fn new(num_vertices: usize) -> Self {
        Workspace { counts: Numbers::new(num_vertices), pending: Numbers::new(num_vertices) }
    }
}

/// What a search has found.
pub(super) struct Found<V> {
    /// The vertices that were reached, the source first, and then the nearer ones before others.
    pub(super) order: Vec<V>,
    dependencies: Numbers,
    /// Whether the paths to a vertex were too many.
    pub(super) has_overflowed: bool,
}

impl<V: Vertex> Found<V> {
    pub(super) fn new(num_vertices: usize) -> Self {
        Found { order: Vec::new(), dependencies: Numbers::new(num_vertices), has_overflowed: false }
    }

    /// Makes all dependencies 0.
    pub(super) fn clear(&self) {
        filch::for_each(&self.order, |_, v| self.dependencies.set(v.index(), 0.0));
    }

    pub(super) fn set_dependency(&self, v: V, dependency: f64) {
        self.dependencies.set(v.index(), dependency);
    }
}

/// Adds what each of the searches has found to the totals, in their order, and makes it 0.
pub(super) fn add_up<V: Vertex>(totals: &mut [f64], searches: &[Found<V>]) {
    let take = |found: &Found<V>, v: usize, total: &mut f64| {
        *total += found.dependencies.get(v);
        found.dependencies.set(v, 0.0);
    };
    let reached: usize = searches.iter().map(|found| found.order.len()).sum();
    if reached < totals.len() / 2 {
        for found in searches {
            for (step, v) in found.order.iter().enumerate() {
                look_at(step);
                take(found, v.index(), &mut totals[v.index()]);
            }
        }
        return;
    }
    filch::for_each((0_usize.., filch::chunks_mut(totals, PIECE)), |_, (piece, totals)| {
        for found in searches {
            for (v, total) in (piece * PIECE..).zip(&mut *totals) {
                take(found, v, total);
            }
        }
    });
}

/// A search from a source by one worker, or by all of the pool if `is_shared`.
pub(super) struct Search<'a, G> {
    pub(super) graph: &'a G,
    pub(super) workspace: &'a Workspace,
    pub(super) is_shared: bool,
    /// What is added up for the arcs.
    pub(super) arcs: Option<&'a Arcs>,
}

impl<G: Graph> Search<'_, G> {
    /// Finds the dependencies of `source` on all vertices other than itself.
    pub(super) fn run(&self, source: G::Vertex, found: &mut Found<G::Vertex>) {
        let Found { order, dependencies, has_overflowed } = found;
        let mut ends = Vec::new();
        *has_overflowed = !self.count_paths(source, order, &mut ends);
        if !*has_overflowed {
            for level in (1..ends.len()).rev() {
                let is_last = level + 1 == ends.len();
                self.depend(&order[ends[level - 1]..ends[level]], dependencies, is_last);
            }
            if self.arcs.is_some() {
                self.later(source);
            }
        }
        let Workspace { counts, pending } = self.workspace;
        self.for_each(order, |v| {
            counts.set(v.index(), 0.0);
            pending.set(v.index(), 0.0);
        });
    }

    /// Reaches all vertices, in levels of which it notes the ends. Returns false if there are too many paths.
    fn count_paths(&self, source: G::Vertex, order: &mut Vec<G::Vertex>, ends: &mut Vec<usize>) -> bool {
        order.clear();
        order.push(source);
        self.workspace.counts.set(source.index(), 1.0);
        let (mut begin, mut arcs) = (0, self.graph.degree(source));
        let mut arcs_left = self.graph.num_arcs();
        while begin < order.len() {
            let level = begin..order.len();
            (begin, arcs_left) = (level.end, arcs_left.saturating_sub(arcs));
            ends.push(begin);
            if arcs > 0 {
                if arcs_left < arcs.saturating_mul(PULL) {
                    self.pull(order);
                } else {
                    self.push(order, level, arcs);
                }
            }
            match self.complete(&order[begin..]) {
                Some(count) => arcs = count,
                None => return false,
            }
        }
        true
    }

    /// Adds the counts of a level to those of the vertices that it leads to.
    fn push(&self, order: &mut Vec<G::Vertex>, level: Range<usize>, arcs: usize) {
        let Workspace { counts, pending } = self.workspace;
        let follow = |u: G::Vertex, reached: &mut Vec<G::Vertex>, is_shared: bool| {
            let count = counts.get(u.index());
            for w in self.graph.neighbors(u) {
                if counts.get(w.index()) == 0.0 && pending.add(w.index(), count, is_shared) == 0.0 {
                    reached.push(w);
                }
            }
        };
        if !self.is_shared || level.len() + arcs < SMALL {
            for at in level {
                look_at(at);
                follow(order[at], order, false);
            }
            return;
        }
        let size = level.len().div_ceil(filch::num_workers() * PIECES).clamp(1, CHUNK);
        let reached = filch::map_reduce(
            filch::chunks(&order[level], size),
            Vec::new,
            |_, piece| {
                let mut reached = Vec::new();
                piece.iter().for_each(|&u| follow(u, &mut reached, true));
                reached
            },
            joined,
        );
        order.extend(reached);
    }

    /// Adds up the counts of the vertices that lead to each vertex that has not been reached.
    fn pull(&self, order: &mut Vec<G::Vertex>) {
        let Workspace { counts, pending } = self.workspace;
        let n = self.graph.num_vertices();
        let look = |w: usize, reached: &mut Vec<G::Vertex>| {
            if counts.get(w) == 0.0 {
                let vertex = G::Vertex::new(w);
                let count = self.paths_to(vertex);
                if count > 0.0 {
                    pending.set(w, count);
                    reached.push(vertex);
                }
            }
        };
        if !self.is_shared {
            for w in 0..n {
                look_at(w);
                look(w, order);
            }
            return;
        }
        let reached = filch::map_reduce(
            0..n.div_ceil(PIECE),
            Vec::new,
            |_, piece| {
                let mut reached = Vec::new();
                (piece * PIECE..n.min((piece + 1) * PIECE)).for_each(|w| look(w, &mut reached));
                reached
            },
            joined,
        );
        order.extend(reached);
    }

    /// The paths by way of the vertices that have counts. Every summation that may round has this order.
    #[inline(always)]
    fn paths_to(&self, w: G::Vertex) -> f64 {
        let counts = &self.workspace.counts;
        match self.graph.in_slice(w) {
            Some(row) => counts.sum_of(row.iter().copied()),
            None => counts.sum_of(self.graph.in_neighbors(w)),
        }
    }

    /// Makes pending counts those of a level. Returns the number of arcs that leave it, or `None` if there are too many
    /// paths.
    fn complete(&self, level: &[G::Vertex]) -> Option<usize> {
        let Workspace { counts, pending } = self.workspace;
        let check = |piece: &[G::Vertex]| {
            let mut arcs = Some(0_usize);
            for &w in piece {
                if pending.get(w.index()) >= EXACT {
                    pending.set(w.index(), self.paths_to(w));
                }
                let is_finite = pending.get(w.index()).is_finite();
                arcs = arcs.filter(|_| is_finite).map(|arcs| arcs.saturating_add(self.graph.degree(w)));
            }
            arcs
        };
        let add = |a: Option<usize>, b: Option<usize>| Some(a?.saturating_add(b?));
        let arcs = if !self.is_shared || level.len() < SMALL {
            check(level)
        } else {
            filch::map_reduce(filch::chunks(level, CHUNK), || Some(0), |_, piece| check(piece), add)
        };
        self.for_each(level, |w| {
            counts.set(w.index(), pending.get(w.index()));
            pending.set(w.index(), 0.0);
        });
        arcs
    }

    /// The dependencies on a level: what the next one depends on it.
    fn depend(&self, level: &[G::Vertex], dependencies: &Numbers, is_last: bool) {
        let Workspace { counts, pending } = self.workspace;
        if !is_last {
            self.for_each(level, |v| dependencies.set(v.index(), counts.get(v.index()) * self.later(v)));
        }
        self.for_each(level, |v| {
            pending.set(v.index(), (1.0 + dependencies.get(v.index())) / counts.get(v.index()));
        });
    }

    /// What the next level depends on each path to `v`. Adds it, for all of the paths, to the arcs of `v`.
    #[inline(always)]
    fn later(&self, v: G::Vertex) -> f64 {
        let Workspace { counts, pending } = self.workspace;
        let Some(arcs) = self.arcs else { return pending.sum_of(self.graph.neighbors(v)) };
        let (count, mut sum) = (counts.get(v.index()), 0.0);
        for (at, w) in self.graph.neighbors(v).enumerate() {
            // Without a branch, which could not be predicted.
            let later = pending.get(w.index());
            arcs.add(v, at, count * later);
            sum += later;
        }
        sum
    }

    /// Calls `body` with each of the vertices.
    #[inline(always)]
    fn for_each(&self, vertices: &[G::Vertex], body: impl Fn(G::Vertex) + Sync + Send) {
        if !self.is_shared || vertices.len() < CHUNK {
            for (step, &v) in vertices.iter().enumerate() {
                look_at(step);
                body(v);
            }
            return;
        }
        filch::for_each(filch::chunks(vertices, CHUNK), |_, piece| piece.iter().for_each(|&v| body(v)));
    }
}

/// Both lists, one after the other.
fn joined<T>(mut some: Vec<T>, more: Vec<T>) -> Vec<T> {
    if some.is_empty() {
        return more;
    }
    some.extend(more);
    some
}
