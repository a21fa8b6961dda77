//! Inlets are atomic, and each result comes once.

use crate::common::{again_where_work_is_taken, assert_usable, eager_pool, must_end, panic_text, scheduler};
use crate::{MANY, WORKERS};
use filch::{Aborted, Pool, Procedure, Speculation, SpeculativeStrand, State};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const ROUNDS: usize = if cfg!(miri) { 1 } else { 20 };

/// A state that tells when two strands have it at once.
struct Exclusive<'t> {
    is_in_use: &'t AtomicBool,
    sum: usize,
}

impl Exclusive<'_> {
    fn add(&mut self, n: usize) {
        assert!(!self.is_in_use.swap(true, Ordering::SeqCst), "two at a time");
        self.sum += n;
        std::thread::yield_now();
        self.is_in_use.store(false, Ordering::SeqCst);
    }
}

#[test]
fn inlets_and_looks_run_one_at_a_time_and_each_result_comes_once() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let is_in_use = AtomicBool::new(false);
        let state = Exclusive { is_in_use: &is_in_use, sum: 0 };
        let (state, looked) = pool.run(|mut s| {
            s.speculate(state, |p, _| {
                for n in 0..MANY {
                    let child = move |mut s: SpeculativeStrand<'_>, state: State<'_, Exclusive<'_>>| {
                        let (a, b) = s.join(|_| Ok(n), |_| Ok(1))?;
                        state.with(|state| state.add(1))?;
                        Ok(a + b)
                    };
                    p.spawn(child, |state, n| state.add(n));
                }
                p.with(|state| state.add(1)).unwrap();
                p.spawn_each(0..MANY, |_, _, n| Ok(n), |state, n| state.add(n));
                p.with(|state| state.sum)
            })
        });
        let each = MANY * (MANY - 1) / 2;
        assert_eq!(state.sum, 2 * each + 2 * MANY + 1, "on {workers} workers");
        assert!(looked.unwrap() > each, "those of `spawn_each` are over");
        assert_usable(&pool);
    }
}

/// Figure 2 of Frigo, Leiserson and Randall 1998, with either kind of spawn.
#[test]
fn fibonacci_numbers_by_inlets_are_right() {
    fn fib(mut s: SpeculativeStrand<'_>, n: u64) -> Result<u64, Aborted> {
        if n < 2 {
            return Ok(n);
        }
        let (sum, ()) = s.speculate(0, |p, _| {
            p.spawn_add(move |s, _| fib(s, n - 1));
            p.spawn_add(move |s, _| fib(s, n - 2));
        })?;
        Ok(sum)
    }
    fn fib_each(mut s: SpeculativeStrand<'_>, n: u64) -> Result<u64, Aborted> {
        if n < 2 {
            return Ok(n);
        }
        let (sum, ()) = s.speculate(0, |p, _| {
            p.spawn_each([n - 1, n - 2], |s, _, n| fib_each(s, n), |sum, n| *sum += n);
        })?;
        Ok(sum)
    }
    let n = if cfg!(miri) { 5 } else { 15 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let expected = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610][n as usize];
        assert_eq!(pool.run(|s| fib(s.into(), n)), Ok(expected));
        assert_eq!(pool.run(|s| fib_each(s.into(), n)), Ok(expected));
    }
}

#[test]
fn a_child_may_say_that_it_has_no_result_and_may_open_a_procedure_of_its_own() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (sum, ()) = pool.run(|mut s| {
            s.speculate(0, |p, _| {
                for n in 0..MANY {
                    p.spawn_add(move |mut s, _| {
                        let spawn = move |p: &mut Procedure<'_, '_, '_, usize>, _: &Speculation| {
                            p.spawn_add(move |_, _| if n % 3 == 0 { Err(Aborted) } else { Ok(1) });
                        };
                        let (found, ()) = s.speculate(0, spawn)?;
                        if found > 0 { Ok(found) } else { Err(Aborted) }
                    });
                }
            })
        });
        assert_eq!(sum, MANY - MANY.div_ceil(3));
    }
}

#[test]
fn a_look_that_wants_its_own_state_panics_and_does_not_wait_for_itself() {
    let looked = AtomicUsize::new(0);
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for is_each in [false, true] {
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.speculate(0, |p, _| {
                        let child = |_: SpeculativeStrand<'_>, state: State<'_, usize>| {
                            state.with(|_| state.with(|_| looked.fetch_add(1, Ordering::SeqCst)))?
                        };
                        if is_each {
                            p.spawn_each(0..3, |s, state, _| child(s, state), |_, _| ());
                        } else {
                            p.spawn_add(child);
                        }
                    })
                });
            });
            assert!(text.contains("looks at it again"), "{text}");
            assert_usable(&pool);
        }
    }
    assert_eq!(looked.into_inner(), 0);
}

/// What an inlet asks for, and does not get because it might want the state.
#[test]
fn an_inlet_or_a_look_that_yields_runs_no_child() {
    must_end(|| {
        for own in [false, true] {
            for workers in 1..4 {
                let pool = Pool::builder().workers(workers).own_threads(own).scheduler(scheduler());
                let pool = pool.build().expect("a small pool");
                for _ in 0..ROUNDS {
                    let yields = || assert_eq!(filch::yield_now().or(filch::yield_local()), Some(filch::Yield::Idle));
                    let (sum, ()) = pool.run(|mut s| {
                        s.speculate(0, |p, _| {
                            for _ in 0..10 {
                                p.spawn(
                                    |_, state| state.with(|_| 1),
                                    move |sum, n| {
                                        yields();
                                        *sum += n;
                                    },
                                );
                            }
                            _ = p.with(|_| yields());
                        })
                    });
                    assert_eq!(sum, 10);
                }
            }
        }
    });
}

