//! Which threads a pool has, who makes them, and what they call.

use crate::common::{assert_usable, fib, must_end};
use crate::{ROUNDS, builder, has_threads, own_pool};
use filch::{PoolError, Yield};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn each_thread_calls_the_handlers_once() {
    must_end(|| {
        for workers in 1..4 {
            for _ in 0..ROUNDS.min(20) {
                let calls = Arc::new(Mutex::new(Vec::new()));
                let note = |what: &'static str| {
                    let calls = Arc::clone(&calls);
                    move |worker: usize| {
                        assert_eq!(filch::num_workers(), workers, "it works for the pool");
                        let forked = filch::join(|| worker, || 1);
                        calls.lock().expect("nobody panics").push((what, forked.0));
                    }
                };
                let pool = builder(workers).own_threads(true).start_handler(note("start")).exit_handler(note("exit"));
                let pool = pool.build().expect("a small pool");
                assert_usable(&pool);
                pool.shutdown();
                let mut calls = std::mem::take(&mut *calls.lock().expect("nobody panics"));
                calls.sort_unstable();
                let threads = if has_threads() { workers } else { 0 };
                let expected: Vec<_> =
                    ["exit", "start"].into_iter().flat_map(|what| (0..threads).map(move |i| (what, i))).collect();
                assert_eq!(calls, expected);
            }
        }
    });
}

#[test]
fn a_panic_of_a_handler_goes_to_the_handler_of_panics() {
    crate::common::tell_panics_briefly();
    must_end(|| {
        let count = Arc::new(AtomicUsize::new(0));
        let its = Arc::clone(&count);
        let pool = builder(2)
            .own_threads(true)
            .unawaited_panic_handler(move |_| _ = its.fetch_add(1, Ordering::SeqCst))
            .start_handler(|_| panic!("at the start"))
            .exit_handler(|_| panic!("at the end"))
            .build()
            .expect("a small pool");
        assert_usable(&pool);
        pool.shutdown();
        assert_eq!(count.load(Ordering::SeqCst), if has_threads() { 4 } else { 0 });
    });
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn a_pool_may_have_threads_of_the_users_making() {
    must_end(|| {
        for own in [false, true] {
            for _ in 0..ROUNDS.min(20) {
                let seen = Mutex::new(Vec::new());
                std::thread::scope(|threads| {
                    let builder = builder(3).own_threads(own).thread_name(|i| format!("mine-{i}")).stack_size(1 << 20);
                    let build = builder.build_with(|thread| {
                        seen.lock().expect("nobody panics").push((thread.name().to_owned(), thread.stack_size()));
                        threads.spawn(move || thread.run());
                        Ok(())
                    });
                    let pool = build.expect("a small pool");
                    assert_eq!(pool.run_on_worker(|s| fib(s, 10)), 55);
                    if own {
                        pool.release();
                    }
                });
                let threads = if has_threads() { usize::from(!own)..3 } else { 0..0 };
                let expected: Vec<_> = threads.map(|i| (format!("mine-{i}"), 1 << 20)).collect();
                assert_eq!(*seen.lock().expect("nobody panics"), expected);
            }
        }
    });
}

#[test]
fn a_thread_that_cannot_be_made_ends_the_pool() {
    must_end(|| {
        if !has_threads() {
            return;
        }
        let (sender, ends) = mpsc::channel();
        let mut made = 0;
        let build = builder(3).own_threads(true).build_with(|thread| {
            made += 1;
            if made == 3 {
                return Err(std::io::Error::other("no more of them"));
            }
            let sender = sender.clone();
            std::thread::spawn(move || {
                thread.run();
                drop(sender);
            });
            Ok(())
        });
        let error = build.expect_err("the third is refused");
        assert!(matches!(error, PoolError::SpawnWith { worker: 2, number: 3, threads: 3, .. }), "{error}");
        // Who made it knows its cause, and nothing is added to that.
        assert_eq!(error.to_string(), "could not start thread 3 of 3, that of worker 2: no more of them");
        drop(sender);
        assert_eq!(ends.recv(), Err::<(), _>(mpsc::RecvError), "the other two end");
    });
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn the_current_thread_may_become_one_of_the_pool() {
    for workers in 1..4 {
        must_end(move || {
            let pool = builder(workers).use_current_thread(true).build().expect("a small pool");
            if !has_threads() {
                assert_eq!(filch::current_worker(), None);
                return;
            }
            let error = builder(1).use_current_thread(true).build().expect_err("it has one");
            assert!(matches!(error, PoolError::CurrentThread), "{error}");
            let me = std::thread::current().id();
            assert_eq!((pool.current_worker(), filch::num_workers(), pool.num_threads()), (Some(0), workers, workers));
            assert_eq!(pool.run_on_worker(|s| (std::thread::current().id(), fib(s, 10))), (me, 55));
            assert_eq!(filch::join(|| 1, || std::thread::current().id() == me || workers > 1), (1, true));
            let threads = pool.broadcast(|_, _| std::thread::current().id());
            assert_eq!((threads[0], threads.len()), (me, workers));
            // Another pool works as usual.
            assert_usable(&own_pool(2));
            // What is spawned runs at the latest when this thread yields.
            let done = Arc::new(AtomicUsize::new(0));
            for _ in 0..10 {
                let done = Arc::clone(&done);
                pool.spawn(move |_| _ = done.fetch_add(1, Ordering::SeqCst));
            }
            while done.load(Ordering::SeqCst) < 10 {
                assert!(matches!(filch::yield_now(), Some(Yield::Executed | Yield::Idle)));
            }
            drop(pool);
            assert_eq!(filch::join(|| 1, || 2), (1, 2), "after the end, on this thread");
        });
    }
}
