//! Waiters that run anything (`wait=any`): programs end in which a wait depends on something that is no part of it.

use crate::ROUNDS;
use crate::common::{await_value, must_end};
use filch::{Pool, Scheduler, Wait};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn add(n: &AtomicUsize) {
    n.fetch_add(1, Ordering::SeqCst);
}

fn pool(workers: usize) -> Pool {
    let scheduler = Scheduler::default().with_wait(Wait::Any);
    Pool::builder().workers(workers).own_threads(true).scheduler(scheduler).build().expect("a small pool")
}

#[test]
fn a_branch_that_has_moved_may_await_a_detached_task_in_the_queue_of_its_waiter() {
    must_end(|| {
        let pool = pool(2);
        for _ in 0..ROUNDS {
            let (moved, done) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
            pool.run_on_worker(|mut s| {
                s.join(
                    |_| {
                        await_value(&moved, 1);
                        let done = Arc::clone(&done);
                        filch::spawn(move |_| add(&done));
                    },
                    |_| {
                        add(&moved);
                        await_value(&done, 1);
                    },
                );
            });
        }
    });
}

#[test]
fn a_task_of_an_inner_scope_may_await_one_of_an_outer_scope() {
    must_end(|| {
        let pool = pool(2);
        for _ in 0..ROUNDS {
            let (moved, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
            pool.run_on_worker(|mut s| {
                s.scope(|mut s, outer| {
                    s.scope(|_, inner| {
                        inner.spawn(|_| {
                            add(&moved);
                            await_value(&done, 1);
                        });
                        await_value(&moved, 1);
                        outer.spawn(|_| add(&done));
                    });
                });
            });
        }
    });
}

#[test]
fn a_task_may_wait_for_a_run_on_another_pool_that_waits_for_a_task_here() {
    must_end(|| {
        let (a, b) = (Arc::new(pool(1)), pool(1));
        for _ in 0..ROUNDS {
            let done = Arc::new(AtomicUsize::new(0));
            let (its_a, its) = (Arc::clone(&a), Arc::clone(&done));
            a.run_on_worker(|_| {
                b.run_on_worker(|_| {
                    its_a.spawn(move |_| add(&its));
                    await_value(&done, 1);
                });
            });
        }
    });
}
