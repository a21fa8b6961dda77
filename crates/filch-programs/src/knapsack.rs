//! A knapsack, by branch and bound with a bound that all workers share. The things are worth what they weigh, which is
//! an even number, and the capacity is odd. So no bound leaves out anything until the capacity is used up (Chvátal
//! 1980).

use fastrand::Rng;
use filch::Bound;
use filch_kernels::{Domain, Program, Sizes};
use filch_search::{Knapsack as Problem, Packed, Thing};

use crate::backtracking::{one_workspace, with_copies};
use crate::branch_and_bound::{Best, Valued};

/// Its entry in the list of programs: one workspace, by [`Strand::search`](filch::Strand::search).
pub const PROGRAM: Program = Program::new(
    ("knapsack", "the most valuable things that a knapsack holds, by search"),
    Sizes { small: 12, default: 24, paper: 28 },
    Domain { counts: "the number of things", min: 1, max: 32, rule: None },
    |n| one_workspace(Best::of(Knapsack::new(n))),
);

/// The same with a copy for each choice.
pub const COPIED: Program = Program {
    name: "knapsack-copied",
    about: "the same as knapsack, with a copy for each branch",
    build: |n| with_copies(Best::of(Knapsack::new(n))),
    ..PROGRAM
};

/// Weights are twice a number up to this.
const HALVES: u64 = 1000;
const SEED: u64 = 1;

/// The most that things of these are worth which weigh `capacity` at most: by dynamic programming over the weights.
pub(crate) fn most_valuable(things: &[Thing], capacity: u64) -> u64 {
    let mut best = vec![0; capacity as usize + 1];
    for &Thing { value, weight } in things {
        for capacity in (weight as usize..best.len()).rev() {
            best[capacity] = best[capacity].max(best[capacity - weight as usize] + value);
        }
    }
    best[capacity as usize]
}

struct Knapsack {
    things: Vec<Thing>,
    capacity: u64,
}

impl Knapsack {
    fn new(count: u64) -> Self {
        let mut rng = Rng::with_seed(SEED);
        let mut thing = || {
            let weight = 2 * rng.u64(1..=HALVES);
            Thing { weight, value: weight }
        };
        let things: Vec<Thing> = (0..count).map(|_| thing()).collect();
        let half = things.iter().map(|thing| thing.weight).sum::<u64>() / 2;
        let capacity = half | 1;
        Self { things, capacity }
    }
}

impl Valued for Knapsack {
    type Problem = Problem;

    const WORST: i64 = i64::MIN;

    fn problem(&self) -> Problem {
        Problem::new(self.capacity, &self.things).expect("the sums are small")
    }

    fn start(problem: &Problem) -> Packed {
        problem.start()
    }

    fn bound(problem: &Problem) -> &Bound {
        problem.bound()
    }

    fn value(problem: &Problem, packed: &Packed) -> i64 {
        problem.value(packed)
    }

    fn expected(&self) -> i64 {
        most_valuable(&self.things, self.capacity) as i64
    }
}
