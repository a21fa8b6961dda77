//! Every placement of a panic in a join: the right payload arrives, nothing leaks, the pool goes on.

use crate::common::{self, Counted, again_where_work_is_taken, assert_usable, await_value, eager_pool, panic_text};
use filch::Pool;
use std::panic::panic_any;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Panics with `text` when it is dropped.
struct Bomb<'a> {
    _counted: Counted<'a>,
    text: &'static str,
}

impl Drop for Bomb<'_> {
    fn drop(&mut self) {
        panic_any(self.text);
    }
}

/// Runs `body` with a counter of live instances and checks what must hold afterwards.
fn check(expected: &str, body: impl Fn(&Pool, &AtomicUsize) + std::panic::RefUnwindSafe) {
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
        let alive = AtomicUsize::new(0);
        assert_eq!(panic_text(|| body(&pool, &alive)), expected);
        assert_eq!(alive.load(Ordering::SeqCst), 0, "nothing leaks");
        assert_usable(&pool);
    }
}

/// Joins `a` and `b`, with both of them under way at once: `a` begins when another worker has begun `b`.
fn join_both_begun<RA, RB: Send>(pool: &Pool, a: impl FnOnce() -> RA + Send, b: impl FnOnce() -> RB + Send) {
    let begun = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.join(
            |_| {
                await_value(&begun, 1);
                a()
            },
            |_| {
                begun.store(1, Ordering::SeqCst);
                b()
            },
        );
    });
}

#[test]
fn in_the_first_branch_the_second_is_dropped_unrun_or_awaited() {
    check("A", |pool, alive| {
        let (a, b) = (Counted::new(alive), Counted::new(alive));
        pool.run(|mut s| {
            s.join(
                |_| {
                    let _a = a;
                    panic_any("A")
                },
                move |_| b,
            );
        });
    });
}

#[test]
fn in_the_second_branch_run_here_drops_the_first_result() {
    let serial = Pool::builder().workers(1).build().expect("a pool of one");
    let alive = AtomicUsize::new(0);
    let text = panic_text(|| {
        let (a, b) = (Counted::new(&alive), Counted::new(&alive));
        serial.run(|mut s| {
            s.join(
                move |_| a,
                |_| {
                    let _b = b;
                    panic_any("B")
                },
            );
        });
    });
    assert_eq!((text.as_str(), alive.load(Ordering::SeqCst)), ("B", 0));
    assert_usable(&serial);
}

#[test]
fn in_the_second_branch_taken_reaches_its_owner() {
    if !common::takes() {
        return;
    }
    check("B", |pool, alive| {
        let (a, b) = (Counted::new(alive), Counted::new(alive));
        join_both_begun(
            pool,
            || a,
            || {
                let _b = b;
                panic_any("B")
            },
        );
    });
}

#[test]
fn in_both_the_first_branch_wins() {
    if !common::takes() {
        return;
    }
    check("A", |pool, alive| {
        let (a, b) = (Counted::new(alive), Counted::new(alive));
        join_both_begun(
            pool,
            || {
                let _a = a;
                panic_any("A")
            },
            || {
                let _b = b;
                panic_any("B")
            },
        );
    });
}

#[test]
fn in_both_the_losers_payload_may_panic_when_dropped() {
    if !common::takes() {
        return;
    }
    static ALIVE: AtomicUsize = AtomicUsize::new(0);
    check("A", |pool, _| {
        let bomb = || Bomb { _counted: Counted::new(&ALIVE), text: "payload's drop" };
        join_both_begun(pool, || panic_any("A"), || panic_any(bomb()));
    });
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0, "the payload is dropped");
}

#[test]
fn a_result_that_panics_when_dropped_loses_to_the_first_branch() {
    if !common::takes() {
        return;
    }
    check("A", |pool, alive| {
        let bomb = || Bomb { _counted: Counted::new(alive), text: "result's drop" };
        join_both_begun(pool, || panic_any("A"), bomb);
    });
}

#[test]
fn captures_of_an_unrun_second_branch_may_panic_when_dropped() {
    let serial = Pool::builder().workers(1).build().expect("a pool of one");
    let alive = AtomicUsize::new(0);
    let bomb = Bomb { _counted: Counted::new(&alive), text: "captures' drop" };
    let text = panic_text(|| serial.run(|mut s| s.join(|_| panic_any("A"), move |_| drop(bomb)).0));
    assert_eq!((text.as_str(), alive.load(Ordering::SeqCst)), ("A", 0));
    assert_usable(&serial);
}

#[test]
fn captures_of_a_taken_second_branch_may_panic_when_dropped() {
    if !common::takes() {
        return;
    }
    check("captures' drop", |pool, alive| {
        let bomb = Bomb { _counted: Counted::new(alive), text: "captures' drop" };
        join_both_begun(pool, || (), || drop(bomb));
    });
}

#[test]
fn captures_of_the_first_branch_may_panic_when_dropped() {
    check("captures' drop", |pool, alive| {
        let bomb = Bomb { _counted: Counted::new(alive), text: "captures' drop" };
        let b = Counted::new(alive);
        pool.run(|mut s| s.join(move |_| drop(bomb), move |_| b).0);
    });
}

/// The innermost of many nested forks panics while thieves take others: every frame on the way is settled.
#[test]
fn deep_inside_settles_every_fork_on_the_way() {
    fn nest<'a>(mut s: filch::Strand<'_>, depth: usize, alive: &'a AtomicUsize) -> Counted<'a> {
        if depth == 0 {
            panic_any("deep");
        }
        let b = Counted::new(alive);
        s.join(|s| nest(s, depth - 1, alive), move |_| b).0
    }
    check("deep", |pool, alive| {
        pool.run(|s| drop(nest(s, 40, alive)));
    });
}

