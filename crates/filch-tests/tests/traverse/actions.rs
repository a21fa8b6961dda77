//! The action at the end of each phase of a traversal. In the names, *it* is the action.

use crate::WORKERS;
use crate::common::{Counted, eager_pool};
use filch::{Batches, PhaseEnd, Traverse, Worklist};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

const BATCHES: [Batches; 3] = [Batches::Adaptive, Batches::UpTo(1), Batches::Fixed(3)];

/// How many items each phase begins with: many, few, or one.
const WIDTHS: &[usize] = if cfg!(miri) { &[1, 3, 1] } else { &[1, 4, 1, 1, 60, 3, 200, 1, 1, 17] };

/// Visits an item. From `roots` on, each phase begins with as many items as `widths` says, and each of these adds one
/// more to its own phase.
fn step(list: &mut Worklist<'_, (usize, bool), ()>, widths: &[usize], (index, is_first): (usize, bool)) {
    let phase = list.phase();
    if !is_first {
        return;
    }
    list.push((index, false));
    // The first `next % now` lead to one more.
    if let Some(&next) = widths.get(phase + 1) {
        let now = widths[phase];
        let share = next / now + usize::from(index < next % now);
        let before = index * (next / now) + index.min(next % now);
        (before..before + share).for_each(|index| list.push_next((index, true)));
    }
}

fn roots() -> impl Iterator<Item = (usize, bool)> {
    (0..WIDTHS[0]).map(|index| (index, true))
}

#[test]
fn it_runs_once_after_all_visits_of_a_phase_and_before_those_of_the_next() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in BATCHES {
            // Relaxed: the traversal orders them.
            let (visits, under_way, ended) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
            let mut ends = vec![];
            let action = |end: PhaseEnd| {
                assert_eq!((ended.load(Relaxed), under_way.load(Relaxed)), (end.phase, 0));
                assert_eq!(visits.load(Relaxed), 2 * WIDTHS[..=end.phase].iter().sum::<usize>());
                std::thread::yield_now();
                assert_eq!(under_way.load(Relaxed), 0);
                ends.push(end.next_items);
                ended.store(end.phase + 1, Relaxed);
                Continue(())
            };
            let visit = |list: &mut Worklist<'_, _, ()>, item| {
                under_way.fetch_add(1, Relaxed);
                visits.fetch_add(1, Relaxed);
                assert_eq!(ended.load(Relaxed), list.phase());
                step(list, WIDTHS, item);
                assert_eq!(ended.load(Relaxed), list.phase());
                under_way.fetch_sub(1, Relaxed);
            };
            let done = pool.run(|_| Traverse::new().at_phase_end(action).batches(batches).run(roots(), || (), visit));
            let expected: Vec<_> = WIDTHS[1..].iter().copied().chain([0]).collect();
            assert_eq!((ends, done.counts.phases), (expected, WIDTHS.len() as u64), "{workers} workers, {batches:?}");
        }
    }
}

#[test]
fn after_a_break_nothing_of_the_next_phase_is_visited() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in BATCHES {
            for last in 0..3 {
                let (alive, mut calls) = (AtomicUsize::new(0), 0);
                let done = pool.run(|_| {
                    Traverse::new()
                        .batches(batches)
                        .at_phase_end(|end| {
                            calls += 1;
                            if end.phase == last { Break(()) } else { Continue(()) }
                        })
                        .run(
                            [Counted::new(&alive)],
                            || (),
                            |list, _item| {
                                assert!(list.phase() <= last);
                                (0..3).for_each(|_| list.push_next(Counted::new(&alive)));
                            },
                        )
                });
                assert_eq!((calls, done.counts.phases), (last + 1, last as u64 + 1));
                assert_eq!(done.counts.items, (0..=last as u32).map(|phase| 3_u64.pow(phase)).sum::<u64>());
                assert_eq!(alive.into_inner(), 0, "what waited is dropped");
            }
        }
    }
}

#[test]
fn a_phase_that_a_visit_stops_does_not_come_to_its_end() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in BATCHES {
            let mut ends = vec![];
            let action = |end: PhaseEnd| {
                ends.push(end.phase);
                Continue(())
            };
            pool.run(|_| {
                Traverse::new().batches(batches).at_phase_end(action).run(
                    [0],
                    || (),
                    |list, n: usize| {
                        if n == 2 {
                            list.stop();
                        }
                        (0..4).for_each(|_| list.push_next(n + 1));
                    },
                )
            });
            assert_eq!(ends, [0, 1]);
        }
    }
}

#[test]
fn it_may_fork_and_traverse() {
    for &workers in WORKERS {
        let (mut inner, mut found) = (0, 0);
        let done = eager_pool(workers).run(|_| {
            Traverse::new()
                .at_phase_end(|end| {
                    assert_eq!(filch::join(|| end.phase, || end.next_items), (end.phase, end.next_items));
                    let sum = AtomicUsize::new(0);
                    filch::for_each(0..10_usize, |_, i| {
                        sum.fetch_add(i, Relaxed);
                    });
                    found += sum.into_inner();
                    let done = Traverse::new()
                        .at_phase_end(|_| {
                            inner += 1;
                            Continue(())
                        })
                        .run([1, 2], || (), |list, n| (0..n).for_each(|n| list.push_next(n)));
                    assert_eq!(done.counts.items, 2 + 3 + 1);
                    Continue(())
                })
                .run(roots(), || (), |list, item| step(list, WIDTHS, item))
        });
        let phases = WIDTHS.len();
        assert_eq!((done.counts.phases as usize, found, inner), (phases, phases * 45, phases * 3));
    }
}

#[test]
fn without_roots_there_is_no_phase_that_ends() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        pool.run(|_| Traverse::new().at_phase_end(|end| panic!("{end:?}")).run([(); 0], || (), |_, ()| ()));
    }
}

/// What it owns is dropped before there is a result; what it borrows is the caller's again.
#[test]
fn it_may_own_and_borrow_what_one_thread_has_at_a_time() {
    for &workers in WORKERS {
        let (alive, mut sum) = (AtomicUsize::new(0), std::cell::Cell::new(0));
        let kept = Counted::new(&alive);
        let borrowed = &mut sum;
        let setting = Traverse::new().at_phase_end(move |end| {
            let _kept = &kept;
            borrowed.set(borrowed.get() + end.next_items);
            Continue(())
        });
        let done = eager_pool(workers).run(|_| {
            let done = setting.run(roots(), || (), |list, item| step(list, WIDTHS, item));
            assert_eq!(alive.load(SeqCst), 0);
            done
        });
        assert_eq!(done.counts.items as usize, 2 * (1 + sum.get()));
    }
}
