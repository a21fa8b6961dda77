//! Whether a traversal goes on, decided from times that are passed in.

use crate::graph::Graph;
use crate::memory::is_near;
use std::time::Duration;

/// How many vertices and arcs are seen before the pace is judged: enough for a clock that counts in parts of a
/// microsecond, and few for a graph that several workers traverse.
pub(super) const PORTION: usize = 1 << 13;

/// A portion is at least this share of the graph, as soon as one was fast. Reading the clock so often takes a few
/// microseconds.
const PORTIONS: usize = 64;

/// The traversal gives up when so many portions in a row were slow. After one, it need not be the graph: another
/// program may have run meanwhile, or what has been in no cache before may be in one now.
const SLOW_IN_A_ROW: usize = 2;

/// It also gives up when so many portions were slow altogether, of [`PORTIONS`].
const SLOW: usize = 8;

/// Where vertices come in no order, the first 1/`FILLING` of a graph is not judged. Sixteen vertices share a cache
/// line, and whoever comes first waits for it: by then 1 - 1/e of all lines are in the cache, and the rest is faster.
const FILLING: usize = 16;

/// How long it takes until other workers help, and until what they share is where it is needed: several wake-ups in a
/// row, of 30 to 50 us each (`filch machine`), and as much again for memory that moves between processors. A wrong
/// value matters only for graphs that take about as long, and costs no more than this once.
const SHARING: Duration = Duration::from_micros(300);

/// How many near steps a step of a traversal takes at best, where rows are read in order and lead to vertices that have
/// been visited.
const FEWEST_NEAR_STEPS: f64 = 0.5;

/// How many near steps those that read in order take for each vertex and arc: they link what they have found, as much
/// work again as following the arcs.
const ORDERLY_STEPS: f64 = 2.0;

/// How many near steps those that wait little take for each vertex, for claims and lists. Arcs hardly count: where
/// there are many, most are left out. On 40 shuffled and random graphs of 30,000 to 250,000 vertices, with 1 to 6 arcs
/// for each, components and forests took 3 to 64 ns for each vertex, about half of them 20 to 32, where the near step
/// took 1.5 ns. The upper end of this half is assumed: if a traversal is left at a tie, what it has seen is seen twice.
const PREFETCHING_STEPS: f64 = 22.0;

/// What each further worker adds to one of those that wait little: they claim vertices out of each other's caches. Two
/// workers took 0.6 to 1.1 times as long as one for components of these graphs. More have not been measured.
const FURTHER_WORKER: f64 = 0.25;

/// The algorithm that is used if the traversal gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rival {
    /// Reads memory in order.
    Orderly,
    /// Waits for memory as little as it can.
    Prefetching,
}

impl Rival {
    /// How many near steps one worker takes for a graph of so many vertices, and of so many vertices and arcs.
    fn near_steps(self, vertices: usize, all: usize) -> f64 {
        match self {
            Rival::Orderly => ORDERLY_STEPS * all as f64,
            Rival::Prefetching => PREFETCHING_STEPS * vertices as f64,
        }
    }

    /// How many times as fast several workers are as one. Pieces of memory in order are shared without loss.
    fn speedup(self, workers: usize) -> f64 {
        match self {
            Rival::Orderly => workers as f64,
            Rival::Prefetching => 1.0 + FURTHER_WORKER * (workers - 1) as f64,
        }
    }
}

/// What is known when a traversal begins, and what the clock has shown since.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    rival: Rival,
    /// The number of vertices, and the number of vertices and of arcs that are followed.
    vertices: usize,
    all: usize,
    workers: usize,
    /// Whether the result is in a cache.
    is_near: bool,
    near_step_ns: f64,
    /// The part of `all` that has been seen.
    seen: usize,
    /// The number of portions that were slow, and how many of them were the last ones.
    slow: usize,
    slow_in_a_row: usize,
}

