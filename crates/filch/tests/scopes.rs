//! Scopes: what is spawned runs once, wherever, before the scope is over.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, await_value, eager_pool, panic_text, scheduler, takes};
use filch::{Pool, Scope, Strand};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Tasks in a test that takes as many as it can get.
const MANY: usize = if cfg!(miri) { 60 } else { 20_000 };

fn add(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Workers of the pools that tests go through: one alone, some, more than there are cores.
const WORKERS: [usize; 3] = [1, 2, if cfg!(miri) { 3 } else { 9 }];

#[test]
fn every_task_runs_exactly_once_before_the_scope_is_over() {
    for workers in WORKERS {
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
fn a_million_tasks_fit() {
    // Under one scheduler; fewer under each of the others.
    let is_first = std::env::var_os("FILCH_TEST_SCHEDULER").is_none();
    let million = if cfg!(miri) { 300 } else { if is_first { 1_000_000 } else { 30_000 } };
    let pool = eager_pool(2);
    let done = AtomicUsize::new(0);
    pool.run(|mut s| s.scope(|_, scope| (0..million).for_each(|_| scope.spawn(|_| add(&done)))));
    assert_eq!(done.into_inner(), million);
}

/// Spawns a tree of tasks into one scope.
fn grow<'scope>(scope: &'scope Scope<'scope, '_>, depth: usize, done: &'scope AtomicUsize) {
    add(done);
    if depth > 0 {
        for _ in 0..2 {
            scope.spawn(move |_| grow(scope, depth - 1, done));
        }
    }
}

#[test]
fn tasks_spawn_tasks_into_their_scope() {
    for workers in WORKERS {
        let pool = eager_pool(workers);
        for depth in [0, 1, if cfg!(miri) { 5 } else { 12 }] {
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
    let depth = if cfg!(miri) { 4 } else { 10 };
    for workers in WORKERS {
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
    let n = if cfg!(miri) { 20 } else { 1000_usize };
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
    for workers in WORKERS {
        let pool = eager_pool(workers);
        let (done, spawned) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| s.scope(|_, scope| nest(scope, levels, &done, &spawned)));
        assert_eq!(done.into_inner(), spawned.into_inner());
    }
}

#[test]
fn threads_from_elsewhere_spawn_into_a_scope() {
    let each = if cfg!(miri) { 10 } else { 500 };
    for workers in WORKERS {
        let pool = eager_pool(workers);
        let done = AtomicUsize::new(0);
        pool.run(|mut s| {
            s.scope(|_, scope| {
                let spawn_from_threads = || {
                    std::thread::scope(|threads| {
                        for _ in 0..3 {
                            threads.spawn(|| (0..each).for_each(|_| scope.spawn(|_| add(&done))));
                        }
                    });
                };
                spawn_from_threads();
                // The owner waits already, or runs this itself.
                scope.spawn(move |_| spawn_from_threads());
            });
        });
        assert_eq!(done.into_inner(), 6 * each);
    }
}

#[test]
fn a_body_may_await_its_tasks_where_somebody_else_is_there() {
    if !takes() {
        return;
    }
    for from_elsewhere in [false, true] {
        let pool = Pool::builder().workers(2).scheduler(scheduler()).build().expect("a small pool");
        for _ in 0..if cfg!(miri) { 2 } else { 50 } {
            let begun = AtomicUsize::new(0);
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    if from_elsewhere {
                        std::thread::scope(|threads| {
                            threads.spawn(|| scope.spawn(|_| add(&begun)));
                        });
                    } else {
                        scope.spawn(|_| add(&begun));
                    }
                    await_value(&begun, 1);
                });
            });
        }
    }
}

#[test]
fn the_owner_runs_what_is_spawned_while_it_waits_and_nobody_else_can() {
    if !takes() {
        return;
    }
    // The other worker runs a task until that which a thread from elsewhere spawns is over: only the owner can run it.
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let (begun, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                scope.spawn(|_| {
                    add(&begun);
                    std::thread::scope(|threads| {
                        threads.spawn(|| scope.spawn(|_| add(&done)));
                    });
                    await_value(&done, 1);
                });
                await_value(&begun, 1);
            });
        });
    }
}

#[test]
fn a_waiting_owner_helps_those_who_run_its_tasks() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let (begun, helped) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                // Each branch awaits the other, and there is nobody but the owner.
                scope.spawn(|mut s| {
                    add(&begun);
                    s.join(|_| await_value(&helped, 1), |_| add(&helped));
                });
                await_value(&begun, 1);
            });
        });
    }
}

#[test]
fn a_waiter_at_a_join_runs_tasks_of_a_scope_inside_what_it_waits_for() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let (begun, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.join(
                |_| await_value(&begun, 1),
                |mut s| {
                    add(&begun);
                    s.scope(|_, scope| {
                        scope.spawn(|_| add(&ran));
                        await_value(&ran, 1);
                    });
                },
            );
        });
    }
}

