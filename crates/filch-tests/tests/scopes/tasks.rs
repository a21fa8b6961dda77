//! Every task runs once, whichever thread spawns it, and from whatever construct.

use crate::common::{Counted, assert_usable, eager_pool, is_under_another_scheduler, scheduler};
use crate::{MANY, WORKERS, add, grow};
use filch::{Pool, Scope, Strand};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_task_runs_exactly_once_before_the_scope_is_over() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let runs: Vec<AtomicUsize> = (0..MANY).map(|_| AtomicUsize::new(0)).collect();
        let result = pool.run(|mut s| {
            s.scope(|_, scope| {
                runs.iter().for_each(|runs| scope.spawn(|_| add(runs)));
                "the body's result"
            })
        });
        assert_eq!(result, "the body's result");
        assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1), "{workers} workers");
    }
}

#[test]
#[cfg_attr(miri, ignore = "about their number only")]
fn a_million_tasks_fit() {
    // Under one scheduler; fewer under each of the others.
    let million = match is_under_another_scheduler() {
        true => 30_000,
        false => 1_000_000,
    };
    let pool = eager_pool(2);
    let done = AtomicUsize::new(0);
    pool.run(|mut s| s.scope(|_, scope| (0..million).for_each(|_| scope.spawn(|_| add(&done)))));
    assert_eq!(done.into_inner(), million);
}

#[test]
fn tasks_spawn_tasks_into_their_scope() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for depth in [0, 1, if cfg!(miri) { 3 } else { 12 }] {
            let done = AtomicUsize::new(0);
            pool.run(|mut s| s.scope(|_, scope| grow(scope, depth, &done)));
            assert_eq!(done.into_inner(), (2 << depth) - 1);
        }
    }
}

/// Forks down to the leaves, each of which spawns into `outer`.
fn spawn_at_leaves<'scope>(
    mut s: Strand<'_>,
    depth: usize,
    outer: &'scope Scope<'scope, '_>,
    done: &'scope AtomicUsize,
) {
    if depth == 0 {
        outer.spawn(|mut s| {
            let (a, b) = s.join(|_| 1, |_| 2);
            done.fetch_add(a + b, Ordering::Relaxed);
        });
    } else {
        s.join(|s| spawn_at_leaves(s, depth - 1, outer, done), |s| spawn_at_leaves(s, depth - 1, outer, done));
    }
}

#[test]
fn branches_of_joins_spawn_into_the_scope_around_them() {
    let depth = if cfg!(miri) { 2 } else { 10 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let done = AtomicUsize::new(0);
        pool.run(|mut s| s.scope(|s, scope| spawn_at_leaves(s, depth, scope, &done)));
        assert_eq!(done.into_inner(), 3 << depth);
    }
}

#[test]
fn implicit_and_explicit_joins_and_scopes_nest() {
    let pool = eager_pool(3);
    let done = AtomicUsize::new(0);
    pool.run(|mut s| {
        let done = &done;
        s.join(
            |mut s| {
                s.scope(|mut s, scope| {
                    filch::join(|| scope.spawn(|_| add(done)), || filch::scope(|_, inner| inner.spawn(|_| add(done))));
                    s.join(|_| scope.spawn(|_| add(done)), |_| add(done));
                });
            },
            |_| {
                filch::scope(|_, scope| {
                    scope.spawn(|_| {
                        filch::join(|| add(done), || scope.spawn(|_| add(done)));
                    });
                });
            },
        );
    });
    assert_eq!(done.into_inner(), 6);
    assert_usable(&pool);
}

#[test]
fn iterations_of_a_loop_spawn_into_the_scope_around_it() {
    let n = if cfg!(miri) { 6 } else { 1000_usize };
    let pool = eager_pool(3);
    let done = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.scope(|mut s, scope| {
            let done = &done;
            s.for_each(0..n, |_, _| scope.spawn(|_| add(done)));
        });
    });
    assert_eq!(done.into_inner(), n);
}

/// Spawns tasks into `outer`, each of which opens a scope of its own; tasks of that spawn into `outer` again.
fn nest<'scope>(
    outer: &'scope Scope<'scope, '_>,
    levels: usize,
    done: &'scope AtomicUsize,
    spawned: &'scope AtomicUsize,
) {
    for _ in 0..3 {
        add(spawned);
        outer.spawn(move |mut s| {
            if levels > 1 {
                s.scope(|_, inner| {
                    nest(inner, levels - 1, done, spawned);
                    add(spawned);
                    inner.spawn(move |_| outer.spawn(move |_| add(done)));
                });
            }
            add(done);
        });
    }
}

