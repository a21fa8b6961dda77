//! Inlets are atomic, and each result comes once.

use crate::common::{again_where_work_is_taken, assert_usable, eager_pool, must_end, panic_text, scheduler};
use crate::{MANY, WORKERS, has_other_threads};
use filch::{Aborted, Pool, SpeculativeStrand};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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
            s.speculate(state, |mut s, speculation| {
                for n in 0..MANY {
                    let child = move |mut s: SpeculativeStrand<'_>| {
                        let (a, b) = s.join(|_| Ok(n), |_| Ok(1))?;
                        speculation.with(|state| state.add(1))?;
                        Ok(a + b)
                    };
                    speculation.spawn(child, |state, n| state.add(n));
                }
                speculation.with(|state| state.add(1)).unwrap();
                speculation.spawn_each(s.reborrow(), 0..MANY, |_, n| Ok(n), |state, n| state.add(n));
                speculation.with(|state| state.sum)
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
        let (sum, ()) = s.speculate(0, |_, speculation| {
            speculation.spawn_add(move |s| fib(s, n - 1));
            speculation.spawn_add(move |s| fib(s, n - 2));
        })?;
        Ok(sum)
    }
    fn fib_each(mut s: SpeculativeStrand<'_>, n: u64) -> Result<u64, Aborted> {
        if n < 2 {
            return Ok(n);
        }
        let (sum, ()) = s.speculate(0, |s, speculation| {
            speculation.spawn_each(s, [n - 1, n - 2], fib_each, |sum, n| *sum += n);
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
fn children_run_in_the_order_of_their_spawns_on_one_worker() {
    if !has_other_threads() {
        return;
    }
    let pool = eager_pool(1);
    let (order, ()) = pool.run(|mut s| {
        s.speculate(vec![], |mut s, speculation| {
            speculation.spawn_each(s.reborrow(), 0..5, |_, n| Ok(n), Vec::push);
            for n in 5..10 {
                // What those before it have found shows when a child begins.
                let child = move |_: SpeculativeStrand<'_>| speculation.with(|found| (n, found.len()));
                speculation.spawn(child, |found: &mut Vec<i32>, (n, len)| {
                    assert_eq!(found.len(), len);
                    found.push(n);
                });
            }
        })
    });
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn a_procedure_is_synched_when_its_children_and_their_inlets_are_over() {
    let pool = eager_pool(2);
    let may_end = AtomicBool::new(!has_other_threads());
    let (sum, ()) = pool.run(|mut s| {
        s.speculate(0, |_, speculation| {
            assert!(speculation.synched(), "there are no children");
            for _ in 0..3 {
                speculation.spawn_add(|_| {
                    while !may_end.load(Ordering::SeqCst) {
                        std::thread::yield_now();
                    }
                    assert!(!speculation.synched(), "a child is not over");
                    Ok(1)
                });
            }
            if has_other_threads() {
                assert!(!speculation.synched());
                may_end.store(true, Ordering::SeqCst);
                while !speculation.synched() {
                    std::thread::yield_now();
                }
                assert_eq!(speculation.with(|sum| *sum), Ok(3));
            }
        })
    });
    assert_eq!(sum, 3);
}

/// The procedure comes to wait, runs a child itself, and sleeps, while another worker runs the first child.
#[test]
fn no_child_sees_its_procedure_synched() {
    if !has_other_threads() {
        return;
    }
    /// Longer than a waiting worker looks for work before it sleeps.
    const ASLEEP: Duration = Duration::from_micros(300);
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let has_begun = AtomicBool::new(false);
        let (sum, ()) = pool.run(|mut s| {
            s.speculate(0, |_, speculation| {
                speculation.spawn_add(|_| {
                    has_begun.store(true, Ordering::SeqCst);
                    let since = Instant::now();
                    while since.elapsed() < ASLEEP {
                        assert!(!speculation.synched(), "this child is not over");
                    }
                    Ok(1)
                });
                while !has_begun.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
                speculation.spawn_add(|_| Ok(1));
            })
        });
        assert_eq!(sum, 2);
    }
}

#[test]
fn a_child_may_say_that_it_has_no_result_and_may_spawn_siblings() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (sum, ()) = pool.run(|mut s| {
            s.speculate(0, |_, speculation| {
                for n in 0..MANY {
                    let child = move |_: SpeculativeStrand<'_>| {
                        speculation.spawn_add(move |_| if n % 3 == 0 { Err(Aborted) } else { Ok(1) });
                        Err(Aborted)
                    };
                    speculation.spawn(child, |_, ()| unreachable!());
                }
            })
        });
        assert_eq!(sum, MANY - MANY.div_ceil(3));
    }
}

