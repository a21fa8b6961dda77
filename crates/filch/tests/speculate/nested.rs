//! Speculations inside of speculations.

use crate::common::{Counted, assert_usable, await_value, eager_pool, must_end};
use crate::{MANY, WORKERS, has_other_threads};
use filch::{Aborted, SpeculativeStrand};
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
    let ((), ()) = s.speculate((), |s, inner| {
        if depth.is_multiple_of(2) {
            inner.spawn(move |s| endless(s, depth - 1, begun), |(), ()| unreachable!());
        } else {
            inner.spawn_each(s, [()], |s, ()| endless(s, depth - 1, begun), |(), ()| unreachable!());
        }
    })?;
    unreachable!("the outermost speculation has been aborted");
}

#[test]
fn the_abort_of_an_outer_speculation_ends_the_inner_ones() {
    if !has_other_threads() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(3);
        for depth in 1..6 {
            let begun = AtomicUsize::new(0);
            pool.run(|mut s| {
                s.speculate((), |_, outer| {
                    for _ in 0..2 {
                        outer.spawn(|s| endless(s, depth, &begun), |(), ()| unreachable!());
                    }
                    await_value(&begun, 1);
                    outer.abort();
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
            s.speculate(0, |s, outer| {
                let child = |mut s: SpeculativeStrand<'_>, n: usize| {
                    let (found, ()) = s.speculate(0, |s, inner| {
                        let inlet = |found: &mut usize, value| {
                            *found = value;
                            inner.abort();
                        };
                        inner.spawn_each(s, 0..10, |_, _| Ok(n), inlet);
                        assert!(inner.is_aborted() && !outer.is_aborted());
                    })?;
                    s.check()?;
                    Ok(found)
                };
                outer.spawn_each(s, 0..MANY, child, |sum, n| *sum += n);
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
            s.speculate((), |s, outer| {
                let child = |mut s: SpeculativeStrand<'_>, ()| {
                    // One that is under way when the outer one is aborted drops what has not begun.
                    let result = s.speculate(Counted::new(&alive), |_, inner| {
                        let early = Counted::new(&alive);
                        outer.abort();
                        inner.spawn(
                            move |_| {
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
                outer.spawn_each(s, [()], child, |(), ()| unreachable!("aborted"));
            })
        });
        assert_eq!(alive.into_inner(), 0);
    }
}
