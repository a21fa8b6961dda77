//! What goes on: tasks that nobody awaits, code that must not unwind, and what others wait for.

use super::common::{assert_usable, eager_pool, fib, must_end, takes};
use filch::{CancelToken, Cancelled, Strand};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;

const ROUNDS: usize = if cfg!(miri) { 2 } else { 50 };

fn endless(mut s: Strand<'_>) {
    loop {
        fib(s.reborrow(), 5);
    }
}

#[test]
fn detached_tasks_and_submitted_ones_go_on() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let token = CancelToken::new();
            let (sender, receiver) = mpsc::channel();
            let mut handle = None;
            let result = pool.run_until(&token, |s| {
                filch::spawn(move |s| sender.send(fib(s, 12)).expect("it is awaited"));
                handle = Some(filch::submit(|s| fib(s, 12)));
                token.cancel();
                endless(s);
            });
            assert_eq!(result, Err(Cancelled));
            assert_eq!(receiver.recv(), Ok(144));
            assert_eq!(handle.expect("it was submitted").join(), 144);
        }
    });
}

#[test]
fn who_waits_for_a_submitted_task_ends_without_it() {
    must_end(|| {
        let pool = eager_pool(2);
        if pool.num_threads() == 0 {
            return;
        }
        for _ in 0..ROUNDS {
            let (token, released, begun) = (CancelToken::new(), AtomicUsize::new(0), AtomicUsize::new(0));
            let (released, begun) = (std::sync::Arc::new(released), std::sync::Arc::new(begun));
            let (theirs, is_begun) = (released.clone(), begun.clone());
            let (sender, receiver) = mpsc::channel();
            let handle = pool.submit(move |_| {
                is_begun.store(1, SeqCst);
                while theirs.load(SeqCst) == 0 {
                    std::thread::yield_now();
                }
                sender.send(7).expect("it is awaited");
            });
            while begun.load(SeqCst) == 0 {
                std::thread::yield_now();
            }
            std::thread::scope(|threads| {
                threads.spawn(|| token.cancel());
                assert_eq!(pool.run_until(&token, |_| handle.join()), Err(Cancelled));
            });
            released.store(1, SeqCst);
            assert_eq!(receiver.recv(), Ok(7));
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_submitted_task_that_its_holder_runs_itself_goes_on() {
    must_end(|| {
        let pool = eager_pool(1);
        let (token, seen) = (CancelToken::new(), AtomicUsize::new(0));
        let result = pool.run_until(&token, |s| {
            let value = pool.submit({
                let token = token.clone();
                move |mut s: Strand<'_>| {
                    token.cancel();
                    assert!(!filch::is_cancelled());
                    s.for_each(0..1000, |_, _| ());
                    fib(s, 12)
                }
            });
            seen.store(value.join() as usize, SeqCst);
            endless(s);
        });
        assert_eq!((result, seen.into_inner()), (Err(Cancelled), 144));
    });
}

/// An inlet runs to its end, and so does a look at the state.
#[test]
fn an_inlet_is_not_ended() {
    must_end(|| {
        let pool = eager_pool(2);
        for _ in 0..ROUNDS {
            let (token, done) = (CancelToken::new(), AtomicUsize::new(0));
            let result = pool.run_until(&token, |mut s| {
                s.speculate(0, |p, _| {
                    loop {
                        p.spawn(
                            |_, _| Ok(1),
                            |sum: &mut u64, one| {
                                token.cancel();
                                filch::end_if_cancelled();
                                *sum += one;
                                done.fetch_add(1, SeqCst);
                            },
                        );
                    }
                })
            });
            assert_eq!(result.map(|(sum, ())| sum), Err(Cancelled));
            assert!(done.into_inner() > 0);
        }
    });
}

#[test]
fn what_runs_beside_a_cancelled_run_is_shared_again() {
    if !takes() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        for _ in 0..ROUNDS {
            let token = CancelToken::new();
            let result = pool.run_until(&token, |mut s| _ = s.join(|_| token.cancel(), endless));
            assert_eq!(result, Err(Cancelled));
            // The second branch must move, which an owner that still seemed to unwind would not let it.
            let begun = AtomicUsize::new(0);
            pool.run(|mut s| {
                s.join(
                    |_| {
                        while begun.load(SeqCst) == 0 {
                            std::thread::yield_now();
                        }
                    },
                    |_| begun.store(1, SeqCst),
                )
            });
        }
    });
}

#[test]
fn what_must_be_completed_is_and_then_the_run_ends() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let (token, done) = (CancelToken::new(), AtomicUsize::new(0));
            let result = pool.run_until(&token, |s| {
                filch::to_completion(|| {
                    token.cancel();
                    filch::for_each(0..10, |s, _| {
                        fib(s, 5);
                        done.fetch_add(1, SeqCst);
                    });
                    filch::scope(|_, scope| scope.spawn(|_| _ = done.fetch_add(1, SeqCst)));
                });
                endless(s);
            });
            assert_eq!((result, done.into_inner()), (Err(Cancelled), 11));
        }
        assert_usable(&pool);
    });
}
