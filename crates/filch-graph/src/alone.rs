//! A plain traversal by one worker, which goes on only if it is fast.
//!
//! Where one worker finds what it needs in a cache, or in the order of memory, the plain traversal is hard to beat,
//! even by several workers: nothing is claimed, and no memory moves between processors. Whether it is so depends on the
//! graph, on how its vertices are numbered and on the machine, and the clock shows it better than any sample of the
//! graph. So the traversal begins. After a few thousand vertices it compares its pace with that of the algorithm that
//! would be used instead, and goes on or gives up. A wrong beginning costs an array, and what these vertices take.
//!
//! The unit of both is the *near step*: what the same code takes for a vertex or an arc of a path that lies in the
//! first-level cache. It is measured once per process.

use crate::csr::{Csr, Rows};
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How many vertices are visited before the pace is judged: enough for a clock that counts in parts of a microsecond,
/// and few for a graph that several workers traverse.
const TRIAL: usize = 1 << 12;

/// The pace is judged again after so many vertices more, unless it was far too slow. What has been in no cache at first
/// may be in one then.
const SECOND_TRIAL: usize = 2 * TRIAL;

/// The traversal gives up at once if it takes this many times as long as the other algorithm.
const FAR_TOO_SLOW: f64 = 2.0;

/// How long it takes until other workers help, and until what they share is where it is needed: several wake-ups in a
/// row, of 30 to 50 us each (`filch machine`), and as much again for memory that moves between processors. A wrong
/// value matters only for graphs that take about as long, and costs no more than this once.
const SHARING: Duration = Duration::from_micros(300);

/// If the result takes at most this many bytes, it is in a second-level cache, which has 1 or 2 MiB in processors since
/// 2020, and there is little waiting to save. If the cache is smaller, the next one answers, in less than memory takes.
const NEAR_BYTES: usize = 1 << 20;

/// How many near steps a step of a traversal takes at best, where rows are read in order and lead to vertices that have
/// been visited.
const FEWEST_NEAR_STEPS: f64 = 0.5;

/// The number of vertices of the path on which the near step is measured: its rows, its parents and the stack take 8
/// KiB, a part of a first-level cache.
const PATH: usize = 1 << 9;

/// How often the path is traversed, a microsecond or two each time. The fastest counts: the others were interrupted, or
/// have filled the cache.
const PASSES: usize = 8;

/// How long a step of the traversal takes whose data is in the first-level cache and whose branches are predicted.
/// Depends on the processor, not on the graph. Zero if the clock is too coarse.
fn near_step_ns() -> f64 {
    static NEAR_STEP: OnceLock<f64> = OnceLock::new();
    *NEAR_STEP.get_or_init(|| {
        let graph = path();
        let steps = (PATH + graph.num_arcs()) as f64;
        let passes = (0..PASSES).map(|_| {
            let (cells, stack) = (vec![u32::NONE; PATH], Vec::with_capacity(PATH));
            let mut traversal = Traversal::<_, false, false> { graph: &graph, cells, stack, root: u32::NONE };
            let begun = Instant::now();
            traversal.finish(&mut (0..PATH));
            begun.elapsed()
        });
        passes.min().unwrap_or_default().as_nanos() as f64 / steps
    })
}

fn path() -> Csr {
    let (mut offsets, mut targets) = (vec![0], Vec::new());
    for v in 0..PATH {
        targets.extend(v.checked_sub(1).into_iter().chain(Some(v + 1).filter(|&next| next < PATH)).map(u32::new));
        offsets.push(targets.len());
    }
    let weights = vec![(); targets.len()];
    Csr::from_rows(Rows { offsets, targets, weights }, None)
}

/// The algorithm that is used if the traversal gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rival {
    /// Reads memory in order.
    Orderly,
    /// Waits for memory as little as it can.
    Prefetching,
}

