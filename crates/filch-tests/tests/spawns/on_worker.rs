//! Runs and scopes whose work is done by threads of the pool.

use crate::common::{assert_usable, fib, must_end, panic_text};
use crate::{ROUNDS, builder, has_threads, own_pool};
use filch::{Pool, Scheduler, Wait};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_run_on_a_worker_runs_on_a_thread_of_the_pool() {
    must_end(|| {
        let caller = std::thread::current().id();
        for workers in 1..4 {
            let pool = own_pool(workers);
            for _ in 0..ROUNDS {
                let (thread, worker, sum) = pool.run_on_worker(|s| {
                    let here = pool.run_on_worker(|_| std::thread::current().id());
                    assert_eq!(here, std::thread::current().id(), "it is there already");
                    (here, filch::current_worker(), fib(s, 10))
                });
                assert_eq!((thread == caller, sum), (!has_threads(), 55));
                assert!(worker < Some(workers));
                assert_eq!(pool.current_worker(), None);
            }
        }
    });
}

#[test]
fn a_panic_of_a_run_on_a_worker_reaches_the_caller() {
    must_end(|| {
        let pool = own_pool(2);
        for _ in 0..ROUNDS {
            let text = panic_text(|| pool.run_on_worker(|mut s| s.join(|_| (), |_| panic!("in a run"))));
            assert_eq!(text, "in a run");
            let text = panic_text(|| pool.scope_in_place(|scope| scope.spawn(|_| panic!("in a task"))));
            assert_eq!(text, "in a task");
            let text = panic_text(|| pool.scope_in_place(|_| panic!("in a body")));
            assert_eq!(text, "in a body");
        }
        assert_usable(&pool);
    });
}

#[test]
fn the_tasks_of_a_scope_in_place_are_done_at_its_end() {
    must_end(|| {
        for own in [false, true] {
            let pool = builder(3).own_threads(own).build().expect("a small pool");
            for round in 0..ROUNDS {
                let done = AtomicUsize::new(0);
                let body = std::thread::current().id();
                let result = pool.scope_in_place(|scope| {
                    for _ in 0..round {
                        scope.spawn(|_| {
                            scope.spawn(|_| _ = done.fetch_add(1, Ordering::SeqCst));
                        });
                    }
                    assert_eq!(std::thread::current().id(), body);
                    round
                });
                assert_eq!((result, done.into_inner()), (round, round));
            }
        }
    });
}

#[test]
fn what_tasks_of_a_scope_in_place_put_into_a_reducer_is_there_afterwards() {
    must_end(|| {
        let pool = own_pool(2);
        let sum = filch::Reducer::new(filch::monoids::Sum::<u64>::new());
        sum.update(|view| *view += 1);
        pool.scope_in_place(|scope| {
            for i in 1..=100_u64 {
                let sum = &sum;
                scope.spawn(move |_| sum.update(|view| *view += i));
            }
        });
        assert_eq!(sum.into_inner(), 5051);
    });
}

/// Goes to and fro between two pools.
fn nest(a: &Pool, b: &Pool, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let (x, y) = a.run_on_worker(|mut s| s.join(|_| nest(b, a, depth - 1), |_| nest(b, a, depth - 1)));
    x + y + 1
}

#[test]
fn pools_that_run_on_each_others_workers_do_not_wait_for_ever() {
    must_end(|| {
        let depth = if cfg!(miri) { 3 } else { 6 };
        for wait in [Wait::Any, Wait::Descendants] {
            for workers in [1, 2] {
                let build = || {
                    let scheduler = Scheduler::default().with_wait(wait);
                    Pool::builder().workers(workers).own_threads(true).scheduler(scheduler).build()
                };
                let [a, b] = [(); 2].map(|()| build().expect("a small pool"));
                for _ in 0..ROUNDS / 10 + 1 {
                    assert_eq!(nest(&a, &b, depth), (1 << depth) - 1);
                    std::thread::scope(|threads| {
                        threads.spawn(|| assert_eq!(nest(&a, &b, depth - 1), (1 << (depth - 1)) - 1));
                        threads.spawn(|| assert_eq!(nest(&b, &a, depth - 1), (1 << (depth - 1)) - 1));
                    });
                }
            }
        }
    });
}