impl Trial {
    /// A traversal of `graph` that has not begun. `near_step_ns` is zero if there is no clock.
    pub(super) fn new<G: Graph>(graph: &G, is_directed: bool, rival: Rival, near_step_ns: f64) -> Self {
        let n = graph.num_vertices();
        let arcs = graph.num_arcs().saturating_mul(if is_directed { 2 } else { 1 });
        Trial {
            rival,
            vertices: n,
            all: n.saturating_add(arcs),
            workers: filch::num_workers(),
            is_near: is_near(n, size_of::<G::Vertex>()),
            near_step_ns,
            seen: 0,
            slow: 0,
            slow_in_a_row: 0,
        }
    }

    /// How long the other algorithm takes, for the whole graph.
    fn rival_ns(&self) -> f64 {
        let sharing_ns = if self.workers > 1 { SHARING.as_nanos() as f64 } else { 0.0 };
        let near_steps = self.rival.near_steps(self.vertices, self.all);
        sharing_ns + near_steps * self.near_step_ns / self.rival.speedup(self.workers)
    }

    /// Whether the rest of a traversal, at this pace, is no slower than the other algorithm.
    fn is_fast(&self, step_ns: f64) -> bool {
        self.all.saturating_sub(self.seen) as f64 * step_ns <= self.rival_ns()
    }

    /// Whether a traversal may be the faster one. Beyond the cache, a traversal in no order waits at most steps for
    /// memory, which the other algorithm avoids. Beside many workers, even the fastest traversal is slow. Without a
    /// clock, nobody knows.
    pub(super) fn begins(&self) -> bool {
        let waits = matches!(self.rival, Rival::Prefetching) && !self.is_near;
        self.near_step_ns > 0.0 && !waits && self.is_fast(self.near_step_ns * FEWEST_NEAR_STEPS)
    }

    /// How many vertices and arcs are seen until the next decision.
    pub(super) fn portion(&self) -> usize {
        let is_proven = self.seen > 0 && self.slow_in_a_row == 0;
        if is_proven { PORTION.max(self.all / PORTIONS) } else { PORTION }
    }

