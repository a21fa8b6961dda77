//! Where loops run, how they are divided, and loops within loops.

#[path = "../../filch-tests/tests/common/mod.rs"]
mod common;

use common::{eager_pool, must_end};
use filch_rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

const MANY: usize = if cfg!(miri) { 30 } else { 3000 };

#[test]
fn items_run_on_the_workers_of_the_run() {
    for workers in [1, 2, 4] {
        eager_pool(workers).run(|_| {
            let places: Vec<Option<usize>> =
                (0..MANY).into_par_iter().filch().with_max_len(1).map(|_| filch::current_worker()).collect();
            assert!(places.iter().all(|place| place.is_some_and(|place| place < workers)));
        });
    }
}

#[test]
fn a_loop_outside_of_any_run_works_on_the_global_pool() {
    let is_inside = |_| usize::from(filch::current_worker().is_some());
    let inside: usize = (0..MANY).into_par_iter().filch().with_max_len(1).map(is_inside).sum();
    assert_eq!(inside, MANY);
    let from_a_thread = std::thread::spawn(|| (0..MANY).into_par_iter().filch().with_max_len(1).sum::<usize>());
    assert_eq!(from_a_thread.join().unwrap(), MANY * (MANY - 1) / 2);
}

#[test]
fn no_block_is_longer_than_the_maximum_and_no_half_shorter_than_the_minimum() {
    let pool = eager_pool(3);
    for (min, max) in [(1, 1), (1, 7), (10, 20), (10, 1), (MANY, 1), (1, MANY), (MANY / 2, 1)] {
        let loops = || (0..MANY).into_par_iter().filch().with_min_len(min).with_max_len(max);
        let lens: Vec<usize> = pool.run(|_| loops().fold(|| 0, |len, _| len + 1).collect());
        assert_eq!(lens.iter().sum::<usize>(), MANY);
        assert!(lens.iter().all(|&len| len >= min), "{lens:?} with at least {min}");
        assert!(lens.iter().all(|&len| len <= max || len / 2 < min), "{lens:?} with at most {max}");
    }
}

#[test]
fn once_an_item_is_found_no_block_begins() {
    eager_pool(1).run(|_| {
        let calls = AtomicUsize::new(0);
        let is_first = |&i: &usize| {
            calls.fetch_add(1, Ordering::Relaxed);
            i == 0
        };
        assert_eq!((0..MANY).into_par_iter().filch().with_max_len(1).find_any(is_first), Some(0));
        assert_eq!(calls.into_inner(), 1);
        let sum = |so_far: usize, i: usize| if i < 10 { Some(so_far + i) } else { None };
        assert_eq!((0..MANY).into_par_iter().filch().with_max_len(3).try_fold(|| 0, sum).try_reduce(|| 0, sum), None);
    });
}

#[test]
fn loops_nest_in_each_other_and_in_joins() {
    let rows: Vec<Vec<u64>> = (0..MANY as u64 / 10).map(|row| (0..row % 37).collect()).collect();
    let expected: u64 = rows.iter().flatten().sum();
    let sum = || rows.par_iter().filch().map(|row| row.par_iter().filch().with_max_len(5).sum::<u64>()).sum::<u64>();
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        assert_eq!(pool.run(|_| sum()), expected);
        assert_eq!(pool.run(|_| filch::join(sum, || filch::join(sum, sum))), (expected, (expected, expected)));
        let flat = || rows.par_iter().filch().flat_map(|row| row.par_iter().filch().with_max_len(2).copied());
        let flattened: Vec<u64> = pool.run(|_| flat().collect());
        assert_eq!(flattened, rows.concat());
    }
    assert_eq!(filch::join(sum, sum), (expected, expected));
}

#[test]
fn a_loop_can_be_its_own_ancestor() {
    fn leaves(depth: u64) -> u64 {
        if depth == 0 { 1 } else { (0..3_u32).into_par_iter().filch().map(|_| leaves(depth - 1)).sum() }
    }
    let depth = if cfg!(miri) { 2 } else { 7 };
    for workers in [1, 2, 4] {
        assert_eq!(eager_pool(workers).run(|_| leaves(depth)), 3_u64.pow(depth as u32));
    }
}

/// Where one worker must not keep what it has begun: the first item waits until the second one has begun.
#[test]
fn what_is_left_of_a_loop_is_visible_while_a_block_runs() {
    must_end(|| {
        common::again_where_work_is_taken(2, |pool| {
            let begun = AtomicUsize::new(0);
            pool.run(|_| {
                (0..2_u32).into_par_iter().filch().with_max_len(1).for_each(|_| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    common::await_value(&begun, 2);
                });
            });
        });
    });
}

#[test]
fn skipped_items_are_made_and_dropped() {
    for workers in [1, 2, 4] {
        let made = AtomicUsize::new(0);
        let make = |i| {
            made.fetch_add(1, Ordering::Relaxed);
            Box::new(i)
        };
        let rest = || (0..MANY).into_par_iter().filch().with_max_len(3).map(make).skip(MANY / 2).map(|i| *i).min();
        assert_eq!(eager_pool(workers).run(|_| rest()), Some(MANY / 2));
        assert_eq!(made.into_inner(), MANY);
    }
}

/// On rayon's pool, which Miri rejects: crossbeam-epoch makes pointers from integers.
#[cfg(not(miri))]
#[test]
fn a_rayon_adaptor_around_it_is_still_right() {
    let items: Vec<usize> = (0..MANY).collect();
    let around: Vec<(usize, &usize)> = items.par_iter().zip(items.par_iter().filch()).map(|(a, b)| (*a, b)).collect();
    assert!(around.iter().all(|(a, b)| a == *b));
    let again: usize = items.par_iter().zip(items.par_iter().filch()).filch().map(|(a, b)| a * b).sum();
    assert_eq!(again, items.iter().map(|x| x * x).sum());
}

#[test]
fn authors_can_drive_their_own_producers() {
    let len: usize = filch_rayon::bridge((0..MANY).into_par_iter(), Counting);
    assert_eq!(len, MANY);
}

/// A consumer that counts.
struct Counting;

struct Counted(usize);

impl<T> rayon::iter::plumbing::Consumer<T> for Counting {
    type Folder = Counted;
    type Reducer = Counting;
    type Result = usize;

    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (Counting, Counting, Counting)
    }

    fn into_folder(self) -> Counted {
        Counted(0)
    }

    fn full(&self) -> bool {
        false
    }
}

impl<T> rayon::iter::plumbing::Folder<T> for Counted {
    type Result = usize;

    fn consume(self, _: T) -> Self {
        Counted(self.0 + 1)
    }

    fn complete(self) -> usize {
        self.0
    }

    fn full(&self) -> bool {
        false
    }
}

impl rayon::iter::plumbing::Reducer<usize> for Counting {
    fn reduce(self, left: usize, right: usize) -> usize {
        left + right
    }
}

#[cfg(not(miri))]
#[test]
fn loops_run_under_other_schedulers() {
    common::run_under_other_schedulers();
}