/// The owner waits for its second branch and helps with a fork inside that. The branch that it runs there panics. That
/// panic belongs to the inner fork and must reach no other.
#[test]
fn while_helping_reaches_the_fork_it_belongs_to() {
    again_where_work_is_taken(2, |pool| {
        let alive = AtomicUsize::new(0);
        let (begun, inner_begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (_, caught) = pool.run(|mut s| {
            s.join(
                |_| await_value(&begun, 1),
                |mut s| {
                    begun.store(1, Ordering::SeqCst);
                    // The owner of this branch is waiting now: no other worker can take the inner one.
                    let inner = std::panic::AssertUnwindSafe(|| {
                        s.join(
                            |_| await_value(&inner_begun, 1),
                            |_| {
                                let _counted = Counted::new(&alive);
                                inner_begun.store(1, Ordering::SeqCst);
                                panic_any("helped")
                            },
                        )
                    });
                    panic_text(inner.0)
                },
            )
        });
        assert_eq!((caught.as_str(), alive.load(Ordering::SeqCst)), ("helped", 0));
        assert_usable(pool);
    });
}

/// A destructor forks while a panic unwinds; its second branch is taken and forks in turn. The unwinding thread sleeps
/// while it waits: if it helped, the inner branch would run inside the destructor.
#[test]
fn a_destructor_that_forks_during_unwinding_runs_nobody_elses_work() {
    if !common::takes() {
        return;
    }
    struct Forks<'a>(&'a AtomicUsize);
    impl Drop for Forks<'_> {
        fn drop(&mut self) {
            let begun = AtomicUsize::new(0);
            filch::join(
                || await_value(&begun, 1),
                || {
                    begun.store(1, Ordering::SeqCst);
                    // The owner waits by now, or soon: no other worker could take this second branch.
                    filch::join(
                        || (0..if cfg!(miri) { 50 } else { 1000 }).for_each(|_| std::thread::yield_now()),
                        || {
                            assert!(!std::thread::panicking(), "run inside a destructor");
                            self.0.fetch_add(1, Ordering::SeqCst);
                        },
                    );
                },
            );
        }
    }
    let pool = eager_pool(2);
    let ran = AtomicUsize::new(0);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        let text = panic_text(|| {
            pool.run(|_| {
                let _forks = Forks(&ran);
                panic_any("A")
            })
        });
        assert_eq!(text, "A");
    }
    assert_eq!(ran.into_inner(), if cfg!(miri) { 1 } else { 20 });
    assert_usable(&pool);
}

#[test]
fn in_a_run_that_waited_for_a_seat_reaches_its_caller() {
    let pool = eager_pool(1);
    // Until a run has had to wait.
    while pool.counters().seats_awaited == 0 {
        let stage = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                pool.run(|_| {
                    stage.store(1, Ordering::SeqCst);
                    await_value(&stage, 2);
                    std::thread::sleep(std::time::Duration::from_millis(5));
                });
            });
            await_value(&stage, 1);
            stage.store(2, Ordering::SeqCst);
            assert_eq!(panic_text(|| pool.run(|_| panic_any("queued"))), "queued");
        });
        assert_usable(&pool);
    }
}

#[test]
fn in_an_implicit_join_outside_of_any_run() {
    assert_eq!(panic_text(|| filch::join(|| panic_any("outside"), || ())), "outside");
    assert_eq!(panic_text(|| filch::join(|| (), || panic_any("outside"))), "outside");
    assert_eq!(filch::join(|| 1, || 2), (1, 2));
}

/// A second branch that has no frame, because the ladder is full, is dropped like one that has.
#[test]
fn on_a_full_ladder_the_second_branch_may_panic_when_dropped() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    for capacity in [1, 3] {
        let pool = Pool::builder().workers(1).ladder_capacity(capacity).build().expect("a small pool");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.join(
                    |mut s| {
                        let bomb = Bomb;
                        s.join(|_| panic!("A"), move |_| drop(bomb));
                    },
                    |_| (),
                );
            });
        });
        assert_eq!(text, "A");
        assert_eq!(pool.counters().overflowed_forks, u64::from(capacity == 1));
    }
}

#[test]
fn the_panic_handler_gets_what_cannot_be_passed_on() {
    static LOST: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic_any("dropped");
        }
    }
    let handler = |payload: Box<dyn std::any::Any + Send>| {
        let text = payload.downcast_ref::<&str>().expect("the test's own").to_string();
        LOST.lock().expect("nobody panics").push(text);
    };
    let pool =
        Pool::builder().workers(2).scheduler(common::scheduler()).panic_handler(handler).build().expect("a pool");
    let bomb = Bomb;
    assert_eq!(panic_text(|| pool.run(|mut s| s.join(|_| panic_any("A"), move |_| drop(bomb)))), "A");
    assert_eq!(*LOST.lock().expect("nobody panics"), ["dropped"], "a capture's, of a branch that did not run");
    if common::takes() {
        let begun = AtomicUsize::new(0);
        let first = |_: filch::Strand<'_>| {
            await_value(&begun, 1);
            panic_any("A")
        };
        let second = |_: filch::Strand<'_>| {
            begun.store(1, Ordering::SeqCst);
            panic_any("B")
        };
        assert_eq!(panic_text(|| pool.run(|mut s| s.join::<_, _, (), ()>(first, second))), "A");
        assert_eq!(*LOST.lock().expect("nobody panics"), ["dropped", "B"], "the loser's");
    }
}
