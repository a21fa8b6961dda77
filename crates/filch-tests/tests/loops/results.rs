//! What a loop comes to: the results of its items, combined in their order.

use crate::append;
use crate::common::{self, eager_pool};
use filch::{Pool, Scheduler, Strand};
use std::sync::atomic::{AtomicU8, Ordering};

#[test]
fn every_item_is_run_once_and_results_are_combined_in_order() {
    for &workers in if cfg!(miri) { &[1, 3][..] } else { &[1, 2, 4, 8] } {
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
fn results_may_be_large_or_on_the_heap() {
    let pool = eager_pool(4);
    let len = if cfg!(miri) { 10 } else { 4000 };
    let large = pool.run(|mut s| {
        let add = |a: [u64; 256], b: [u64; 256]| std::array::from_fn(|i| a[i] + b[i]);
        s.map_reduce(0..len, || [0; 256], |_, i| std::array::from_fn(|j| i * j as u64), add)
    });
    assert_eq!(large, std::array::from_fn(|j| len * (len - 1) / 2 * j as u64));
    let boxed = pool.run(|mut s| s.map_reduce(0..len, || Box::new(0), |_, i| Box::new(i), |a, b| Box::new(*a + *b)));
    assert_eq!(*boxed, len * (len - 1) / 2);
}

/// The text of a tree of loops and joins: each iteration adds a letter that says where it is.
fn tree(mut s: Strand<'_>, depth: u32, width: u64) -> String {
    let letter = |i: u64| char::from(b'a' + (i % 26) as u8).to_string();
    match depth {
        // Without strands: a fork above a rung that a loop of a single block has opened and left.
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
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn loops_and_joins_nest_five_deep_under_any_schedule() {
    if common::is_under_another_scheduler() {
        return;
    }
    let (depth, width) = if cfg!(miri) { (3, 4) } else { (5, 9) };
    let expected =
        Pool::builder().scheduler(Scheduler::serial()).build().expect("a pool").run(|s| tree(s, depth, width));
    let seeds = if cfg!(miri) {
        1
    } else if cfg!(filch_sanitizer = "thread") {
        2
    } else {
        100
    };
    let chaos = (0..seeds).map(Scheduler::chaos);
    let others = ["cilk5,period=0ns", "default,period=0ns", "default,period=0ns,patience=0ns", "cilk5", "default"];
    let others = others.into_iter().take(if cfg!(miri) { 2 } else { others.len() });
    for scheduler in chaos.chain(others.map(|text| text.parse().expect("a scheduler"))) {
        for &workers in if cfg!(miri) { &[3][..] } else { &[2, 5] } {
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
