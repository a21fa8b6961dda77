//! Every placement of a panic in a traversal: the right payload arrives, nothing leaks, the pool goes on.

use crate::WORKERS;
use crate::common::{Counted, assert_usable, await_value, eager_pool, panic_text, takes};
use filch::{Batches, PhaseEnd, Traverse};
use std::ops::ControlFlow;
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

const LEVELS: u32 = if cfg!(miri) { 2 } else { 7 };

/// An item of a tree, which may panic when it is dropped.
struct Item<'a> {
    level: u32,
    _counted: Counted<'a>,
    bomb: Option<&'a AtomicUsize>,
}

impl Drop for Item<'_> {
    fn drop(&mut self) {
        // One of them does, and not while another panic unwinds.
        if let Some(left) = self.bomb
            && !std::thread::panicking()
            && left.fetch_sub(1, SeqCst) == 1
        {
            panic_any("an item's drop");
        }
    }
}

/// Where a trial panics.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Visit,
    Make,
    Drop,
    Inner,
}

/// Traverses a tree and panics the `at`th time that it comes to `place`; checks which payload arrives.
fn trial(workers: usize, place: Place, at: usize, batches: Batches) {
    let pool = eager_pool(workers);
    let alive = AtomicUsize::new(0);
    let (left, stays) = (AtomicUsize::new(at), AtomicUsize::new(usize::MAX));
    let panics = |here: Place| here == place && left.fetch_sub(1, SeqCst) == 1;
    let bomb = if place == Place::Drop { &left } else { &stays };
    let item = |level| Item { level, _counted: Counted::new(&alive), bomb: Some(bomb) };
    let text = panic_text(|| {
        pool.run(|_| {
            let make = || {
                if panics(Place::Make) {
                    panic_any("make");
                }
                Counted::new(&alive)
            };
            Traverse::new().batches(batches).run([item(LEVELS)], make, |list, it: Item<'_>| {
                for level in 0..it.level {
                    list.push(item(level));
                    list.push_next(item(level));
                }
                if panics(Place::Visit) {
                    panic_any("a visit");
                }
                filch::join(
                    || {
                        if panics(Place::Inner) {
                            panic_any("a branch");
                        }
                    },
                    || (),
                );
            })
        });
        // Perhaps fewer workspaces were made.
        assert!(place == Place::Make && at > 1, "it did not panic");
        panic_any("make");
    });
    let expected = match place {
        Place::Visit => "a visit",
        Place::Make => "make",
        Place::Drop => "an item's drop",
        Place::Inner => "a branch",
    };
    assert_eq!(text, expected);
    assert_eq!(alive.load(SeqCst), 0, "nothing leaks: {place:?} {at}, {workers} workers, {batches:?}");
    assert_usable(&pool);
}

#[test]
fn the_panic_arrives_and_nothing_leaks() {
    for &workers in WORKERS {
        // A trial takes Miri three seconds.
        let all_batches = [Batches::Adaptive, Batches::UpTo(1), Batches::Fixed(5)];
        for batches in all_batches.into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
            for place in [Place::Visit, Place::Drop, Place::Inner] {
                for at in if cfg!(miri) { [1, 2, 4] } else { [1, 2, 50] } {
                    trial(workers, place, at, batches);
                }
            }
            for at in [1, 2] {
                trial(workers, Place::Make, at, batches);
            }
        }
    }
}

#[test]
fn a_panic_stops_visits_that_would_go_on_for_ever() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let visits = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|_| {
                filch::traverse(
                    [()],
                    || (),
                    |list, ()| {
                        list.push(());
                        assert!(visits.fetch_add(1, SeqCst) != 30, "enough");
                    },
                )
            })
        });
        assert_eq!(text, "enough");
        assert_usable(&pool);
    }
}

/// Also while another worker is in a visit that waits for the one that panics.
#[test]
fn a_panic_elsewhere_arrives_after_visits_under_way() {
    if !takes() || cfg!(miri) {
        return;
    }
    let pool = eager_pool(2);
    let (panicked, finished) = (AtomicUsize::new(0), AtomicBool::new(false));
    let text = panic_text(|| {
        pool.run(|_| {
            Traverse::new().batches(Batches::UpTo(1)).run(
                [true],
                || (),
                |list, is_root| {
                    if !is_root {
                        panicked.store(1, SeqCst);
                        panic_any("elsewhere");
                    }
                    list.push(false);
                    await_value(&panicked, 1);
                    finished.store(true, SeqCst);
                },
            )
        })
    });
    assert_eq!(text, "elsewhere");
    assert!(finished.into_inner());
    assert_usable(&pool);
}

