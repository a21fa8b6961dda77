//! Tiny loops inside a long one: 3 to 8 iterations of some nanoseconds each, so that a loop is worth less than a fork
//! in most libraries. Only the outer one has anything to share.

use std::hint::black_box;

use crate::runtime::{Runtime, Token};
use crate::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

/// Its line in the table of programs. Not from a paper.
pub const PROGRAM: Program = Program {
    name: "nested",
    about: "n loops of 3 to 8 iterations inside one of n",
    sizes: Sizes { small: 1000, default: 4_000_000, paper: LARGEST },
    domain: Domain { counts: "the number of inner loops", min: 1, max: LARGEST, rule: None },
    grain: None,
    forks: None,
    loops: &[|n| n, |_| LONGEST],
    bytes: |_, _| 0,
    build: |n| Box::new(Nested { n, answer: Answer::new() }),
};

/// Up to here the squares of all numbers are `f64`s.
const LARGEST: u64 = 1 << 23;

/// How many iterations the longest inner loop has.
const LONGEST: u64 = 8;
const SHORTEST: u64 = 3;

/// Lengths repeat after so many inner loops.
const LENGTHS: u64 = LONGEST - SHORTEST + 1;

/// How many iterations this inner loop has.
fn length(outer: u64) -> u64 {
    SHORTEST + outer % LENGTHS
}

/// What an iteration does: a number that is another for each, by way of its square's root. The compiler does not know
/// that it is exact, and computes all of them.
#[inline(always)]
fn value(outer: u64, inner: u64) -> u64 {
    let number = (outer * LONGEST + inner) as f64;
    (number * number).sqrt() as u64
}

/// The program.
#[inline(never)]
pub fn total<R: Runtime>(mut t: Token<R>, n: u64) -> u64 {
    t.sum(0..n as usize, |mut t, outer| {
        let outer = outer as u64;
        t.sum(0..length(outer) as usize, |_, inner| value(outer, inner as u64))
    })
}

/// The checker: arithmetic series. A loop of l iterations, numbered i, comes to 8·i·l + l·(l − 1) / 2; and of the loops
/// with the same length there is each sixth.
fn total_by_formula(n: u64) -> u64 {
    let of_length = |length: u64| {
        let first = length - SHORTEST;
        let count = n.saturating_sub(first).div_ceil(LENGTHS);
        let numbers = count * first + LENGTHS * count * count.saturating_sub(1) / 2;
        LONGEST * length * numbers + count * (length * (length - 1) / 2)
    };
    (SHORTEST..=LONGEST).map(of_length).sum()
}

struct Nested {
    n: u64,
    answer: Answer<u64>,
}

impl Kernel for Nested {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(total(t, black_box(self.n)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&total_by_formula(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_agrees_with_counting() {
        for n in 1..50 {
            let counted: u64 = (0..n).flat_map(|outer| (0..length(outer)).map(move |inner| outer * 8 + inner)).sum();
            assert_eq!(total_by_formula(n), counted, "{n}");
        }
    }

    #[test]
    fn values_are_exact_up_to_the_largest() {
        for outer in [0, 1, 12_345, LARGEST - 1] {
            for inner in 0..LONGEST {
                assert_eq!(value(outer, inner), outer * LONGEST + inner);
            }
        }
    }

    #[test]
    fn the_checker_rejects_an_iteration_left_out() {
        let mut instance = Nested { n: 100, answer: Answer::new() };
        instance.answer.record(total_by_formula(100) - value(99, 2));
        assert!(instance.verify().is_err());
        instance.answer.record(total_by_formula(100));
        assert_eq!(instance.verify(), Ok(()));
    }
}
