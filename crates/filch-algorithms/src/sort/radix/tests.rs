//! Every order, and keys that panic or change.

use super::*;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

fn assert_sorts<K: RadixKey + Ord + Debug>(mut make: impl FnMut() -> K) {
    for len in [0, 1, 2, 33, 100, 2000, if cfg!(miri) { 300 } else { 60_000 }] {
        let items: Vec<(K, usize)> = (0..len).map(|index| (make(), index)).collect();
        let (mut sorted, mut expected) = (items.clone(), items.clone());
        radix_sort_by_key(&mut sorted, |item| item.0);
        expected.sort_by_key(|item| item.0);
        assert_eq!(sorted, expected);
        assert_eq!(radix_sorted_by_key(&items, |item| item.0), expected);
    }
}

#[test]
fn keys_of_all_types_are_sorted_stably() {
    let mut random = fastrand::Rng::with_seed(5);
    assert_sorts(|| random.u8(..));
    assert_sorts(|| random.i8(..));
    assert_sorts(|| random.u16(..));
    assert_sorts(|| random.i16(..));
    assert_sorts(|| random.u32(..));
    assert_sorts(|| random.i32(..));
    assert_sorts(|| random.u64(..) << random.u32(0..64));
    assert_sorts(|| random.i64(..) >> random.u32(0..64));
    assert_sorts(|| random.u128(..));
    assert_sorts(|| random.i128(..));
    assert_sorts(|| random.usize(..));
    assert_sorts(|| random.isize(..));
    assert_sorts(|| 7_u64);
    // One digit, and three: the items are in the buffer in the end.
    assert_sorts(|| random.u64(0..200));
    assert_sorts(|| random.u32(0..1 << 24));
    // Few keys far apart, and most items with one key.
    assert_sorts(|| random.u64(..) & 0x8000_0001_0000_4001);
    assert_sorts(|| random.u64(0..1 << 40) >> random.u32(0..400).min(40));
    // Groups that share their upper bits, and a key that shares none with the others.
    assert_sorts(|| u128::from(random.u32(0..900)) << 96 | u128::from(random.u64(0..1 << 40)));
    assert_sorts(|| if random.u32(0..5000) == 0 { u64::MAX } else { random.u64(0..1 << 24) });
}

#[test]
fn floating_point_numbers_are_sorted_in_their_total_order() {
    let mut random = fastrand::Rng::with_seed(14);
    let special = [0.0, -0.0, 1.0, -1.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
    let mut numbers: Vec<f64> = (0..1000).map(|i| special.get(i).copied().unwrap_or(random.f64() - 0.5)).collect();
    let mut single: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
    let (mut expected, mut expected_single) = (numbers.clone(), single.clone());
    expected.sort_by(f64::total_cmp);
    expected_single.sort_by(f32::total_cmp);
    radix_sort(&mut numbers);
    radix_sort(&mut single);
    assert!(numbers.iter().map(|x| x.to_bits()).eq(expected.iter().map(|x| x.to_bits())));
    assert!(single.iter().map(|x| x.to_bits()).eq(expected_single.iter().map(|x| x.to_bits())));
}

#[test]
fn a_key_that_panics_or_changes_loses_and_doubles_nothing() {
    let len = if cfg!(miri) { 200 } else { 20_000 };
    let pool = filch::Pool::builder().workers(3).build().expect("a pool");
    for last in (0..).map(|round| round * len / 3).take_while(|&last| last < 8 * len) {
        for changes in [false, true] {
            let mut items: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
            let mut expected = items.clone();
            let calls = AtomicUsize::new(0);
            let sorted = catch_unwind(AssertUnwindSafe(|| {
                pool.run(|_| {
                    radix_sort_by_key(&mut items, |&item| {
                        let is_over = calls.fetch_add(1, Ordering::Relaxed) >= last;
                        assert!(!is_over || changes);
                        if is_over { !item } else { item }
                    });
                });
            }));
            if let (Err(panic), true) = (sorted, changes) {
                let message = panic.downcast_ref::<&str>().map(|text| text.to_string());
                let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
                let message = message.expect("a message");
                // The standard library's sort has another.
                assert!(message.contains(CHANGED) || message.contains("total order"), "{message}");
            }
            items.sort_unstable();
            expected.sort_unstable();
            assert_eq!(items, expected);
        }
    }
}
