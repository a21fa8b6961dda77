//! The iteration: each vertex pulls from the arcs that lead to it.

use super::options::{Options, Update};
use super::result::PageRank;
use crate::choose::tuning::PIECE;
use crate::graph::Graph;
use crate::parallel_vec::filled;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use std::ops::Add;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a vertex of this score and degree gives to each of its neighbors. That of a vertex that no arc leaves is
/// infinite, and never read.
#[inline(always)]
fn share(score: f32, degree: usize) -> f32 {
    score / degree as f32
}

/// What each vertex gives to each of its neighbors, its score divided by its degree, as the bits of an `f32`. A
/// vertex is written by one worker in each iteration, and read by any. Which of two scores is read does not matter for
/// the result, so all accesses are relaxed.
#[derive(Clone, Copy)]
struct Shares<'a>(&'a [AtomicU32]);

impl Shares<'_> {
    #[inline(always)]
    fn get(self, v: usize) -> f32 {
        f32::from_bits(self.0[v].load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn set(self, v: usize, share: f32) {
        self.0[v].store(share.to_bits(), Ordering::Relaxed);
    }

    /// The sum of the shares of these vertices. It is in double precision, because the sum of a million shares would
    /// lose many digits otherwise.
    ///
    /// The shares are anywhere in memory, so the time is that of waiting for them. Four sums that do not wait for each
    /// other let a processor begin several reads at a time.
    #[inline(always)]
    fn sum_of<V: Vertex>(self, vertices: &[V]) -> f64 {
        let (fours, rest) = vertices.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            let shares = four.map(|u| f64::from(self.get(u.index())));
            for (sum, share) in sums.iter_mut().zip(shares) {
                *sum += share;
            }
        }
        let [a, b, c, d] = sums;
        rest.iter().fold((a + b) + (c + d), |sum, u| sum + f64::from(self.get(u.index())))
    }
}

/// What a sweep over all vertices has done.
#[derive(Clone, Copy, Default)]
struct Sweep {
    /// The sum of the changes of the scores.
    change: f64,
    /// The sum of what the vertices have pulled: their scores without what each vertex has anyway.
    pulled: f64,
    /// The part of it that belongs to vertices that arcs leave.
    kept: f64,
    /// The number of vertices that arcs leave.
    sources: usize,
}

impl Add for Sweep {
    type Output = Sweep;

    fn add(self, other: Sweep) -> Sweep {
        Sweep {
            change: self.change + other.change,
            pulled: self.pulled + other.pulled,
            kept: self.kept + other.kept,
            sources: self.sources + other.sources,
        }
    }
}

impl Sweep {
    /// The factor that what was pulled lacks. In the solution, the vertices have pulled in total d times the scores of
    /// those that arcs leave, each of which has `base` and what it has pulled. A sweep in place breaks this balance,
    /// and further sweeps restore it slowly, by a factor of d each. To restore it at once is the step of aggregation of
    /// Koury, McAllister and Stewart (1984), with all vertices in one aggregate.
    fn imbalance(&self, base: f64, damping: f64) -> f64 {
        let needed = damping * base * self.sources as f64;
        // What is lost and what is damped, apart: their sum without cancellation if the damping is close to 1.
        let lost = (self.pulled - self.kept) + (1.0 - damping) * self.kept;
        if self.pulled > 0.0 { needed / lost } else { 1.0 }
    }
}

/// The state of the iteration.
struct Ranks<'a, G: Graph> {
    graph: &'a G,
    damping: f64,
    /// The score of a vertex to which no arc leads.
    base: f64,
    scores: Vec<f32>,
    shares: Vec<AtomicU32>,
    /// The shares after the current sweep, unless they replace those before it at once.
    next: Option<Vec<AtomicU32>>,
}

impl<G: Graph> Ranks<'_, G> {
    /// One iteration.
    fn sweep(&mut self, watch: &dyn Watch) -> Sweep {
        let Ranks { graph, damping, base, ref mut scores, ref shares, ref next } = *self;
        let (shares, next) = (Shares(shares), Shares(next.as_ref().unwrap_or(shares)));
        let pull_chunk = move |first: usize, scores: &mut [f32]| {
            let mut sweep = Sweep::default();
            for (v, score) in (first..).zip(&mut *scores) {
                let vertex = G::Vertex::new(v);
                let row = graph.in_slice(vertex);
                let sum = match row {
                    Some(row) => shares.sum_of(row),
                    None => graph.in_neighbors(vertex).map(|u| f64::from(shares.get(u.index()))).sum(),
                };
                // In a symmetric graph, as many arcs leave a vertex as lead to it, and those have just been counted.
                let degree = match row {
                    Some(row) if graph.is_symmetric() => row.len(),
                    _ => graph.degree(vertex),
                };
                let pulled = damping * sum;
                let new = (base + pulled) as f32;
                sweep.change += f64::from((new - *score).abs());
                sweep.pulled += pulled;
                sweep.kept += if degree > 0 { pulled } else { 0.0 };
                sweep.sources += usize::from(degree > 0);
                *score = new;
                next.set(v, share(new, degree));
            }
            watch.advance(scores.len());
            sweep
        };
        let chunks = (0_usize.., filch::chunks_mut(scores, PIECE));
        let sweep = filch::map_reduce(
            chunks,
            Sweep::default,
            |_, (chunk, scores)| pull_chunk(chunk * PIECE, scores),
            Sweep::add,
        );
        if let Some(next) = &mut self.next {
            std::mem::swap(&mut self.shares, next);
        }
        sweep
    }

    /// Multiplies what each vertex has pulled.
    fn scale(&mut self, factor: f64) {
        let base = self.base;
        filch::for_each((&mut self.scores[..], &mut self.shares[..]), |_, (score, share)| {
            let new = (base + factor * (f64::from(*score) - base)) as f32;
            let share = share.get_mut();
            *share = (f32::from_bits(*share) * (new / *score)).to_bits();
            *score = new;
        });
    }
}

pub(super) fn run<G: Graph>(graph: &G, options: Options, watch: &dyn Watch) -> PageRank {
    let n = graph.num_vertices();
    let Options { damping, tolerance, max_iterations, update } = options;
    let first = 1.0 / n as f32;
    let shares = || filled(n, |v| AtomicU32::new(share(first, graph.degree(G::Vertex::new(v))).to_bits()));
    let mut ranks = Ranks {
        graph,
        damping,
        base: (1.0 - damping) / n as f64,
        scores: filled(n, |_| first),
        shares: shares(),
        next: (update == Update::Synchronous).then(shares),
    };
    let (mut iterations, mut change) = (0, f64::INFINITY);
    let mut has_converged = n == 0;
    while !has_converged && iterations < max_iterations {
        watch.begin(Pass::new("iterating", "vertices", n));
        let sweep = ranks.sweep(watch);
        iterations += 1;
        has_converged = sweep.change < tolerance;
        // If a sweep changes more than the one before it, it is not the sum of the scores that is wrong.
        let is_scaled = update == Update::InPlace && sweep.change < change;
        change = sweep.change;
        let factor = sweep.imbalance(ranks.base, damping);
        // What moves less than the tolerance does not decide when the iteration ends.
        let moves = (factor - 1.0).abs() * sweep.pulled >= tolerance;
        if is_scaled && moves && !has_converged && iterations < max_iterations {
            ranks.scale(factor);
        }
    }
    let change = if iterations > 0 { change } else { 0.0 };
    PageRank { scores: ranks.scores, iterations, change, has_converged }
}
