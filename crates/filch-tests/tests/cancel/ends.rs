//! What ends: each construct, although it would never end by itself.

use super::common::{Counted, assert_usable, eager_pool, must_end};
use filch::{Aborted, CancelToken, Cancelled, Node, Pool, Scope, SpeculativeStrand, Steps, Strand};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// How many parts run before one of them cancels.
const PARTS: usize = if cfg!(miri) { 20 } else { 2000 };

const ROUNDS: usize = if cfg!(miri) { 1 } else { 10 };

/// Something that ends only by being cancelled. It calls the closure in each of its parts.
type Endless = fn(Strand<'_>, &(dyn Fn() + Sync));

/// Runs it with 1 to 4 workers, cancelled in one of its parts, or by another thread as soon as there are so many.
fn must_be_ended(endless: Endless) {
    must_end(move || {
        for workers in 1..if cfg!(miri) { 3 } else { 5 } {
            let pool = eager_pool(workers);
            for round in 0..ROUNDS {
                let (token, begun) = (CancelToken::new(), AtomicUsize::new(0));
                let is_inside = round % 2 == 0;
                let alive = AtomicUsize::new(0);
                let part = || {
                    let _counted = Counted::new(&alive);
                    if begun.fetch_add(1, SeqCst) + 1 == PARTS && is_inside {
                        token.cancel();
                    }
                };
                let result = std::thread::scope(|threads| {
                    if !is_inside {
                        threads.spawn(|| {
                            while begun.load(SeqCst) < PARTS {
                                std::thread::yield_now();
                            }
                            token.cancel();
                        });
                    }
                    pool.run_until(&token, |s| endless(s, &part))
                });
                assert_eq!(result, Err(Cancelled));
                assert_eq!(alive.into_inner(), 0, "a part is under way, or has not been dropped");
            }
            assert_usable(&pool);
        }
    });
}

fn deeper(mut s: Strand<'_>, part: &(dyn Fn() + Sync)) {
    // Not endless, since the stack is not.
    fn tree(mut s: Strand<'_>, depth: usize, part: &(dyn Fn() + Sync)) {
        part();
        if depth > 0 {
            s.join(|s| tree(s, depth - 1, part), |s| tree(s, depth - 1, part));
        }
    }
    loop {
        tree(s.reborrow(), 60, part);
    }
}

#[test]
fn joins_end() {
    must_be_ended(deeper);
}

#[test]
fn joins_without_a_strand_end() {
    fn tree(depth: usize, part: &(dyn Fn() + Sync)) {
        part();
        if depth > 0 {
            filch::join(|| tree(depth - 1, part), || tree(depth - 1, part));
        }
    }
    must_be_ended(|_, part| tree(100, part));
}

#[test]
fn many_short_joins_end() {
    must_be_ended(|mut s, part| {
        loop {
            s.join(|_| part(), |_| part());
        }
    });
}

#[test]
fn loops_end() {
    must_be_ended(|mut s, part| s.for_each(0..u64::MAX, |_, _| part()));
    must_be_ended(|mut s, part| {
        loop {
            s.for_each(0..100, |mut s, _| s.for_each(0..100, |_, _| part()));
        }
    });
}

#[test]
fn reductions_end_and_combine_nothing_with_gaps() {
    must_be_ended(|mut s, part| {
        let sum = s.map_reduce(
            0..u64::MAX,
            || (0, 0),
            |_, i| (part(), (i, 1)).1,
            |a, b| {
                assert!(a.1 == 0 || b.1 == 0 || a.0 < b.0);
                (if b.1 == 0 { a.0 } else { b.0 }, a.1 + b.1)
            },
        );
        unreachable!("{sum:?}");
    });
}

#[test]
fn loops_over_items_end() {
    must_be_ended(|mut s, part| s.for_each_item(0.., |_, _| part()));
    must_be_ended(|mut s, part| {
        s.for_each_item(0.., |mut s, _: u64| {
            s.join(|_| part(), |_| part());
        });
    });
}

fn spawns<'scope>(scope: &'scope Scope<'scope, '_>, part: &'scope (dyn Fn() + Sync)) {
    part();
    // The first one is what goes on.
    scope.spawn(move |_| spawns(scope, part));
    scope.spawn(move |_| part());
}