/// Whatever waiters may run, and whatever chaos moves. Others take from the inlets, so these come to wait.
#[test]
fn an_inlet_that_forks_runs_no_child_meanwhile() {
    fn work(n: usize) -> usize {
        filch::map_reduce(0..n, || 0, |_, _| 1, |a, b| a + b)
    }
    must_end(|| {
        for &workers in WORKERS {
            let pool = eager_pool(workers);
            let n = if cfg!(miri) { 3 } else { 300 };
            let (sum, ()) = pool.run(|mut s| {
                s.speculate(0, |p, _| {
                    let inlet = |sum: &mut usize, n: usize| {
                        let (a, b) = filch::join(|| work(n), || work(1));
                        filch::scope(|_, scope| (0..3).for_each(|_| scope.spawn(|_| ())));
                        *sum += a + b;
                    };
                    for n in 0..n {
                        p.spawn(move |_, state| state.with(|_| n).map(work), inlet);
                    }
                    p.spawn_each(0..n, |_, state, n| state.with(|_| n).map(work), inlet);
                })
            });
            assert_eq!(sum, n * (n - 1) + 2 * n, "on {workers} workers");
            assert_usable(&pool);
        }
    });
}

/// The worker of an inlet may have to wait for a branch that another one has, while there are other children.
#[test]
fn an_inlet_that_waits_runs_no_child_though_waiters_may_run_anything() {
    thread_local! {
        static IS_IN_INLET: Cell<bool> = const { Cell::new(false) };
    }
    /// Gives another worker the time for what it may do, until `is_done`.
    fn pause(is_done: impl Fn() -> bool) {
        (0..1_000).find(|_| {
            std::thread::yield_now();
            is_done()
        });
    }
    must_end(|| {
        again_where_work_is_taken(2, |pool| {
            let (sum, ()) = pool.run(|mut s| {
                s.speculate(0, |p, _| {
                    for n in 0..4 {
                        let child = move |_: SpeculativeStrand<'_>, _: State<'_, usize>| {
                            assert!(!IS_IN_INLET.get(), "begun while the inlet waits");
                            Ok(n)
                        };
                        let inlet = |sum: &mut usize, n: usize| {
                            IS_IN_INLET.set(true);
                            let has_forked = AtomicBool::new(false);
                            let second = || {
                                has_forked.store(true, Ordering::SeqCst);
                                pause(|| false);
                            };
                            filch::join(|| pause(|| has_forked.load(Ordering::SeqCst)), second);
                            *sum += n;
                            IS_IN_INLET.set(false);
                        };
                        p.spawn(child, inlet);
                    }
                })
            });
            assert_eq!(sum, 6);
        });
    });
}

#[test]
fn an_inlet_or_a_look_that_broadcasts_panics_and_does_not_wait_for_ever() {
    must_end(|| {
        let other = eager_pool(2);
        let ways: [&(dyn Fn() + Sync); 4] = [
            &|| _ = filch::broadcast(|_, _| ()),
            &|| _ = other.broadcast(|_, _| ()),
            &|| other.scope_in_place(|scope| scope.spawn_broadcast(|_, _| ())),
            &|| filch::scope(|mut s, _| _ = s.broadcast(|_, _| ())),
        ];
        for own in [false, true] {
            let pool = Pool::builder().workers(3).own_threads(own).scheduler(scheduler());
            let pool = pool.build().expect("a small pool");
            for way in ways.into_iter().take(if cfg!(miri) { 1 } else { 4 }) {
                for looks in [false, true] {
                    let text = panic_text(|| {
                        pool.run(|mut s| {
                            s.speculate(0, |p, _| {
                                for _ in 0..if cfg!(miri) { 1 } else { 10 } {
                                    p.spawn(
                                        |_, _| Ok(1),
                                        |_, _| {
                                            if !looks {
                                                way()
                                            }
                                        },
                                    );
                                    p.spawn_add(|_, state| {
                                        state
                                            .with(|_| {
                                                if looks {
                                                    way()
                                                }
                                            })
                                            .map(|()| 1)
                                    });
                                }
                                _ = p.with(|_| {
                                    if looks {
                                        way()
                                    }
                                });
                            })
                        });
                    });
                    assert!(text.contains("broadcasts"), "{text}");
                    assert_usable(&pool);
                }
            }
        }
        assert_usable(&other);
    });
}

#[test]
fn an_inlet_may_spawn_what_nobody_awaits() {
    must_end(|| {
        let calls = Arc::new(AtomicUsize::new(0));
        let pool = eager_pool(2);
        let workers = pool.num_workers();
        let ((), ()) = pool.run(|mut s| {
            s.speculate((), |p, _| {
                for _ in 0..10 {
                    let calls = Arc::clone(&calls);
                    let inlet = move |(): &mut (), ()| {
                        let its = Arc::clone(&calls);
                        filch::spawn(move |_| _ = its.fetch_add(1, Ordering::SeqCst));
                        filch::spawn_broadcast(move |_, _| _ = calls.fetch_add(1, Ordering::SeqCst));
                    };
                    p.spawn(|_, _| Ok(()), inlet);
                }
            })
        });
        pool.shutdown();
        assert_eq!(calls.load(Ordering::SeqCst), 10 * (1 + workers));
    });
}
