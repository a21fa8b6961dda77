//! A knapsack, by the branch and bound of Cilk's example (Frigo, Leiserson and Randall 1998, figure 6): for each thing,
//! in the order of value by weight, it first looks for the best without it and then for the best with it. The best so
//! far, which all branches share, leaves out branches that would be worse even if the rest of the knapsack were
//! filled with the next thing.
//!
//! How much is left out depends on which branch is faster, so the work differs from run to run: a † in the figure.
//! [`knapsack`](crate::knapsack) is a problem of which no order and no bound leaves out anything.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};
use filch_search::Thing;

use crate::knapsack::most_valuable;

/// Its entry in the list of programs. The paper's 30 things are not printed.
pub const PROGRAM: Program = Program::new(
    ("knapsack-cilk", "the most valuable things of n, by Cilk's branch and bound"),
    Sizes { small: 12, default: 26, paper: 30 },
    Domain { counts: "the number of things", min: 1, max: 40, rule: None },
    |n| Box::new(KnapsackCilk::new(n)),
);

/// The program: the largest value that things of these, which are in order, add to `value` if they weigh `capacity` at
/// most. Less, or nothing, if `best` is more.
#[inline(never)]
pub fn pack<R: Runtime>(mut t: Token<R>, things: &[Thing], capacity: u64, value: u64, best: &AtomicU64) -> u64 {
    let Some((thing, rest)) = things.split_first().filter(|_| capacity > 0) else {
        best.fetch_max(value, Ordering::Relaxed);
        return value;
    };
    if value + capacity * thing.value / thing.weight < best.load(Ordering::Relaxed) {
        return 0;
    }
    let (without, with) = t.join(
        |t| pack(t, rest, capacity, value, best),
        |t| capacity.checked_sub(thing.weight).map_or(0, |left| pack(t, rest, left, value + thing.value, best)),
    );
    without.max(with)
}

struct KnapsackCilk {
    things: Vec<Thing>,
    capacity: u64,
    answer: Answer<u64>,
}

impl KnapsackCilk {
    /// As in Cilk's inputs, a thing weighs about twice as much as it is worth, so that all of them are about as good;
    /// and about five of six fit.
    fn new(count: u64) -> Self {
        let mut random = Rng::with_seed(count);
        let mut thing = || {
            let value = random.u64(5..=24);
            Thing { value, weight: 2 * value + random.u64(0..=6) - 3 }
        };
        let mut things: Vec<Thing> = (0..count).map(|_| thing()).collect();
        things.sort_by(|a, b| (b.value * a.weight).cmp(&(a.value * b.weight)));
        let capacity = things.iter().map(|thing| thing.weight).sum::<u64>() * 5 / 6;
        Self { things, capacity, answer: Answer::new() }
    }
}

impl Kernel for KnapsackCilk {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(pack(t, black_box(&self.things), self.capacity, 0, &AtomicU64::new(0)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&most_valuable(&self.things, self.capacity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::Instance;

    #[test]
    fn the_best_is_that_of_all_subsets() {
        for count in 1..14 {
            let mut program = KnapsackCilk::new(count);
            program.serial();
            let worth = |subset: u32| {
                let chosen = || program.things.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
                let weight: u64 = chosen().map(|(_, thing)| thing.weight).sum();
                if weight > program.capacity { 0 } else { chosen().map(|(_, thing)| thing.value).sum() }
            };
            let expected = (0..1 << count).map(worth).max().expect("there is a subset");
            assert_eq!(program.answer.check(&expected), Ok(()), "{count} things");
        }
    }

    #[test]
    fn a_thing_that_fits_exactly_is_packed_and_no_more_than_fits() {
        let best = AtomicU64::new(0);
        let things = [Thing { value: 9, weight: 5 }, Thing { value: 1, weight: 1 }];
        let of = |capacity| pack(filch_kernels::runtime::Serial::token(), &things, capacity, 0, &AtomicU64::new(0));
        assert_eq!([0, 1, 4, 5, 6].map(of), [0, 1, 1, 9, 10]);
        assert_eq!(pack(filch_kernels::runtime::Serial::token(), &[], 7, 3, &best), 3);
        assert_eq!(best.into_inner(), 3);
    }
}
