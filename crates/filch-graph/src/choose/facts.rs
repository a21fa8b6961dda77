//! What is known of a graph before it is traversed, by its sizes and by samples of its vertices.

use super::tuning::{ARCS, NEAR_BYTES, NEAR_NUMBERS, ORDERLY_PERCENT, PLACES, SAMPLES};
use crate::graph::{Graph, WeightedGraph};
use crate::vertex::Vertex;
use std::fmt;

/// What an algorithm is chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of arcs.
    pub arcs: usize,
    /// The number of workers.
    pub workers: usize,
    /// Whether a pass over the vertices, with their arcs, goes to places in the order of memory. So it is with numbers
    /// by rows or by levels: the arcs of each vertex lead near to those of the arcs before and after them, though not
    /// always near to the vertex. The processor fetches such places in time by itself.
    pub is_in_order: bool,
    /// Whether more sampled vertices lack a smaller neighbor than a larger one, as in trees with leaves first. Then a
    /// pass in which vertices join others begins with the largest vertex. False if nothing depends on it.
    pub is_reversed: bool,
    /// Whether each sampled vertex with arcs, except the first one of such a pass, has a neighbor that comes before it.
    /// `None` if nothing depends on it.
    pub descends: Option<bool>,
}

impl Facts {
    /// Samples `graph`, but not whether it descends, up or down.
    pub(crate) fn of<G: Graph>(graph: &G) -> Self {
        let n = graph.num_vertices();
        let vertex = |index: usize| (index < n).then(|| G::Vertex::new(index));
        let pairs = places(n).filter_map(|index| Some((vertex(index)?, vertex(index + 1))));
        Facts {
            vertices: n,
            arcs: graph.num_arcs(),
            workers: filch::num_workers(),
            is_in_order: are_in_order(graph, pairs),
            is_reversed: false,
            descends: None,
        }
    }

    /// Samples `graph`. Work: a small share of a pass over the vertices if it descends.
    pub(crate) fn with_descends<G: Graph>(graph: &G) -> Self {
        let descends_up = descends(graph, false);
        let is_reversed = !descends_up && is_reversed(graph);
        let descends = descends_up || is_reversed && descends(graph, true);
        Facts { is_reversed, descends: Some(descends), ..Facts::of(graph) }
    }

    /// Whether there are at most so many arcs for each vertex.
    pub(crate) fn has_at_most(&self, arcs: usize) -> bool {
        self.arcs <= self.vertices.saturating_mul(arcs)
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arcs = self.arcs as f64 / self.vertices.max(1) as f64;
        let order = if self.is_in_order { "order" } else { "no order" };
        write!(f, "{arcs:.1} arcs per vertex, in {order}")?;
        let Some(descends) = self.descends else { return Ok(()) };
        f.write_str(if descends { ", descending" } else { ", not descending" })?;
        f.write_str(if self.is_reversed { " from the last" } else { "" })
    }
}

/// Whether `len` items of this size are in a second-level cache, so that there is little waiting to save.
pub(crate) fn is_near(len: usize, item_bytes: usize) -> bool {
    len.saturating_mul(item_bytes) <= NEAR_BYTES
}

/// A sample of `n` vertices, evenly spread: multiples of the golden ratio modulo 1.
pub(crate) fn sample<V: Vertex>(n: usize) -> impl Iterator<Item = V> {
    sample_of(n, SAMPLES)
}

/// A sample of `samples` vertices out of `n`.
pub(crate) fn sample_of<V: Vertex>(n: usize, samples: usize) -> impl Iterator<Item = V> {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let samples = if n == 0 { 0 } else { samples as u64 };
    (1..=samples).map(move |i| V::new(((u128::from(i.wrapping_mul(GOLDEN)) * n as u128) >> 64) as usize))
}

/// Weights of a sample of the arcs; if no vertex of a sample has arcs, those of the first ones. Empty without arcs.
pub(crate) fn sample_weights<G: WeightedGraph>(graph: &G) -> Vec<G::Weight> {
    let n = graph.num_vertices();
    let of = |v: G::Vertex| graph.arcs(v).take(ARCS).map(|(_, weight)| weight);
    let weights: Vec<_> = sample(n).flat_map(of).collect();
    if !weights.is_empty() {
        return weights;
    }
    (0..n).map(G::Vertex::new).flat_map(of).take(SAMPLES).collect()
}

/// The vertex with the highest degree in a sample. Most vertices are near to it.
pub(crate) fn hub<G: Graph>(graph: &G) -> Option<G::Vertex> {
    sample(graph.num_vertices()).max_by_key(|&v| graph.degree(v))
}

/// Places in `0..n`, evenly spread and in order.
fn places(n: usize) -> impl Iterator<Item = usize> {
    let places = PLACES.min(n);
    (0..places).map(move |place| ((2 * place + 1) as u128 * n as u128 / (2 * places) as u128) as usize)
}

/// Whether more vertices lack a smaller neighbor than a larger one, judged by a sample.
fn is_reversed<G: Graph>(graph: &G) -> bool {
    let (mut lack_smaller, mut lack_larger) = (0, 0);
    for v in sample_of::<G::Vertex>(graph.num_vertices(), PLACES) {
        lack_smaller += usize::from(!graph.neighbors(v).any(|w| w < v));
        lack_larger += usize::from(!graph.neighbors(v).any(|w| w > v));
    }
    lack_smaller > lack_larger
}

