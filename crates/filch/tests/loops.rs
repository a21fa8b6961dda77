//! What a loop comes to, whatever it runs over and whoever runs its parts.
#![allow(missing_docs)]

mod common;

use common::eager_pool;
use filch::{Indexed, Pool, Scheduler, Strand};
use std::sync::atomic::{AtomicU8, Ordering};

/// Puts two lists together.
fn append<T>(mut a: Vec<T>, mut b: Vec<T>) -> Vec<T> {
    a.append(&mut b);
    a
}

/// The items in the order in which their results are combined.
fn items<I: Indexed + Send>(pool: &Pool, of: I) -> Vec<I::Item>
where
    I::Item: Send,
{
    pool.run(|mut s| s.map_reduce(of, Vec::new, |_, item| vec![item], append))
}

#[test]
fn every_item_is_run_once_and_results_are_combined_in_order() {
    for workers in [1, 2, 4, 8] {
        let pool = eager_pool(workers);
        let lens: &[usize] = if cfg!(miri) { &[1, 70] } else { &[0, 1, 2, 3, 7, 64, 65, 1000, 5000] };
        for &len in lens {
            let seen: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(0)).collect();
            let order = pool.run(|mut s| {
                s.map_reduce(
                    0..len,
                    Vec::new,
                    |_, i| {
                        seen[i].fetch_add(1, Ordering::Relaxed);
                        vec![i]
                    },
                    append,
                )
            });
            assert_eq!(order, (0..len).collect::<Vec<_>>());
            assert!(seen.iter().all(|seen| seen.load(Ordering::Relaxed) == 1));
        }
    }
}

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
    check!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
}

