//! The first alternative that succeeds.

use crate::common::{assert_usable, await_value, eager_pool, must_end};
use crate::{MANY, WORKERS, has_other_threads};
use filch::SpeculativeStrand;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn one_of_those_that_succeed_is_found_and_none_if_none_does() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let found = pool.run(|mut s| s.first_of(0.., |_, n| Ok((n % 100 == 99).then_some(n))));
        assert!(found.is_some_and(|n| n % 100 == 99), "{found:?}");
        let tried = AtomicUsize::new(0);
        let found = pool.run(|mut s| {
            s.first_of(0..MANY, |_, _| {
                tried.fetch_add(1, Ordering::Relaxed);
                Ok(None::<()>)
            })
        });
        assert_eq!((found, tried.into_inner()), (None, MANY));
        assert_usable(&pool);
    }
}

#[test]
fn the_alternatives_that_have_not_succeeded_are_aborted() {
    if !has_other_threads() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(3);
        let begun = AtomicUsize::new(0);
        let attempt = |mut s: SpeculativeStrand<'_>, n| {
            begun.fetch_add(1, Ordering::SeqCst);
            if n == 0 {
                // Endless, unless it is aborted; the rest moves to another worker.
                loop {
                    s.join(|_| Ok(()), |_| Ok(()))?;
                    std::thread::yield_now();
                }
            }
            Ok(Some(n))
        };
        let found = pool.run(|mut s| s.first_of([0, 1], attempt));
        assert_eq!(found, Some(1));
        await_value(&begun, 2);
    });
}

#[test]
fn free_functions_do_the_same() {
    assert_eq!(filch::first_of([1, 2, 3], |_, n| Ok((n == 2).then_some(n))), Some(2));
    let (sum, count) = filch::speculate(0, |p, _| {
        p.spawn_add(|_, _| Ok(1));
        p.spawn_each(2..4, |_, _, n| Ok(n), |sum, n| *sum += n);
        p.with(|_| 2)
    });
    assert_eq!((sum, count), (6, Ok(2)));
}
