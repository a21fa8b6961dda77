//! Traversals: whatever visits add is visited once, in its phase, by whoever takes part.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, eager_pool};
use filch::{Batches, Pool, Strand, Traverse, Traversed, Worklist};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

/// Workers of the pools that tests go through: one alone, some, more than there are cores.
const WORKERS: &[usize] = if cfg!(miri) { &[2] } else { &[1, 2, 3, 5] };

#[cfg(miri)]
const ALL_BATCHES: [Batches; 2] = [Batches::Adaptive, Batches::Fixed(2)];
#[cfg(not(miri))]
const ALL_BATCHES: [Batches; 6] = [
    Batches::Adaptive,
    Batches::UpTo(1),
    Batches::UpTo(7),
    Batches::Fixed(0),
    Batches::Fixed(3),
    // Never full.
    Batches::Fixed(usize::MAX),
];

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

/// What came of a traversal of vertices that were claimed one by one.
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

/// The counts that must add up, whatever happened.
fn assert_sound<W>(done: &Traversed<W>, workers: usize, items: usize) {
    let counts = done.counts;
    assert_eq!(counts.items, items as u64);
    assert_eq!(done.workspaces.len(), counts.workers);
    assert!(counts.workers <= workers, "{counts:?}");
    assert!(counts.steals <= counts.tasks && counts.tasks + counts.swaps <= counts.items, "{counts:?}");
}

/// Visits by `push` what can be reached from 0.
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

/// An item of a random tree: what it leads to is drawn from its seed.
#[derive(Clone, Copy)]
struct Seed {
    seed: u64,
    phase: usize,
    depth: usize,
}

/// Those for this phase, and those for the next one.
fn children(item: Seed) -> (Vec<Seed>, Vec<Seed>) {
    let mut random = fastrand::Rng::with_seed(item.seed);
    let depth = item.depth + 1;
    let most = if depth > if cfg!(miri) { 2 } else { 5 } { 0 } else { 4 };
    let mut some = |phase| (0..random.usize(0..=most)).map(|_| Seed { seed: random.u64(..), phase, depth }).collect();
    (some(item.phase), some(item.phase + 1))
}

/// How many items there are in each phase.
fn count_serially(roots: &[Seed]) -> Vec<usize> {
    let (mut counts, mut items) = (vec![], roots.to_vec());
    while let Some(item) = items.pop() {
        counts.resize(counts.len().max(item.phase + 1), 0);
        counts[item.phase] += 1;
        let (now, next) = children(item);
        items.extend(now);
        items.extend(next);
    }
    counts
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn items_for_both_phases_keep_to_theirs() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for (seed, batches) in (0..).zip(ALL_BATCHES) {
            let roots: Vec<_> = (0..seed % 4 + 1).map(|n| Seed { seed: seed * 10 + n, phase: 0, depth: 0 }).collect();
            let expected = count_serially(&roots);
            let open: Vec<_> = expected.iter().map(|&count| AtomicUsize::new(count)).collect();
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    roots.iter().copied(),
                    || (),
                    |list, item: Seed| {
                        assert_eq!(list.phase(), item.phase);
                        assert!(
                            open[..item.phase].iter().all(|open| open.load(SeqCst) == 0),
                            "an earlier phase is over"
                        );
                        let (now, next) = children(item);
                        // In turns.
                        let mut next = next.into_iter();
                        for item in now {
                            list.push(item);
                            next.by_ref().take(1).for_each(|item| list.push_next(item));
                        }
                        next.for_each(|item| list.push_next(item));
                        assert_eq!(list.phase(), item.phase, "not while it is in hand");
                        open[item.phase].fetch_sub(1, SeqCst);
                    },
                )
            });
            assert!(open.iter().all(|open| open.load(SeqCst) == 0));
            assert_eq!(done.counts.phases, expected.len() as u64);
            assert_sound(&done, workers, expected.iter().sum());
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn workspaces_are_made_on_demand_and_used_by_one_at_a_time() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let made = AtomicUsize::new(0);
        let make = || {
            made.fetch_add(1, SeqCst);
            AtomicBool::new(false)
        };
        let roots = [Seed { seed: 3, phase: 0, depth: 0 }; 3];
        let done = pool.run(|_| {
            filch::traverse(roots, make, |list, item| {
                assert!(!list.workspace().swap(true, SeqCst), "somebody else has it");
                let (now, next) = children(item);
                now.into_iter().chain(next).for_each(|item| list.push(item));
                // Another may take part in this traversal here.
                filch::join(|| (), || ());
                assert!(list.workspace().swap(false, SeqCst));
            })
        });
        assert_eq!(made.load(SeqCst), done.workspaces.len());
        assert!((1..=workers).contains(&done.workspaces.len()));
        assert!(done.workspaces.into_iter().all(|used| !used.into_inner()));
    }
}

