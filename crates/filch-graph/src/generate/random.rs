//! Random edges.

use super::permutation::Permutation;
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

/// The probabilities of Graph500: for each edge, one of the four quadrants of the adjacency matrix is chosen with the
/// probabilities A, B, C and D = 1 - A - B - C, then one of the quadrants of this quadrant, and so on, once per bit.
/// The constants are cumulative, in units of 2^-32.
const A: u32 = (0.57 * 4_294_967_296.0) as u32;
const A_B: u32 = (0.76 * 4_294_967_296.0) as u32;
const A_B_C: u32 = (0.95 * 4_294_967_296.0) as u32;

/// Drawing an edge takes about ten times as long as reading it, so these edges are stored in a list.
pub(super) fn kronecker<V: Vertex>(
    scale: usize,
    num_edges: usize,
    draws: SplitMix,
    labels: Permutation,
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
                u = u << 1 | usize::from(draw >= A_B);
                v = v << 1 | usize::from((draw >= A) ^ (draw >= A_B) ^ (draw >= A_B_C));
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
