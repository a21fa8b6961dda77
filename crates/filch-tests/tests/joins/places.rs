//! Where joins can be: in each other, with stale strands, in runs of several pools.

use crate::common::{self, SendWrapper, await_value, eager_pool};
use filch::Strand;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn explicit_and_implicit_joins_nest_in_each_other() {
    fn explicit(mut s: Strand<'_>, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = s.join(|_| implicit(n - 1), |s| explicit(s, n - 2));
        a + b
    }
    fn implicit(n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = filch::join(|| filch::run(|s| explicit(s, n - 1)), || implicit(n - 2));
        a + b
    }
    let n = if cfg!(miri) { 5 } else { 20 };
    let expected = (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        assert_eq!(pool.run(|s| explicit(s, n)), expected);
        assert_eq!(pool.run(|_| implicit(n)), expected);
        assert_eq!(pool.counters().stale_forks, 0, "a hint is no stale strand");
    }
}

#[test]
fn a_stale_strand_smuggled_into_an_implicit_join_does_no_harm() {
    for workers in [1, 2] {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 2 } else { 200 } {
            let (from_stale, (sum, kept)) = pool.run(|mut s| {
                let mut stale = SendWrapper::new(s.reborrow());
                let payload = vec![1_u64; 100];
                let result = filch::join(
                    || {
                        // Its rung holds the frame of the join around it.
                        let (a, b) = stale.get().expect("on its own thread").join(|_| 1, |_| 2);
                        let (c, d) =
                            stale.get().expect("on its own thread").join(|mut s| s.join(|_| 3, |_| 4).1, |_| 5);
                        a + b + c + d
                    },
                    || (payload.iter().sum::<u64>(), payload.len()),
                );
                // Afterwards this strand is as before.
                assert_eq!(s.join(|_| 6, |_| 7), (6, 7));
                result
            });
            assert_eq!((from_stale, sum, kept), (12, 100, 100));
        }
        // With one worker, no other is idle, so the join around leaves its frame on the ladder, unless a beat is due.
        let must_show = workers == 1 && !common::scheduler().to_string().starts_with("heartbeat");
        assert!(!must_show || pool.counters().stale_forks > 0, "the smuggled strand was caught");
    }
}

/// After a run of another pool a thread is back where it was: an implicit join goes to the outer pool's ladder.
#[test]
fn an_implicit_join_after_a_nested_run_belongs_to_the_outer_pool() {
    if !common::takes() {
        return;
    }
    let (outer, inner) = (eager_pool(2), eager_pool(1));
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let begun = AtomicUsize::new(0);
        outer.run(|_| {
            assert_eq!(inner.run(|_| filch::join(|| 1, || 2)), (1, 2));
            // Ends only if another worker takes the second branch, and the inner pool has none.
            filch::join(|| await_value(&begun, 1), || begun.store(1, Ordering::SeqCst));
        });
    }
}

/// A strand of one pool, used inside a run of another on the same thread: its forks go to its own pool's ladder, and
/// the thread goes on in the inner pool afterwards.
#[test]
fn a_strand_smuggled_into_another_pools_run_does_no_harm() {
    if !common::takes() {
        return;
    }
    let (outer, inner) = (eager_pool(2), eager_pool(1));
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let begun = AtomicUsize::new(0);
        outer.run(|mut s| {
            let mut smuggled = SendWrapper::new(s.reborrow());
            inner.run(|_| {
                assert_eq!(filch::num_workers(), 1);
                // Taken, so that this thread waits and helps on the outer ladder.
                let (_, sum) = smuggled.get().expect("on its own thread").join(
                    |_| await_value(&begun, 1),
                    |mut s| {
                        begun.store(1, Ordering::SeqCst);
                        let (a, b) = s.join(|_| filch::join(|| 1, || 2), |_| filch::join(|| 3, || 4));
                        a.0 + a.1 + b.0 + b.1
                    },
                );
                assert_eq!(sum, 10);
                assert_eq!(filch::num_workers(), 1, "back in the inner pool");
                assert_eq!(inner.run(|mut s| s.join(|_| filch::join(|| 1, || 2).1, |_| 3)), (2, 3));
            });
        });
    }
}
