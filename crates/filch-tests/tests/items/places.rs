//! Where spawn loops can be run: without room, without a run, by a stale strand, by several callers.

use crate::MANY;
use crate::common::{self, SendWrapper, assert_usable, eager_pool, fib, panic_text};
use filch::{Pool, Strand};
use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn a_ladder_without_room_runs_the_rest_here() {
    fn nest(mut s: Strand<'_>, depth: usize, run: &AtomicUsize) {
        run.fetch_add(1, Ordering::Relaxed);
        if depth > 0 {
            s.for_each_item(0..2, |s, _| nest(s, depth - 1, run));
        }
    }
    for &capacity in if cfg!(miri) { &[1, 3][..] } else { &[1, 2, 5] } {
        let pool = Pool::builder()
            .workers(2)
            .scheduler(common::scheduler())
            .ladder_capacity(capacity)
            .build()
            .expect("a pool");
        let depth = if cfg!(miri) { 3 } else { 10 };
        let run = AtomicUsize::new(0);
        pool.run(|s| nest(s, depth, &run));
        assert_eq!(run.into_inner(), (2 << depth) - 1);
        let text = panic_text(|| {
            pool.run(|mut s| s.for_each_item(0..9, |mut s, i| s.for_each_item([i], |_, i| assert!(i < 5, "{i}"))))
        });
        assert_eq!(text, "5");
        pool.run(|mut s| {
            s.for_each_item(0..9, |mut s, i| assert_eq!(s.try_for_each_item([i], |_, i| Err(i)), Err(i)));
        });
    }
}

#[test]
fn a_strand_smuggled_into_a_body_goes_on_above_the_loop() {
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let sum = AtomicUsize::new(0);
        pool.run(|mut s| {
            let stale = SendWrapper::new(Cell::new(Some(s.reborrow())));
            filch::for_each_item(0..MANY, |_, i| {
                sum.fetch_add(i, Ordering::Relaxed);
                // On the strand's own thread; there it may be in use already.
                if let Some(stale) = stale.peek()
                    && let Some(mut s) = stale.take()
                {
                    s.for_each_item(0..3, |mut s, _| {
                        s.join(|_| (), |_| ());
                    });
                    stale.set(Some(s));
                }
            });
        });
        assert_eq!(sum.into_inner(), MANY * (MANY - 1) / 2);
    }
    assert_usable(&pool);
}

#[test]
fn a_loop_outside_of_any_run_is_run_by_the_global_pool() {
    let workers = Mutex::new(HashSet::new());
    filch::for_each_item(0..10, |_, _| {
        workers.lock().unwrap().insert(filch::current_worker());
    });
    assert!(workers.into_inner().unwrap().iter().all(Option::is_some));
    assert_eq!(filch::try_for_each_item(0.., |_, i| if i == 9 { Err(i) } else { Ok(()) }), Err(9));
}

#[test]
fn several_callers_loop_at_once() {
    let pool = eager_pool(3);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                    let sum = AtomicUsize::new(0);
                    pool.run(|mut s| {
                        s.for_each_item((0..3 * MANY).filter(|i| i % 3 == 0), |s, i| {
                            fib(s, 3);
                            sum.fetch_add(i, Ordering::Relaxed);
                        });
                    });
                    assert_eq!(sum.into_inner(), 3 * MANY * (MANY - 1) / 2);
                }
            });
        }
    });
}
