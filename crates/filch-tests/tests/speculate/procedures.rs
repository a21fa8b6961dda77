//! Procedures: the last child that has been spawned is latent, and the call that comes next runs it.

use crate::common::{Counted, SendWrapper, assert_usable, await_value, eager_pool, panic_text, scheduler, takes};
use crate::{MANY, WORKERS};
use filch::{Aborted, Pool, Procedure, SpeculativeStrand, State, Strand};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn on_one_worker_each_child_runs_in_the_call_after_its_spawn() {
    let (pool, spawns) = (eager_pool(1), if cfg!(miri) { 100 } else { 1_000 });
    for asks in [false, true] {
        let begun = AtomicUsize::new(0);
        let (order, ()) = pool.run(|mut s| {
            s.speculate(vec![], |p, _| {
                for n in 0..spawns {
                    // What those before it have found shows when a child begins.
                    let child = |_: SpeculativeStrand<'_>, state: State<'_, Vec<usize>>| {
                        state.with(|found| assert_eq!(found.len(), begun.load(Ordering::SeqCst)))?;
                        Ok(begun.fetch_add(1, Ordering::SeqCst))
                    };
                    p.spawn(child, Vec::push);
                    assert_eq!(begun.load(Ordering::SeqCst), n);
                    if asks {
                        assert!(p.synched());
                        assert_eq!(p.with(|found| found.len()), Ok(n + 1));
                    }
                }
                let child = |_: SpeculativeStrand<'_>, state: State<'_, Vec<usize>>, _| state.with(|found| found.len());
                p.spawn_each(0..3, child, Vec::push);
            })
        });
        assert!(order.into_iter().eq(0..spawns + 3));
    }
}

#[test]
fn a_procedure_is_not_synched_while_a_child_runs_elsewhere() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    let [begun, may_end] = [const { AtomicUsize::new(0) }; 2];
    let (sum, ()) = pool.run(|mut s| {
        s.speculate(0, |p, _| {
            assert!(p.synched(), "there are no children");
            p.spawn_add(|_, _| {
                begun.store(1, Ordering::SeqCst);
                await_value(&may_end, 1);
                Ok(1)
            });
            await_value(&begun, 1);
            for _ in 0..3 {
                p.spawn_add(|_, _| Ok(1));
                assert!(!p.synched(), "the first child is not over");
            }
            may_end.store(1, Ordering::SeqCst);
            while !p.synched() {
                std::thread::yield_now();
            }
            assert_eq!(p.with(|sum| *sum), Ok(4));
        })
    });
    assert_eq!(sum, 4);
}

#[test]
fn a_sync_in_the_middle_shows_everything_and_the_body_goes_on() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (sum, ()) = pool.run(|mut s| {
            s.speculate(0, |p, _| {
                for round in 0..4 {
                    (0..MANY).for_each(|n| p.spawn_add(move |mut s, _| Ok(s.join(|_| Ok(n), |_| Ok(1))?.0)));
                    p.sync();
                    assert!(p.synched());
                    assert_eq!(p.with(|sum| *sum), Ok((round + 1) * MANY * (MANY - 1) / 2));
                }
            })
        });
        assert_eq!(sum, 4 * MANY * (MANY - 1) / 2);
    }
}

#[test]
fn a_long_loop_of_spawns_has_all_results() {
    let n = if cfg!(miri) { 30 } else { 100_000_u64 };
    for workers in [1, 4] {
        let pool = eager_pool(workers);
        let (sum, ()) = pool.run(|mut s| s.speculate(0, |p, _| (0..n).for_each(|n| p.spawn_add(move |_, _| Ok(n)))));
        assert_eq!(sum, n * (n - 1) / 2, "on {workers} workers");
    }
}

