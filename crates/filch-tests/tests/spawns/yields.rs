//! Yielding: a worker runs something else in the middle of its work.

use crate::common::{self, assert_usable, fib, must_end};
use crate::{ROUNDS, builder, has_threads, own_pool};
use filch::{Pool, Strand, Yield};
use std::sync::atomic::{AtomicUsize, Ordering};

fn add(n: &AtomicUsize) {
    n.fetch_add(1, Ordering::SeqCst);
}

/// Yields until `n` has reached `value`.
fn yield_until(n: &AtomicUsize, value: usize, yields: fn() -> Option<Yield>) {
    while n.load(Ordering::SeqCst) < value {
        assert!(yields().is_some(), "this thread works for a pool");
    }
}

/// Pools of one worker and of several, with a thread for each worker or without.
fn pools() -> impl Iterator<Item = Pool> {
    let build = |(workers, own)| builder(workers).own_threads(own).build().expect("a small pool");
    [(1, false), (1, true), (2, true), (3, false)].into_iter().map(build)
}

#[test]
fn a_first_branch_may_yield_until_its_second_has_run() {
    must_end(|| {
        for pool in pools() {
            for yields in [filch::yield_now, filch::yield_local] {
                // Another worker may run what the worker itself could not run locally.
                for _ in 0..ROUNDS {
                    let (inner, outer) = (AtomicUsize::new(0), AtomicUsize::new(0));
                    pool.run_on_worker(|mut s| {
                        s.join(
                            |mut s| {
                                s.join(|_| yield_until(&inner, 1, yields), |_| add(&inner));
                                yield_until(&outer, 1, yields);
                            },
                            |s| {
                                assert_eq!(fib(s, 8), 21);
                                add(&outer);
                            },
                        );
                    });
                }
            }
            assert_usable(&pool);
        }
    });
}

#[test]
fn a_branch_may_yield_until_a_loop_beside_it_has_run() {
    if !has_threads() {
        // The one thread may begin the branch in the middle of an iteration.
        return;
    }
    must_end(|| {
        for pool in pools() {
            for _ in 0..ROUNDS {
                let done = AtomicUsize::new(0);
                pool.run_on_worker(|mut s| {
                    s.join(
                        |mut s| s.for_each(0..20_u32, |_, _| add(&done)),
                        |mut s| {
                            let task = || yield_until(&done, 20, filch::yield_now);
                            s.join(|_| task(), |_| task());
                        },
                    );
                });
            }
        }
    });
}

#[test]
fn a_body_may_yield_until_its_tasks_have_run() {
    must_end(|| {
        for pool in pools() {
            for _ in 0..ROUNDS {
                let done = AtomicUsize::new(0);
                pool.run_on_worker(|mut s| {
                    s.scope(|_, scope| {
                        (0..3).for_each(|_| scope.spawn(|_| add(&done)));
                        yield_until(&done, 3, filch::yield_now);
                    });
                });
            }
        }
    });
}

#[test]
fn a_worker_has_pending_tasks_from_the_spawn_to_the_begin() {
    if !has_threads() {
        return;
    }
    let pool = own_pool(1);
    let has_pending = || pool.has_pending_tasks();
    pool.run_on_worker(|mut s| {
        assert_eq!((has_pending(), pool.yield_local()), (Some(false), Some(Yield::Idle)));
        s.scope(|_, scope| {
            scope.spawn(|_| assert_eq!(has_pending(), Some(false)));
            assert_eq!(has_pending(), Some(true));
            assert_eq!(pool.yield_local(), Some(Yield::Executed));
            assert_eq!((has_pending(), pool.yield_now()), (Some(false), Some(Yield::Idle)));
        });
    });
    assert_eq!((has_pending(), pool.yield_now(), pool.yield_local()), (None, None, None));
    assert_eq!(own_pool(1).run_on_worker(|_| pool.yield_now()), None, "it works for another pool");
}

#[test]
fn a_panic_of_what_a_worker_yields_to_goes_where_it_belongs() {
    must_end(|| {
        for pool in pools() {
            for _ in 0..ROUNDS {
                let begun = AtomicUsize::new(0);
                let text = common::panic_text(|| {
                    pool.run_on_worker(|mut s| {
                        let second = |_: Strand<'_>| {
                            add(&begun);
                            panic!("in a second branch");
                        };
                        s.join(|_| yield_until(&begun, 1, filch::yield_now), second);
                    });
                });
                assert_eq!(text, "in a second branch");
            }
            assert_usable(&pool);
        }
    });
}