impl Rival {
    /// How many near steps one worker takes for each vertex and for each arc. Those that read in order link what they
    /// have found, as much work again. Those that wait little claim vertices and keep lists: 6 to 15 ns on shuffled
    /// trees, stars and cycles of 100,000 vertices, where the near step takes 1.5 (`filch bench zoo`).
    const fn near_steps(self) -> f64 {
        match self {
            Rival::Orderly => 2.0,
            Rival::Prefetching => 7.0,
        }
    }

    /// How many times as long a traversal takes as this algorithm, if a near step takes `near_step_ns`, and a step of
    /// the traversal so many times as long.
    fn compared(self, near_step_ns: f64, near_steps: f64, trial: &Trial) -> f64 {
        let all_ns = trial.all as f64 * near_step_ns;
        let sharing_ns = if trial.workers > 1 { SHARING.as_nanos() as f64 } else { 0.0 };
        all_ns * near_steps / (sharing_ns + all_ns * self.near_steps() / trial.workers as f64)
    }

    /// Whether this algorithm may be slower than a traversal. Beyond the cache, a traversal in no order waits at most
    /// steps for memory, which this algorithm avoids. Beside many workers, even the fastest traversal is slow.
    fn may_lose(self, near_step_ns: f64, trial: &Trial) -> bool {
        let waits = matches!(self, Rival::Prefetching) && !trial.is_near;
        !waits && self.compared(near_step_ns, FEWEST_NEAR_STEPS, trial) <= 1.0
    }
}

/// What a trial is about.
struct Trial {
    /// The number of vertices and arcs of the graph.
    all: usize,
    workers: usize,
    /// Whether the result is in a cache.
    is_near: bool,
}

/// The parent of each vertex in a spanning forest, in which `first` is a root, or with `ROOTS` the root itself. The
/// other roots are the smallest vertices of their components. `None` if the traversal has given up. `DIRECTED`: arcs
/// are followed in both directions.
pub(crate) fn traverse<G: Graph, const ROOTS: bool, const DIRECTED: bool>(
    graph: &G,
    first: Option<G::Vertex>,
    rival: Rival,
) -> Option<Vec<G::Vertex>> {
    // There is no clock on this system.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return None;
    }
    let n = graph.num_vertices();
    let is_near = n.saturating_mul(size_of::<G::Vertex>()) <= NEAR_BYTES;
    let trial = Trial { all: n + graph.num_arcs(), workers: filch::num_workers(), is_near };
    // Smaller graphs are traversed before anything is judged.
    if n > TRIAL && !rival.may_lose(near_step_ns(), &trial) {
        return None;
    }
    // All memory has been touched when the clock starts.
    let (cells, stack) = (vec![G::Vertex::NONE; n], Vec::with_capacity(TRIAL));
    let mut traversal = Traversal::<G, ROOTS, DIRECTED> { graph, cells, stack, root: G::Vertex::NONE };
    let mut roots = 0..n;
    if let Some(first) = first {
        traversal.begin_tree(first);
    }
    for vertices in [TRIAL, SECOND_TRIAL] {
        let begun = Instant::now();
        let Some(steps) = traversal.visit(&mut roots, vertices) else {
            return Some(traversal.cells);
        };
        let step_ns = begun.elapsed().as_nanos() as f64 / steps.max(1) as f64;
        let compared = rival.compared(near_step_ns(), step_ns / near_step_ns(), &trial);
        if compared <= 1.0 {
            traversal.finish(&mut roots);
            return Some(traversal.cells);
        } else if compared > FAR_TOO_SLOW {
            return None;
        }
    }
    None
}

struct Traversal<'g, G: Graph, const ROOTS: bool, const DIRECTED: bool> {
    graph: &'g G,
    cells: Vec<G::Vertex>,
    stack: Vec<G::Vertex>,
    /// The root of the present tree.
    root: G::Vertex,
}

