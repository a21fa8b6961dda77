//! Loops with affinity run each item once, whoever had it last.

use crate::common::eager_pool;
use filch::Affinity;
use std::sync::atomic::{AtomicU64, Ordering};

const MANY: usize = if cfg!(miri) { 20 } else { 200 };

/// How often a loop runs.
const TIMES: u64 = if cfg!(miri) { 2 } else { 4 };

#[test]
fn each_item_is_run_once_in_every_loop_whatever_its_length_and_the_pool() {
    let mut affinity = Affinity::new();
    // The lengths and the pools change, so that parts and workers do.
    let loops = [(3, 1000), (3, 1000), (2, 1000), (2, 31), (3, 0), (3, 1), (1, 40), (3, 40)];
    for &(workers, len) in if cfg!(miri) { &[(3, 8), (2, 5)] } else { &loops[..] } {
        let mut items = vec![0_u64; len];
        let sum = AtomicU64::new(0);
        eager_pool(workers).run(|mut s| {
            for _ in 0..TIMES {
                s.for_each_affine(&mut affinity, (0_u64.., &mut items), |_, (i, item)| {
                    *item += 1;
                    sum.fetch_add(i, Ordering::Relaxed);
                });
            }
        });
        assert!(items.iter().all(|&item| item == TIMES), "{workers} workers, {len} items");
        assert_eq!(sum.into_inner(), TIMES * (0..len as u64).sum::<u64>());
    }
}

#[test]
fn bodies_may_fork_and_run_loops_with_affinity_of_their_own() {
    let (half, count) = if cfg!(miri) { (3, 2) } else { (20, 20) };
    let (mut affinity, mut rows) = (Affinity::new(), vec![vec![1_u64; 2 * half]; count]);
    eager_pool(3).run(|mut s| {
        for _ in 0..2 {
            s.for_each_affine(&mut affinity, &mut rows, |mut s, row| {
                let mut own = Affinity::new();
                let (left, right) = row.split_at_mut(half);
                s.join(
                    |mut s| s.for_each_affine(&mut own, left, |_, x| *x *= 2),
                    |mut s| s.for_each(right, |_, x| *x *= 3),
                );
            });
        }
    });
    assert!(rows.iter().all(|row| row[..half].iter().all(|&x| x == 4) && row[half..].iter().all(|&x| x == 9)));
}

#[cfg(panic = "unwind")]
#[test]
fn after_a_panic_the_affinity_serves_another_loop() {
    let (mut affinity, mut items) = (Affinity::new(), vec![0; MANY]);
    let pool = eager_pool(3);
    let first = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        pool.run(|mut s| {
            s.for_each_affine(&mut affinity, 0..MANY, |_, i| assert_ne!(i, MANY / 2, "the one in the middle"))
        });
    }));
    assert!(first.is_err());
    pool.run(|mut s| s.for_each_affine(&mut affinity, &mut items, |_, item| *item += 1));
    assert!(items.iter().all(|&item| item == 1));
}
