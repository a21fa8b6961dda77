//! PageRank (Brin and Page 1998, "The anatomy of a large-scale hypertextual web search engine").
//!
//! The definition is that of the GAP Benchmark Suite: n vertices share a score of 1 at first, and in each iteration
//! the score of a vertex becomes (1 - d) / n + d Σ score(u) / degree(u), over the arcs that lead to it from vertices
//! u. The share of a vertex that no arc leaves is lost, so the scores of a graph with such vertices add up to less
//! than 1.
//!
//! Scores that are updated in place converge sooner, except for their sum, which becomes wrong and takes long to
//! recover. So after an iteration in place, what the vertices have pulled is multiplied by the factor that restores the
//! sum (Koury, McAllister and Stewart 1984, "Iterative methods for computing stationary distributions of nearly
//! completely decomposable Markov chains"). On a star this takes 2 iterations instead of 26.

// `shares` is below what is declared here, and `serial` uses it. May import: `Graph` and what computes arrays, not
// other algorithms, builders or readers.

mod serial;
mod shares;

pub use serial::serial;

use crate::choose::tuning::PIECE;
use crate::cli_enum::cli_enum;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch_algorithms::tabulate;
use shares::Shares;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;
use std::sync::atomic::{AtomicU32, Ordering};

/// When other vertices see the new score of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Update {
    /// At once (Gauss-Seidel), as in the GAP Benchmark Suite, and then the sum of the scores is
    /// [restored](self). Usually takes fewer iterations than [`Synchronous`](Update::Synchronous). On several workers,
    /// the last digits of the scores are nondeterministic.
    #[default]
    InPlace,
    /// In the next iteration (Jacobi). The scores after a given number of iterations do not depend on the schedule.
    Synchronous,
}

cli_enum!(Update, "update", ParseUpdateError: InPlace = "in-place", Synchronous = "synchronous");

/// A computation of PageRank, as a builder. The defaults are those of the GAP Benchmark Suite.
///
/// ```
/// # let graph: filch_graph::Csr = filch_graph::Csr::builder(2).build(vec![(0, 1), (1, 0)])?;
/// use filch_graph::pagerank::{PageRank, Update};
///
/// let found = PageRank::new().max_iterations(100).tolerance(1e-6).update(Update::Synchronous).run(&graph);
/// assert_eq!(found.scores, [0.5, 0.5]);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
#[derive(Clone, Copy)]
pub struct PageRank<'w> {
    damping: f64,
    tolerance: f64,
    max_iterations: usize,
    update: Update,
    watch: &'w dyn Watch,
}

impl Default for PageRank<'_> {
    fn default() -> Self {
        PageRank {
            damping: Self::DAMPING,
            tolerance: Self::TOLERANCE,
            max_iterations: Self::MAX_ITERATIONS,
            update: Update::InPlace,
            watch: &(),
        }
    }
}

/// The PageRank of `graph`, as [`PageRank::run`] computes it with the default options.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::pagerank::pagerank;
///
/// let graph: Csr = Csr::builder(4).build(vec![(0, 3), (1, 3), (2, 3), (3, 0)])?;
/// let found = pagerank(&graph);
/// assert_eq!(found.top(2), [(3, found.scores[3]), (0, found.scores[0])]);
/// assert!(found.scores[1] < found.scores[0]);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn pagerank<G: Graph>(graph: &G) -> Ranks {
    PageRank::new().run(graph)
}

impl<'w> PageRank<'w> {
    /// The default damping factor.
    pub const DAMPING: f64 = 0.85;
    /// The default tolerance.
    pub const TOLERANCE: f64 = 1e-4;
    /// The default limit on iterations.
    pub const MAX_ITERATIONS: usize = 20;

    /// A computation with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The damping factor d, the share of a score that follows the arcs.
    ///
    /// # Panics
    ///
    /// Panics if it is not at least 0 and less than 1.
    #[must_use]
    pub fn damping(self, damping: f64) -> Self {
        assert!((0.0..1.0).contains(&damping), "the damping factor is {damping}: expected at least 0 and less than 1");
        PageRank { damping, ..self }
    }

