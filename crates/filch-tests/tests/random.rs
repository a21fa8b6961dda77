//! Random numbers by their place in the fork tree: the same under every schedule, and as good as random.
#![allow(missing_docs)]

mod common;

use common::eager_pool;
use filch::random::{RandomStrand, Stream};
use std::collections::HashSet;
use std::sync::Mutex;

const DEPTH: u32 = if cfg!(miri) { 2 } else { 8 };

/// All numbers of a tree with every construct, in the order of the serial program.
fn numbers(mut s: RandomStrand<'_>, depth: u32) -> Vec<u64> {
    let mut all = vec![s.random().next_u64()];
    if depth == 0 {
        return all;
    }
    let (mut a, mut b) = s.join(|s| numbers(s, depth - 1), |s| numbers(s, depth - 1));
    all.append(&mut a);
    all.push(s.random().next_u64());
    all.append(&mut b);
    if depth.is_multiple_of(2) {
        let mut drawn = [0; 5];
        s.for_each(&mut drawn, |mut s, drawn| *drawn = s.random().next_u64());
        all.extend(drawn);
        let draw = |mut s: RandomStrand<'_>, ()| vec![s.random().next_u64(), s.random().next_u64()];
        all.append(&mut s.map_reduce(&[(); 3], Vec::new, |s, &()| draw(s, ()), |a, b| [a, b].concat()));
        let (items, places) = ([0_usize; 3], [const { Mutex::new(0) }; 3]);
        s.for_each_item(items.iter().enumerate(), |mut s, (i, _)| {
            *places[i].lock().expect("no panic") = s.random().next_u64();
        });
        all.extend(places.map(|place| place.into_inner().expect("no panic")));
        let mut drawn = [0; 3];
        s.scope(|mut s, scope| {
            for drawn in &mut drawn {
                s.spawn(scope, move |mut s| *drawn = s.random().next_u64());
                all.push(s.random().next_u64());
            }
        });
        all.extend(drawn);
    }
    all.extend(numbers(s.reborrow(), 0));
    all.push(s.random().next_u64());
    all
}

/// The same numbers, from streams that are split where the paper has it, without any strand.
fn expected(stream: &mut Stream, depth: u32) -> Vec<u64> {
    let mut all = vec![stream.next_u64()];
    if depth == 0 {
        return all;
    }
    let (mut left, mut right) = (stream.split(), stream.split());
    all.append(&mut expected(&mut left, depth - 1));
    all.push(stream.next_u64());
    all.append(&mut expected(&mut right, depth - 1));
    if depth.is_multiple_of(2) {
        let loops = [stream.streams(), stream.streams(), stream.streams()];
        all.extend((0..5).map(|i| loops[0].at(i).next_u64()));
        all.extend((0..3).map(|i| loops[1].at(i)).flat_map(|mut stream| [stream.next_u64(), stream.next_u64()]));
        all.extend((0..3).map(|i| loops[2].at(i).next_u64()));
        let (mut body, mut tasks) = (stream.split(), Vec::new());
        for _ in 0..3 {
            tasks.push(body.split().next_u64());
            all.push(body.next_u64());
        }
        all.append(&mut tasks);
    }
    all.push(stream.split().next_u64());
    all.push(stream.next_u64());
    all
}

#[test]
fn numbers_do_not_depend_on_the_number_of_workers_and_come_from_their_places() {
    for seed in [0, 1, u64::MAX] {
        let expected = expected(&mut Stream::new(seed), DEPTH);
        for workers in if cfg!(miri) { 2..=2 } else { 1..=4 } {
            let found = eager_pool(workers).run(|mut s| s.with_random(seed, |s| numbers(s, DEPTH)));
            assert!(found == expected, "seed {seed}, {workers} workers");
        }
    }
}

#[test]
fn no_number_repeats_in_a_tree_nor_in_the_trees_of_other_seeds() {
    if common::is_under_another_scheduler() {
        // No pool is used.
        return;
    }
    let mut all: Vec<u64> = (0..20).flat_map(|seed| expected(&mut Stream::new(seed), DEPTH)).collect();
    let len = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), len);
}

/// The numbers of a stream, of the indices of a loop, and of leaves of joins, as many of each.
fn samples(n: usize) -> [Vec<u64>; 3] {
    fn leaves(mut stream: Stream, n: usize, all: &mut Vec<u64>) {
        if n == 1 {
            return all.push(stream.next_u64());
        }
        let (left, right) = (stream.split(), stream.split());
        leaves(left, n / 2, all);
        leaves(right, n - n / 2, all);
    }
    let (mut stream, mut of_leaves) = (Stream::new(2012), Vec::new());
    let streams = stream.streams();
    leaves(stream.split(), n, &mut of_leaves);
    let of_indices = (0..n as u64).map(|i| streams.at(i).next_u64()).collect();
    [(0..n).map(|_| stream.next_u64()).collect(), of_indices, of_leaves]
}