#[test]
fn an_inlet_or_a_look_that_wants_its_own_state_panics_and_does_not_wait_for_itself() {
    let looked = AtomicUsize::new(0);
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let expected = "its own speculation";
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.speculate(0, |_, speculation| {
                    speculation
                        .spawn(|_| Ok(1), |_, _| _ = speculation.with(|_| looked.fetch_add(1, Ordering::SeqCst)));
                })
            });
        });
        assert!(text.contains(expected), "{text}");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.speculate(0, |_, speculation| _ = speculation.with(|_| speculation.spawn_add(|_| Ok(1))))
            });
        });
        assert!(text.contains(expected), "{text}");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.speculate(0, |s, speculation| {
                    _ = speculation.with(|_| speculation.spawn_each(s, 0..3, |_, n| Ok(n), |_, _| ()));
                })
            });
        });
        assert!(text.contains(expected), "{text}");
        assert_usable(&pool);
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
                        s.speculate(0, |_, speculation| {
                            for _ in 0..10 {
                                speculation.spawn(
                                    |_| speculation.with(|_| 1),
                                    move |sum, n| {
                                        yields();
                                        *sum += n;
                                    },
                                );
                            }
                            _ = speculation.with(|_| yields());
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
                s.speculate(0, |mut s, speculation| {
                    let inlet = |sum: &mut usize, n: usize| {
                        let (a, b) = filch::join(|| work(n), || work(1));
                        filch::scope(|_, scope| (0..3).for_each(|_| scope.spawn(|_| ())));
                        *sum += a + b;
                    };
                    for n in 0..n {
                        speculation.spawn(move |_| speculation.with(|_| n).map(work), inlet);
                    }
                    speculation.spawn_each(s.reborrow(), 0..n, |_, n| speculation.with(|_| n).map(work), inlet);
                })
            });
            assert_eq!(sum, n * (n - 1) + 2 * n, "on {workers} workers");
            assert_usable(&pool);
        }
    });
}

/// The worker of the inlet waits for a branch that another one has, while there is another child. That one may be begun
/// by nobody else.
#[test]
fn an_inlet_that_waits_runs_no_child_though_waiters_may_run_anything() {
    must_end(|| {
        again_where_work_is_taken(2, |pool| {
            let (has_forked, has_begun) = (AtomicBool::new(false), AtomicBool::new(false));
            let (sum, ()) = pool.run(|mut s| {
                s.speculate(0, |_, speculation| {
                    let inlet = |sum: &mut usize, n: usize| {
                        let first = || {
                            while !has_forked.load(Ordering::SeqCst) {
                                std::thread::yield_now();
                            }
                        };
                        let second = || {
                            has_forked.store(true, Ordering::SeqCst);
                            speculation.spawn_add(|_| {
                                has_begun.store(true, Ordering::SeqCst);
                                speculation.with(|_| 1)
                            });
                            // Gives the other one the time for it.
                            (0..1_000).for_each(|_| std::thread::yield_now());
                            assert!(!has_begun.load(Ordering::SeqCst), "begun while the inlet waits");
                        };
                        filch::join(first, second);
                        *sum += n;
                    };
                    speculation.spawn(|_| Ok(2), inlet);
                })
            });
            assert_eq!(sum, 3);
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
            for way in ways {
                for looks in [false, true] {
                    let text = panic_text(|| {
                        pool.run(|mut s| {
                            s.speculate(0, |_, speculation| {
                                for _ in 0..10 {
                                    speculation.spawn(
                                        |_| Ok(1),
                                        |_, _| {
                                            if !looks {
                                                way()
                                            }
                                        },
                                    );
                                    speculation.spawn_add(|_| {
                                        speculation
                                            .with(|_| {
                                                if looks {
                                                    way()
                                                }
                                            })
                                            .map(|()| 1)
                                    });
                                }
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
            s.speculate((), |_, speculation| {
                for _ in 0..10 {
                    let calls = Arc::clone(&calls);
                    let inlet = move |(): &mut (), ()| {
                        let its = Arc::clone(&calls);
                        filch::spawn(move |_| _ = its.fetch_add(1, Ordering::SeqCst));
                        filch::spawn_broadcast(move |_, _| _ = calls.fetch_add(1, Ordering::SeqCst));
                    };
                    speculation.spawn(|_| Ok(()), inlet);
                }
            })
        });
        pool.shutdown();
        assert_eq!(calls.load(Ordering::SeqCst), 10 * (1 + workers));
    });
}
