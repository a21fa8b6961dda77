//! Tiny loops inside a long one: 3 to 8 iterations of some nanoseconds each. In most libraries such a loop costs less
//! than a fork, so only the outer loop has work worth sharing.

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

/// Its entry in the list of programs. It is not from a paper.
pub const PROGRAM: Program = Program {
    loops: &[|n| n, |_| LONGEST],
    ..Program::new(
        ("nested", "n loops of 3 to 8 iterations inside one of n"),
        Sizes { small: 1000, default: 4_000_000, paper: LARGEST },
        Domain { counts: "the number of inner loops", min: 1, max: LARGEST, rule: None },
        |n| Box::new(Nested { n, answer: Answer::new() }),
    )
};

/// Up to this size, the squares of all numbers are exact as `f64`.
const LARGEST: u64 = 1 << 23;

/// The number of iterations of the longest inner loop.
const LONGEST: u64 = 8;
const SHORTEST: u64 = 3;

/// The period of the lengths of inner loops.
const LENGTHS: u64 = LONGEST - SHORTEST + 1;

/// The number of iterations of an inner loop.
fn length(outer: u64) -> u64 {
    SHORTEST + outer % LENGTHS
}

/// The work of an iteration: returns a number of its own for each iteration, as the root of the number's square. The
/// compiler does not know that the root is exact, so it computes it.
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

/// The checker: arithmetic series. An inner loop of length l and number i has the sum 8·i·l + l·(l − 1) / 2, and every
/// sixth inner loop has the same length.
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
    const LOOPS: usize = 2;

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