#[test]
fn a_waiting_owner_runs_tasks_of_scopes_inside_its_tasks() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let (begun, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                scope.spawn(|mut s| {
                    add(&begun);
                    s.scope(|_, inner| {
                        inner.spawn(|_| add(&ran));
                        await_value(&ran, 1);
                    });
                });
                await_value(&begun, 1);
            });
        });
    }
}

#[test]
fn an_owner_that_has_no_room_for_more_names_runs_its_own_tasks() {
    // Deeper than helping may nest, in one pool of one worker, and in one where others help.
    fn deep(mut s: Strand<'_>, levels: usize, done: &AtomicUsize) {
        s.scope(|_, scope| {
            scope.spawn(|s| {
                if levels > 0 {
                    deep(s, levels - 1, done)
                }
            });
            scope.spawn(|mut s| {
                s.join(|_| add(done), |_| add(done));
            });
        });
    }
    let levels = if cfg!(miri) { 70 } else { 200 };
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        let done = AtomicUsize::new(0);
        pool.run(|s| deep(s, levels, &done));
        assert_eq!(done.into_inner(), 2 * (levels + 1));
    }
}

#[test]
fn a_waiter_runs_no_older_frame_of_the_worker_that_helps_it() {
    if !takes() || !common::waits_for_descendants() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 30 } {
        let [held, released, helped] = [const { AtomicUsize::new(0) }; 3];
        let (in_task, strayed) = (AtomicBool::new(false), AtomicBool::new(false));
        pool.run(|mut s| {
            s.scope(|mut s, outer| {
                // The other worker is kept busy until the task below is there.
                outer.spawn(|_| {
                    add(&held);
                    await_value(&released, 1);
                });
                await_value(&held, 1);
                s.join(
                    |mut s| {
                        s.scope(|_, inner| {
                            inner.spawn(|mut s| {
                                in_task.store(true, Ordering::SeqCst);
                                let help = |_: Strand<'_>| {
                                    add(&helped);
                                    // The other worker waits for this, and must find nothing else to do.
                                    common::busy(std::time::Duration::from_millis(1));
                                };
                                s.join(|_| await_value(&helped, 1), help);
                                in_task.store(false, Ordering::SeqCst);
                            });
                            add(&released);
                            while !in_task.load(Ordering::SeqCst) {
                                std::thread::yield_now();
                            }
                        });
                    },
                    // Latent below the owner of the inner scope when that helps.
                    |_| strayed.store(in_task.load(Ordering::SeqCst), Ordering::SeqCst),
                );
            });
        });
        assert!(!strayed.into_inner(), "no part of the task that was being waited for");
    }
}

#[test]
fn what_tasks_put_into_a_reducer_is_there_when_their_scope_is_over() {
    let (tasks, rounds) = if cfg!(miri) { (20, 1) } else { (500, 20) };
    for workers in WORKERS {
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
            // The order of tasks is nobody's business, but before and after are.
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
fn a_panic_of_a_task_or_of_the_body_is_passed_on_when_all_that_runs_is_over() {
    for workers in WORKERS {
        let pool = eager_pool(workers);
        let (alive, running) = (AtomicUsize::new(0), AtomicUsize::new(0));
        for in_body in [false, true] {
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.scope(|_, scope| {
                        for i in 0..20 {
                            let captured = Counted::new(&alive);
                            let running = &running;
                            scope.spawn(move |mut s| {
                                let _captured = captured;
                                let _running = Counted::new(running);
                                s.join(|_| assert!(in_body || i != 10, "in a task"), |_| ());
                            });
                        }
                        assert!(!in_body, "in the body");
                        Counted::new(&alive)
                    })
                });
            });
            assert_eq!(text, if in_body { "in the body" } else { "in a task" });
            assert_eq!((alive.load(Ordering::SeqCst), running.load(Ordering::SeqCst)), (0, 0));
            assert_usable(&pool);
        }
    }
}

#[test]
fn a_panic_cancels_what_nobody_has_begun() {
    if scheduler().to_string().starts_with("chaos") {
        return;
    }
    let pool = eager_pool(1);
    let ran = AtomicUsize::new(0);
    let text = panic_text(|| {
        pool.run(|mut s| {
            s.scope_fifo(|_, scope| {
                scope.spawn(|_| add(&ran));
                scope.spawn(|_| panic!("the second"));
                scope.spawn(|_| add(&ran));
            });
        });
    });
    assert_eq!((text.as_str(), ran.into_inner()), ("the second", 1));
}

/// Panics when dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bomb");
    }
}

