//! Random edges.

use super::permutation::Permutation;
use super::relabeling::Relabeling;
use crate::build::{BuildError, Formula, Parts, Source};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::Watch;

/// Each of `n` vertices picks `picks` others, of the first 2^`bits` unless `bits` is 0. There are `num_edges` in all.
pub(super) fn picked<V: Vertex>(
    n: usize,
    picks: usize,
    bits: usize,
    num_edges: usize,
    draws: SplitMix,
) -> impl Source<V> {
    let power = u32::try_from(bits).ok().and_then(|bits| 1_usize.checked_shl(bits));
    let bound = power.filter(|&power| power > 1).map_or(n, |power| power.min(n));
    let edge = move |i: usize| (V::new(i / picks), V::new(draws.below(bound, i as u64)));
    Formula { num_edges, edge }
}

/// Both ends of each edge are drawn from all `n` vertices.
pub(super) fn uniform<V: Vertex>(n: usize, num_edges: usize, draws: SplitMix) -> impl Source<V> {
    let end = move |position: usize| V::new(draws.below(n, position as u64));
    Formula { num_edges, edge: move |i: usize| (end(2 * i), end(2 * i + 1)) }
}

/// `num_edges` of the pairs of `n` vertices, each at most once: the first ones of a permutation of all pairs.
pub(super) fn pairs<V: Vertex>(n: usize, num_edges: usize, pairs: Permutation) -> impl Source<V> {
    // A pair is known by the vertex from which the other one is less than half of the way around a circle, and by how
    // far that is. Of an even number of vertices, those that are opposite make up the last n / 2 pairs.
    let edge = move |i: usize| {
        let pair = pairs.apply(i);
        let (u, distance) = (pair % n, pair / n + 1);
        let v = if u < n - distance { u + distance } else { u - (n - distance) };
        (V::new(u), V::new(v))
    };
    Formula { num_edges, edge }
}

/// The probabilities of a recursive graph: for each edge, one of the four quadrants of the adjacency matrix is chosen
/// with the probabilities A, B, C and D = 1 - A - B - C, then one of the quadrants of this quadrant, and so on, once
/// per bit. Here A, A + B and A + B + C, in units of 2^-32.
#[derive(Clone, Copy)]
pub(super) struct Quadrants(u32, u32, u32);

impl Quadrants {
    /// Those of Graph500.
    pub(super) const GRAPH_500: Self = Self::new(0.57, 0.19, 0.19);
    /// Those of the Problem Based Benchmark Suite.
    pub(super) const PBBS: Self = Self::new(0.5, 0.1, 0.1);

    const fn new(a: f64, b: f64, c: f64) -> Self {
        let unit = (1_u64 << 32) as f64;
        Quadrants((a * unit) as u32, ((a + b) * unit) as u32, ((a + b + c) * unit) as u32)
    }
}

/// Drawing an edge takes about ten times as long as reading it, so these edges are stored in a list.
pub(super) fn recursive<V: Vertex>(
    (scale, num_edges): (usize, usize),
    Quadrants(a, a_b, a_b_c): Quadrants,
    draws: SplitMix,
    labels: Relabeling,
    watch: &dyn Watch,
) -> Result<impl Source<V> + use<V>, BuildError> {
    let edge = move |i: usize| {
        let draws = draws.of(i as u64);
        let (mut u, mut v) = (0, 0);
        for bits in 0..scale.div_ceil(2) {
            // Each random number decides two bits.
            let draw = draws.at(bits as u64);
            let mut add_bit = |draw: u32| {
                // The quadrants are, in this order: neither bit set, the bit of v, the bit of u, both.
                u = u << 1 | usize::from(draw >= a_b);
                v = v << 1 | usize::from((draw >= a) ^ (draw >= a_b) ^ (draw >= a_b_c));
            };
            add_bit(draw as u32);
            if 2 * bits + 1 < scale {
                add_bit((draw >> 32) as u32);
            }
        }
        (V::new(labels.apply(u)), V::new(labels.apply(v)))
    };
    Parts::listed(num_edges, edge, watch)
}