/// Larger, and aligned to more, than what lies in the frame of a procedure.
#[test]
fn large_children_and_inlets_run_once_and_are_dropped_once() {
    #[derive(Clone, Copy)]
    #[repr(align(64))]
    struct Large([usize; 20]);
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for aborts in [false, true] {
            let [alive, begun] = [const { AtomicUsize::new(0) }; 2];
            let (sum, ()) = pool.run(|mut s| {
                s.speculate(0, |p, speculation| {
                    let begin = || {
                        if begun.fetch_add(1, Ordering::SeqCst) == MANY / 2 && aborts {
                            speculation.abort();
                        }
                    };
                    for n in 0..MANY {
                        let (large, [in_child, in_inlet]) = (Large([n; 20]), [(); 2].map(|()| Counted::new(&alive)));
                        let child = move |_: SpeculativeStrand<'_>, _: State<'_, usize>| {
                            begin();
                            Ok((large.0[n % 20], in_child))
                        };
                        p.spawn(child, move |sum, (n, _in_child)| {
                            assert_eq!(large.0, [n; 20]);
                            *sum += n;
                            drop(in_inlet);
                        });
                    }
                })
            });
            assert_eq!(alive.into_inner(), 0);
            let all = MANY * (MANY - 1) / 2;
            assert!(if aborts { sum < all } else { (sum, begun.into_inner()) == (all, MANY) }, "{sum}");
        }
    }
}

#[test]
fn a_ladder_without_room_runs_the_children_here() {
    fn fib(mut s: SpeculativeStrand<'_>, n: u64) -> Result<u64, Aborted> {
        if n < 2 {
            return Ok(n);
        }
        let (sum, other) = s.speculate(0, |p, _| {
            p.spawn_add(move |s, _| fib(s, n - 1));
            p.strand().join(|s| fib(s, n - 2), |_| Ok(()))
        })?;
        Ok(sum + other?.0)
    }
    let n = if cfg!(miri) { 5 } else { 15 };
    for &workers in WORKERS {
        for capacity in [1, 4] {
            let builder = Pool::builder().workers(workers).scheduler(scheduler()).ladder_capacity(capacity);
            let pool = builder.build().expect("a small pool");
            assert_eq!(pool.run(|s| fib(s.into(), n)), Ok(if n == 5 { 5 } else { 610 }));
        }
    }
}

