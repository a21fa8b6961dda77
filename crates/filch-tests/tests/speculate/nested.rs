//! Speculations inside of speculations.

use crate::common::{Counted, assert_usable, await_value, eager_pool, must_end};
use crate::{MANY, WORKERS};
use filch::{Aborted, SpeculativeStrand, State};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Goes on in speculations nested this deep until the outermost is aborted.
fn endless(mut s: SpeculativeStrand<'_>, depth: usize, begun: &AtomicUsize) -> Result<(), Aborted> {
    if depth == 0 {
        begun.fetch_add(1, Ordering::SeqCst);
        loop {
            s.join(|_| Ok(()), |_| Ok(()))?;
            std::thread::yield_now();
        }
    }
    let ((), ()) = s.speculate((), |p, _| {
        if depth.is_multiple_of(2) {
            p.spawn(move |s, _| endless(s, depth - 1, begun), |(), ()| unreachable!());
        } else {
            p.spawn_each([()], |s, _, ()| endless(s, depth - 1, begun), |(), ()| unreachable!());
        }
    })?;
    unreachable!("the outermost speculation has been aborted");
}

#[test]
fn the_abort_of_an_outer_speculation_ends_the_inner_ones() {
    must_end(|| {
        let pool = eager_pool(3);
        for depth in 1..6 {
            let begun = AtomicUsize::new(0);
            pool.run(|mut s| {
                s.speculate((), |p, outer| {
                    std::thread::scope(|threads| {
                        threads.spawn(|| {
                            await_value(&begun, 1);
                            outer.abort();
                        });
                        for _ in 0..2 {
                            p.spawn(|s, _| endless(s, depth, &begun), |(), ()| unreachable!());
                        }
                        p.sync();
                    });
                })
            });
            assert_usable(&pool);
        }
    });
}

#[test]
fn the_abort_of_an_inner_speculation_leaves_the_outer_one_as_it_is() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (sum, ()) = pool.run(|mut s| {
            s.speculate(0, |p, outer| {
                let child = |mut s: SpeculativeStrand<'_>, _: State<'_, usize>, n: usize| {
                    let (found, ()) = s.speculate(0, |p, inner| {
                        let inlet = |found: &mut usize, value| {
                            *found = value;
                            inner.abort();
                        };
                        p.spawn_each(0..10, |_, _, _| Ok(n), inlet);
                        assert!(inner.is_aborted() && !outer.is_aborted());
                    })?;
                    s.check()?;
                    Ok(found)
                };
                p.spawn_each(0..MANY, child, |sum, n| *sum += n);
            })
        });
        assert_eq!(sum, MANY * (MANY - 1) / 2);
    }
}

#[test]
fn an_inner_speculation_in_an_aborted_child_does_not_begin_and_leaves_nothing() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let alive = AtomicUsize::new(0);
        let ((), ()) = pool.run(|mut s| {
            s.speculate((), |p, outer| {
                let child = |mut s: SpeculativeStrand<'_>, _: State<'_, ()>, ()| {
                    // One that is under way when the outer one is aborted drops what has not begun.
                    let result = s.speculate(Counted::new(&alive), |p, _| {
                        let early = Counted::new(&alive);
                        outer.abort();
                        p.spawn(
                            move |_, _| {
                                drop(early);
                                Ok(())
                            },
                            |_, ()| unreachable!("aborted"),
                        );
                    });
                    assert!(matches!(result, Err(Aborted)));
                    let result = s.speculate(Counted::new(&alive), |_, _| unreachable!("aborted"));
                    assert!(matches!(result, Err(Aborted)));
                    assert_eq!(s.first_of(0..3, |_, n| Ok(Some(n))), Err(Aborted));
                    Ok(())
                };
                p.spawn_each([()], child, |(), ()| unreachable!("aborted"));
            })
        });
        assert_eq!(alive.into_inner(), 0);
    }
}
