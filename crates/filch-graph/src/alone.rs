//! A plain traversal by one worker, which goes on only if it is fast.
//!
//! Where one worker finds what it needs in a cache, or in the order of memory, the plain traversal is hard to beat,
//! even by several workers: nothing is claimed, and no memory moves between processors. Whether it is so depends on the
//! graph, on how its vertices are numbered and on the machine, and the clock shows it better than any sample of the
//! graph. So the traversal begins. After a few thousand vertices it compares its pace with that of the algorithm that
//! would be used instead, and goes on or gives up. A wrong beginning costs what these vertices take.

use crate::graph::Graph;
use crate::vertex::Vertex;
use std::ops::Range;
use std::time::{Duration, Instant};

/// How many vertices are visited before the pace is judged: enough for a clock that counts in parts of a microsecond,
/// and few for a graph that several workers traverse.
const TRIAL: usize = 1 << 12;

/// The pace is judged again after so many vertices more, unless it was far too slow. What has been in no cache at first
/// may be in one then.
const SECOND_TRIAL: usize = 2 * TRIAL;

/// The traversal gives up at once if it takes this many times as long as the other algorithm.
const FAR_TOO_SLOW: f64 = 2.0;

/// How long it takes until other workers help, and until what they share is where it is needed.
const SHARING: Duration = Duration::from_micros(300);

/// If the result takes at most this many bytes, it is in a second-level cache, and there is little waiting to save: too
/// little for one worker to gain anything by another algorithm.
const NEAR_BYTES: usize = 1 << 20;

/// The algorithm that is used if the traversal gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rival {
    /// Reads memory in order.
    Orderly,
    /// Waits for memory as little as it can.
    Prefetching,
}

impl Rival {
    /// How long one worker takes for each vertex and for each arc, on a processor of 2023: a step that finds its data
    /// in a cache takes 1 to 2 ns, and one that waits for memory 10 ns or more.
    const fn step_ns(self, is_near: bool) -> f64 {
        match self {
            Rival::Orderly => 3.0,
            Rival::Prefetching if is_near => 10.0,
            Rival::Prefetching => 6.0,
        }
    }

    /// How many times as long a traversal takes as this algorithm on so many workers, if it has taken `time` for some
    /// `steps` of `all` steps. `is_near`: the result is in a cache.
    fn compared(self, time: Duration, steps: usize, all: usize, workers: usize, is_near: bool) -> f64 {
        let alone_ns = time.as_nanos() as f64 * all as f64 / steps.max(1) as f64;
        let sharing_ns = if workers > 1 { SHARING.as_nanos() as f64 } else { 0.0 };
        alone_ns / (sharing_ns + all as f64 * self.step_ns(is_near) / workers as f64)
    }
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
    // All memory has been touched when the clock starts.
    let (cells, stack) = (vec![G::Vertex::NONE; n], Vec::with_capacity(TRIAL));
    let mut traversal = Traversal::<G, ROOTS, DIRECTED> { graph, cells, stack, root: G::Vertex::NONE };
    let mut roots = 0..n;
    if let Some(first) = first {
        traversal.begin_tree(first);
    }
    let all = n + graph.num_arcs();
    let is_near = n.saturating_mul(size_of::<G::Vertex>()) <= NEAR_BYTES;
    let workers = filch::num_workers();
    if is_near && workers == 1 {
        traversal.finish(&mut roots);
        return Some(traversal.cells);
    }
    for trial in [TRIAL, SECOND_TRIAL] {
        let begun = Instant::now();
        let Some(steps) = traversal.visit(&mut roots, trial) else {
            return Some(traversal.cells);
        };
        let compared = rival.compared(begun.elapsed(), steps, all, workers, is_near);
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

    #[test]
    fn a_fast_traversal_goes_on_and_a_slow_one_gives_up_sooner_among_more_workers() {
        let goes_on = |rival: Rival, step_ns: u64, workers, is_near| {
            rival.compared(Duration::from_nanos(step_ns * 10_000), 10_000, 100_000_000, workers, is_near) <= 1.0
        };
        assert!(goes_on(Rival::Prefetching, 5, 1, false) && !goes_on(Rival::Prefetching, 7, 1, false));
        assert!(goes_on(Rival::Prefetching, 9, 1, true) && !goes_on(Rival::Prefetching, 7, 2, true));
        assert!(goes_on(Rival::Orderly, 1, 2, false) && !goes_on(Rival::Orderly, 2, 2, false));
        assert!(!goes_on(Rival::Orderly, 1, 16, true));
        // In a small graph it takes longer to share the work than to do it.
        assert!(Rival::Orderly.compared(Duration::from_micros(50), 10_000, 20_000, 16, true) < 1.0);
    }
}
