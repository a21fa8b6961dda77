//! Broadcasts: one task for each worker, on its own thread.

use crate::common::{assert_usable, must_end, panic_text};
use crate::{ROUNDS, builder, has_threads, own_pool};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

/// How many workers a pool has. Under Miri, threads that wait take all of the time.
const WORKERS: usize = if cfg!(miri) { 2 } else { 3 };

#[test]
fn a_broadcast_runs_once_on_the_thread_of_each_worker() {
    must_end(|| {
        for workers in 1..=WORKERS + 1 {
            let pool = own_pool(workers);
            let home = pool.broadcast(|_, to| (to.index(), std::thread::current().id()));
            assert!(home.iter().map(|(index, _)| *index).eq(0..workers));
            let threads: HashSet<_> = home.iter().map(|(_, thread)| *thread).collect();
            assert_eq!(threads.len(), if has_threads() { workers } else { 1 });
            for _ in 0..ROUNDS {
                assert_eq!(home, pool.broadcast(|_, to| (to.index(), std::thread::current().id())));
                let inside = pool.run_on_worker(|mut s| s.broadcast(|_, to| (to.index(), std::thread::current().id())));
                assert_eq!(home, inside);
            }
        }
    });
}

#[test]
fn the_part_of_a_worker_without_a_thread_runs_somewhere() {
    must_end(|| {
        for workers in 1..=WORKERS {
            let pool = builder(workers).build().expect("a small pool");
            for _ in 0..ROUNDS {
                assert!(pool.broadcast(|_, to| to.index()).into_iter().eq(0..workers));
                // All seats are taken by callers.
                std::thread::scope(|threads| {
                    for _ in 0..workers {
                        let run = || pool.run(|mut s| s.broadcast(|_, to| to.index()));
                        threads.spawn(move || assert!(run().into_iter().eq(0..workers)));
                    }
                });
            }
            assert_usable(&pool);
        }
    });
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn workers_that_broadcast_at_the_same_time_do_not_wait_for_ever() {
    const PIECES: u32 = if cfg!(miri) { 3 } else { 8 };
    must_end(|| {
        for own in [false, true] {
            let pool = builder(WORKERS).own_threads(own).build().expect("a small pool");
            for _ in 0..ROUNDS {
                let calls = AtomicUsize::new(0);
                let tasks = pool.run(|mut s| {
                    s.map_reduce(
                        0..PIECES,
                        || 0,
                        |mut s, _| s.broadcast(|_, _| calls.fetch_add(1, Ordering::SeqCst)).len(),
                        |a, b| a + b,
                    )
                });
                let expected = PIECES as usize * pool.num_workers();
                assert_eq!((tasks, calls.into_inner()), (expected, expected));
            }
        }
    });
}

#[test]
fn a_broadcast_may_fork_and_broadcast() {
    must_end(|| {
        let pool = own_pool(WORKERS);
        for _ in 0..ROUNDS {
            let sums = pool.broadcast(|mut s, to| {
                let (a, b) = s.join(|mut s| s.broadcast(|_, to| to.index()).len(), |_| to.index());
                a + b
            });
            assert!(sums.into_iter().eq((0..pool.num_workers()).map(|i| pool.num_workers() + i)));
        }
    });
}

#[test]
fn a_panic_of_a_broadcast_reaches_the_caller() {
    must_end(|| {
        let pool = own_pool(3);
        for _ in 0..ROUNDS {
            let text = panic_text(|| pool.broadcast(|_, to| assert_ne!(to.index(), 1, "one of them")));
            assert!(text.contains("one of them"), "{text}");
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_detached_broadcast_runs_for_each_worker_before_the_pool_ends() {
    must_end(|| {
        for own in [false, true] {
            for _ in 0..ROUNDS {
                let pool = builder(3).own_threads(own).build().expect("a small pool");
                let (sender, receiver) = mpsc::channel();
                let task = Arc::new(move |index| sender.send(index).expect("the receiver waits"));
                let its = Arc::clone(&task);
                pool.spawn_broadcast(move |_, to| its(to.index()));
                pool.run(|_| filch::spawn_broadcast(move |_, to| task(to.index())));
                let workers = pool.num_workers();
                pool.shutdown();
                let mut seen: Vec<_> = receiver.iter().collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq((0..workers).flat_map(|i| [i, i])));
            }
        }
    });
}
