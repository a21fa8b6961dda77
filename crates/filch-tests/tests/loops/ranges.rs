//! Loops over ranges of integers, up to their first and last ones.

use crate::common::{self, eager_pool};
use crate::items;

#[test]
fn ranges_of_all_integers_run_from_their_start_to_before_their_end() {
    let pool = eager_pool(3);
    macro_rules! check {
        ($($int:ty),*) => {$({
            let (min, max) = (<$int>::MIN, <$int>::MAX);
            assert_eq!(items(&pool, 3..(3 as $int)), []);
            #[allow(clippy::reversed_empty_ranges)]
            {
                assert_eq!(items(&pool, 4..(3 as $int)), []);
                assert_eq!(items(&pool, max..min), []);
                assert_eq!(items(&pool, max..=min), []);
            }
            assert_eq!(items(&pool, min..min + 20), (min..min + 20).collect::<Vec<_>>());
            assert_eq!(items(&pool, max - 20..max), (max - 20..max).collect::<Vec<_>>());
            assert_eq!(items(&pool, max - 20..=max), (max - 20..=max).collect::<Vec<_>>(), "with the last one");
            assert_eq!(items(&pool, max..=max), [max]);
            assert_eq!(items(&pool, (max - 20.., [0; 9].as_slice())).last(), Some(&(max - 12, &0)));
        })*};
    }
    check!(i64);
    // The rest differ in arithmetic only, which is safe code.
    if !cfg!(miri) {
        check!(u8, u16, u32, u64, usize, i8, i16, i32, isize);
    }
}

#[test]
fn signed_ranges_pass_zero() {
    let pool = eager_pool(3);
    assert_eq!(items(&pool, -30..30_i64), (-30..30).collect::<Vec<i64>>());
    if cfg!(miri) {
        return;
    }
    assert_eq!(items(&pool, i8::MIN..=i8::MAX), (i8::MIN..=i8::MAX).collect::<Vec<_>>());
    assert_eq!(items(&pool, i8::MIN..i8::MAX), (i8::MIN..i8::MAX).collect::<Vec<_>>());
    assert_eq!(items(&pool, u8::MIN..=u8::MAX), (u8::MIN..=u8::MAX).collect::<Vec<_>>());
    assert_eq!(items(&pool, -30..=30_isize), (-30..=30).collect::<Vec<isize>>());
}

#[test]
fn an_inclusive_range_that_has_been_iterated_to_its_end_is_empty() {
    let mut range = 0..=3_u32;
    assert_eq!(range.by_ref().count(), 4);
    assert_eq!(items(&eager_pool(2), range), []);
}

#[test]
fn numbers_beside_items_suffice_for_all_of_them_or_none_is_run() {
    let pool = eager_pool(2);
    let sum = pool.run(|mut s| s.map_reduce((0_u8.., &[(); 256]), || 0, |_, (i, ())| u32::from(i), |a, b| a + b));
    assert_eq!(sum, 255 * 256 / 2);
    assert_eq!(items(&pool, (7.., &[0; 0])), []);
    assert_eq!(items(&pool, 250_u8..), [250, 251, 252, 253, 254, 255]);
    let text = common::panic_text(|| {
        pool.run(|mut s| s.for_each(((-128_i8.., &[(); 257]), 0..1000), |_, _| unreachable!("nothing is begun")));
    });
    assert!(text.contains("too few numbers for 257 items"), "{text}");
}

#[test]
fn a_range_of_two_to_the_64_is_refused() {
    let text = common::panic_text(|| filch::for_each(u64::MIN..=u64::MAX, |_, _| ()));
    assert!(text.contains("at most 2^64 - 1 iterations"), "{text}");
}