impl<G: Graph, const ROOTS: bool, const DIRECTED: bool> Traversal<'_, G, ROOTS, DIRECTED> {
    /// Visits this many vertices, and returns how many vertices and arcs it has seen. `None` if that was all.
    fn visit(&mut self, roots: &mut Range<usize>, vertices: usize) -> Option<usize> {
        let (mut left, mut steps) = (vertices, 0);
        loop {
            while let Some(u) = self.stack.pop() {
                self.reach_from(u);
                (left, steps) = (left - 1, steps + 1 + self.graph.degree(u));
                if left == 0 {
                    return Some(steps);
                }
            }
            let root = self.next_root(roots)?;
            self.begin_tree(root);
        }
    }

    /// Visits all that is left.
    fn finish(&mut self, roots: &mut Range<usize>) {
        loop {
            while let Some(u) = self.stack.pop() {
                self.reach_from(u);
            }
            let Some(root) = self.next_root(roots) else { return };
            self.begin_tree(root);
        }
    }

    #[inline(always)]
    fn next_root(&self, roots: &mut Range<usize>) -> Option<G::Vertex> {
        roots.find(|&root| self.cells[root] == G::Vertex::NONE).map(G::Vertex::new)
    }

    #[inline(always)]
    fn begin_tree(&mut self, root: G::Vertex) {
        self.root = root;
        self.cells[root.index()] = root;
        self.stack.push(root);
    }

    #[inline(always)]
    fn reach_from(&mut self, u: G::Vertex) {
        let value = if ROOTS { self.root } else { u };
        let mut reach = |v: G::Vertex| {
            if self.cells[v.index()] == G::Vertex::NONE {
                self.cells[v.index()] = value;
                self.stack.push(v);
            }
        };
        self.graph.neighbors(u).for_each(&mut reach);
        if DIRECTED {
            self.graph.in_neighbors(u).for_each(&mut reach);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a traversal that takes so many near steps, of a nanosecond each, for a step goes on.
    fn goes_on(rival: Rival, near_steps: f64, all: usize, workers: usize) -> bool {
        rival.compared(1.0, near_steps, &Trial { all, workers, is_near: true }) <= 1.0
    }

    #[test]
    fn a_fast_traversal_goes_on_and_a_slow_one_gives_up_sooner_among_more_workers() {
        let goes_on = |rival, steps, workers| goes_on(rival, steps, 100_000_000, workers);
        assert!(goes_on(Rival::Prefetching, 5.0, 1) && !goes_on(Rival::Prefetching, 5.0, 2));
        assert!(goes_on(Rival::Orderly, 0.9, 2) && !goes_on(Rival::Orderly, 1.5, 2));
        assert!(!goes_on(Rival::Orderly, 1.0, 16));
    }

    #[test]
    fn a_small_graph_takes_longer_to_share_than_to_traverse() {
        assert!(goes_on(Rival::Orderly, 5.0, 20_000, 16) && !goes_on(Rival::Orderly, 5.0, 2_000_000, 16));
    }

    #[test]
    fn nothing_is_begun_that_cannot_be_the_faster_one() {
        let begins = |rival: Rival, all, workers, is_near| rival.may_lose(1.0, &Trial { all, workers, is_near });
        assert!(begins(Rival::Orderly, 100_000_000, 2, false) && !begins(Rival::Orderly, 100_000_000, 16, false));
        assert!(begins(Rival::Orderly, 100_000, 16, false), "others come late");
        assert!(begins(Rival::Prefetching, 100_000, 2, true) && !begins(Rival::Prefetching, 100_000, 2, false));
    }

    #[test]
    fn the_path_on_which_steps_are_measured_has_one_component_and_no_cycle() {
        let path = path();
        assert_eq!((path.num_vertices(), path.num_arcs()), (PATH, 2 * (PATH - 1)));
        let found =
            traverse::<_, true, false>(&path, None, Rival::Orderly).expect("it has too few vertices to give up");
        assert!(found.iter().all(|&root| root == 0));
    }
}
