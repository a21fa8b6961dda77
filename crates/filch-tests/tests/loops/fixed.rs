//! Reductions of fixed shape, on deterministic pools.

use crate::common::{assert_usable, scheduler};
use filch::{Pool, Strand};

const N: u64 = if cfg!(miri) { 40 } else { 20_000 };

fn pool(workers: usize) -> Pool {
    let pool = Pool::builder().workers(workers).scheduler(scheduler()).deterministic(true).build();
    pool.expect("a small pool")
}

/// A hash of what is combined with what: the operation is far from associative.
fn shape(s: &mut Strand<'_>, n: u64) -> u64 {
    let combine = |a: u64, b: u64| a.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) ^ b.wrapping_add(1);
    s.map_reduce(0..n, || 3, |_, i| i, combine)
}

/// A sum that depends on the order of additions.
fn sum(s: &mut Strand<'_>, n: u64) -> f64 {
    // By multiplication, because Miri makes the last digit of a power random.
    s.map_reduce(0..n, || 0.0, |_, i| 0.1 * (1_u64 << (i * 7919 % 61)) as f64, |a, b| a + b)
}

#[test]
fn the_shape_depends_on_the_number_of_items_alone() {
    let serial = Pool::builder().scheduler(filch::Scheduler::serial()).deterministic(true).build().expect("a pool");
    let (odd, rounds) = if cfg!(miri) { (11, 1) } else { (511, 3) };
    for n in [0, 1, 2, odd, N - 1, N] {
        let expected = serial.run(|mut s| (shape(&mut s, n), sum(&mut s, n).to_bits()));
        for workers in 1..=if cfg!(miri) { 2 } else { 4 } {
            let pool = pool(workers);
            assert!(pool.is_deterministic());
            for _ in 0..rounds {
                assert_eq!(pool.run(|mut s| (shape(&mut s, n), sum(&mut s, n).to_bits())), expected);
                // Inside other code, and without a strand.
                let inside = pool.run(|mut s| {
                    let mut sums = [0; 3];
                    s.for_each(&mut sums, |mut s, found| *found = shape(&mut s, n));
                    let first = filch::map_reduce(0..n, || 0.0, |_, i| 1.0 / (i + 1) as f64, |a: f64, b| a + b);
                    (sums, first.to_bits())
                });
                assert_eq!(inside.0, [expected.0; 3]);
                let alone = serial.run(|mut s| s.map_reduce(0..n, || 0.0, |_, i| 1.0 / (i + 1) as f64, |a, b| a + b));
                assert_eq!(inside.1, alone.to_bits());
            }
        }
    }
}

#[test]
fn results_of_a_fixed_shape_stay_in_order_and_the_first_panic_is_passed_on() {
    let pool = pool(3);
    let list = pool.run(|mut s| s.map_reduce(0..N, Vec::new, |_, i| vec![i], |a, b| [a, b].concat()));
    assert!(list.into_iter().eq(0..N));
    #[cfg(panic = "unwind")]
    {
        let map = |_: Strand<'_>, i| assert!(i != N / 2 && i != N - 1, "item {i}");
        let text = crate::common::panic_text(|| pool.run(|mut s| s.map_reduce(0..N, || (), map, |(), ()| ())));
        assert_eq!(text, format!("item {}", N / 2));
    }
    assert_usable(&pool);
}

#[test]
fn a_pool_is_not_deterministic_unless_it_is_told_so() {
    assert!(!Pool::builder().workers(1).build().expect("a pool").is_deterministic());
}