#[test]
fn without_roots_nothing_happens() {
    for &workers in WORKERS {
        let made = AtomicUsize::new(0);
        let done = eager_pool(workers)
            .run(|_| filch::traverse([(); 0], || made.fetch_add(1, Relaxed), |_, ()| panic!("there is none")));
        assert_eq!((done.counts.items, done.counts.phases, done.counts.tasks), (0, 0, 0));
        assert_eq!((done.workspaces.len(), made.into_inner()), (0, 0));
    }
}

#[test]
fn zero_sized_items_are_counted() {
    let pool = eager_pool(2);
    for batches in ALL_BATCHES {
        let left = AtomicUsize::new(if cfg!(miri) { 10 } else { 2_000 });
        let total = left.load(Relaxed) + 5;
        let done = pool.run(|_| {
            Traverse::new().batches(batches).run(
                [(); 5],
                || 0,
                |list, ()| {
                    *list.workspace() += 1;
                    if left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(2)).is_ok() {
                        list.push(());
                        list.push_next(());
                    }
                },
            )
        });
        assert_eq!((done.workspaces.iter().sum::<usize>(), done.counts.items), (total, total as u64));
    }
}

#[test]
fn items_are_dropped_once_each() {
    let alive = AtomicUsize::new(0);
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in ALL_BATCHES {
            let roots = [2, 0, 3].map(|depth| (depth, Counted::new(&alive)));
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    roots,
                    || Counted::new(&alive),
                    |list, (depth, _counted)| {
                        for depth in 0..depth {
                            list.push((depth, Counted::new(&alive)));
                            list.push_next((depth, Counted::new(&alive)));
                        }
                    },
                )
            });
            assert_eq!(alive.load(SeqCst), done.workspaces.len());
            drop(done);
            assert_eq!(alive.load(SeqCst), 0);
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

#[test]
fn batches_are_as_large_as_told() {
    let sizes = Mutex::new(vec![]);
    let visit = |list: &mut Worklist<'_, usize, ()>, batch: &mut Vec<usize>| {
        sizes.lock().unwrap().push((list.phase(), batch.len()));
        for v in batch.drain(..) {
            (0..v).for_each(|_| list.push_next(0));
        }
    };
    let run = |batches, item| {
        eager_pool(1).run(|_| Traverse::new().batches(batches).run_batches([item], || (), visit));
        std::mem::take(&mut *sizes.lock().unwrap())
    };
    let mut fixed = run(Batches::Fixed(4), 10);
    fixed.sort_unstable();
    assert_eq!(fixed, [(0, 1), (1, 2), (1, 4), (1, 4)]);
    assert_eq!(run(Batches::UpTo(4), 3), [(0, 1), (1, 1), (1, 1), (1, 1)]);
}

#[test]
fn the_depth_of_the_queue_is_that_of_batches_left() {
    eager_pool(1).run(|_| {
        Traverse::new().batches(Batches::Fixed(2)).run(
            [true],
            || (),
            |list, is_root| {
                if is_root {
                    assert_eq!(list.queue_depth(), 0);
                    for pushed in 1..10 {
                        list.push(false);
                        list.push_next(false);
                        assert_eq!(list.queue_depth(), pushed / 2);
                    }
                }
            },
        )
    });
}

/// A long thin graph.
#[test]
fn phases_of_one_item_each_are_quick() {
    let phases = if cfg!(miri) { 10 } else { 20_000 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let slow = common::is_under_another_scheduler() || cfg!(filch_sanitizer = "thread");
        let phases = if slow { phases / 20 + 2 } else { phases };
        let done = pool.run(|_| {
            filch::traverse(
                [0],
                || (),
                |list, n: u64| {
                    assert_eq!(list.phase() as u64, n);
                    if n + 1 < phases {
                        list.push_next(n + 1);
                    }
                },
            )
        });
        assert_eq!((done.counts.items, done.counts.phases), (phases, phases));
    }
}

#[test]
fn a_traversal_without_end_can_be_stopped() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in ALL_BATCHES {
            let alive = AtomicUsize::new(0);
            let visits = AtomicUsize::new(0);
            let limit = if cfg!(miri) { 8 } else { 300 };
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    [Counted::new(&alive)],
                    || (),
                    |list, _counted| {
                        list.push(Counted::new(&alive));
                        // Not too many: they are kept until this phase is over, which is never.
                        list.push_next(Counted::new(&alive));
                        if visits.fetch_add(1, SeqCst) >= limit {
                            list.stop();
                        }
                    },
                )
            });
            assert!(done.counts.items > limit as u64);
            assert_eq!(alive.load(SeqCst), 0, "what waited is dropped");
        }
        assert_usable(&pool);
    }
}

