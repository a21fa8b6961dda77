//! Cheap looks at a graph, by which an algorithm is chosen.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// How many vertices are looked at.
pub(super) const SAMPLES: usize = 1024;

/// Numbers that differ by less are near: their parents are in the cache nearest to a processor, most often.
const NEAR: usize = 1 << 12;

/// Some of `n` vertices, spread evenly: multiples of the golden ratio, modulo 1.
pub(super) fn sample<V: Vertex>(n: usize) -> impl Iterator<Item = V> {
    sample_of(n, SAMPLES)
}

/// The same, so many of them.
pub(super) fn sample_of<V: Vertex>(n: usize, samples: usize) -> impl Iterator<Item = V> {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let samples = if n == 0 { 0 } else { samples as u64 };
    (1..=samples).map(move |i| V::new(((u128::from(i.wrapping_mul(GOLDEN)) * n as u128) >> 64) as usize))
}

/// Of some vertices one with most arcs: from there, most is near.
pub(super) fn hub<G: Graph>(graph: &G) -> Option<G::Vertex> {
    sample(graph.num_vertices()).max_by_key(|&v| graph.degree(v))
}

/// A smaller neighbour of `v`, or itself.
#[inline(always)]
pub(super) fn lower<G: Graph>(graph: &G, v: G::Vertex) -> G::Vertex {
    graph.neighbors(v).find(|&w| w < v).unwrap_or(v)
}

/// Whether `v` has a neighbour.
pub(super) fn has_neighbor<G: Graph>(graph: &G, v: G::Vertex) -> bool {
    graph.neighbors(v).any(|w| w != v)
}

/// Whether a vertex that has neighbours always has a smaller one, as far as can be seen.
pub(super) fn descends<G: Graph>(graph: &G) -> bool {
    let mut with_neighbors = sample::<G::Vertex>(graph.num_vertices()).filter(|&v| has_neighbor(graph, v)).peekable();
    with_neighbors.peek().is_some() && with_neighbors.all(|v| v.index() == 0 || lower(graph, v) != v)
}

/// Whether most neighbours have numbers near each other, so that they are near in memory, too.
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
