//! Divisions with affinity run each part once, whoever had it last, and a worker begins with what it had.

use crate::common::{await_value, busy, eager_pool, must_end, scheduler, takes};
use filch::{AffinePart, Affinity, Strand, current_worker};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The numbers of a range in order, divided at its third.
fn numbers(mut s: Strand<'_>, part: AffinePart<'_>, range: Range<u64>) -> Vec<u64> {
    let len = range.end - range.start;
    if len < 2 {
        return range.collect();
    }
    let third = (len / 3).max(1);
    let middle = range.start + third;
    let (mut a, mut b) = s.join_affine(
        part,
        third,
        |s, part| numbers(s, part, range.start..middle),
        |s, part| numbers(s, part, middle..range.end),
    );
    a.append(&mut b);
    a
}

#[test]
fn each_part_is_run_once_and_results_are_in_order() {
    let mut affinity = Affinity::new();
    let divisions = [(3, 100), (3, 100), (2, 100), (2, 13), (3, 0), (3, 1), (1, 15), (3, 15)];
    for &(workers, items) in if cfg!(miri) { &[(3, 7), (2, 5)] } else { &divisions[..] } {
        eager_pool(workers).run(|mut s| {
            for _ in 0..if cfg!(miri) { 2 } else { 10 } {
                let all = affinity.divide(&s, items);
                assert!(numbers(s.reborrow(), all, 0..items).into_iter().eq(0..items), "{workers} workers, {items}");
            }
        });
    }
}

#[test]
fn a_worker_begins_with_the_half_that_it_had_last() {
    if scheduler().to_string().starts_with("chaos") {
        return;
    }
    let mut affinity = Affinity::new();
    // At first each worker has a half.
    let mut last = [0, 1];
    eager_pool(2).run(|mut s| {
        let me = current_worker().expect("a worker");
        for round in 0..if cfg!(miri) { 4 } else { 100 } {
            let [ran, first] = [[const { AtomicUsize::new(9) }; 2], [const { AtomicUsize::new(9) }; 2]];
            let run = |half: usize| {
                let worker = current_worker().expect("a worker");
                ran[half].store(worker, Ordering::SeqCst);
                _ = first[worker].compare_exchange(9, half, Ordering::SeqCst, Ordering::SeqCst);
                busy(Duration::from_micros(round * 7 % 5 * 30));
            };
            let all = affinity.divide(&s, 2);
            s.join_affine(all, 1, |_, _| run(0), |_, _| run(1));
            let expected = usize::from(last[0] != me);
            assert_eq!(first[me].load(Ordering::SeqCst), expected, "{me} in round {round} after {last:?}");
            last = ran.map(AtomicUsize::into_inner);
        }
    });
}

/// The half that is handed to a worker that does not come is begun by another one.
#[test]
fn a_hint_is_not_a_lock() {
    if !takes() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            let [held, released, begun] = [const { AtomicUsize::new(0) }; 3];
            pool.run(|mut s| {
                s.scope(|mut s, scope| {
                    scope.spawn(|_| {
                        held.store(1 + current_worker().expect("a worker"), Ordering::SeqCst);
                        await_value(&released, 1);
                    });
                    await_value(&held, 1);
                    let (me, held) = (current_worker().expect("a worker"), held.load(Ordering::SeqCst) - 1);
                    // Each worker has a third. The half that this one does not keep has most of the held one's.
                    let middle = if held == 0 || (me, held) == (0, 1) { 1 } else { 2 };
                    let mut affinity = Affinity::new();
                    let all = affinity.divide(&s, 3);
                    let run = || {
                        begun.fetch_add(1, Ordering::SeqCst);
                        await_value(&begun, 2);
                    };
                    s.join_affine(all, middle, |_, _| run(), |_, _| run());
                    released.store(1, Ordering::SeqCst);
                });
            });
        }
    });
}

#[cfg(panic = "unwind")]
#[test]
fn after_a_panic_the_affinity_serves_another_division() {
    let mut affinity = Affinity::new();
    let (pool, parts) = (eager_pool(3), if cfg!(miri) { 4 } else { 100 });
    for half in [0, 1] {
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.run(|mut s| {
                let all = affinity.divide(&s, 2);
                let run = |this| assert_ne!(this, half, "this half");
                s.join_affine(all, 1, |_, _| run(0), |_, _| run(1));
            });
        }));
        assert!(failed.is_err());
        let all = pool.run(|s| {
            let all = affinity.divide(&s, parts);
            numbers(s, all, 0..parts)
        });
        assert!(all.into_iter().eq(0..parts));
    }
}