#[test]
fn after_stop_a_lone_worker_begins_nothing() {
    let visits = AtomicUsize::new(0);
    eager_pool(1).run(|_| {
        Traverse::new().batches(Batches::UpTo(1)).run(
            [0],
            || (),
            |list, _| {
                visits.fetch_add(1, SeqCst);
                (0..10).for_each(|n| list.push(n));
                list.stop();
            },
        )
    });
    assert_eq!(visits.into_inner(), 1);
}

/// Visits a tree of so many levels, and counts the leaves; `inner` runs in each visit.
fn leaves(levels: u32, inner: impl Fn(&mut Worklist<'_, u32, usize>) + Sync + Send) -> usize {
    let done = filch::traverse(
        [levels],
        || 0,
        |list, level| {
            inner(list);
            if level == 0 {
                *list.workspace() += 1;
            } else {
                list.push(level - 1);
                list.push_next(level - 1);
            }
        },
    );
    done.workspaces.iter().sum()
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

const LEVELS: u32 = if cfg!(miri) { 1 } else { 5 };

#[test]
fn visits_fork_by_their_strand_and_by_free_functions() {
    for &workers in WORKERS {
        let n = if cfg!(miri) { 2 } else { 10 };
        eager_pool(workers).run(|_| {
            let expected = fib_serially(n);
            let by_strand = leaves(LEVELS, |list| assert_eq!(fib(list.strand(), n), expected));
            let by_join = leaves(LEVELS, |_| assert_eq!(filch::join(|| 1, || 2), (1, 2)));
            assert_eq!([by_strand, by_join], [1 << LEVELS; 2]);
            if cfg!(miri) {
                return;
            }
            let by_loop = leaves(LEVELS, |list| {
                let sum = AtomicUsize::new(0);
                list.strand().for_each(0..20usize, |_, i| {
                    sum.fetch_add(i, Relaxed);
                });
                filch::for_each(0..20usize, |_, i| {
                    sum.fetch_add(i, Relaxed);
                });
                assert_eq!(sum.into_inner(), 380);
            });
            let by_scope = leaves(LEVELS, |_| {
                let sum = AtomicUsize::new(0);
                filch::scope(|_, scope| {
                    (0..5usize).for_each(|i| {
                        let sum = &sum;
                        scope.spawn(move |_| {
                            sum.fetch_add(i, Relaxed);
                        });
                    });
                });
                assert_eq!(sum.into_inner(), 10);
            });
            assert_eq!([by_loop, by_scope], [1 << LEVELS; 2]);
        });
    }
}

fn fib_serially(n: u64) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

#[test]
fn traversals_nest() {
    for &workers in WORKERS {
        let inner = LEVELS / 2;
        let count = eager_pool(workers).run(|_| {
            leaves(inner + 1, |_| {
                let nested = leaves(inner, |_| assert_eq!(leaves(1, |_| ()), 2));
                assert_eq!(nested, 1 << inner);
            })
        });
        assert_eq!(count, 2 << inner);
    }
}

#[test]
fn traversals_run_in_tasks_and_branches() {
    for &workers in WORKERS {
        let total = AtomicUsize::new(0);
        eager_pool(workers).run(|mut s| {
            s.scope(|_, scope| {
                for _ in 0..4 {
                    let total = &total;
                    scope.spawn(move |mut s| {
                        let (a, b) = s.join(|_| leaves(LEVELS, |_| ()), |_| leaves(LEVELS, |_| ()));
                        total.fetch_add(a + b, Relaxed);
                    });
                }
                total.fetch_add(leaves(LEVELS, |_| ()), Relaxed);
            });
        });
        assert_eq!(total.into_inner(), 9 << LEVELS);
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn threads_outside_traverse_at_the_same_time() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        std::thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| {
                    for _ in 0..3 {
                        assert_eq!(pool.run(|_| leaves(LEVELS, |_| ())), 1 << LEVELS);
                    }
                });
            }
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn traversals_run_in_loops_of_traversals_on_another_pool() {
    let (outer, inner) = (eager_pool(2), eager_pool(2));
    let count = outer.run(|_| leaves(2, |_| assert_eq!(inner.run(|_| leaves(2, |_| ())), 4)));
    assert_eq!(count, 4);
}

/// Somebody else must come, or the first visit does not end: whatever is left, for this phase or for the next.
#[test]
fn others_take_part() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    for is_next in [false, true] {
        let (began, pool) = (AtomicUsize::new(0), eager_pool(3));
        let done = pool.run(|_| {
            Traverse::new().batches(Batches::UpTo(1)).run(
                [true],
                || (),
                |list, is_root| {
                    if is_root {
                        for _ in 0..2 {
                            if is_next {
                                list.push_next(false);
                            } else {
                                list.push(false);
                            }
                        }
                    } else {
                        began.fetch_add(1, SeqCst);
                        common::await_value(&began, 2);
                    }
                },
            )
        });
        assert!(done.counts.workers >= 2 && done.counts.steals >= 1);
    }
}

/// Also when it begins on another worker than the first, whose lane is another's.
#[test]
fn others_take_part_wherever_it_begins() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    let pool = eager_pool(3);
    for _ in 0..20 {
        let (begun, began) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.join(
                |_| common::await_value(&begun, 1),
                |_| {
                    begun.store(1, SeqCst);
                    filch::traverse(
                        0..4,
                        || (),
                        |_, _| {
                            began.fetch_add(1, SeqCst);
                            common::await_value(&began, 2);
                        },
                    )
                },
            )
        });
    }
}

