//! Tascell: nothing becomes a task unless a worker has asked.

use crate::common::{fib, must_end};
use crate::{assert_upper_half_moves, poll_until};
use filch::{Pool, Scheduler};
use std::sync::atomic::Ordering;

fn pool(workers: usize) -> Pool {
    Pool::builder().workers(workers).scheduler(Scheduler::tascell()).build().expect("a small pool")
}

#[test]
fn tasks_are_answers_to_asks() {
    must_end(|| {
        let pool = pool(3);
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            assert_eq!(pool.run(|s| fib(s, if cfg!(miri) { 8 } else { 22 })), if cfg!(miri) { 21 } else { 17_711 });
        }
        // Who asks counts that after it has posted the ask, and what it was given may be back by then.
        let mut counters = pool.counters();
        while counters.forks_given + counters.withdrawals > counters.asks {
            std::thread::yield_now();
            counters = pool.counters();
        }
        assert_eq!((counters.forks_taken, counters.failed_takes, counters.promotions), (0, 0, 0), "{counters}");
    });
}

#[test]
fn a_single_worker_creates_no_task() {
    let pool = pool(1);
    pool.run(|s| fib(s, 12));
    let counters = pool.counters();
    assert_eq!((counters.forks_given, counters.asks, counters.forks_taken), (0, 0, 0), "{counters}");
}

/// A worker that is asked gives the upper half of what is left of its loop.
#[test]
fn the_upper_half_of_a_loop_is_given() {
    let pool = pool(2);
    assert_upper_half_moves(&pool, |mut s, has_moved| poll_until(&mut s, || has_moved.load(Ordering::SeqCst)));
    assert!(pool.counters().forks_given > 0);
}

/// The victim cannot return, and so cannot answer, before the asker has run what only that can run.
#[test]
fn a_worker_that_awaits_an_answer_runs_its_part_of_a_broadcast() {
    must_end(|| {
        let pool = pool(4);
        pool.run(|mut s| {
            s.join(
                |_| {
                    while pool.counters().asks == 0 {
                        std::thread::yield_now();
                    }
                    let broadcast = || pool.broadcast(|_, to| to.index());
                    let indices = std::thread::scope(|threads| threads.spawn(broadcast).join());
                    assert_eq!(indices.expect("no panic"), [0, 1, 2, 3]);
                },
                |_| (),
            );
        });
    });
}
