//! The value is that of plain variables in the serial program.

use crate::ROUNDS;
use crate::common::{self, eager_pool, tasks};
use filch::monoids::{Append, Max, Min, Monoid, Sum};
use filch::{Pool, Reducer, Scheduler, Strand};

/// Leaves of a tree.
const LEAVES: u64 = if cfg!(miri) { 14 } else { 600 };

/// 2×2 matrices modulo a prime: a product that hardly ever commutes.
struct Product;

type Matrix = [[u64; 2]; 2];

impl Monoid for Product {
    type View = Matrix;

    fn identity(&self) -> Matrix {
        [[1, 0], [0, 1]]
    }

    fn combine(&self, left: &mut Matrix, right: Matrix) {
        *left = left.map(|row| [0, 1].map(|j| (row[0] * right[0][j] + row[1] * right[1][j]) % 1_000_003));
    }
}

/// Everything that a walk reports to.
struct Report {
    text: Reducer<Append<String>>,
    list: Reducer<Append<Vec<u64>>>,
    product: Reducer<Product>,
    sum: Reducer<Sum<u64>>,
    least: Reducer<Min<u64>>,
    greatest: Reducer<Max<u64>>,
}

type Value = (String, Vec<u64>, Matrix, u64, Option<u64>, Option<u64>);

impl Report {
    fn new() -> Self {
        Report {
            text: Reducer::new(Append::new()),
            list: Reducer::new(Append::new()),
            product: Reducer::new(Product),
            sum: Reducer::new(Sum::new()),
            least: Reducer::new(Min::new()),
            greatest: Reducer::new(Max::new()),
        }
    }

    fn note(&self, n: u64) {
        self.text.update(|text| text.push_str(&format!("{n},")));
        // Not everything everywhere, so that views of one reducer are missing where another has some.
        if !n.is_multiple_of(3) {
            self.list.put(vec![n, n * n]);
        }
        if n % 5 != 1 {
            self.product.put([[n % 7, 1], [n % 11, 2]]);
        }
        if n.is_multiple_of(2) {
            self.sum.update(|sum| *sum += n);
            self.least.put(Some(n));
            self.greatest.put(Some(n));
        }
    }

    fn into_inner(self) -> Value {
        (
            self.text.into_inner(),
            self.list.into_inner(),
            self.product.into_inner(),
            self.sum.into_inner(),
            self.least.into_inner(),
            self.greatest.into_inner(),
        )
    }
}

/// What a walk over `lo..hi` reports: the places between its forks, too. Branches are of unequal size.
fn walk(s: Option<Strand<'_>>, lo: u64, hi: u64, skew: u64, report: &Report) {
    if hi - lo < 2 {
        return report.note(lo);
    }
    let middle = lo + ((hi - lo) / skew).max(1);
    report.note(1000 + lo);
    match s {
        // In turns, with and without a strand.
        Some(mut s) if lo.is_multiple_of(2) => {
            s.join(|s| walk(Some(s), lo, middle, skew, report), |s| walk(Some(s), middle, hi, skew, report));
            s.for_each(0..lo % 4, |_, i| report.note(2000 + lo + i));
            if lo.is_multiple_of(3) {
                s.join(|s| walk(Some(s), hi, hi + 3, 2, report), |_| report.note(hi));
            }
        }
        Some(_) => {
            filch::join(|| walk(None, lo, middle, skew, report), || walk(None, middle, hi, skew, report));
            report.note(3000 + lo);
        }
        None => {
            filch::join(|| walk(None, lo, middle, skew, report), || walk(None, middle, hi, skew, report));
        }
    }
}

/// The same without a fork.
fn walk_serially(is_explicit: bool, lo: u64, hi: u64, skew: u64, note: &mut dyn FnMut(u64)) {
    if hi - lo < 2 {
        return note(lo);
    }
    let middle = lo + ((hi - lo) / skew).max(1);
    note(1000 + lo);
    let stays = is_explicit && lo.is_multiple_of(2);
    walk_serially(stays, lo, middle, skew, note);
    walk_serially(stays, middle, hi, skew, note);
    if stays {
        (0..lo % 4).for_each(|i| note(2000 + lo + i));
        if lo.is_multiple_of(3) {
            walk_serially(true, hi, hi + 3, 2, note);
            note(hi);
        }
    } else if is_explicit {
        note(3000 + lo);
    }
}

/// Computed with plain variables.
fn serial(skew: u64) -> Value {
    let mut value = (String::new(), Vec::new(), Product.identity(), 0, None, None);
    walk_serially(true, 0, LEAVES, skew, &mut |n| {
        value.0.push_str(&format!("{n},"));
        if !n.is_multiple_of(3) {
            value.1.extend([n, n * n]);
        }
        if n % 5 != 1 {
            Product.combine(&mut value.2, [[n % 7, 1], [n % 11, 2]]);
        }
        if n.is_multiple_of(2) {
            value.3 += n;
            value.4 = Some(value.4.map_or(n, |least: u64| least.min(n)));
            value.5 = Some(value.5.map_or(n, |greatest: u64| greatest.max(n)));
        }
    });
    value
}

fn parallel(pool: &Pool, skew: u64) -> Value {
    let report = Report::new();
    pool.run(|s| walk(Some(s), 0, LEAVES, skew, &report));
    report.into_inner()
}

#[test]
fn the_value_is_the_serial_one_however_many_workers_there_are() {
    for &workers in if cfg!(miri) { &[1, 3][..] } else { &[1, 2, 5] } {
        let pool = eager_pool(workers);
        for &skew in if cfg!(miri) { &[9][..] } else { &[2, 9] } {
            let expected = serial(skew);
            for _ in 0..ROUNDS {
                assert_eq!(parallel(&pool, skew), expected);
            }
        }
    }
}

#[test]
fn the_value_is_the_serial_one_under_every_seed_of_chaos() {
    // Once is enough.
    if common::is_under_another_scheduler() {
        return;
    }
    let seeds = if cfg!(miri) { 3 } else { 300 };
    for seed in 0..seeds {
        let pool = Pool::builder().workers(4).scheduler(Scheduler::chaos(seed)).build().expect("a pool");
        let skew = [2, 5, 40][seed as usize % 3];
        assert_eq!(parallel(&pool, skew), serial(skew), "seed {seed}");
        assert!(tasks(&pool) > 0);
    }
}

#[test]
fn iterations_of_a_loop_are_combined_in_their_order() {
    let pool = eager_pool(3);
    let n = if cfg!(miri) { 40 } else { 5_000 };
    let expected: Vec<u64> = (0..n).flat_map(|i| [i, i + 1]).collect();
    for _ in 0..ROUNDS {
        let list = Reducer::new(Append::<Vec<u64>>::new());
        pool.run(|mut s| {
            s.for_each(0..n, |mut s, i| {
                s.join(|_| list.update(|list| list.push(i)), |_| list.put(vec![i + 1]));
            });
        });
        assert_eq!(list.into_inner(), expected);
    }
}
