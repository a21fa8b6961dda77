//! Cheap tests of a graph, by which an algorithm is chosen.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// The number of vertices in a sample.
pub(super) const SAMPLES: usize = 1024;

/// The number of runs of consecutive vertices that are looked at, evenly spread.
const RUNS: usize = 16;

/// All runs together are at most this share of the graph, a few percent of the time of a pass over it.
const RUNS_SHARE: usize = 16;

/// The most vertices of a run: all of them are looked at by one worker, in some ten microseconds.
const MAX_RUN: usize = 1 << 9;

/// Vertices whose numbers differ by less are close: their parents are usually together in the first-level cache.
const NEAR: usize = 1 << 12;

/// A sample of `n` vertices, evenly spread: multiples of the golden ratio modulo 1.
pub(super) fn sample<V: Vertex>(n: usize) -> impl Iterator<Item = V> {
    sample_of(n, SAMPLES)
}

/// A sample of `samples` vertices out of `n`.
pub(super) fn sample_of<V: Vertex>(n: usize, samples: usize) -> impl Iterator<Item = V> {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let samples = if n == 0 { 0 } else { samples as u64 };
    (1..=samples).map(move |i| V::new(((u128::from(i.wrapping_mul(GOLDEN)) * n as u128) >> 64) as usize))
}

/// The vertex with the highest degree in a sample. Most vertices are near to it.
pub(super) fn hub<G: Graph>(graph: &G) -> Option<G::Vertex> {
    sample(graph.num_vertices()).max_by_key(|&v| graph.degree(v))
}

/// A smaller neighbor of `v`, or `v` itself if there is none.
#[inline(always)]
pub(super) fn lower<G: Graph>(graph: &G, v: G::Vertex) -> G::Vertex {
    graph.neighbors(v).find(|&w| w < v).unwrap_or(v)
}

/// Whether `v` has a neighbor other than itself.
pub(super) fn has_neighbor<G: Graph>(graph: &G, v: G::Vertex) -> bool {
    graph.neighbors(v).any(|w| w != v)
}

/// Whether each vertex with neighbors, except vertex 0, has a smaller one, judged by a sample and by runs of vertices
/// with consecutive numbers.
///
/// The runs cost little, because memory is read in order, and are for graphs of components with hundreds of vertices
/// each: a sample mostly misses the few vertices that have no smaller neighbor.
pub(super) fn descends<G: Graph>(graph: &G) -> bool {
    let n = graph.num_vertices();
    let descends = |v: G::Vertex| v.index() == 0 || lower(graph, v) != v || !has_neighbor(graph, v);
    let mut with_neighbors = sample::<G::Vertex>(n).filter(|&v| has_neighbor(graph, v)).peekable();
    if with_neighbors.peek().is_none() || !with_neighbors.all(descends) {
        return false;
    }
    let len = (n / RUNS / RUNS_SHARE).min(MAX_RUN);
    (0..RUNS).map(|run| run * (n / RUNS)).all(|start| (start..start + len).map(G::Vertex::new).all(descends))
}

/// Whether most neighbors have close numbers, so that they are close in memory, judged by a sample.
pub(super) fn is_local<G: Graph>(graph: &G) -> bool {
    let (mut near, mut arcs) = (0, 0);
    for v in sample::<G::Vertex>(graph.num_vertices()) {
        for w in graph.neighbors(v).take(SAMPLES) {
            arcs += 1;
            near += usize::from(v.index().abs_diff(w.index()) < NEAR);
        }
    }
    near * 4 >= arcs * 3
}