/// In the action at the end of a phase, whichever worker runs it.
#[test]
fn a_panic_at_a_phases_end_arrives_and_nothing_leaks() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for last in 0..3 {
            let (alive, later) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let kept = Counted::new(&alive);
            let text = panic_text(|| {
                pool.run(|_| {
                    let action = move |end: PhaseEnd| {
                        let _kept = &kept;
                        assert!(end.phase < last, "at the end");
                        ControlFlow::Continue(())
                    };
                    Traverse::new().at_phase_end(action).run(
                        [(0, Counted::new(&alive))],
                        || Counted::new(&alive),
                        |list, (phase, _counted)| {
                            later.fetch_max(phase, SeqCst);
                            (0..5).for_each(|_| list.push_next((phase + 1, Counted::new(&alive))));
                        },
                    )
                })
            });
            assert_eq!(text, "at the end");
            assert_eq!((later.into_inner(), alive.into_inner()), (last, 0));
            assert_usable(&pool);
        }
    }
}

/// The action is dropped before the traversal returns.
#[test]
fn what_an_action_keeps_may_panic_when_it_is_dropped() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic_any("kept");
        }
    }
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let alive = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|_| {
                let bomb = Bomb;
                let action = move |_: PhaseEnd| {
                    let _kept = &bomb;
                    ControlFlow::Continue(())
                };
                Traverse::new().at_phase_end(action).run(
                    [1],
                    || Counted::new(&alive),
                    |list, n| {
                        (0..n).for_each(|n| list.push_next(n));
                    },
                )
            })
        });
        assert_eq!((text.as_str(), alive.into_inner()), ("kept", 0));
        assert_usable(&pool);
    }
}

#[test]
fn a_panic_of_an_inner_traversal_can_be_caught_in_the_visit() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let done = pool.run(|_| {
            filch::traverse(
                0..10,
                || (),
                |_, n: u32| {
                    let text = panic_text(|| {
                        filch::traverse(
                            [n, 7],
                            || (),
                            |list, n| {
                                list.push_next(n);
                                assert!(list.phase() < 2, "inner");
                            },
                        )
                    });
                    assert_eq!(text, "inner");
                },
            )
        });
        assert_eq!(done.counts.items, 10);
        assert_usable(&pool);
    }
}

/// A traversal that begins while its thread unwinds does not mistake that panic for one of its own visits.
#[test]
fn a_traversal_within_a_destructor_goes_to_its_end() {
    struct Traverses<'a>(&'a AtomicUsize);
    impl Drop for Traverses<'_> {
        fn drop(&mut self) {
            assert!(std::thread::panicking());
            filch::traverse(
                0..5usize,
                || (),
                |list, n| {
                    self.0.fetch_add(1, Relaxed);
                    (0..n).for_each(|n| list.push(n));
                    (0..n).for_each(|n| list.push_next(n));
                },
            );
        }
    }
    fn size(n: usize) -> usize {
        1 + 2 * (0..n).map(size).sum::<usize>()
    }
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let visits = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|_| {
                let _traverses = Traverses(&visits);
                panic_any("outer");
            })
        });
        assert_eq!(text, "outer");
        assert_eq!(visits.into_inner(), (0..5).map(size).sum());
        assert_usable(&pool);
    }
}

/// The workspaces are dropped all the same.
#[test]
fn what_is_left_by_a_stop_may_panic_when_it_is_dropped() {
    struct Bomb<'a>(&'a AtomicUsize, bool);
    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, SeqCst);
            if self.1 {
                panic_any("left behind");
            }
        }
    }
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let alive = AtomicUsize::new(0);
        let bomb = |is_armed| {
            alive.fetch_add(1, SeqCst);
            Bomb(&alive, is_armed)
        };
        let text = panic_text(|| {
            pool.run(|_| {
                Traverse::new().run(
                    [bomb(false)],
                    || bomb(false),
                    |list, _item| {
                        list.push_next(bomb(true));
                        list.push_next(bomb(false));
                        list.stop();
                    },
                )
            })
        });
        assert_eq!((text.as_str(), alive.load(SeqCst)), ("left behind", 0));
        assert_usable(&pool);
    }
}
