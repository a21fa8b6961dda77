//! What a thread does while it waits: programs that hang under rayon or under Filch's own rule, and how they end here.

mod common;

use common::in_child;
use rayon_core::{ThreadPool, ThreadPoolBuilder, join, scope, spawn, yield_now};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const ANY: &[(&str, &str)] = &[];
const DESCENDANTS: &[(&str, &str)] = &[("FILCH_WAIT", "descendants")];

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")
}

fn spin_until(flag: &AtomicBool) {
    while !flag.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
}

/// Rayon's issue 592: the thread that waits at the join takes another task, which wants the lock that it holds.
#[test]
fn under_descendants_a_lock_can_be_held_across_a_join() {
    in_child("under_descendants_a_lock_can_be_held_across_a_join", DESCENDANTS, || {
        fn forks(depth: u32) {
            if depth > 0 {
                join(|| forks(depth - 1), || forks(depth - 1));
            }
        }
        let lock = Mutex::new(0);
        pool(2).scope(|s| {
            for _ in 0..1_000 {
                s.spawn(|_| {
                    let mut count = lock.lock().expect("no task panics");
                    forks(8);
                    *count += 1;
                });
            }
        });
        assert_eq!(lock.into_inner().expect("no task panics"), 1_000);
    });
}

#[test]
fn a_join_can_wait_for_an_unrelated_spawn() {
    in_child("a_join_can_wait_for_an_unrelated_spawn", ANY, || {
        static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
        static IS_SPAWNED_DONE: AtomicBool = AtomicBool::new(false);
        pool(2).install(|| {
            spawn(|| IS_SPAWNED_DONE.store(true, Ordering::Release));
            // The second closure runs on the other thread, and needs what lies in the queue of this one.
            join(
                || spin_until(&HAS_BEGUN),
                || {
                    HAS_BEGUN.store(true, Ordering::Release);
                    spin_until(&IS_SPAWNED_DONE);
                },
            );
        });
    });
}

#[test]
fn an_inner_scope_can_wait_for_a_task_of_an_outer_one() {
    in_child("an_inner_scope_can_wait_for_a_task_of_an_outer_one", ANY, || {
        let is_outer_done = AtomicBool::new(false);
        pool(2).scope(|outer| {
            outer.spawn(|_| is_outer_done.store(true, Ordering::Release));
            scope(|inner| inner.spawn(|_| spin_until(&is_outer_done)));
        });
    });
}

fn a_first_closure_waits_for_the_second_by_yielding() {
    let is_done = AtomicBool::new(false);
    let wait = || {
        while !is_done.load(Ordering::Acquire) {
            yield_now();
        }
    };
    pool(1).join(wait, || is_done.store(true, Ordering::Release));
}

#[test]
fn yielding_runs_the_second_closure_on_the_only_thread() {
    let name = "yielding_runs_the_second_closure_on_the_only_thread";
    in_child(name, ANY, a_first_closure_waits_for_the_second_by_yielding);
}

#[test]
fn yielding_does_so_under_descendants() {
    in_child("yielding_does_so_under_descendants", DESCENDANTS, a_first_closure_waits_for_the_second_by_yielding);
}

/// A pool whose threads all wait for the other pool.
#[test]
fn pools_can_wait_for_each_other() {
    in_child("pools_can_wait_for_each_other", ANY, || {
        let (a, b) = (pool(1), pool(1));
        let count = AtomicUsize::new(0);
        let add = || _ = count.fetch_add(1, Ordering::Relaxed);
        a.install(|| b.install(|| a.scope(|s| (0..10).for_each(|_| s.spawn(|_| b.install(add))))));
        assert_eq!(count.into_inner(), 10);
    });
}
