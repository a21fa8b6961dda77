//! The iteration: each vertex pulls from the arcs that lead to it.

use super::options::{Options, Update};
use super::result::PageRank;
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of vertices after which progress is reported: enough to make its cost vanish, few enough to balance the
/// load.
const CHUNK: usize = 1 << 10;

/// What each vertex gives to each of its neighbors, its score divided by its degree, as the bits of an `f32`. A
/// vertex is written by one worker in each iteration, and read by any. Which of two scores is read does not matter for
/// the result, so all accesses are relaxed.
struct Shares(Vec<AtomicU32>);

impl Shares {
    #[inline(always)]
    fn get(&self, v: usize) -> f32 {
        f32::from_bits(self.0[v].load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn set(&self, v: usize, share: f32) {
        self.0[v].store(share.to_bits(), Ordering::Relaxed);
    }
}

/// The sum of the shares. It is in double precision, because the sum of a million shares would lose many digits
/// otherwise. Four shares at a time are added in single precision, so that one addition does not wait for another.
#[inline(always)]
fn sum(mut shares: impl Iterator<Item = f32>) -> f64 {
    let mut sum = 0.0;
    while let Some(first) = shares.next() {
        let Some(second) = shares.next() else { return sum + f64::from(first) };
        let Some(third) = shares.next() else { return sum + f64::from(first + second) };
        let Some(fourth) = shares.next() else { return sum + f64::from(first + second + third) };
        sum += f64::from((first + second) + (third + fourth));
    }
    sum
}

pub(super) fn run<G: Graph>(graph: &G, options: Options, watch: &dyn Watch) -> PageRank {
    let n = graph.num_vertices();
    let Options { damping, tolerance, max_iterations, update } = options;
    let (first, base) = (1.0 / n as f32, (1.0 - damping) / n as f64);
    // The share of a vertex that no arc leaves is infinite, and never read.
    let share = |v: usize, score: f32| score / graph.degree(G::Vertex::new(v)) as f32;
    let shares = || Shares(filled(n, |v| AtomicU32::new(share(v, first).to_bits())));
    let mut scores = filled(n, |_| first);
    let (mut old, mut new) = (shares(), (update == Update::Synchronous).then(shares));
    let (mut iterations, mut change) = (0, 0.0);
    let mut has_converged = n == 0;
    while !has_converged && iterations < max_iterations {
        watch.begin(Pass::new("iterating", "vertices", n));
        let (from, to) = (&old, new.as_ref().unwrap_or(&old));
        let pull_chunk = |first: usize, scores: &mut [f32]| {
            let mut change = 0.0;
            for (v, score) in (first..).zip(&mut *scores) {
                let pulled = sum(graph.in_neighbors(G::Vertex::new(v)).map(|u| from.get(u.index())));
                let pulled = (base + damping * pulled) as f32;
                change += f64::from((pulled - *score).abs());
                *score = pulled;
                to.set(v, share(v, pulled));
            }
            watch.advance(scores.len());
            change
        };
        let chunks = (0_usize.., filch::chunks_mut(&mut scores, CHUNK));
        change = filch::map_reduce(
            chunks,
            || 0.0,
            |_, (chunk, scores)| pull_chunk(chunk * CHUNK, scores),
            |a: f64, b| a + b,
        );
        iterations += 1;
        has_converged = change < tolerance;
        if let Some(new) = &mut new {
            std::mem::swap(&mut old, new);
        }
    }
    PageRank { scores, iterations, change, has_converged }
}
