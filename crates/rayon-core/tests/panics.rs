//! What runs although something else panics, and which panic is passed on.

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::atomic::{AtomicUsize, Ordering};

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")
}

/// The payload of the panic of `f`, which is a number.
fn payload(f: impl FnOnce()) -> usize {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    *payload.downcast().expect("a number")
}

#[test]
fn all_second_closures_run_when_the_innermost_first_one_panics() {
    fn join_all(depth: usize, count: &AtomicUsize) {
        if depth == 0 {
            panic_any(7_usize);
        }
        rayon_core::join(|| join_all(depth - 1, count), || count.fetch_add(1, Ordering::Relaxed));
    }
    for threads in 1..4 {
        let count = AtomicUsize::new(0);
        assert_eq!(payload(|| pool(threads).install(|| join_all(100, &count))), 7);
        assert_eq!(count.into_inner(), 100, "{threads} threads");
    }
}

#[test]
fn of_two_panics_that_of_the_first_closure_is_passed_on() {
    for threads in 1..4 {
        let pool = pool(threads);
        for _ in 0..100 {
            assert_eq!(payload(|| _ = pool.join(|| panic_any(1_usize), || panic_any(2_usize))), 1);
        }
    }
}

#[test]
fn a_second_closure_that_runs_during_a_panic_can_use_the_pool() {
    let (sum, pool) = (AtomicUsize::new(0), pool(2));
    let add = |n| _ = sum.fetch_add(n, Ordering::Relaxed);
    let second = || {
        rayon_core::join(|| add(1), || add(2));
        rayon_core::scope(|scope| (0..10).for_each(|_| scope.spawn(|_| add(10))));
        pool.install(|| add(1_000));
    };
    assert_eq!(payload(|| _ = pool.join(|| panic_any(3_usize), second)), 3);
    assert_eq!(sum.into_inner(), 1_103);
}

#[test]
fn all_tasks_of_a_scope_run_although_all_panic() {
    for threads in 1..4 {
        let count = AtomicUsize::new(0);
        let spawn_all = || {
            pool(threads).scope(|scope| {
                for _ in 0..100 {
                    scope.spawn(|_| {
                        count.fetch_add(1, Ordering::Relaxed);
                        panic_any(4_usize);
                    });
                }
                panic_any(4_usize);
            });
        };
        assert_eq!(payload(spawn_all), 4);
        assert_eq!(count.into_inner(), 100, "{threads} threads");
    }
}

#[test]
fn a_payload_whose_destructor_panics_does_not_end_the_process() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in a destructor");
        }
    }
    let pool = pool(1);
    let spawn_all = || {
        pool.scope(|scope| {
            // The newest runs first, and its panic is passed on.
            scope.spawn(|_| panic_any(Bomb));
            scope.spawn(|_| panic_any(5_usize));
        });
    };
    assert_eq!(payload(spawn_all), 5);
}

#[test]
fn a_broadcast_calls_all_threads_although_one_panics() {
    let count = AtomicUsize::new(0);
    let broadcast = || {
        pool(4).broadcast(|context| {
            count.fetch_add(1, Ordering::Relaxed);
            if context.index() == 2 {
                panic_any(6_usize);
            }
        });
    };
    assert_eq!(payload(broadcast), 6);
    assert_eq!(count.into_inner(), 4);
}
