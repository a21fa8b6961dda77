//! What is bound to a thread runs there, whatever the thread is doing.

use crate::common::{await_value, must_end, panic_text, takes, waits_for_descendants};
use crate::{ROUNDS, builder, has_threads, own_pool};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_thread_that_unwinds_takes_part_in_a_broadcast() {
    if !takes() {
        return;
    }
    must_end(|| {
        let pool = own_pool(2);
        for _ in 0..ROUNDS {
            let begun = AtomicUsize::new(0);
            let first = |_: filch::Strand<'_>| {
                await_value(&begun, 1);
                panic!("in the first branch");
            };
            let second = |mut s: filch::Strand<'_>| {
                begun.store(1, Ordering::SeqCst);
                s.broadcast(|_, _| ()).len()
            };
            let text = panic_text(|| pool.run_on_worker(|mut s| s.join(first, second)));
            assert!(text.contains("in the first branch"), "{text}");
        }
    });
}

#[test]
fn a_thread_that_waits_in_another_pool_takes_part_in_a_broadcast() {
    if !takes() {
        return;
    }
    must_end(|| {
        let (home, abroad) = (own_pool(1), own_pool(2));
        for _ in 0..if cfg!(miri) { 1 } else { 5 } {
            let begun = AtomicUsize::new(0);
            let second = |_: filch::Strand<'_>| {
                begun.store(1, Ordering::SeqCst);
                home.broadcast(|_, to| to.index()).len()
            };
            let parts = home.run_on_worker(|_| abroad.run(|mut s| s.join(|_| await_value(&begun, 1), second)).1);
            assert_eq!(parts, 1);
        }
    });
}

#[test]
fn handlers_of_threads_may_broadcast() {
    must_end(|| {
        for own in [false, true] {
            let calls = Arc::new(AtomicUsize::new(0));
            let handler = |calls: &Arc<AtomicUsize>| {
                let calls = Arc::clone(calls);
                move |_| {
                    filch::broadcast(|_, _| calls.fetch_add(1, Ordering::SeqCst));
                }
            };
            let pool = builder(2).own_threads(own).start_handler(handler(&calls)).exit_handler(handler(&calls));
            let pool = pool.build().expect("a small pool");
            let (workers, threads) = (pool.num_workers(), pool.num_threads());
            pool.shutdown();
            assert_eq!(calls.load(Ordering::SeqCst), 2 * threads * workers);
        }
    });
}

#[test]
fn a_part_of_a_detached_broadcast_brings_no_other_task_into_a_wait() {
    thread_local! {
        static WAITS: Cell<bool> = const { Cell::new(false) };
    }
    if !takes() || !has_threads() || !waits_for_descendants() {
        return;
    }
    must_end(|| {
        let pool = own_pool(2);
        for _ in 0..ROUNDS {
            let (begun, parts) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
            let (task_ran, ran) = std::sync::mpsc::channel();
            let first = |_: filch::Strand<'_>| {
                await_value(&begun, 1);
                filch::spawn(move |_| task_ran.send(WAITS.get()).expect("the receiver waits"));
                begun.store(2, Ordering::SeqCst);
                WAITS.set(true);
            };
            let second = |_: filch::Strand<'_>| {
                begun.store(1, Ordering::SeqCst);
                await_value(&begun, 2);
                let its = Arc::clone(&parts);
                filch::spawn_broadcast(move |_, _| _ = its.fetch_add(1, Ordering::SeqCst));
                // That of the other thread, which waits for this branch.
                await_value(&parts, 1);
            };
            pool.run_on_worker(|mut s| {
                s.join(first, second);
                WAITS.set(false);
            });
            assert_eq!(ran.recv(), Ok(false), "a task ran on a thread that waited for something else");
            await_value(&parts, 2);
        }
    });
}
