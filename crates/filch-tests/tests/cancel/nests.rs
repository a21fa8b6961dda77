//! Runs inside of each other, on tokens that know of each other or not.

use super::common::{Counted, assert_usable, eager_pool, fib, must_end};
use filch::{CancelToken, Cancelled, Strand};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

const ROUNDS: usize = if cfg!(miri) { 2 } else { 100 };

fn endless(mut s: Strand<'_>) {
    loop {
        fib(s.reborrow(), 5);
    }
}

#[test]
fn an_inner_run_ends_alone() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let (outer, inner) = (CancelToken::new(), CancelToken::new());
            let result = pool.run_until(&outer, |mut s| {
                let (a, b) = s.join(
                    |mut s| {
                        s.run_until(&inner, |mut s| {
                            s.join(|_| inner.cancel(), endless);
                        })
                    },
                    |s| fib(s, 10),
                );
                assert!(!filch::is_cancelled());
                (a, b)
            });
            assert_eq!(result, Ok((Err(Cancelled), 55)), "what is beside it is not cancelled");
        }
        assert_usable(&pool);
    });
}

#[test]
fn an_outer_token_ends_inner_runs_of_tokens_that_do_not_know_it() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let (outer, inner) = (CancelToken::new(), CancelToken::new());
            let result = pool.run_until(&outer, |mut s| {
                let result = s.run_until(&inner, |mut s| {
                    s.join(|_| outer.cancel(), endless);
                });
                unreachable!("{result:?}");
            });
            assert_eq!(result, Err::<(), _>(Cancelled));
            assert!(!inner.is_cancelled());
        }
        assert_usable(&pool);
    });
}

/// The frames below belong to the outer run, although they are on the same ladder.
#[test]
fn what_was_forked_before_an_inner_run_is_not_a_part_of_it() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let (token, done) = (CancelToken::new(), AtomicUsize::new(0));
            let ended = pool.run(|mut s| {
                let (_, ((), ended)) = s.join(
                    |mut s| {
                        s.join(
                            |mut s| s.run_until(&token, |mut s| _ = s.join(|_| token.cancel(), endless)),
                            |_| done.fetch_add(1, SeqCst),
                        )
                    },
                    |s| {
                        fib(s, 8);
                        done.fetch_add(1, SeqCst);
                        ((), token.is_cancelled())
                    },
                );
                ended
            });
            let _ = ended;
            assert_eq!(done.into_inner(), 2);
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_scope_outside_takes_tasks_from_inside_and_runs_them() {
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..ROUNDS {
            let (token, done) = (CancelToken::new(), AtomicUsize::new(0));
            let result = pool.run(|mut s| {
                s.scope(|mut s, scope| {
                    s.run_until(&token, |s| {
                        for _ in 0..5 {
                            scope.spawn(|s| {
                                fib(s, 5);
                                done.fetch_add(1, SeqCst);
                            });
                        }
                        token.cancel();
                        endless(s);
                    })
                })
            });
            assert_eq!((result, done.into_inner()), (Err(Cancelled), 5));
        }
    });
}

/// Deeper than tasks can be nested by helping.
#[test]
fn runs_nest_as_deep_as_the_stack() {
    fn nest(mut s: Strand<'_>, depth: usize, token: &CancelToken, alive: &AtomicUsize) -> u64 {
        let _counted = Counted::new(alive);
        match depth {
            0 if token.is_cancelled() => 0,
            0 => fib(s, 7),
            1 => {
                token.cancel();
                s.join(endless, endless);
                1
            }
            _ => s.run_until(&token.child(), |s| nest(s, depth - 2, token, alive)).unwrap_or(99),
        }
    }
    must_end(|| {
        let pool = eager_pool(2);
        let alive = AtomicUsize::new(0);
        let depth = if cfg!(miri) { 140 } else { 300 };
        let token = CancelToken::new();
        assert_eq!(pool.run_until(&token, |s| nest(s, depth, &token, &alive)), Ok(13));
        assert_eq!(pool.run_until(&token, |s| nest(s, depth + 1, &token, &alive)), Err(Cancelled));
        assert_eq!(alive.into_inner(), 0);
        assert_usable(&pool);
    });
}

#[test]
fn a_run_that_waits_for_a_seat_ends() {
    must_end(|| {
        let pool = eager_pool(1);
        let (token, begun, released) = (CancelToken::new(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|threads| {
            threads.spawn(|| {
                pool.run(|_| {
                    begun.store(1, SeqCst);
                    while released.load(SeqCst) == 0 {
                        std::thread::yield_now();
                    }
                });
            });
            while begun.load(SeqCst) == 0 {
                std::thread::yield_now();
            }
            threads.spawn(|| token.cancel());
            // After a while it would run without a seat.
            assert_eq!(pool.run_until(&token, endless), Err(Cancelled));
            released.store(1, SeqCst);
        });
        assert_usable(&pool);
    });
}

#[test]
fn a_token_that_has_been_cancelled_begins_nothing() {
    let (pool, token) = (eager_pool(2), CancelToken::new());
    token.cancel();
    assert_eq!(pool.run_until(&token, |_| unreachable!("it is cancelled")), Err::<(), _>(Cancelled));
    assert_eq!(token.run(|_| unreachable!("it is cancelled")), Err::<(), _>(Cancelled));
    pool.run(|mut s| assert_eq!(s.run_until(&token, |_| unreachable!("it is cancelled")), Err::<(), _>(Cancelled)));
}

#[test]
fn a_run_that_is_done_before_it_has_noticed_has_its_result() {
    let (pool, token) = (eager_pool(2), CancelToken::new());
    let result = pool.run_until(&token, |_| {
        token.cancel();
        7
    });
    assert_eq!(result, Ok(7));
}

#[test]
fn the_free_form_works_where_the_thread_does() {
    must_end(|| {
        let (pool, token) = (eager_pool(2), CancelToken::new());
        let result = pool.run(|_| {
            token.run(|s| {
                assert_eq!(pool.current_worker(), filch::current_worker());
                filch::join(|| token.cancel(), || ());
                endless(s);
            })
        });
        assert_eq!(result, Err(Cancelled));
    });
}