/// What a phase leaves in the lane of a worker that has gone is found by more than one.
#[test]
fn others_take_part_in_a_phase_that_begins_without_them() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    let pool = Pool::builder().workers(2).scheduler(common::scheduler()).build().expect("a small pool");
    for _ in 0..5 {
        let began = AtomicUsize::new(0);
        pool.run(|_| {
            filch::traverse(
                [0],
                || (),
                |list, item| match item {
                    0 => {
                        // One long item for the other worker, while this one runs dry and leaves.
                        list.push(1);
                        (0..8).for_each(|_| list.push_next(2));
                    }
                    1 => common::busy(std::time::Duration::from_millis(2)),
                    _ => {
                        began.fetch_add(1, SeqCst);
                        common::await_value(&began, 2);
                    }
                },
            )
        });
    }
}

/// Likewise if each of two lanes has one batch only, so that who takes the first leaves none where it was.
#[test]
fn others_take_part_in_a_phase_that_begins_with_a_batch_in_each_lane() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    let pool = Pool::builder().workers(3).scheduler(common::scheduler()).build().expect("a small pool");
    let (came, left, began) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let leave = || {
        left.fetch_add(1, SeqCst);
        common::await_value(&left, 2);
    };
    let done = pool.run(|_| {
        Traverse::new().batches(Batches::UpTo(1)).run(
            [0],
            || (),
            |list, item| match item {
                0 => {
                    (0..2).for_each(|_| list.push(1));
                    common::await_value(&came, 2);
                    // Both others can come here only once they have left.
                    list.strand().join(|mut s| s.join(|_| common::await_value(&left, 2), |_| leave()), |_| leave());
                    // They were in vain, so they are not called at once.
                    common::busy(std::time::Duration::from_millis(10));
                }
                1 => {
                    list.push_next(2);
                    came.fetch_add(1, SeqCst);
                    common::await_value(&came, 2);
                }
                _ => {
                    began.fetch_add(1, SeqCst);
                    common::await_value(&began, 2);
                }
            },
        )
    });
    assert_eq!((done.counts.items, done.counts.workers), (5, 3));
}

/// A visitor of batches need not empty its batch to come to an end.
#[test]
fn a_stop_ends_a_visitor_that_leaves_its_batch_as_it_is() {
    let pool = eager_pool(2);
    let done = pool.run(|_| Traverse::new().run_batches(0..100, || (), |list, _| list.stop()));
    assert_eq!(done.counts.items, 0);
}

/// Work goes back and forth between few items and many, so that workers leave and come back.
#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn nothing_is_lost_when_workers_leave_and_come_back() {
    let rounds = if cfg!(miri) { 2 } else { 30 };
    let width = if cfg!(miri) { 5 } else { 40 };
    let pool = Pool::builder().workers(3).scheduler(common::scheduler()).build().expect("a small pool");
    for batches in ALL_BATCHES {
        let done = pool.run(|_| {
            Traverse::new().batches(batches).run(
                [(0, true)],
                || (),
                |list, (round, leads)| {
                    std::thread::yield_now();
                    if leads && round < rounds {
                        list.push_next((round + 1, true));
                        let wide = if round % 3 == 0 { width } else { 1 };
                        (0..wide).for_each(|_| list.push((round, false)));
                        (0..wide).for_each(|_| list.push_next((round + 1, false)));
                    }
                },
            )
        });
        let wide: usize = (0..rounds).map(|round| if round % 3 == 0 { width } else { 1 }).sum();
        assert_sound(&done, 3, 1 + rounds + 2 * wide);
    }
}

#[test]
fn the_global_pool_serves_threads_outside() {
    if common::is_under_another_scheduler() || cfg!(miri) {
        return;
    }
    assert_eq!(leaves(LEVELS, |_| ()), 1 << LEVELS);
}

#[cfg(not(miri))]
#[test]
fn traversals_keep_their_promises_under_every_scheduler() {
    common::run_under_every_scheduler();
}
