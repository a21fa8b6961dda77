//! Values that are computed once: by one worker and those that help it.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, await_value, eager_pool, fib, must_end, panic_text};
use filch::OnceValue;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 9] };

const MANY: usize = if cfg!(miri) { 8 } else { 500 };

/// What the tests compute. Where waiters run anything, a computation must not fork.
fn compute(s: filch::Strand<'_>) -> u64 {
    if !common::waits_for_descendants() {
        return ANSWER;
    }
    fib(s, if cfg!(miri) { 4 } else { 15 })
}

const ANSWER: u64 = if cfg!(miri) { 3 } else { 610 };

#[test]
fn many_who_ask_at_once_get_the_value_of_one_computation() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 2 } else { 50 } {
            let (value, runs) = (OnceValue::new(), AtomicUsize::new(0));
            pool.run(|mut s| {
                s.for_each(0..MANY, |s, _| {
                    let got = value.get_or_init_in(s, |s| {
                        runs.fetch_add(1, Ordering::SeqCst);
                        compute(s)
                    });
                    assert_eq!(*got, ANSWER);
                });
            });
            assert_eq!((runs.into_inner(), value.into_inner()), (1, Some(ANSWER)));
        }
        assert_usable(&pool);
    }
}

#[test]
fn threads_and_workers_of_several_pools_ask_at_once() {
    let pools = [eager_pool(2), eager_pool(1)];
    for _ in 0..if cfg!(miri) { 1 } else { 30 } {
        let (value, runs) = (OnceValue::new(), AtomicUsize::new(0));
        let ask = || {
            let f = |s: filch::Strand<'_>| {
                runs.fetch_add(1, Ordering::SeqCst);
                compute(s)
            };
            assert_eq!(*value.get_or_init(f), ANSWER);
        };
        thread::scope(|threads| {
            threads.spawn(ask);
            for pool in &pools {
                threads.spawn(|| pool.run(|mut s| s.join(|_| ask(), |_| ask())));
            }
            threads.spawn(|| pools[0].run(|_| pools[1].run(|_| ask())));
        });
        assert_eq!(runs.into_inner(), 1);
    }
}

/// The computation waits for its second branch, which only the one who asks can run: the other worker is in the first.
/// And there is an older frame, which nobody may run meanwhile.
#[test]
fn who_waits_runs_parts_of_the_computation_and_nothing_else() {
    if !common::takes() || !common::waits_for_descendants() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        let [is_waiting, has_begun, has_got] = [const { AtomicUsize::new(0) }; 3];
        let value = OnceValue::new();
        let asker = Mutex::new(None);
        let compute = |mut s: filch::Strand<'_>| {
            has_begun.store(1, Ordering::SeqCst);
            let (tell, told) = mpsc::channel();
            s.join(move |_| told.recv().unwrap(), move |_| tell.send(thread::current().id()).unwrap()).0
        };
        // Before the system has granted the barrier by which workers take, a worker computes on its own ladder.
        while pool.counters().forks_taken == 0 {
            let (begin, has_begun) = mpsc::channel();
            pool.run(|mut s| s.join(move |_| has_begun.recv().unwrap(), move |_| begin.send(()).unwrap()));
        }
        pool.run(|mut s| {
            s.scope(|mut s, scope| {
                scope.spawn(|_| {
                    *asker.lock().unwrap() = Some(thread::current().id());
                    is_waiting.store(1, Ordering::SeqCst);
                    await_value(&has_begun, 1);
                    value.get_or_init(|_| unreachable!("it is under way"));
                    has_got.store(1, Ordering::SeqCst);
                });
                await_value(&is_waiting, 1);
                let here = thread::current().id();
                s.join(
                    |s| _ = value.get_or_init_in(s, compute),
                    |_| {
                        assert!(
                            thread::current().id() == here || has_got.load(Ordering::SeqCst) == 1,
                            "not while it waits"
                        )
                    },
                );
            });
        });
        assert_eq!(value.into_inner(), asker.into_inner().unwrap(), "the second branch was run by who waited");
    });
}

#[test]
fn after_a_panic_or_an_error_the_next_who_asks_computes() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (value, tries) = (OnceValue::new(), AtomicUsize::new(0));
        assert_eq!(panic_text(|| pool.run(|_| *value.get_or_init(|_| -> u64 { panic!("oh") }))), "oh");
        assert_eq!(pool.run(|_| value.get_or_try_init(|_| Err("no")).copied()), Err("no"));
        assert_eq!(value.get(), None);
        // Many ask at once, and the first ones fail.
        let failed = AtomicUsize::new(0);
        pool.run(|mut s| {
            s.for_each(0..MANY, |s, _| {
                let result = value.get_or_try_init_in(s, |s| {
                    let value = compute(s);
                    if tries.fetch_add(1, Ordering::SeqCst) < 3 { Err(()) } else { Ok(value) }
                });
                match result {
                    Ok(value) => assert_eq!(*value, ANSWER),
                    Err(()) => _ = failed.fetch_add(1, Ordering::SeqCst),
                }
            });
        });
        assert_eq!((tries.into_inner(), failed.into_inner()), (4, 3));
        assert_usable(&pool);
    }
}

#[test]
fn a_computation_that_asks_for_its_own_value_panics() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let value = OnceValue::<u32>::new();
        let ask = || *value.get_or_init(|_| *value.get_or_init(|_| 1));
        assert!(panic_text(|| pool.run(|_| ask())).contains("depends on itself"));
        assert_eq!(pool.run(|_| *value.get_or_init(|_| 2)), 2);
    }
}

#[test]
fn values_depend_on_values() {
    if !common::waits_for_descendants() {
        return;
    }
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let values: Vec<OnceValue<u64>> = (0..20).map(|_| OnceValue::new()).collect();
        fn number(values: &[OnceValue<u64>], s: filch::Strand<'_>, n: usize) -> u64 {
            *values[n].get_or_init_in(s, |mut s| {
                if n < 2 {
                    return n as u64;
                }
                let (a, b) = s.join(|s| number(values, s, n - 1), |s| number(values, s, n - 2));
                a + b
            })
        }
        assert_eq!(pool.run(|s| number(&values, s, 19)), 4181);
    }
}

#[test]
fn a_value_is_dropped_once_and_can_be_taken_out() {
    let alive = AtomicUsize::new(0);
    let mut value = OnceValue::new();
    value.get_or_init(|_| Counted::new(&alive));
    assert!(value.get_mut().is_some());
    drop(value.take());
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    value.get_or_init(|_| Counted::new(&alive));
    drop(value);
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    assert_eq!(OnceValue::from(3).into_inner(), Some(3));
}

#[cfg(not(miri))]
#[test]
fn once_values_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
