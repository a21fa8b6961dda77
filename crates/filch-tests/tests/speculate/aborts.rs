//! After an abort nothing begins, what runs ends at its next look, and no inlet runs.

use crate::common::{Counted, assert_usable, await_value, eager_pool, must_end, takes, tasks};
use crate::{MANY, WORKERS};
use filch::{Aborted, Pool, SpeculativeStrand, State};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn an_abort_from_an_inlet_is_the_last_thing_that_changes_the_state() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for is_each in [false, true] {
            let alive = AtomicUsize::new(0);
            let (folded, ()) = pool.run(|mut s| {
                s.speculate(0, |p, speculation| {
                    let fold = |folded: &mut usize, value: (usize, Counted<'_>)| {
                        *folded += 1;
                        assert!(*folded <= 3, "an inlet after the abort");
                        if *folded == 3 {
                            speculation.abort();
                        }
                        drop(value);
                    };
                    if is_each {
                        p.spawn_each(0.., |_, _, n| Ok((n, Counted::new(&alive))), fold);
                    } else {
                        for n in 0..MANY {
                            let captured = Counted::new(&alive);
                            p.spawn(move |_, _| Ok((n, captured)), fold);
                        }
                    }
                })
            });
            assert_eq!((folded, alive.into_inner()), (3, 0), "on {workers} workers");
        }
        assert_usable(&pool);
    }
}

#[test]
fn on_one_worker_no_child_begins_after_an_abort() {
    let pool = eager_pool(1);
    for is_each in [false, true] {
        let begun = AtomicUsize::new(0);
        let (_, ()) = pool.run(|mut s| {
            s.speculate((), |p, speculation| {
                let child = |_: SpeculativeStrand<'_>, _: State<'_, ()>, n| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    Ok(n)
                };
                let inlet = |(): &mut (), n| {
                    if n == 4 {
                        speculation.abort()
                    }
                };
                if is_each {
                    p.spawn_each(0..100, child, inlet);
                } else {
                    (0..100).for_each(|n| p.spawn(move |s, state| child(s, state, n), inlet));
                }
            })
        });
        assert_eq!(begun.into_inner(), 5);
    }
}

/// Ways to go on until an abort.
fn go_on(mut s: SpeculativeStrand<'_>, way: usize) -> Result<(), Aborted> {
    loop {
        match way % 5 {
            0 => _ = s.join(|_| Ok(()), |_| Ok(()))?,
            1 => s.for_each(0..usize::MAX, |_, _| Ok(()))?,
            2 => s.for_each_item(0.., |_, _| Ok(()))?,
            3 => _ = s.first_of(0.., |_, _| Ok(None::<()>))?,
            _ => s.check()?,
        }
        std::thread::yield_now();
    }
}

#[test]
fn an_abort_from_the_body_or_from_any_thread_ends_endless_children() {
    must_end(|| {
        let pool = eager_pool(3);
        for (way, from_body) in (0..5).flat_map(|way| [(way, false), (way, takes())]) {
            let [begun, ended] = [const { AtomicUsize::new(0) }; 2];
            pool.run(|mut s| {
                s.speculate((), |p, speculation| {
                    let child = |s: SpeculativeStrand<'_>, _: State<'_, ()>| {
                        begun.fetch_add(1, Ordering::SeqCst);
                        let result = go_on(s, way);
                        ended.fetch_add(1, Ordering::SeqCst);
                        result
                    };
                    let inlet = |(): &mut (), ()| unreachable!("an endless child has a result");
                    let abort = || {
                        await_value(&begun, 1);
                        speculation.abort();
                    };
                    std::thread::scope(|threads| {
                        if !from_body {
                            threads.spawn(abort);
                        }
                        p.spawn(child, inlet);
                        if from_body {
                            abort();
                        }
                        (0..3).for_each(|_| p.spawn(child, inlet));
                        p.sync();
                    });
                    assert!(speculation.is_aborted());
                    assert_eq!(p.with(|()| ()), Err(Aborted));
                })
            });
            assert_eq!(begun.load(Ordering::SeqCst), ended.load(Ordering::SeqCst));
        }
        assert_usable(&pool);
    });
}

/// Work that begins once an abort has returned is what a worker had looked for before: at most one branch, child or
/// item for each worker.
#[test]
fn each_worker_begins_at_most_one_piece_of_work_after_an_abort() {
    fn grow(mut s: SpeculativeStrand<'_>, depth: usize, begin: &(impl Fn() + Sync)) -> Result<(), Aborted> {
        begin();
        if depth > 0 {
            s.join(|s| grow(s, depth - 1, begin), |s| grow(s, depth - 1, begin))?;
            s.for_each(0..4, |_, _| {
                begin();
                Ok(())
            })?;
        }
        Ok(())
    }
    let rounds = if cfg!(miri) { 2 } else { 100 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for round in 0..rounds {
            let [begun, is_over, late] = [const { AtomicUsize::new(0) }; 3];
            pool.run(|mut s| {
                s.speculate((), |p, speculation| {
                    let begin = || {
                        late.fetch_add(is_over.load(Ordering::SeqCst), Ordering::SeqCst);
                        if begun.fetch_add(1, Ordering::SeqCst) == round * 3 {
                            speculation.abort();
                            is_over.store(1, Ordering::SeqCst);
                        }
                    };
                    let depth = if cfg!(miri) { 2 } else { 6 };
                    p.spawn_each(std::iter::repeat_n((), 20), |s, _, ()| grow(s, depth, &begin), |(), ()| ());
                })
            });
            assert!(late.load(Ordering::SeqCst) <= workers, "{late:?} on {workers} workers");
        }
    }
}

