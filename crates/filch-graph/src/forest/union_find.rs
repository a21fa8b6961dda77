//! Union-find that records the edge of each hook, and rooting of the trees of these edges.
//!
//! The cells form trees: the cell of a vertex contains a smaller vertex of the same tree, or the vertex itself if it is
//! a root. The contents of cells only decrease, and only roots are hooked to other trees, by a compare-exchange. So an
//! edge causes a hook only if its ends are in different trees at that moment, and the edges of all hooks form a
//! spanning forest.
//!
//! For this reason paths are split, not spliced as in Rem's algorithm. Splicing moves a vertex to the other tree
//! *before* the hook. In this state, an edge of another worker between this vertex and its former tree could cause a
//! hook, although its ends are already connected by edges, and the edge that caused the splice would then be missing.
//! (Dhulipala, Hong and Shun 2020, "ConnectIt", make the same exception.)

use super::worklist::Cells;
use crate::build::BuildError;
use crate::csr::Csr;
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};

/// The number of vertices in a piece of work.
const PIECE: usize = 1 << 10;

/// The number of arcs of each vertex that are followed before the largest tree is determined.
const ROUNDS: usize = 2;

/// With fewer edges per vertex, sampling saves nothing (Dhulipala et al. 2020).
const MIN_EDGES_PER_VERTEX: usize = 3;

/// The number of vertices that are sampled to determine the largest tree.
const SAMPLES: usize = 1024;

/// Trees of vertices that are known to be connected.
pub(super) struct Trees<V: Vertex> {
    cells: Vec<V::Atomic>,
    is_shared: bool,
}

impl<V: Vertex> Trees<V> {
    /// `n` trees of one vertex each.
    pub(super) fn new(n: usize) -> Self {
        Trees { cells: filled(n, |v| V::Atomic::new(V::new(v))), is_shared: filch::num_workers() > 1 }
    }

    /// Merges the trees of `u` and `v`. Returns true if this call did it, and false if they are already in the same
    /// tree.
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

    /// The most frequent root in a sample of the vertices.
    fn largest(&self) -> Option<V> {
        let n = self.cells.len();
        let mut roots: Vec<V> = (0..n).step_by((n / SAMPLES).max(1)).map(|v| self.root(V::new(v))).collect();
        roots.sort_unstable();
        roots.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
    }
}

/// Calls `body` for each piece of `0..len`, in parallel. Returns the lists of the items that it appends, without empty
/// ones.
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

/// The edges of a spanning forest, in several lists.
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
            // An arc into the largest tree is followed from its other end. Within the largest tree, nothing is left to
            // do.
            if largest.is_some_and(|largest| trees.root(v) == trees.root(largest)) {
                continue;
            }
            // Without sampling, each edge is seen from both ends; once is enough.
            let arcs = graph.neighbors(v).skip(skip).filter(|&u| skip > 0 || u < v);
            list.extend(arcs.filter(|&u| trees.unite(u, v)).map(|u| (u, v)));
        }
    }));
    lists
}

/// The graph of the edges of a forest.
pub(super) fn rows_of<V: Vertex>(n: usize, edges: Vec<Vec<(V, V)>>) -> Result<Csr<V>, BuildError> {
    Csr::builder(n).symmetrize(true).build_parts(edges)
}

/// Makes `v` the root of its tree by reversing the path from `v` to the root. Work: the depth of `v`.
pub(super) fn make_root<V: Vertex>(parents: &Cells<V>, v: V) {
    hang(parents, v, v);
}

/// Makes `below` the parent of `v`, `v` the parent of its former parent, and so on up to the root.
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