/// Whether each vertex with neighbors, except the first one, has one that comes before it in a pass, judged by a sample
/// and by runs of vertices with consecutive numbers. False without arcs.
///
/// The runs cost little, because memory is read in order, and are for graphs of components with hundreds of vertices
/// each: a sample mostly misses the few vertices that have no smaller neighbor.
fn descends<G: Graph>(graph: &G, is_reversed: bool) -> bool {
    let n = graph.num_vertices();
    let has_neighbor = |v: G::Vertex| graph.neighbors(v).any(|w| w != v);
    let first = if is_reversed { n.wrapping_sub(1) } else { 0 };
    let is_before = |w: G::Vertex, v: G::Vertex| if is_reversed { w > v } else { w < v };
    let descends = |v: G::Vertex| v.index() == first || graph.neighbors(v).any(|w| is_before(w, v)) || !has_neighbor(v);
    let mut with_neighbors = sample::<G::Vertex>(n).filter(|&v| has_neighbor(v)).peekable();
    if with_neighbors.peek().is_none() || !with_neighbors.all(descends) {
        return false;
    }
    let len = n / (PLACES * PLACES);
    (0..PLACES).map(|run| run * (n / PLACES)).all(|start| (start..start + len).map(G::Vertex::new).all(descends))
}

/// Whether a pass over vertices, with their arcs, goes to places in order. `pairs`: some of the vertices, and those
/// that come next. False without arcs.
pub(crate) fn are_in_order<G: Graph>(graph: &G, pairs: impl Iterator<Item = (G::Vertex, Option<G::Vertex>)>) -> bool {
    let (mut arcs, mut near) = (0, 0);
    for (u, next) in pairs {
        let mut later = next.map(|next| graph.neighbors(next)).into_iter().flatten();
        let mut last: Option<G::Vertex> = None;
        for v in graph.neighbors(u).take(ARCS) {
            let is_near =
                |other: Option<G::Vertex>| other.is_some_and(|other| v.index().abs_diff(other.index()) < NEAR_NUMBERS);
            arcs += 1;
            near += usize::from(is_near(Some(u)) | is_near(last) | is_near(later.next()));
            last = Some(v);
        }
    }
    arcs > 0 && near * 100 >= arcs * ORDERLY_PERCENT
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::csr::Csr;
    use crate::generate::GraphSpec;

    /// A million vertices in no order, with four arcs each.
    pub(crate) const SHUFFLED: Facts =
        Facts { vertices: 1 << 20, arcs: 4 << 20, workers: 2, is_in_order: false, is_reversed: false, descends: None };

    fn facts(spec: &str) -> Facts {
        let graph: Csr = spec.parse::<GraphSpec>().expect("a specification").generate(1).expect("a graph");
        Facts::with_descends(&graph)
    }

    #[test]
    fn a_lattice_by_rows_is_in_order_and_descends_and_shuffled_it_does_neither() {
        for spec in ["torus(150)", "grid(150,150)", "meshes(40,140)", "path(20000)"] {
            let rows = facts(spec);
            assert!(rows.is_in_order && rows.descends == Some(true), "{spec}: {rows}");
            let shuffled = facts(&format!("{spec},shuffled"));
            assert!(!shuffled.is_in_order && shuffled.descends == Some(false), "{spec}: {shuffled}");
        }
    }

    #[test]
    fn reversed_numbers_are_in_order_too_and_drawn_edges_are_in_none() {
        assert!(facts("torus(150),reversed").is_in_order);
        assert!(!facts("random(20000,3)").is_in_order && !facts("kronecker(14)").is_in_order);
    }

    #[test]
    fn a_tree_with_its_leaves_first_descends_from_its_last_vertex_on() {
        for spec in ["bintree(14)", "stars(2000,9)", "galaxy(1,20000)"] {
            let of = |order| facts(&format!("{spec}{order}"));
            assert!(!of("").is_reversed && of("").descends == Some(true), "{spec}");
            assert!(of(",reversed").is_reversed && of(",reversed").descends == Some(true), "{spec}");
            assert_eq!(of(",shuffled").descends, Some(false), "{spec}");
        }
    }

    #[test]
    fn components_of_hundreds_of_vertices_are_seen_not_to_descend() {
        assert_eq!(facts("islands(200,500)").descends, Some(false));
    }

    #[test]
    fn a_sample_is_spread_over_all_vertices_and_nothing_has_none() {
        let mut drawn: Vec<u32> = sample(1 << 20).collect();
        drawn.sort_unstable();
        assert!(drawn.windows(2).all(|pair| pair[1] - pair[0] < 4 << 10));
        assert_eq!(sample::<u32>(0).count(), 0);
    }

    #[test]
    fn the_limit_of_the_cache_is_a_mebibyte() {
        assert!(is_near(1 << 18, 4) && !is_near((1 << 18) + 1, 4) && !is_near(usize::MAX, 8));
    }
}