#[test]
fn signed_ranges_pass_zero() {
    let pool = eager_pool(3);
    assert_eq!(items(&pool, i8::MIN..=i8::MAX), (i8::MIN..=i8::MAX).collect::<Vec<_>>());
    assert_eq!(items(&pool, i8::MIN..i8::MAX), (i8::MIN..i8::MAX).collect::<Vec<_>>());
    assert_eq!(items(&pool, u8::MIN..=u8::MAX), (u8::MIN..=u8::MAX).collect::<Vec<_>>());
    assert_eq!(items(&pool, -30..30_i64), (-30..30).collect::<Vec<i64>>());
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

#[test]
fn slices_vectors_and_arrays_run_item_by_item() {
    let pool = eager_pool(3);
    let len = if cfg!(miri) { 40 } else { 3000 };
    let mut xs: Vec<usize> = (0..len).collect();
    assert!(items(&pool, &xs).into_iter().eq(&xs));
    assert!(items(&pool, xs.as_slice()).into_iter().eq(&xs));
    assert!(items(&pool, &[7, 8, 9]).into_iter().eq(&[7, 8, 9]));
    assert!(items(&pool, &[0_u8; 0]).is_empty());
    pool.run(|mut s| s.for_each(&mut xs, |_, x| *x += 1));
    pool.run(|mut s| s.for_each(xs.as_mut_slice(), |_, x| *x *= 2));
    assert!(xs.iter().copied().eq((0..len).map(|x| (x + 1) * 2)));
    let mut array = [1; 33];
    pool.run(|mut s| s.for_each((&mut array, 0..33), |_, (x, i)| *x += i));
    assert!(array.into_iter().eq(1..34));
    // Handed out for as long as the slice is borrowed, not for as long as the loop lasts.
    let kept: Vec<&mut usize> = items(&pool, &mut xs);
    kept.into_iter().for_each(|x| *x = 5);
    assert!(xs.iter().all(|&x| x == 5));
}

#[test]
fn chunks_cut_as_the_standard_librarys_do() {
    let pool = eager_pool(3);
    let mut xs: Vec<usize> = (0..if cfg!(miri) { 20 } else { 100 }).collect();
    for size in [1, 2, 3, 7, 19, 20, 99, 100, 101, usize::MAX] {
        assert!(items(&pool, filch::chunks(&xs, size)).into_iter().eq(xs.chunks(size)), "{size}");
        let expected: Vec<Vec<usize>> = xs.chunks(size).map(<[usize]>::to_vec).collect();
        assert!(items(&pool, filch::chunks_mut(&mut xs, size)).iter().eq(&expected), "{size}");
    }
    assert!(items(&pool, filch::chunks(&[0; 0], 3)).is_empty());
    assert_eq!(common::panic_text(|| _ = filch::chunks(&[1], 0)), "chunks have at least one item");
    assert_eq!(common::panic_text(|| _ = filch::chunks_mut(&mut [1], 0)), "chunks have at least one item");
}

#[test]
fn what_is_walked_side_by_side_ends_with_the_shortest() {
    let pool = eager_pool(3);
    let (mut xs, ys, empty) = ([1; 50], [2; 31], [0; 0]);
    pool.run(|mut s| s.for_each((&mut xs, &ys), |_, (x, y)| *x += y));
    assert_eq!((&xs[..31], &xs[31..]), (&[3; 31][..], &[1; 19][..]));
    assert_eq!(items(&pool, (0..40, &ys, 5.., filch::chunks(&xs, 2))).len(), 25);
    assert_eq!(items(&pool, (0..40, (&ys, (0_u64.., 0..u64::MAX)))).len(), 31);
    assert!(items(&pool, (&ys, &empty)).is_empty());
}

#[test]
fn items_without_a_size_are_counted_like_others() {
    let pool = eager_pool(3);
    let len = if cfg!(miri) { 50 } else { 3000 };
    let mut xs = vec![(); len];
    assert_eq!(items(&pool, &xs).len(), len);
    assert_eq!(items(&pool, &mut xs).len(), len);
    assert_eq!(items(&pool, filch::chunks_mut(&mut xs, 7)).iter().map(|chunk| chunk.len()).sum::<usize>(), len);
    assert_eq!(pool.run(|mut s| s.map_reduce(0..len, || (), |_, _| (), |(), ()| ())), ());
}

#[test]
fn results_may_be_large_or_on_the_heap() {
    let pool = eager_pool(4);
    let len = if cfg!(miri) { 30 } else { 4000 };
    let large = pool.run(|mut s| {
        let add = |a: [u64; 256], b: [u64; 256]| std::array::from_fn(|i| a[i] + b[i]);
        s.map_reduce(0..len, || [0; 256], |_, i| std::array::from_fn(|j| i * j as u64), add)
    });
    assert_eq!(large, std::array::from_fn(|j| len * (len - 1) / 2 * j as u64));
    let boxed = pool.run(|mut s| s.map_reduce(0..len, || Box::new(0), |_, i| Box::new(i), |a, b| Box::new(*a + *b)));
    assert_eq!(*boxed, len * (len - 1) / 2);
}

/// A tree of loops and joins, of which each leaf adds a letter that says where it is.
fn tree(mut s: Strand<'_>, depth: u32, width: u64) -> String {
    let letter = |i: u64| char::from(b'a' + (i % 26) as u8).to_string();
    match depth {
        // Without strands: a fork above a rung that a loop of one block has opened and left.
        0 => {
            let one = || filch::map_reduce(0..1, String::new, |_, _| "-".to_string(), |a, b| a + &b);
            let (a, b) = filch::join(one, || ".".to_string());
            a + &b + &one()
        }
        _ if depth % 2 == 1 => {
            let map = |s: Strand<'_>, i| letter(i) + &tree(s, depth - 1, width);
            s.map_reduce(0..width, String::new, map, |a, b| a + &b)
        }
        _ => {
            let (a, b) = s.join(|s| tree(s, depth - 1, width), |s| tree(s, depth - 1, width / 2));
            format!("({a}{b})")
        }
    }
}

#[test]
fn loops_and_joins_nest_five_deep_under_any_schedule() {
    if common::is_under_another_scheduler() {
        return;
    }
    let (depth, width) = if cfg!(miri) { (3, 5) } else { (5, 9) };
    let expected =
        Pool::builder().scheduler(Scheduler::serial()).build().expect("a pool").run(|s| tree(s, depth, width));
    let seeds = if cfg!(any(miri, filch_sanitizer = "thread")) { 2 } else { 400 };
    let chaos = (0..seeds).map(Scheduler::chaos);
    let others = ["cilk5,period=0ns", "default,period=0ns", "default,period=0ns,patience=0ns", "cilk5", "default"];
    for scheduler in chaos.chain(others.map(|text| text.parse().expect("a scheduler"))) {
        for workers in [2, 5] {
            let pool = Pool::builder().workers(workers).scheduler(scheduler.clone()).build().expect("a pool");
            for _ in 0..if cfg!(miri) { 1 } else { 3 } {
                assert_eq!(pool.run(|s| tree(s, depth, width)), expected, "{scheduler}, {workers} workers");
            }
        }
    }
}

#[test]
fn five_loops_inside_each_other_come_to_the_product() {
    fn count(mut s: Strand<'_>, loops: u32) -> u64 {
        if loops == 0 {
            return 1;
        }
        s.map_reduce(0..WIDTH, || 0, |s, _| count(s, loops - 1), |a, b| a + b)
    }
    const WIDTH: u64 = if cfg!(miri) { 2 } else { 7 };
    for workers in [1, 4] {
        assert_eq!(eager_pool(workers).run(|s| count(s, 5)), WIDTH.pow(5));
    }
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_every_scheduler() {
    common::run_under_every_scheduler();
}
