//! Several callers, threads from elsewhere, and more than one pool.

use crate::common::eager_pool;
use crate::{WORKERS, add, grow};
use std::sync::atomic::AtomicUsize;

#[test]
fn threads_from_elsewhere_spawn_into_a_scope() {
    let each = if cfg!(miri) { 3 } else { 500 };
    for &workers in WORKERS {
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
fn tasks_enter_other_pools_and_spawn_into_scopes_of_the_first() {
    let (rounds, tasks) = if cfg!(miri) { (1, 2) } else { (30, 4) };
    for workers in [1, 2] {
        let (a, b) = (eager_pool(workers), eager_pool(workers));
        for _ in 0..rounds {
            let done = AtomicUsize::new(0);
            a.run(|mut s| {
                s.scope(|_, of_a| {
                    for _ in 0..tasks {
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
            assert_eq!(done.into_inner(), 2 * tasks);
        }
    }
}

#[test]
fn several_callers_open_scopes_in_one_pool() {
    let pool = eager_pool(2);
    let depth = if cfg!(miri) { 2 } else { 8 };
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                    let done = AtomicUsize::new(0);
                    pool.run(|mut s| s.scope(|_, scope| grow(scope, depth, &done)));
                    assert_eq!(done.into_inner(), (2 << depth) - 1);
                }
            });
        }
    });
}