#[test]
fn a_million_numbers_do_not_repeat() {
    if common::is_under_another_scheduler() {
        // No pool is used.
        return;
    }
    let all = samples(if cfg!(miri) { 30 } else { 400_000 }).concat();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}

/// How far `counts` are from being equal: chi-square, as standard deviations from what is expected of random ones.
fn deviation(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let chi_square: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    (chi_square - freedom) / (2.0 * freedom).sqrt()
}

#[test]
#[cfg_attr(miri, ignore = "there are many numbers")]
fn bits_bytes_and_pairs_of_neighbours_are_as_frequent_as_random_ones() {
    if common::is_under_another_scheduler() {
        // No pool is used.
        return;
    }
    for sample in samples(1 << 18) {
        for bit in 0..64 {
            let ones = sample.iter().filter(|&&n| n >> bit & 1 == 1).count() as f64;
            let (mean, deviation) = (sample.len() as f64 / 2.0, (sample.len() as f64 / 4.0).sqrt());
            assert!((ones - mean).abs() < 5.0 * deviation, "bit {bit}: {ones} ones of {}", sample.len());
            // Whether a bit is the same in the next number.
            let same = sample.windows(2).filter(|pair| (pair[0] ^ pair[1]) >> bit & 1 == 0).count() as f64;
            assert!((same - mean).abs() < 5.0 * deviation, "bit {bit}: {same} times the same");
        }
        for shift in (0..64).step_by(8) {
            let (mut bytes, mut pairs) = (vec![0; 256], vec![0; 256]);
            for pair in sample.chunks_exact(2) {
                let [a, b] = [pair[0] >> shift, pair[1] >> shift];
                bytes[(a & 255) as usize] += 1;
                pairs[(a & 15 | (b & 15) << 4) as usize] += 1;
            }
            assert!(deviation(&bytes).abs() < 5.0, "byte at {shift}: {}", deviation(&bytes));
            assert!(deviation(&pairs).abs() < 5.0, "pairs at {shift}: {}", deviation(&pairs));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "there are many numbers")]
fn a_statistic_of_equal_counts_or_of_a_counter_is_rejected() {
    assert!(deviation(&[1000; 256]) < -5.0, "too even");
    let mut skewed = [1000; 256];
    skewed[..128].fill(1200);
    assert!(deviation(&skewed) > 5.0);
}

#[test]
fn numbers_below_a_bound_are_all_there_and_equally_likely() {
    if common::is_under_another_scheduler() {
        // No pool is used.
        return;
    }
    let mut random = Stream::new(3);
    let draws = if cfg!(miri) { 60 } else { 60_000 };
    for bound in [1, 2, 3, 6, 10] {
        let mut counts = vec![0_u64; bound as usize];
        (0..draws).for_each(|_| counts[random.below(bound) as usize] += 1);
        if bound > 1 && !cfg!(miri) {
            assert!(deviation(&counts).abs() < 5.0, "{counts:?}");
        }
    }
    // Of a bound just above 2^63, nearly half of the numbers must be drawn again.
    let bound = (1 << 63) + 1;
    let above = (0..draws).filter(|_| random.below(bound) >= 1 << 62).count() as f64;
    assert!((above / draws as f64 - 0.5).abs() < if cfg!(miri) { 0.4 } else { 0.02 });
    assert!((0..draws).all(|_| (7..9).contains(&random.range(7..9))));
    assert!((0..draws).all(|_| (0.0..1.0).contains(&random.next_f64())));
}

#[test]
fn all_orders_of_a_shuffle_are_equally_likely() {
    if common::is_under_another_scheduler() {
        // No pool is used.
        return;
    }
    let (mut random, mut counts) = (Stream::new(4), std::collections::BTreeMap::new());
    let times = if cfg!(miri) { 10 } else { 24_000 };
    for _ in 0..times {
        let mut items = [0, 1, 2, 3];
        random.shuffle(&mut items);
        *counts.entry(items).or_insert(0_u64) += 1;
    }
    assert!(counts.keys().all(|items| items.iter().collect::<HashSet<_>>().len() == 4));
    if !cfg!(miri) {
        let counts: Vec<u64> = counts.into_values().collect();
        assert!(counts.len() == 24 && deviation(&counts).abs() < 5.0, "{counts:?}");
    }
}

#[cfg(panic = "unwind")]
#[test]
fn a_bound_of_zero_and_an_empty_range_are_refused() {
    assert_eq!(common::panic_text(|| Stream::new(1).below(0)), "no number is below 0");
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let empty = 9..7;
    assert!(common::panic_text(|| Stream::new(1).range(empty)).contains("9..7"));
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