/// A function of procedures, and what it adds to the state.
type Call = (fn(&mut Procedure<'_, '_, '_, usize>), usize);

/// All of them. Those but the last run the latent child first.
const CALLS: [Call; 6] = [
    (|p| p.spawn_add(|_, _| Ok(1)), 1),
    (|p| p.spawn_each(0..3, |_, _, n| Ok(n), |sum, n| *sum += n), 3),
    (|p| _ = p.with(|sum| *sum += 1), 1),
    (|p| _ = p.synched(), 0),
    (|p| p.sync(), 0),
    (|p| _ = p.strand().join(|_| Ok(1), |_| Ok(2)), 0),
];

#[cfg(panic = "unwind")]
#[test]
fn on_one_worker_the_call_after_its_spawn_passes_on_the_panic_of_a_child() {
    if scheduler().to_string().starts_with("heartbeat") {
        // A child may leave at a beat, and its panic comes at the next sync.
        return;
    }
    let pool = eager_pool(1);
    for (call, _) in &CALLS[..5] {
        for in_inlet in [false, true] {
            let (sum, ()) = pool.run(|mut s| {
                s.speculate(7, |p, speculation| {
                    let run = move |is_inlet| assert!(is_inlet != in_inlet, "expected");
                    p.spawn(move |s, _| s.check().map(|()| run(false)), move |_, ()| run(true));
                    assert_eq!(panic_text(|| call(p)), "expected");
                    assert!(speculation.is_aborted());
                    // What has been spawned by this call, or is from now on, does not run.
                    CALLS.iter().for_each(|(call, _)| call(p));
                    assert_eq!(p.with(|sum| *sum), Err(Aborted));
                })
            });
            assert_eq!(sum, 7);
        }
    }
    assert_usable(&pool);
}

/// A construct that gets a strand otherwise than from the procedure, and what it calls there.
#[cfg(panic = "unwind")]
type Construct = fn(Strand<'_>, &(dyn Fn() + Sync));

/// Constructs that the body opens, with a strand that is out of date and without one. Those with a frame above that of
/// the procedure refuse it.
#[cfg(panic = "unwind")]
const CONSTRUCTS: [Construct; 14] = [
    |_, f| _ = filch::join(f, || ()),
    |_, f| _ = filch::join(|| (), f),
    |mut s, f| _ = s.join(|_| f(), |_| ()),
    |mut s, f| _ = s.join(|_| (), |s| then_fork(s, f)),
    |mut s, f| s.for_each(0..3, |s, _| then_fork(s, f)),
    |mut s, f| s.for_each_item(0..3, |s, _| then_fork(s, f)),
    |mut s, f| _ = s.speculate((), |p, _| then_fork(p.strand().plain(), f)),
    |_, f| filch::for_each(0..3, |s, _| then_fork(s, f)),
    |_, f| filch::for_each_item(0..3, |s, _| then_fork(s, f)),
    |_, f| filch::scope(|s, _| then_fork(s, f)),
    |_, f| filch::scope(|_, scope| scope.spawn(|s| then_fork(s, f))),
    |_, f| _ = filch::speculate((), |p, _| then_fork(p.strand().plain(), f)),
    |_, f| filch::speculate((), |p, _| p.spawn(|mut s, _| s.check().map(|()| then_fork(s.plain(), f)), |(), ()| ())).1,
    |_, f| filch::run(|s| then_fork(s, f)),
];

/// What comes after the call must find the ladder as it was.
#[cfg(panic = "unwind")]
fn then_fork(mut s: Strand<'_>, f: &(dyn Fn() + Sync)) {
    f();
    let ran = AtomicUsize::new(0);
    let add = || _ = ran.fetch_add(1, Ordering::SeqCst);
    s.join(|_| _ = filch::join(add, add), |_| add());
    assert_eq!(ran.into_inner(), 3, "each branch runs once");
}

#[cfg(panic = "unwind")]
#[test]
fn a_procedure_that_is_smuggled_into_another_construct_panics_or_does_no_harm() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for construct in CONSTRUCTS {
            let calls = &CALLS[..if cfg!(miri) { 1 } else { CALLS.len() }];
            for ((call, adds), has_latent) in calls.iter().flat_map(|call| [(call, false), (call, true)]) {
                // What is called on another thread finds nothing there.
                let [called, returned] = [const { AtomicUsize::new(0) }; 2];
                let (sum, ()) = pool.run(|mut s| {
                    let stale = SendWrapper::new(Cell::new(Some(s.reborrow())));
                    filch::speculate(0, |p, _| {
                        if has_latent {
                            p.spawn_add(|_, _| Ok(10));
                        }
                        let smuggled = Mutex::new(SendWrapper::new(&mut *p));
                        let f = || {
                            let Ok(mut smuggled) = smuggled.try_lock() else { return };
                            if let Some(p) = smuggled.get()
                                && called.fetch_add(1, Ordering::SeqCst) == 0
                            {
                                call(p);
                                returned.fetch_add(1, Ordering::SeqCst);
                            }
                        };
                        let stale = stale.peek().and_then(Cell::take).expect("on its own thread");
                        let result = catch_unwind(AssertUnwindSafe(|| construct(stale, &f)));
                        if let Err(payload) = result {
                            let text = panic_text(|| resume_unwind(payload));
                            assert!(text.contains("inside of another construct"), "{text}");
                        }
                        p.spawn_add(|_, _| Ok(20));
                    })
                });
                let (called, returned) = (called.into_inner(), returned.into_inner());
                assert!(called > 0 || workers > 1, "there is no other thread");
                assert_eq!(sum, 20 + if has_latent { 10 } else { 0 } + returned * adds);
            }
        }
        assert_usable(&pool);
    }
}
