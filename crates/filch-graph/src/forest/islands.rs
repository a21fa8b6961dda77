//! Islands: components so small that distributing their vertices among workers would take longer than one worker needs
//! to traverse them.
//!
//! Each vertex without a smaller neighbor starts a walk through its component. The walk ends when it finds a smaller
//! vertex, or when the component turns out to be too large. So on each island exactly one walk is complete: that from
//! its smallest vertex, which then writes the parents of all vertices. No claims are needed, because the other walks
//! read only the graph. A component in which no walk completes is left unchanged.
//!
//! As in all graph traversals, most of the time is spent waiting for memory. So the starts of walks are collected, and
//! the data that they need are prefetched, as in [`worklist`](super::worklist).

use super::look::{is_local, sample};
use super::worklist::Cells;
use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use std::ops::Range;

/// The largest number of arcs of an island. For each arc, a walk searches the vertices found so far, so larger islands
/// would take more time than they save.
const MAX_ARCS: usize = 256;

/// The number of vertices in a piece of work.
const PIECE: usize = 1 << 10;

/// Islands are common if [`ENOUGH`] vertices of a sample are found to be on thin islands before [`TOO_MANY`] vertices
/// are found not to be.
const ENOUGH: usize = 8;

/// See [`ENOUGH`].
const TOO_MANY: usize = 8;

/// The number of walks between two steps of prefetching for the same walk.
const APART: usize = 8;

/// The number of prefetching steps before a walk.
const LOOKS: usize = 4;

/// The number of neighbors of a vertex that are prefetched.
const FETCHED: usize = 4;

/// The known part of a component: vertices and their parents, starting where the walk began.
struct Walk<V> {
    vertices: [V; MAX_ARCS + 1],
    parents: [V; MAX_ARCS + 1],
    len: usize,
}

/// How a walk has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It has visited all vertices of an island.
    Complete,
    /// It has found a smaller vertex.
    Smaller,
    /// The component is too large for an island.
    Large,
}

impl<V: Vertex> Walk<V> {
    fn new() -> Self {
        Walk { vertices: [V::NONE; MAX_ARCS + 1], parents: [V::NONE; MAX_ARCS + 1], len: 0 }
    }

    /// Walks through the component of `start` until it finds a vertex below `least`.
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
            // Check the whole row first, because the loop below compares each neighbor with all vertices found so far.
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

    /// The number of arcs of the vertices that have been found.
    fn num_arcs<G: Graph<Vertex = V>>(&self, graph: &G) -> usize {
        self.vertices[..self.len].iter().map(|&v| graph.degree(v)).sum()
    }

    fn write(&self, parents: &Cells<V>) {
        for (v, &parent) in self.vertices[..self.len].iter().zip(&self.parents) {
            parents[v.index()].store(parent);
        }
    }
}

/// Islands with more arcs than this for each vertex count as other components in the sample: a walk on an island
/// searches what it has found for each arc.
const THIN: usize = 4;

/// Whether many of the vertices without a parent are on islands that are thin, judged by a sample. Isolated vertices do
/// not count.
pub(super) fn are_common<G: Graph>(graph: &G, parents: &Cells<G::Vertex>) -> bool {
    let is_open = |v: &G::Vertex| parents[v.index()].load() == G::Vertex::NONE && graph.degree(*v) > 0;
    let (mut walk, mut on_islands, mut others) = (Walk::new(), 0, 0);
    for v in sample::<G::Vertex>(parents.len()).filter(is_open) {
        match walk.walk(graph, v, G::Vertex::new(0)) {
            End::Complete if walk.num_arcs(graph) <= THIN * walk.len => on_islands += 1,
            _ => others += 1,
        }
        if on_islands == ENOUGH || others == TOO_MANY {
            break;
        }
    }
    on_islands == ENOUGH
}

/// The result of settling islands.
#[derive(Clone, Copy, Default)]
pub(super) struct Settled {
    pub(super) islands: usize,
    /// Whether there are larger components.
    pub(super) are_others: bool,
}

impl Settled {
    fn and(self, other: Settled) -> Settled {
        Settled { islands: self.islands + other.islands, are_others: self.are_others || other.are_others }
    }
}

/// Assigns parents to all vertices without a parent that are on islands. None of them may have a neighbor with a
/// parent.
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
        // Most vertices of an island in this piece already have a parent when they are reached.
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

/// Prefetches the neighbors of the vertices where walks start, and their neighbors. This takes four steps. Each step is
/// for the walk [`APART`] positions before that of the previous step.
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