#[test]
fn the_panic_handler_receives_what_cannot_be_passed_on() {
    let heard = std::sync::Arc::new(AtomicUsize::new(0));
    let handler = {
        let heard = std::sync::Arc::clone(&heard);
        move |_| add(&heard)
    };
    for handled in [true, false] {
        let builder = Pool::builder().workers(1).scheduler(scheduler());
        let builder = if handled { builder.panic_handler(handler.clone()) } else { builder };
        let pool = builder.build().expect("a small pool");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    let (one, two) = (Bomb, Bomb);
                    // Dropped, not run: each panics.
                    scope.cancel();
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scope.spawn(move |_| drop(one))))
                        .unwrap_err();
                    std::mem::forget(two);
                    panic!("the body");
                })
            });
        });
        assert_eq!(text, "the body");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    let bomb = Bomb;
                    scope.spawn(move |_| drop(bomb));
                    panic!("the body, with a task left");
                })
            });
        });
        assert!(
            text == "the body, with a task left" || text == "a bomb" && scheduler().to_string().starts_with("chaos")
        );
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    scope.spawn(|_| std::panic::panic_any(Bomb));
                    panic!("the body, and a payload that panics");
                })
            });
        });
        assert!(!text.is_empty());
        assert_usable(&pool);
    }
    assert!(heard.load(Ordering::SeqCst) > 0 || scheduler().to_string().starts_with("chaos"));
}

#[test]
fn a_cancelled_scope_begins_no_task_and_drops_each_closure_once() {
    for workers in WORKERS {
        let pool = eager_pool(workers);
        let (alive, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                let spawn = || {
                    for _ in 0..50 {
                        let captured = Counted::new(&alive);
                        scope.spawn(|_| {
                            let _captured = captured;
                            add(&ran);
                        });
                    }
                };
                spawn();
                assert!(!scope.is_cancelled());
                scope.cancel();
                assert!(scope.is_cancelled());
                let before = alive.load(Ordering::SeqCst);
                spawn();
                assert!(alive.load(Ordering::SeqCst) <= before, "what comes later is dropped at once");
            });
        });
        assert_eq!(alive.into_inner(), 0);
        assert!(ran.into_inner() <= 50);
    }
}

#[test]
fn a_closure_that_is_dropped_may_use_scope_and_pool() {
    /// Opens a scope when dropped.
    struct Opener<'a>(&'a AtomicUsize);
    impl Drop for Opener<'_> {
        fn drop(&mut self) {
            filch::scope(|_, scope| scope.spawn(|_| add(self.0)));
        }
    }
    let pool = eager_pool(2);
    let ran = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.scope(|_, scope| {
            for _ in 0..10 {
                let opener = Opener(&ran);
                scope.spawn(move |_| drop(opener));
            }
            scope.cancel();
        });
    });
    assert_eq!(ran.into_inner(), 10);
}

#[test]
fn a_scope_opened_by_a_destructor_that_a_panic_runs_is_awaited() {
    struct Opener<'a>(&'a AtomicUsize);
    impl Drop for Opener<'_> {
        fn drop(&mut self) {
            filch::scope(|mut s, scope| {
                (0..10).for_each(|_| scope.spawn(|_| add(self.0)));
                s.join(|_| scope.spawn(|_| add(self.0)), |_| add(self.0));
            });
        }
    }
    for workers in WORKERS {
        let pool = eager_pool(workers);
        let ran = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|_| {
                let _opener = Opener(&ran);
                panic!("on its way");
            });
        });
        assert_eq!((text.as_str(), ran.into_inner()), ("on its way", 12));
        assert_usable(&pool);
    }
}

#[test]
fn tasks_enter_other_pools_and_spawn_into_scopes_of_the_first() {
    let rounds = if cfg!(miri) { 2 } else { 30 };
    for workers in [1, 2] {
        let (a, b) = (eager_pool(workers), eager_pool(workers));
        for _ in 0..rounds {
            let done = AtomicUsize::new(0);
            a.run(|mut s| {
                s.scope(|_, of_a| {
                    for _ in 0..4 {
                        of_a.spawn(|_| {
                            b.run(|mut s| {
                                s.scope(|_, of_b| {
                                    of_b.spawn(|_| of_a.spawn(|_| add(&done)));
                                    of_b.spawn(|_| {
                                        a.run(|mut s| s.scope(|_, again| again.spawn(|_| of_a.spawn(|_| add(&done)))));
                                    });
                                });
                            });
                        });
                    }
                });
            });
            assert_eq!(done.into_inner(), 8);
        }
    }
}

#[test]
fn several_callers_open_scopes_in_one_pool() {
    let pool = eager_pool(2);
    let depth = if cfg!(miri) { 3 } else { 8 };
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..if cfg!(miri) { 2 } else { 20 } {
                    let done = AtomicUsize::new(0);
                    pool.run(|mut s| s.scope(|_, scope| grow(scope, depth, &done)));
                    assert_eq!(done.into_inner(), (2 << depth) - 1);
                }
            });
        }
    });
}

#[test]
fn chaos_runs_tasks_in_an_order_that_its_seed_decides() {
    let orders: Vec<Vec<usize>> = [1, 1, 2, 3]
        .map(|seed| {
            let pool =
                Pool::builder().workers(4).scheduler(filch::Scheduler::chaos(seed)).build().expect("a small pool");
            let run = || {
                let order = Mutex::new(Vec::new());
                pool.run(|mut s| {
                    s.scope(|mut s, scope| {
                        for i in 0..20 {
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

#[cfg(not(miri))]
#[test]
fn scopes_keep_their_promises_under_every_scheduler() {
    common::run_under_every_scheduler();
}