    /// Stop after an iteration that changes the scores by less than this in total (the L1 norm). The scores have 24
    /// bits, so a tolerance below some 10^-7 may never be reached.
    ///
    /// # Panics
    ///
    /// Panics if it is negative.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        assert!(tolerance >= 0.0, "the tolerance is {tolerance}: expected a number that is not negative");
        PageRank { tolerance, ..self }
    }

    /// Stop after this number of iterations.
    ///
    /// # Panics
    ///
    /// Panics if it is 0.
    #[must_use]
    pub fn max_iterations(self, max_iterations: usize) -> Self {
        assert!(max_iterations > 0, "the limit on iterations is {max_iterations}: expected at least 1");
        PageRank { max_iterations, ..self }
    }

    /// When other vertices see a new score.
    #[must_use]
    pub fn update(self, update: Update) -> Self {
        PageRank { update, ..self }
    }

    /// Reports progress to `watch`: a pass over the vertices for each iteration.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        PageRank { watch, ..self }
    }

    /// The PageRank of `graph`.
    ///
    /// Work: O(n + m) for each iteration; all vertices pull from the arcs that lead to them, without atomic
    /// read-modify-write instructions. Span of an iteration: the longest row. Memory: 8 bytes for each vertex with
    /// [`Update::InPlace`], half of which is the result, and 12 bytes with [`Update::Synchronous`].
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Ranks {
        let n = graph.num_vertices();
        let PageRank { damping, tolerance, max_iterations, update, watch } = self;
        let first = 1.0 / n as f32;
        let first_share = |v: usize| first / graph.degree(G::Vertex::new(v)) as f32;
        let shares = || tabulate(n, |v| AtomicU32::new(first_share(v).to_bits()));
        let mut ranks = Iteration {
            graph,
            damping,
            base: (1.0 - damping) / n as f64,
            scores: tabulate(n, |_| first),
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
        Ranks { scores: ranks.scores, iterations, change, has_converged }
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
struct Iteration<'a, G: Graph> {
    graph: &'a G,
    damping: f64,
    /// The score of a vertex to which no arc leads.
    base: f64,
    scores: Vec<f32>,
    shares: Vec<AtomicU32>,
    /// The shares after the current sweep, unless they replace those before it at once.
    next: Option<Vec<AtomicU32>>,
}

impl<G: Graph> Iteration<'_, G> {
    /// One iteration.
    fn sweep(&mut self, watch: &dyn Watch) -> Sweep {
        let Iteration { graph, damping, base, ref mut scores, ref shares, ref next } = *self;
        let (shares, next) = (Shares(shares), Shares(next.as_ref().unwrap_or(shares)));
        let pull_chunk = move |first: usize, scores: &mut [f32]| {
            let mut sweep = Sweep::default();
            for (v, score) in (first..).zip(&mut *scores) {
                let vertex = G::Vertex::new(v);
                let row = graph.in_slice(vertex);
                let (most, rest) = match row {
                    Some(row) => shares.sum_of(row),
                    None => (graph.in_neighbors(vertex).map(|u| f64::from(shares.get(u.index()))).sum(), 0.0),
                };
                // In a symmetric graph, as many arcs leave a vertex as lead to it, and those have just been counted.
                let degree = match row {
                    Some(row) if graph.is_symmetric() => row.len(),
                    _ => graph.degree(vertex),
                };
                let pulled = damping * (most + f64::from(rest));
                let new = (base + pulled) as f32;
                sweep.change += f64::from((new - *score).abs());
                sweep.pulled += pulled;
                sweep.kept += if degree > 0 { pulled } else { 0.0 };
                sweep.sources += usize::from(degree > 0);
                *score = new;
                // The next vertex may wait for this share, and on a mesh each does. So little is done with the sum, in
                // single precision; the division is over before.
                let inverse = 1.0 / degree as f64;
                let share = (base * inverse) as f32 + (damping * inverse) as f32 * (most as f32 + rest);
                next.0[v].store(share.to_bits(), Ordering::Relaxed);
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

/// The scores of all vertices, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// The score of each vertex.
    pub scores: Vec<f32>,
    /// The number of iterations.
    pub iterations: usize,
    /// The sum over all vertices of how much the last iteration changed the score, 0 without vertices.
    pub change: f64,
    /// Whether `change` was below the tolerance, so that the iteration did not end because of its limit.
    pub has_converged: bool,
}

impl Ranks {
    /// The `count` vertices with the highest scores, the highest first; vertices of equal score in ascending order.
    /// Work: O(n log `count`), serial.
    pub fn top(&self, count: usize) -> Vec<(usize, f32)> {
        // Scores are not negative, so their bits are in the same order.
        let mut top = BinaryHeap::with_capacity(count.min(self.scores.len()));
        for (v, score) in self.scores.iter().enumerate() {
            let key = Reverse((score.to_bits(), Reverse(v)));
            if top.len() < count {
                top.push(key);
            } else if top.peek().is_some_and(|least| key < *least) {
                top.pop();
                top.push(key);
            }
        }
        top.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(v)))| (v, self.scores[v])).collect()
    }

    /// A bound on how much one more iteration with [`Update::Synchronous`] would change
    /// the scores. A vertex that has seen an old score of a neighbor makes an error of at most the share of the change
    /// that it has not seen; in total the errors are at most d times `change`. Rounding adds a few units in the last
    /// place.
    pub fn residual_bound(&self) -> f64 {
        const ROUNDINGS: f64 = 6.0;
        self.change + ROUNDINGS * f64::from(f32::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_sorted_by_score_and_then_by_vertex() {
        let ranks = |scores: &[f32]| Ranks { scores: scores.to_vec(), iterations: 1, change: 0.0, has_converged: true };
        let found = ranks(&[0.1, 0.3, 0.1, 0.5, 0.3]);
        assert_eq!(found.top(4), [(3, 0.5), (1, 0.3), (4, 0.3), (0, 0.1)]);
        assert_eq!(found.top(9).len(), 5);
        assert!(found.top(0).is_empty() && ranks(&[]).top(3).is_empty());
    }
}
