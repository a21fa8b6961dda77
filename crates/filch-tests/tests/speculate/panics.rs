//! Panics: the first one is passed on when all that runs is over, and nobody sees a broken state.

use crate::common::{Counted, assert_usable, eager_pool, panic_text};
use crate::{MANY, WORKERS};
use filch::{Aborted, SpeculativeStrand, State};
use std::sync::atomic::AtomicUsize;

const EACH: usize = if cfg!(miri) { 4 } else { 60 };

/// Where a test panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body,
    Child,
    Inlet,
    Look,
    Iterator,
}

use Place::{Body, Child, Inlet, Iterator, Look};

#[test]
fn a_panic_anywhere_is_passed_on_when_all_is_over_and_nobody_sees_a_broken_state() {
    /// Broken while it is changed.
    struct Fragile<'t> {
        is_broken: bool,
        _alive: Counted<'t>,
    }
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for place in [Body, Child, Inlet, Look, Iterator] {
            for is_each in [false, true] {
                if place == Iterator && !is_each {
                    continue;
                }
                let [alive, running] = [const { AtomicUsize::new(0) }; 2];
                let change = |state: &mut Fragile<'_>, panics: bool| {
                    assert!(!state.is_broken, "somebody sees a broken state");
                    state.is_broken = true;
                    assert!(!panics, "expected");
                    state.is_broken = false;
                };
                let text = panic_text(|| {
                    let state = Fragile { is_broken: false, _alive: Counted::new(&alive) };
                    pool.run(|mut s| {
                        s.speculate(state, |p, _| {
                            let child = |mut s: SpeculativeStrand<'_>, state: State<'_, Fragile<'_>>, n: usize| {
                                let _running = Counted::new(&running);
                                s.join(|_| Ok(()), |_| Ok(()))?;
                                state.with(|state| change(state, place == Look && n == EACH / 2))?;
                                assert!(!(place == Child && n == EACH / 2), "expected");
                                Ok((n, Counted::new(&alive)))
                            };
                            let inlet = |state: &mut Fragile<'_>, (n, _value): (usize, Counted<'_>)| {
                                change(state, place == Inlet && n == EACH / 2);
                            };
                            if is_each {
                                let items = (0..EACH).inspect(|&n| {
                                    assert!(!(place == Iterator && n == EACH / 2), "expected");
                                });
                                p.spawn_each(items, child, inlet);
                            } else {
                                for n in 0..EACH {
                                    let captured = Counted::new(&alive);
                                    p.spawn(
                                        move |s, state| {
                                            let _captured = captured;
                                            child(s, state, n)
                                        },
                                        inlet,
                                    );
                                }
                            }
                            assert!(place != Body, "expected");
                        })
                    });
                });
                assert_eq!(text, "expected", "in {place:?}, on {workers} workers");
                assert_eq!((alive.into_inner(), running.into_inner()), (0, 0), "in {place:?}");
            }
        }
        assert_usable(&pool);
    }
}

#[test]
fn a_panic_aborts_the_other_children() {
    crate::common::must_end(|| {
        if !crate::has_other_threads() {
            return;
        }
        let pool = eager_pool(3);
        for is_each in [false, true] {
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.speculate((), |p, _| {
                        let child = |mut s: SpeculativeStrand<'_>, _: State<'_, ()>, n| {
                            // The first one is endless, unless it is aborted.
                            assert!(n == 0, "expected");
                            loop {
                                s.join(|_| Ok(()), |_| Ok(()))?;
                                std::thread::yield_now();
                            }
                        };
                        if is_each {
                            p.spawn_each(0..3, child, |(), ()| ());
                        } else {
                            (0..3).for_each(|n| p.spawn(move |s, state| child(s, state, n), |(), ()| ()));
                        }
                    })
                });
            });
            assert_eq!(text, "expected");
            assert_usable(&pool);
        }
    });
}

/// Panics when dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bomb");
    }
}

#[test]
fn what_panics_when_it_is_dropped_does_no_harm() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        // A state that is dropped because of another panic.
        let text = panic_text(|| pool.run(|mut s| s.speculate(Bomb, |_, _| panic!("the body"))));
        assert_eq!(text, "the body");
        // A value that no inlet wants, and an inlet that does not run.
        for aborts in [false, true] {
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.speculate((), |p, speculation| {
                        let child = move |_: SpeculativeStrand<'_>, _: State<'_, ()>| {
                            if aborts {
                                speculation.abort();
                                return Ok(Bomb);
                            }
                            Err(Aborted)
                        };
                        // One of them: two at a time would abort the process.
                        let bomb = (!aborts).then_some(Bomb);
                        p.spawn(child, move |(), value| {
                            std::mem::forget(value);
                            drop(bomb);
                        });
                    })
                });
            });
            assert_eq!(text, "a bomb");
        }
        // Children that are dropped before they begin.
        let result = std::panic::catch_unwind(|| {
            pool.run(|mut s| {
                s.speculate((), |p, speculation| {
                    for _ in 0..3 {
                        let bomb = Bomb;
                        p.spawn(
                            move |_, _| {
                                std::mem::forget(bomb);
                                Ok(())
                            },
                            |(), ()| (),
                        );
                    }
                    speculation.abort();
                })
            });
        });
        drop(result);
        assert_usable(&pool);
    }
}

#[test]
fn a_look_whose_panic_is_caught_aborts_the_speculation() {
    let pool = eager_pool(2);
    let (_, looked) = pool.run(|mut s| {
        s.speculate(0, |p, _| {
            let look = std::panic::AssertUnwindSafe(|| p.with(|_| panic!("caught")));
            let result = std::panic::catch_unwind(look);
            assert!(result.is_err_and(|payload| payload.is::<&str>()));
            (0..MANY).for_each(|_| p.spawn(|_, _| Ok(()), |_, ()| unreachable!("aborted")));
            p.with(|_| ())
        })
    });
    assert_eq!(looked, Err(Aborted));
}
