//! Panics and cancellation: what has begun is awaited, the rest is dropped, once.

use crate::common::{Counted, assert_usable, eager_pool, panic_text, scheduler};
use crate::{WORKERS, add};
use filch::Pool;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_panic_of_a_task_or_of_the_body_is_passed_on_when_all_that_runs_is_over() {
    const MANY: usize = if cfg!(miri) { 6 } else { 20 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (alive, running) = (AtomicUsize::new(0), AtomicUsize::new(0));
        for in_body in [false, true] {
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.scope(|_, scope| {
                        for i in 0..MANY {
                            let captured = Counted::new(&alive);
                            let running = &running;
                            scope.spawn(move |mut s| {
                                let _captured = captured;
                                let _running = Counted::new(running);
                                s.join(|_| assert!(in_body || i != MANY / 2, "in a task"), |_| ());
                            });
                        }
                        assert!(!in_body, "in the body");
                        Counted::new(&alive)
                    })
                });
            });
            assert_eq!(text, if in_body { "in the body" } else { "in a task" });
            assert_eq!((alive.load(Ordering::SeqCst), running.load(Ordering::SeqCst)), (0, 0));
            assert_usable(&pool);
        }
    }
}

#[test]
fn a_panic_cancels_what_no_worker_has_begun() {
    if scheduler().to_string().starts_with("chaos") {
        return;
    }
    let pool = eager_pool(1);
    let ran = AtomicUsize::new(0);
    let text = panic_text(|| {
        pool.run(|mut s| {
            s.scope_fifo(|_, scope| {
                scope.spawn(|_| add(&ran));
                scope.spawn(|_| panic!("the second"));
                scope.spawn(|_| add(&ran));
            });
        });
    });
    assert_eq!((text.as_str(), ran.into_inner()), ("the second", 1));
}

/// Panics when dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bomb");
    }
}

#[test]
fn the_panic_handler_receives_what_cannot_be_passed_on() {
    let heard = std::sync::Arc::new(AtomicUsize::new(0));
    let handler = {
        let heard = std::sync::Arc::clone(&heard);
        move |_| add(&heard)
    };
    for handled in [true, false] {
        let builder = Pool::builder().workers(1).scheduler(scheduler());
        let builder = if handled { builder.panic_handler(handler.clone()) } else { builder };
        let pool = builder.build().expect("a small pool");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    let (one, two) = (Bomb, Bomb);
                    // Dropped, not run: each panics.
                    scope.cancel();
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scope.spawn(move |_| drop(one))))
                        .unwrap_err();
                    std::mem::forget(two);
                    panic!("the body");
                })
            });
        });
        assert_eq!(text, "the body");
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    let bomb = Bomb;
                    scope.spawn(move |_| drop(bomb));
                    panic!("the body, with a task left");
                })
            });
        });
        assert!(
            text == "the body, with a task left" || text == "a bomb" && scheduler().to_string().starts_with("chaos")
        );
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    scope.spawn(|_| std::panic::panic_any(Bomb));
                    panic!("the body, and a payload that panics");
                })
            });
        });
        assert!(!text.is_empty());
        assert_usable(&pool);
    }
    assert!(heard.load(Ordering::SeqCst) > 0 || scheduler().to_string().starts_with("chaos"));
}

#[test]
fn a_cancelled_scope_begins_no_task_and_drops_each_closure_once() {
    let each = if cfg!(miri) { 4 } else { 50 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (alive, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                let spawn = || {
                    for _ in 0..each {
                        let captured = Counted::new(&alive);
                        scope.spawn(|_| {
                            let _captured = captured;
                            add(&ran);
                        });
                    }
                };
                spawn();
                assert!(!scope.is_cancelled());
                scope.cancel();
                assert!(scope.is_cancelled());
                let before = alive.load(Ordering::SeqCst);
                spawn();
                assert!(alive.load(Ordering::SeqCst) <= before, "what comes later is dropped at once");
            });
        });
        assert_eq!(alive.into_inner(), 0);
        assert!(ran.into_inner() <= each);
    }
}

#[test]
fn a_closure_that_is_dropped_may_use_scope_and_pool() {
    /// Opens a scope when dropped.
    struct Opener<'a>(&'a AtomicUsize);
    impl Drop for Opener<'_> {
        fn drop(&mut self) {
            filch::scope(|_, scope| scope.spawn(|_| add(self.0)));
        }
    }
    let pool = eager_pool(2);
    let ran = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.scope(|_, scope| {
            for _ in 0..10 {
                let opener = Opener(&ran);
                scope.spawn(move |_| drop(opener));
            }
            scope.cancel();
        });
    });
    assert_eq!(ran.into_inner(), 10);
}

#[test]
fn a_scope_opened_by_a_destructor_that_a_panic_runs_is_awaited() {
    struct Opener<'a>(&'a AtomicUsize);
    impl Drop for Opener<'_> {
        fn drop(&mut self) {
            filch::scope(|mut s, scope| {
                (0..10).for_each(|_| scope.spawn(|_| add(self.0)));
                s.join(|_| scope.spawn(|_| add(self.0)), |_| add(self.0));
            });
        }
    }
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let ran = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|_| {
                let _opener = Opener(&ran);
                panic!("on its way");
            });
        });
        assert_eq!((text.as_str(), ran.into_inner()), ("on its way", 12));
        assert_usable(&pool);
    }
}
