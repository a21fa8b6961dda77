//! How a run ends: destructors, panics, and the results of what has ended.

use super::common::{Counted, assert_usable, eager_pool, fib, must_end, panic_text, tell_panics_briefly};
use filch::{CancelToken, Cancelled, Pool, Strand};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

const ROUNDS: usize = if cfg!(miri) { 2 } else { 200 };

/// A second branch may run before the first one is over (under chaos), so it ends.
const LONG: u64 = if cfg!(miri) { 10 } else { 500 };

fn endless(mut s: Strand<'_>) {
    loop {
        fib(s.reborrow(), 5);
    }
}

/// Computes in parallel when it is dropped.
struct Forks<'a>(&'a AtomicUsize);

impl Drop for Forks<'_> {
    fn drop(&mut self) {
        fn tree(depth: usize) -> usize {
            if depth == 0 {
                return 1;
            }
            let (a, b) = filch::join(|| tree(depth - 1), || tree(depth - 1));
            a + b
        }
        let depth = if cfg!(miri) { 3 } else { 8 };
        let leaves = AtomicUsize::new(0);
        filch::for_each(0..tree(depth), |_, _| _ = leaves.fetch_add(1, SeqCst));
        filch::scope(|_, scope| {
            for _ in 0..10 {
                scope.spawn(|mut s| {
                    s.join(|_| leaves.fetch_add(1, SeqCst), |_| leaves.fetch_add(1, SeqCst));
                });
            }
        });
        assert_eq!(leaves.into_inner(), (1 << depth) + 20);
        self.0.fetch_add(1, SeqCst);
    }
}

#[test]
fn what_destructors_fork_runs_to_its_end() {
    fn deep(mut s: Strand<'_>, depth: usize, dropped: &AtomicUsize, token: &CancelToken) {
        let _forks = Forks(dropped);
        if depth == 0 {
            token.cancel();
            return endless(s);
        }
        // Under chaos it may run before the first branch is over.
        s.join(|s| deep(s, depth - 1, dropped, token), |s| _ = fib(s, if cfg!(miri) { 4 } else { 12 }));
    }
    must_end(|| {
        let pool = eager_pool(3);
        let depth = 4;
        for _ in 0..ROUNDS {
            let (token, dropped) = (CancelToken::new(), AtomicUsize::new(0));
            assert_eq!(pool.run_until(&token, |s| deep(s, depth, &dropped, &token)), Err(Cancelled));
            assert_eq!(dropped.into_inner(), depth + 1);
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_panic_inside_comes_out_as_it_is() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS / 10 + 1 {
            let token = CancelToken::new();
            let text = panic_text(|| pool.run_until(&token, |mut s| s.join(|s| fib(s, 8), |_| panic!("of its own"))));
            assert_eq!(text, "of its own");
            assert!(!token.is_cancelled());
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_panic_beside_the_end_is_not_lost_or_a_second_one() {
    must_end(|| {
        tell_panics_briefly();
        let pool = eager_pool(3);
        for _ in 0..ROUNDS / 4 + 1 {
            let token = CancelToken::new();
            let result = catch_unwind(AssertUnwindSafe(|| {
                pool.run_until(&token, |mut s| {
                    s.scope(|mut s, scope| {
                        scope.spawn(|_| panic_any(7_u8));
                        s.join(|_| token.cancel(), endless);
                    });
                })
            }));
            match result {
                Ok(result) => assert_eq!(result, Err(Cancelled), "its task was dropped"),
                Err(payload) => assert_eq!(payload.downcast_ref(), Some(&7_u8)),
            }
        }
        assert_usable(&pool);
    });
}

#[test]
fn no_handler_of_panics_hears_of_it() {
    must_end(|| {
        let heard = Arc::new(AtomicUsize::new(0));
        let hears = Arc::clone(&heard);
        let builder = Pool::builder().workers(3).scheduler(super::common::scheduler());
        let pool = builder.panic_handler(move |_| _ = hears.fetch_add(1, SeqCst)).build().expect("a pool");
        for _ in 0..ROUNDS {
            let token = CancelToken::new();
            let result = pool.run_until(&token, |mut s| {
                s.join(|mut s| s.join(|_| token.cancel(), endless), |mut s| s.for_each(0..LONG, |s, _| _ = fib(s, 5)));
            });
            assert_eq!(result, Err(Cancelled));
        }
        assert_eq!(heard.load(SeqCst), 0);
    });
}

#[test]
fn results_and_captures_are_dropped_once() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let (token, alive) = (CancelToken::new(), AtomicUsize::new(0));
            let result = pool.run_until(&token, |mut s| {
                let captured = [(); 4].map(|()| Counted::new(&alive));
                let [a, b, c, d] = captured;
                let results = s.join(
                    |mut s| {
                        let _a = a;
                        s.join(|_| (token.cancel(), b).1, |s| (endless(s), c).1)
                    },
                    |mut s| {
                        let more: Vec<_> = (0..3).map(|_| Counted::new(&alive)).collect();
                        s.for_each(0..LONG, |s, _| _ = (fib(s, 3), more.len()));
                        d
                    },
                );
                results.1
            });
            assert!(result.is_err());
            drop(result);
            assert_eq!(alive.into_inner(), 0);
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_closure_that_catches_the_end_is_ended_again() {
    must_end(|| {
        let pool = eager_pool(2);
        let (token, caught) = (CancelToken::new(), AtomicUsize::new(0));
        let result = pool.run_until(&token, |mut s| {
            for _ in 0..3 {
                let ended = catch_unwind(AssertUnwindSafe(|| _ = s.join(|_| token.cancel(), endless)));
                assert!(ended.is_err());
                caught.fetch_add(1, SeqCst);
            }
            s.join(endless, endless);
        });
        assert_eq!((result, caught.into_inner()), (Err(Cancelled), 3));
        assert_usable(&pool);
    });
}

/// The branch that has moved ends first, and its end unwinds through the owner of the join.
#[test]
fn what_destructors_fork_runs_to_its_end_where_the_end_comes_from_another_worker() {
    let dropped = AtomicUsize::new(0);
    let pool = eager_pool(3);
    let other = eager_pool(2);
    for _ in 0..ROUNDS {
        let token = CancelToken::new();
        let ends = |_: Strand<'_>| {
            token.cancel();
            loop {
                filch::end_if_cancelled();
            }
        };
        let run = |mut s: Strand<'_>| {
            let _forks = Forks(&dropped);
            s.join(|_| (0..20).for_each(|_| std::thread::yield_now()), ends);
        };
        assert_eq!(pool.run_until(&token, run), Err(Cancelled));
        let token = CancelToken::new();
        let run = |_: Strand<'_>| {
            let _forks = Forks(&dropped);
            other.run(|_| {
                token.cancel();
                loop {
                    filch::end_if_cancelled();
                }
            })
        };
        assert_eq!(pool.run_until(&token, run), Err::<(), _>(Cancelled));
    }
    assert_eq!(dropped.into_inner(), 2 * ROUNDS);
    assert_usable(&pool);
    assert_usable(&other);
}
