//! Islands: components so small that one worker has walked one before others would have been told of it.
//!
//! A vertex without a smaller neighbour walks its component, until that turns out to have a smaller vertex after all,
//! or to be no island. So of those that walk an island one comes to the end, its smallest vertex, and that one writes
//! all its parents: nobody claims anything, and what the others read is the graph. A component of which no walk comes
//! to the end is left as it is.
//!
//! Such graphs are slow for their waits for memory, as all are; so walks are collected, and what they will need is
//! fetched in advance, as in `worklist.rs`.

use super::look::{is_local, sample};
use super::worklist::Cells;
use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use std::ops::Range;

/// A component of more arcs is no island. A walk looks for each of its arcs through the vertices that it has found, so
/// more would take longer than they save.
const MAX_ARCS: usize = 256;

/// Vertices in a piece of the work.
const PIECE: usize = 1 << 10;

/// Islands abound if of some vertices that are left so many are found to be on one...
const ENOUGH: usize = 8;

/// ... before so many are found not to be.
const TOO_MANY: usize = 32;

/// Walks between two looks at one.
const APART: usize = 8;

/// Looks at a walk before it is made.
const LOOKS: usize = 4;

/// Of a row so many are fetched in advance.
const FETCHED: usize = 4;

/// A component as far as it is known: vertices, and their parents, from where the walk began.
struct Walk<V> {
    vertices: [V; MAX_ARCS + 1],
    parents: [V; MAX_ARCS + 1],
    len: usize,
}

/// How a walk has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// All of an island has been seen.
    Complete,
    /// There is a smaller vertex.
    Smaller,
    /// This is no island.
    Large,
}

impl<V: Vertex> Walk<V> {
    fn new() -> Self {
        Walk { vertices: [V::NONE; MAX_ARCS + 1], parents: [V::NONE; MAX_ARCS + 1], len: 0 }
    }

    /// Walks the component of `start` until it has a vertex below `least`.
    #[inline(always)]
    fn walk<G: Graph<Vertex = V>>(&mut self, graph: &G, start: V, least: V) -> End {
        (self.vertices[0], self.parents[0], self.len) = (start, start, 1);
        let (mut visited, mut num_arcs) = (0, 0);
        while visited < self.len {
            let (v, parent) = (self.vertices[visited], self.parents[visited]);
            visited += 1;
            num_arcs += graph.degree(v);
            if num_arcs > MAX_ARCS {
                return End::Large;
            }
            // Of the whole row first: what follows looks at all vertices so far for each arc.
            if graph.neighbors(v).any(|w| w < least) {
                return End::Smaller;
            }
            for w in graph.neighbors(v) {
                if w != parent && !self.vertices[..self.len].contains(&w) {
                    (self.vertices[self.len], self.parents[self.len]) = (w, v);
                    self.len += 1;
                }
            }
        }
        End::Complete
    }

    fn write(&self, parents: &Cells<V>) {
        for (v, &parent) in self.vertices[..self.len].iter().zip(&self.parents) {
            parents[v.index()].store(parent);
        }
    }
}

/// Whether a part of the vertices without a parent, and with neighbours, is on islands, as far as can be seen.
pub(super) fn abound<G: Graph>(graph: &G, parents: &Cells<G::Vertex>) -> bool {
    let is_open = |v: &G::Vertex| parents[v.index()].load() == G::Vertex::NONE && graph.degree(*v) > 0;
    let (mut walk, mut on_islands, mut others) = (Walk::new(), 0, 0);
    for v in sample::<G::Vertex>(parents.len()).filter(is_open) {
        match walk.walk(graph, v, G::Vertex::new(0)) {
            End::Complete => on_islands += 1,
            _ => others += 1,
        }
        if on_islands == ENOUGH || others == TOO_MANY {
            break;
        }
    }
    on_islands == ENOUGH
}

/// What has been settled.
#[derive(Clone, Copy, Default)]
pub(super) struct Settled {
    pub(super) islands: usize,
    /// Whether there is something else.
    pub(super) are_others: bool,
}

impl Settled {
    fn and(self, other: Settled) -> Settled {
        Settled { islands: self.islands + other.islands, are_others: self.are_others || other.are_others }
    }
}

/// Gives all vertices without a parent one, if they are on islands; none of them has a neighbour with one.
pub(super) fn settle<G: Graph>(graph: &G, parents: &Cells<G::Vertex>) -> Settled {
    let (n, looks_ahead) = (parents.len(), !is_local(graph));
    filch::map_reduce(
        0..n.div_ceil(PIECE),
        Settled::default,
        |_, piece| settle_piece(graph, parents, piece * PIECE..n.min((piece + 1) * PIECE), looks_ahead),
        Settled::and,
    )
}

fn settle_piece<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, piece: Range<usize>, looks_ahead: bool) -> Settled {
    let (mut walk, mut settled) = (Walk::new(), Settled::default());
    let mut settle = |v| match walk.walk(graph, v, v) {
        End::Complete => {
            walk.write(parents);
            settled.islands += 1;
        }
        End::Smaller => {}
        End::Large => settled.are_others = true,
    };
    let open = piece.map(G::Vertex::new).filter(|v| parents[v.index()].load() == G::Vertex::NONE);
    if !looks_ahead {
        // Of those on an island in this piece most have a parent by the time that they are looked at.
        open.for_each(settle);
        return settled;
    }
    let (mut starts, mut len) = ([G::Vertex::NONE; PIECE], 0);
    for v in open {
        starts[len] = v;
        len += usize::from(graph.neighbors(v).all(|w| w >= v));
    }
    let starts = &starts[..len];
    for step in 0..len + LOOKS * APART {
        look_ahead(graph, parents, starts, step);
        if let Some(&v) = step.checked_sub(LOOKS * APART).and_then(|i| starts.get(i)) {
            settle(v);
        }
    }
    settled
}

/// Looks at several walks, of that which comes first `APART` later each: at neighbours, and at theirs.
#[inline(always)]
fn look_ahead<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, starts: &[G::Vertex], step: usize) {
    let start = |look: usize| step.checked_sub(look * APART).and_then(|i| starts.get(i)).copied();
    let near = |v: G::Vertex| graph.neighbors(v).take(FETCHED);
    let fetch = |v: G::Vertex| {
        graph.prefetch(v);
        prefetch(parents, v.index());
    };
    if let Some(v) = start(0) {
        near(v).for_each(fetch);
    }
    if let Some(v) = start(1) {
        near(v).for_each(|w| graph.prefetch_neighbors(w));
    }
    if let Some(v) = start(2) {
        near(v).for_each(|w| near(w).filter(|&x| x != v).for_each(fetch));
    }
    if let Some(v) = start(3) {
        near(v).for_each(|w| near(w).filter(|&x| x != v).for_each(|x| graph.prefetch_neighbors(x)));
    }
}