#[test]
fn scopes_nest_in_five_levels_and_their_tasks_reach_over_each_other() {
    let levels = if cfg!(miri) { 2 } else { 5 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (done, spawned) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| s.scope(|_, scope| nest(scope, levels, &done, &spawned)));
        assert_eq!(done.into_inner(), spawned.into_inner());
    }
}

#[test]
fn what_tasks_put_into_a_reducer_is_there_when_their_scope_is_over() {
    let (tasks, rounds) = if cfg!(miri) { (5, 1) } else { (500, 20) };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for _ in 0..rounds {
            let sum = filch::Reducer::new(filch::monoids::Sum::<usize>::new());
            let list = filch::Reducer::new(filch::monoids::Append::<Vec<usize>>::new());
            pool.run(|mut s| {
                list.update(|list| list.push(1000));
                s.scope(|mut s, scope| {
                    for i in 0..tasks {
                        let (sum, list) = (&sum, &list);
                        scope.spawn(move |mut s| {
                            s.join(|_| sum.put(1), |_| sum.put(i));
                            list.update(|list| list.push(i));
                        });
                        s.join(|_| sum.put(1), |_| sum.put(1));
                    }
                });
                list.update(|list| list.push(2000));
            });
            assert_eq!(sum.into_inner(), 3 * tasks + tasks * (tasks - 1) / 2);
            let mut list = list.into_inner();
            // Tasks have no order among each other, but they come after what was before and before what is after.
            assert_eq!((list.first(), list.last()), (Some(&1000), Some(&2000)));
            list.sort_unstable();
            assert!(list.into_iter().eq((0..tasks).chain([1000, 2000])));
        }
    }
}

#[test]
fn tasks_of_one_worker_run_latest_first_or_earliest_first() {
    if scheduler().to_string().starts_with("chaos") {
        return;
    }
    let pool = eager_pool(1);
    let order = Mutex::new(Vec::new());
    let log = |i: usize| order.lock().unwrap().push(i);
    pool.run(|mut s| s.scope(|_, scope| (0..4).for_each(|i| scope.spawn(move |_| log(i)))));
    assert_eq!(std::mem::take(&mut *order.lock().unwrap()), [3, 2, 1, 0]);
    pool.run(|mut s| s.scope_fifo(|_, scope| (0..4).for_each(|i| scope.spawn(move |_| log(i)))));
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3]);
}

#[test]
fn a_closure_of_any_size_and_alignment_runs_and_is_dropped_once() {
    #[derive(Clone, Copy)]
    #[repr(align(64))]
    struct Aligned(u8);
    let alive = AtomicUsize::new(0);
    let sum = AtomicUsize::new(0);
    let pool = eager_pool(2);
    pool.run(|mut s| {
        s.scope(|_, scope| {
            let sum = &sum;
            let (small, large, aligned) = (Counted::new(&alive), ([1_usize; 100], Counted::new(&alive)), Aligned(7));
            scope.spawn(|_| ());
            scope.spawn(move |_| {
                let _small = small;
                sum.fetch_add(1, Ordering::Relaxed);
            });
            scope.spawn(move |_| {
                let large = large;
                sum.fetch_add(large.0.iter().sum(), Ordering::Relaxed);
            });
            scope.spawn(move |_| {
                let aligned = &aligned;
                assert_eq!(std::ptr::from_ref(aligned).addr() % 64, 0);
                sum.fetch_add(aligned.0.into(), Ordering::Relaxed);
            });
        });
    });
    assert_eq!((sum.into_inner(), alive.into_inner()), (108, 0));
}

#[test]
fn chaos_runs_tasks_in_an_order_that_its_seed_decides() {
    let tasks = if cfg!(miri) { 5 } else { 20 };
    let orders: Vec<Vec<usize>> = [1, 1, 2, 3]
        .map(|seed| {
            let pool =
                Pool::builder().workers(4).scheduler(filch::Scheduler::chaos(seed)).build().expect("a small pool");
            let run = || {
                let order = Mutex::new(Vec::new());
                pool.run(|mut s| {
                    s.scope(|mut s, scope| {
                        for i in 0..tasks {
                            let order = &order;
                            scope.spawn(move |_| order.lock().unwrap().push(i));
                            s.join(|_| (), |_| scope.spawn(move |_| order.lock().unwrap().push(100 + i)));
                        }
                    });
                });
                order.into_inner().unwrap()
            };
            let first = run();
            assert_eq!(first, run(), "each run of a pool starts afresh");
            first
        })
        .into();
    assert_eq!(orders[0], orders[1]);
    assert!(orders[1] != orders[2] && orders[2] != orders[3], "other seeds, other orders");
}
