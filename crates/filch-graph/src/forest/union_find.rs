//! Union-find that remembers the edge of each hook, and the rooting of the trees of these edges.
//!
//! Cells form trees: each holds a smaller vertex of the same tree, or its own if it is a root. Cells only ever fall,
//! and only roots are hooked, by a compare-exchange. So an edge hooks only if its ends are in different trees at that
//! moment: the edges of hooks form a spanning forest. That is why paths are split here and not spliced, as Rem has it:
//! a splice moves a vertex to the other tree *before* the hook, and another worker's edge between that vertex and those
//! that it has left would hook a second time what is connected by edges already, in place of the edge that it came
//! before. (ConnectIt has the same exception.)

use super::worklist::Cells;
use crate::build::BuildError;
use crate::csr::Csr;
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};

/// Vertices in a piece of the work.
const PIECE: usize = 1 << 10;

/// How many arcs of each vertex are followed before the largest tree is looked for.
const ROUNDS: usize = 2;

/// With fewer edges per vertex sampling saves nothing (ConnectIt).
const MIN_EDGES_PER_VERTEX: usize = 3;

/// How many vertices are asked for their tree to find the largest one.
const SAMPLES: usize = 1024;

/// Trees of vertices that are known to be connected.
pub(super) struct Trees<V: Vertex> {
    cells: Vec<V::Atomic>,
    is_shared: bool,
}

impl<V: Vertex> Trees<V> {
    /// Each of `n` vertices is a tree.
    pub(super) fn new(n: usize) -> Self {
        Trees { cells: filled(n, |v| V::Atomic::new(V::new(v))), is_shared: filch::num_workers() > 1 }
    }

    /// Makes one tree of those of `u` and `v`. True if they were two, and no other call has made them one.
    #[inline(always)]
    pub(super) fn unite(&self, u: V, v: V) -> bool {
        let (mut a, mut b) = (u, v);
        loop {
            let (above_a, above_b) = (self.above(a), self.above(b));
            if above_a == above_b {
                return false;
            }
            let (high, above, low) = if above_a > above_b { (a, above_a, above_b) } else { (b, above_b, above_a) };
            if high == above {
                if self.lower(high, above, low) {
                    return true;
                }
                continue;
            }
            let two_above = self.above(above);
            if two_above != above {
                self.lower(high, above, two_above);
            }
            if above_a > above_b { a = above } else { b = above }
        }
    }

    #[inline(always)]
    fn above(&self, v: V) -> V {
        self.cells[v.index()].load()
    }

    #[inline(always)]
    fn lower(&self, v: V, from: V, to: V) -> bool {
        let cell = &self.cells[v.index()];
        if self.is_shared {
            return cell.replace(from, to);
        }
        cell.store(to);
        true
    }

    fn root(&self, mut v: V) -> V {
        loop {
            match self.above(v) {
                above if above == v => return v,
                above => v = above,
            }
        }
    }

    /// A root that most of some vertices have.
    fn largest(&self) -> Option<V> {
        let n = self.cells.len();
        let mut roots: Vec<V> = (0..n).step_by((n / SAMPLES).max(1)).map(|v| self.root(V::new(v))).collect();
        roots.sort_unstable();
        roots.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
    }
}

/// The edges that `body` gives for each piece of the vertices, in as many lists as have come about.
pub(super) fn collect<T: Send>(
    len: usize,
    body: impl Fn(std::ops::Range<usize>, &mut Vec<T>) + Send + Sync,
) -> Vec<Vec<T>> {
    filch::map_reduce(
        0..len.div_ceil(PIECE),
        Vec::new,
        |_, piece| {
            let mut list = Vec::new();
            body(piece * PIECE..len.min((piece + 1) * PIECE), &mut list);
            if list.is_empty() { Vec::new() } else { vec![list] }
        },
        |mut a, b| {
            a.extend(b);
            a
        },
    )
}

/// The edges of a spanning forest, in lists.
pub(super) fn edges<G: Graph>(graph: &G) -> Vec<Vec<(G::Vertex, G::Vertex)>> {
    let n = graph.num_vertices();
    let trees = Trees::new(n);
    let mut lists = Vec::new();
    let mut skip = 0;
    let mut largest = None;
    if graph.num_arcs() / 2 >= MIN_EDGES_PER_VERTEX * n {
        for round in 0..ROUNDS {
            lists.extend(collect(n, |piece, list| {
                for v in piece.map(G::Vertex::new) {
                    list.extend(graph.neighbors(v).nth(round).filter(|&u| trees.unite(u, v)).map(|u| (u, v)));
                }
            }));
        }
        skip = ROUNDS;
        largest = trees.largest();
    }
    lists.extend(collect(n, |piece, list| {
        for v in piece.map(G::Vertex::new) {
            // Of an arc into the largest tree the other end is looked at; within that tree nothing is left to do.
            if largest.is_some_and(|largest| trees.root(v) == trees.root(largest)) {
                continue;
            }
            // Without sampling each edge is seen from both ends; once is enough.
            let arcs = graph.neighbors(v).skip(skip).filter(|&u| skip > 0 || u < v);
            list.extend(arcs.filter(|&u| trees.unite(u, v)).map(|u| (u, v)));
        }
    }));
    lists
}

/// The graph of a forest's edges.
pub(super) fn rows_of<V: Vertex>(n: usize, edges: Vec<Vec<(V, V)>>) -> Result<Csr<V>, BuildError> {
    Csr::builder(n).symmetrize(true).build_parts(edges)
}

/// Makes `v` the root of its tree: the path from it up is reversed. Work: its depth.
pub(super) fn make_root<V: Vertex>(parents: &Cells<V>, v: V) {
    hang(parents, v, v);
}

/// Makes `below` the parent of `v`, that vertex the parent of its former one, and so on up to the root.
pub(super) fn hang<V: Vertex>(parents: &Cells<V>, v: V, below: V) {
    let (mut v, mut below) = (v, below);
    loop {
        let above = parents[v.index()].load();
        parents[v.index()].store(below);
        if above == v {
            return;
        }
        (below, v) = (v, above);
    }
}