    /// Whether the traversal goes on after a portion of so many vertices and arcs, which took this time.
    pub(super) fn goes_on(&mut self, steps: usize, time: Duration) -> bool {
        self.seen += steps;
        let fills_cache = matches!(self.rival, Rival::Prefetching) && self.seen < self.all / FILLING;
        if fills_cache || self.is_fast(time.as_nanos() as f64 / steps.max(1) as f64) {
            self.slow_in_a_row = 0;
            return true;
        }
        self.slow += 1;
        self.slow_in_a_row += 1;
        self.slow_in_a_row < SLOW_IN_A_ROW && self.slow < SLOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A traversal of so many vertices and arcs, three arcs for each vertex, beside so many workers, where a near step
    /// takes a nanosecond.
    fn trial(rival: Rival, all: usize, workers: usize) -> Trial {
        let (vertices, is_near, near_step_ns) = (all / 4, true, 1.0);
        Trial { rival, vertices, all, workers, is_near, near_step_ns, seen: 0, slow: 0, slow_in_a_row: 0 }
    }

    /// How a traversal ends in which a step takes `step_ns` of the number of the portion: after so many nanoseconds,
    /// and whether it is complete.
    fn run(mut trial: Trial, step_ns: impl Fn(usize) -> f64) -> (f64, bool) {
        let mut spent = 0.0;
        for portion in 0.. {
            let steps = trial.portion().min(trial.all - trial.seen);
            let ns = steps as f64 * step_ns(portion);
            spent += ns;
            if steps == trial.all - trial.seen {
                return (spent, true);
            }
            if !trial.goes_on(steps, Duration::from_nanos(ns as u64)) {
                return (spent, false);
            }
        }
        unreachable!("each portion sees something")
    }

    #[test]
    fn a_fast_traversal_goes_on_and_a_slow_one_gives_up_sooner_among_more_workers() {
        let completes = |rival, step_ns, workers| run(trial(rival, 100_000_000, workers), |_| step_ns).1;
        assert!(completes(Rival::Prefetching, 5.0, 1) && !completes(Rival::Prefetching, 5.0, 2));
        assert!(completes(Rival::Orderly, 0.9, 2) && !completes(Rival::Orderly, 1.5, 2));
        assert!(!completes(Rival::Orderly, 1.0, 16));
    }

    #[test]
    fn a_small_graph_takes_longer_to_share_than_to_traverse() {
        let completes = |all| run(trial(Rival::Orderly, all, 16), |_| 5.0).1;
        assert!(completes(20_000) && !completes(2_000_000));
    }

    #[test]
    fn a_wrong_beginning_is_left_after_two_small_portions() {
        let (spent, completes) = run(trial(Rival::Orderly, 100_000_000, 2), |_| 50.0);
        assert!(!completes);
        assert_eq!(spent, (2 * PORTION) as f64 * 50.0);
    }

    #[test]
    fn an_interruption_does_not_end_a_fast_traversal() {
        for interrupted in 0..60 {
            let step_ns = |portion| if portion == interrupted { 1000.0 } else { 1.0 };
            assert!(run(trial(Rival::Orderly, 10_000_000, 1), step_ns).1, "at portion {interrupted}");
        }
    }

    #[test]
    fn a_traversal_that_becomes_slow_is_left_soon_unless_it_is_almost_complete() {
        let all = 10_000_000;
        let slow_since = |since| run(trial(Rival::Orderly, all, 1), |portion| if portion < since { 1.0 } else { 20.0 });
        let rival_ns = trial(Rival::Orderly, all, 1).rival_ns();
        let (spent, completes) = slow_since(20);
        assert!(!completes && spent < rival_ns, "{spent} ns");
        let (spent, completes) = slow_since(60);
        assert!(completes && spent < 1.5 * rival_ns, "{spent} ns");
    }

    #[test]
    fn whatever_the_pace_at_most_an_eighth_of_the_graph_is_seen_slowly_before_the_traversal_is_left() {
        for (seed, workers) in (0_u64..1000).zip([1, 2, 4].into_iter().cycle()) {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut trial = trial(Rival::Orderly, rng.usize(1_000_000..100_000_000), workers);
            let often = rng.f64();
            let mut slowly = 0;
            loop {
                let steps = trial.portion();
                let step_ns = if rng.f64() < often { 50.0 } else { 0.5 };
                let slow = trial.slow;
                let goes_on = trial.goes_on(steps, Duration::from_nanos((steps as f64 * step_ns) as u64));
                slowly += if trial.slow > slow { steps } else { 0 };
                if !goes_on || trial.seen >= trial.all {
                    break;
                }
            }
            assert!(slowly <= trial.all / 8 + PORTION, "seed {seed}: {slowly} of {}", trial.all);
        }
    }

    #[test]
    fn waiting_while_the_cache_is_filled_does_not_end_a_traversal_in_no_order() {
        let completes = |rival| run(trial(rival, 1_000_000, 1), |portion| if portion < 4 { 20.0 } else { 1.0 }).1;
        assert!(completes(Rival::Prefetching) && !completes(Rival::Orderly));
    }

    #[test]
    fn nothing_is_begun_that_cannot_be_the_faster_one() {
        let begins = |rival, all, workers, is_near| Trial { is_near, ..trial(rival, all, workers) }.begins();
        assert!(begins(Rival::Orderly, 100_000_000, 2, false) && !begins(Rival::Orderly, 100_000_000, 16, false));
        assert!(begins(Rival::Orderly, 100_000, 16, false), "others come late");
        assert!(begins(Rival::Prefetching, 100_000, 2, true) && !begins(Rival::Prefetching, 100_000, 2, false));
        assert!(!Trial { near_step_ns: 0.0, ..trial(Rival::Orderly, 100, 1) }.begins(), "there is no clock");
    }
}