/// What a child does after it has aborted itself, in this way: `first`, and `rest` of which pieces may move.
fn go_on_once(mut s: SpeculativeStrand<'_>, way: usize, first: &(impl Fn() + Sync), rest: &(impl Fn() + Sync)) {
    let either = |is_first: bool| {
        if is_first {
            first()
        } else {
            rest()
        }
        Ok(())
    };
    // If the other worker has run all of the rest before the abort, there is a result.
    _ = match way {
        0 => s.join(|_| either(true), |_| either(false)).map(|_| ()),
        1 => s.for_each(0..64, |_, n| either(n == 0)),
        _ => s.for_each_item(0..64, |_, n| either(n == 0)),
    };
}

/// Returns whether a piece has moved after an abort, and has been counted.
fn moves_after_an_abort(pool: &Pool, way: usize) -> bool {
    let counted = || pool.counters().begun_after_abort;
    let before = (counted(), tasks(pool));
    let [is_over, ran, late] = [const { AtomicUsize::new(0) }; 3];
    pool.run(|mut s| {
        s.speculate((), |p, speculation| {
            let child = |s: SpeculativeStrand<'_>, _: State<'_, ()>| {
                let first = || {
                    speculation.abort();
                    is_over.store(1, Ordering::SeqCst);
                    // Another worker begins a piece, if it has not done so before the abort. If it looks before the
                    // abort and comes to an item afterwards, the piece is not counted, and nothing of it runs.
                    let mut looks = if way == 0 { usize::MAX } else { 1_000 };
                    while looks > 0 && counted() == before.0 && ran.load(Ordering::SeqCst) == 0 {
                        std::thread::yield_now();
                        looks -= 1;
                    }
                };
                let rest = || {
                    late.fetch_add(is_over.load(Ordering::SeqCst), Ordering::SeqCst);
                    ran.fetch_add(1, Ordering::SeqCst);
                };
                go_on_once(s, way, &first, &rest);
                Ok(())
            };
            p.spawn(child, |(), ()| unreachable!("aborted"));
        })
    });
    // Only the piece for which the other worker had looked before.
    assert!(late.load(Ordering::SeqCst) <= 1, "{late:?} pieces");
    let (counted, moved) = (counted() - before.0, tasks(pool) - before.1);
    assert!(counted <= moved, "{counted} pieces are counted, {moved} have moved");
    counted > 0
}

#[test]
fn a_piece_that_moves_after_an_abort_is_counted_and_runs_nothing() {
    if !takes() || cfg!(miri) {
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        for way in 0..3 {
            (0..20).for_each(|_| _ = moves_after_an_abort(&pool, way));
            while !moves_after_an_abort(&pool, way) {}
        }
        assert_usable(&pool);
    });
}

#[test]
fn what_a_child_forks_by_its_plain_strand_runs_to_its_end() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let done = AtomicUsize::new(0);
        pool.run(|mut s| {
            s.speculate((), |p, speculation| {
                let child = |mut s: SpeculativeStrand<'_>, _: State<'_, ()>, ()| {
                    speculation.abort();
                    let add = |n| done.fetch_add(n, Ordering::SeqCst);
                    s.plain().join(|_| add(1), |_| add(1));
                    s.plain().for_each(0..10, |_, _| _ = add(1));
                    s.plain().scope(|_, scope| scope.spawn(|_| _ = add(1)));
                    assert_eq!(s.join(|_| Ok(add(100)), |_| Ok(add(100))), Err(Aborted));
                    assert_eq!(s.for_each(0..1, |_, _| Ok(())), Err(Aborted));
                    assert_eq!(s.for_each_item(0..1, |_, _| Ok(())), Err(Aborted));
                    assert!(s.is_aborted() && s.reborrow().is_aborted());
                    Ok(())
                };
                p.spawn_each([()], child, |(), ()| unreachable!("aborted"));
            })
        });
        assert_eq!(done.into_inner(), 13);
    }
}

#[test]
fn a_strand_outside_of_speculations_is_never_aborted() {
    let pool = eager_pool(2);
    let result = pool.run(|s| {
        let mut s = SpeculativeStrand::from(s);
        let sum = AtomicUsize::new(0);
        s.for_each(0..10_usize, |_, n| {
            sum.fetch_add(n, Ordering::SeqCst);
            Ok(())
        })?;
        let (a, b) = s.join(|_| Ok(1), |s| Ok(usize::from(s.is_aborted())))?;
        Ok::<_, Aborted>(sum.into_inner() + a + b)
    });
    assert_eq!(result, Ok(46));
}
