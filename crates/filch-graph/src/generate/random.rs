//! Random edges: formulas from the position of an edge to its ends.

use super::permutation::Permutation;
use super::relabeling::Relabeling;
use super::shape::Shape;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;

/// Each of `n` vertices picks `picks` others, of the first 2^`bits` unless `bits` is 0.
fn picked<V: Vertex>(
    n: usize,
    picks: usize,
    bits: usize,
    draws: SplitMix,
) -> impl Fn(usize) -> (V, V) + Send + Sync + 'static {
    let power = u32::try_from(bits).ok().and_then(|bits| 1_usize.checked_shl(bits));
    let bound = power.filter(|&power| power > 1).map_or(n, |power| power.min(n));
    move |i: usize| (V::new(i / picks), V::new(draws.below(bound, i as u64)))
}

/// Both ends of each edge are drawn from all `n` vertices.
fn uniform<V: Vertex>(n: usize, draws: SplitMix) -> impl Fn(usize) -> (V, V) + Send + Sync + 'static {
    let end = move |position: usize| V::new(draws.below(n, position as u64));
    move |i: usize| (end(2 * i), end(2 * i + 1))
}

/// Pairs of `n` vertices, each at most once, in the order of a permutation of all pairs.
fn pairs<V: Vertex>(n: usize, pairs: Permutation) -> impl Fn(usize) -> (V, V) + Send + Sync + 'static {
    // A pair is known by the vertex from which the other one is less than half of the way around a circle, and by how
    // far that is. Of an even number of vertices, those that are opposite make up the last n / 2 pairs.
    move |i: usize| {
        let pair = pairs.apply(i);
        let (u, distance) = (pair % n, pair / n + 1);
        let v = if u < n - distance { u + distance } else { u - (n - distance) };
        (V::new(u), V::new(v))
    }
}

/// The probabilities of a recursive graph: for each edge, one of the four quadrants of the adjacency matrix is chosen
/// with the probabilities A, B, C and D = 1 - A - B - C, then one of the quadrants of this quadrant, and so on, once
/// per bit. Here A, A + B and A + B + C, in units of 2^-32.
#[derive(Clone, Copy)]
struct Quadrants(u32, u32, u32);

impl Quadrants {
    /// Those of Graph500.
    const GRAPH_500: Self = Self::new(0.57, 0.19, 0.19);
    /// Those of the Problem Based Benchmark Suite.
    const PBBS: Self = Self::new(0.5, 0.1, 0.1);

    const fn new(a: f64, b: f64, c: f64) -> Self {
        let unit = (1_u64 << 32) as f64;
        Quadrants((a * unit) as u32, ((a + b) * unit) as u32, ((a + b + c) * unit) as u32)
    }
}

/// The edges of a recursive graph of 2^`scale` vertices.
fn recursive<V: Vertex>(
    scale: usize,
    Quadrants(a, a_b, a_b_c): Quadrants,
    draws: SplitMix,
    labels: Relabeling,
) -> impl Fn(usize) -> (V, V) + Send + Sync + 'static {
    move |i: usize| {
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
    }
}

/// What is made of random edges.
pub(super) trait Edges<V> {
    type Made;

    /// Of a formula from the position of an edge to its ends.
    fn with(self, edge: impl Fn(usize) -> (V, V) + Send + Sync + 'static) -> Self::Made;

    /// Of one that takes ten times as long as reading an edge.
    fn with_dear(self, edge: impl Fn(usize) -> (V, V) + Send + Sync + 'static) -> Self::Made;
}

/// Makes something of the edges of a shape of `n` vertices, which must be drawn edge by edge. `shuffled` are labels for
/// shapes that need some.
pub(super) fn with_edges<V: Vertex, E: Edges<V>>(
    n: usize,
    shape: Shape,
    draws: SplitMix,
    shuffled: Permutation,
    then: E,
) -> E::Made {
    match shape {
        Shape::Random { vertices, picks, bits } => then.with(picked(vertices, picks, bits, draws)),
        Shape::Gnm { vertices, .. } => {
            then.with(pairs(vertices, Permutation::new(vertices * (vertices - 1) / 2, draws)))
        }
        Shape::Uniform { .. } => then.with(uniform(n, draws)),
        Shape::Kronecker { scale, .. } => {
            then.with_dear(recursive(scale, Quadrants::GRAPH_500, draws, Relabeling::Shuffle(shuffled)))
        }
        Shape::Rmat { scale, .. } => then.with_dear(recursive(scale, Quadrants::PBBS, draws, Relabeling::Keep)),
        shape => unreachable!("{shape} is not drawn edge by edge"),
    }
}