#[test]
fn scopes_end_with_all_their_tasks() {
    must_be_ended(|mut s, part| s.scope(|_, scope| spawns(scope, part)));
    must_be_ended(|mut s, part| s.scope_fifo(|_, scope| spawns(scope, part)));
}

#[test]
fn tasks_that_are_submitted_into_scopes_end() {
    must_be_ended(|mut s, part| {
        s.scope(|_, scope| {
            loop {
                let handles: Vec<_> = (0..3).map(|i| scope.submit(move |_| (part(), i).1)).collect();
                assert_eq!(handles.into_iter().map(|handle| handle.join()).sum::<i32>(), 3);
            }
        });
    });
}

#[test]
fn speculations_end() {
    must_be_ended(|mut s, part| {
        s.speculate(0_u64, |p, _| {
            loop {
                p.spawn_add(|_, _| {
                    part();
                    Ok(1_u64)
                });
            }
        });
    });
    must_be_ended(|mut s, part| {
        fn tree(mut s: SpeculativeStrand<'_>, depth: usize, part: &(dyn Fn() + Sync)) -> Result<(), Aborted> {
            part();
            if depth > 0 {
                s.join(|s| tree(s, depth - 1, part), |s| tree(s, depth - 1, part))?;
            }
            Ok(())
        }
        let found = s.first_of(0.., |s, _: u64| tree(s, 3, part).map(|()| None::<()>));
        unreachable!("{found:?}");
    });
}

#[test]
fn searches_end() {
    must_be_ended(|mut s, part| {
        let words = Steps::new(
            |word: &mut Vec<u8>| {
                part();
                if word.len() == 60 { Node::Solution } else { Node::Choices(0..3_u8) }
            },
            |word: &mut Vec<u8>, letter| word.push(letter),
            |word: &mut Vec<u8>, _| _ = word.pop(),
        );
        let count = s.search(&words, Vec::new()).count();
        unreachable!("{count}");
    });
}

#[test]
fn traversals_end() {
    must_be_ended(|_, part| {
        filch::traverse(
            [0_u64],
            || (),
            |list, n| {
                part();
                list.push(n + 1);
                if n % 2 == 0 {
                    list.push_next(n);
                }
            },
        );
    });
}

#[test]
fn broadcasts_end() {
    must_be_ended(|mut s, part| {
        loop {
            s.broadcast(|_, _| (0..20).for_each(|_| part()));
        }
    });
}

#[test]
fn a_worker_that_yields_ends() {
    must_be_ended(|_, part| {
        loop {
            part();
            filch::yield_now();
        }
    });
}

#[test]
fn serial_code_ends_where_it_looks() {
    must_be_ended(|mut s, part| {
        let endless = || {
            loop {
                part();
                filch::end_if_cancelled();
            }
        };
        s.join(|_| endless(), |_| endless());
    });
}

#[test]
fn runs_on_other_pools_end() {
    fn with_inner(workers: usize, endless: fn(&Pool, &(dyn Fn() + Sync))) {
        must_end(move || {
            let (outer, inner) = (eager_pool(2), eager_pool(workers));
            for _ in 0..ROUNDS {
                let (token, begun) = (CancelToken::new(), AtomicUsize::new(0));
                let part = || {
                    if begun.fetch_add(1, SeqCst) + 1 == PARTS {
                        token.cancel();
                    }
                };
                assert_eq!(outer.run_until(&token, |_| endless(&inner, &part)), Err(Cancelled));
            }
            assert_usable(&outer);
            assert_usable(&inner);
        });
    }
    for workers in 1..3 {
        with_inner(workers, |inner, part| inner.run(|s| deeper(s, part)));
        with_inner(workers, |inner, part| inner.run(|mut s| s.for_each(0..u64::MAX, |_, _| part())));
        with_inner(workers, |inner, part| inner.run_on_worker(|s| deeper(s, part)));
        with_inner(workers, |inner, part| inner.scope_in_place(|scope| spawns(scope, part)));
    }
}
