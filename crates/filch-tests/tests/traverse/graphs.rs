//! Traversals of random graphs, whose vertices are claimed one by one.

use crate::common::eager_pool;
use crate::{ALL_BATCHES, WORKERS, assert_sound};
use filch::{Batches, Traverse, Worklist};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Vertices of the larger random graphs.
const VERTICES: usize = if cfg!(miri) { 10 } else { 600 };

/// For each vertex, those that its arcs lead to.
type Graph = Vec<Vec<usize>>;

fn random_graph(seed: u64, vertices: usize, arcs: usize) -> Graph {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut graph = vec![vec![]; vertices];
    for _ in 0..arcs {
        graph[random.usize(..vertices)].push(random.usize(..vertices));
    }
    graph
}

/// The distance of each vertex from 0, by a queue.
fn distances(graph: &Graph) -> Vec<Option<usize>> {
    let mut distances = vec![None; graph.len()];
    distances[0] = Some(0);
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(v) = queue.pop_front() {
        for &w in &graph[v] {
            if distances[w].is_none() {
                distances[w] = distances[v].map(|distance| distance + 1);
                queue.push_back(w);
            }
        }
    }
    distances
}

/// What a traversal did that claims its vertices one by one.
struct Trace {
    /// How often each vertex was visited, and in which phase.
    visits: Vec<AtomicUsize>,
    phases: Vec<AtomicUsize>,
    claimed: Vec<AtomicBool>,
}

impl Trace {
    fn new(vertices: usize) -> Self {
        let zeros = || (0..vertices).map(|_| AtomicUsize::new(0)).collect();
        Trace { visits: zeros(), phases: zeros(), claimed: (0..vertices).map(|_| AtomicBool::new(false)).collect() }
    }

    fn claim(&self, vertex: usize) -> bool {
        !self.claimed[vertex].swap(true, Relaxed)
    }

    fn visit<W>(&self, list: &Worklist<'_, usize, W>, vertex: usize) {
        self.visits[vertex].fetch_add(1, Relaxed);
        self.phases[vertex].store(list.phase(), Relaxed);
    }
}

/// Visits, by `push`, the vertices that can be reached from 0.
fn reach(graph: &Graph, batches: Batches, workers: usize) {
    let trace = Trace::new(graph.len());
    trace.claim(0);
    let done = Traverse::new().batches(batches).run([0], Vec::new, |list, v| {
        trace.visit(list, v);
        list.workspace().push(v);
        for &w in &graph[v] {
            if trace.claim(w) {
                list.push(w);
            }
        }
    });
    let expected = distances(graph);
    let expected: Vec<usize> = (0..graph.len()).filter(|&v| expected[v].is_some()).collect();
    assert_sound(&done, workers, expected.len());
    assert_eq!(done.counts.phases, 1);
    let mut visited = done.workspaces.concat();
    visited.sort_unstable();
    assert_eq!(visited, expected, "{batches:?}");
}

#[test]
fn what_can_be_reached_is_visited_once() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for (seed, batches) in (0..).zip(ALL_BATCHES) {
            for arcs in
                [0, VERTICES / 2, 2 * VERTICES, 8 * VERTICES].into_iter().step_by(if cfg!(miri) { 2 } else { 1 })
            {
                let graph = random_graph(seed, VERTICES, arcs);
                pool.run(|_| reach(&graph, batches, workers));
            }
        }
    }
}

#[test]
fn phases_by_push_next_are_distances() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for (seed, batches) in (10..).zip(ALL_BATCHES) {
            let graph = random_graph(seed, VERTICES, 2 * VERTICES);
            let trace = Trace::new(graph.len());
            trace.claim(0);
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    [0],
                    || (),
                    |list, v| {
                        trace.visit(list, v);
                        graph[v].iter().filter(|&&w| trace.claim(w)).for_each(|&w| list.push_next(w));
                    },
                )
            });
            let expected = distances(&graph);
            for (v, distance) in expected.iter().enumerate() {
                let visits = trace.visits[v].load(Relaxed);
                assert_eq!(visits, usize::from(distance.is_some()));
                assert_eq!(trace.phases[v].load(Relaxed), distance.unwrap_or(0), "{workers} workers, {batches:?}");
            }
            let farthest = expected.iter().flatten().max().expect("0 at least");
            assert_eq!(done.counts.phases, *farthest as u64 + 1);
            assert_sound(&done, workers, expected.iter().flatten().count());
        }
    }
}

#[test]
fn a_visitor_of_batches_is_called_again_for_what_it_leaves() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in ALL_BATCHES {
            let graph = random_graph(5, VERTICES, 4 * VERTICES);
            let trace = Trace::new(graph.len());
            trace.claim(0);
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run_batches(
                    [0],
                    || (),
                    |list, batch: &mut Vec<usize>| {
                        assert!(!batch.is_empty());
                        // Half of it, from the front, or all.
                        let count = if batch.len().is_multiple_of(3) { batch.len() } else { batch.len().div_ceil(2) };
                        for v in batch.drain(..count) {
                            trace.visit(list, v);
                            graph[v].iter().filter(|&&w| trace.claim(w)).for_each(|&w| list.push(w));
                        }
                    },
                )
            });
            let reached = distances(&graph).iter().flatten().count();
            assert_sound(&done, workers, reached);
            assert_eq!(trace.visits.iter().map(|visits| visits.load(Relaxed)).sum::<usize>(), reached);
            assert!(trace.visits.iter().all(|visits| visits.load(Relaxed) <= 1));
        }
    }
}
