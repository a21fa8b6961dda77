//! Many small sums, one after another: the cost of starting and ending a loop whose body is an addition.
//!
//! A serial sum of this length takes less than a tenth of a microsecond. So there is nothing worth sharing, and no time
//! to find that out.

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

/// Its entry in the list of programs. It is not from a paper; the size `paper` takes a tenth of a second.
pub const PROGRAM: Program = Program {
    loops: &[|_| LENGTH],
    ..Program::new(
        ("sums", "n sums of 1,000 integers each, one after another"),
        Sizes { small: 100, default: 10_000, paper: 1_000_000 },
        Domain { counts: "the number of sums", min: 1, max: 1 << 40, rule: None },
        |n| Box::new(Sums { n, numbers: (1..=LENGTH).collect(), answer: Answer::new() }),
    )
};

/// The number of integers of a sum.
const LENGTH: u64 = 1000;

/// The program: one sum.
#[inline(always)]
pub fn sum<R: Runtime>(t: &mut Token<R>, numbers: &[u64]) -> u64 {
    t.sum(numbers, |_, &number| number)
}

struct Sums {
    n: u64,
    numbers: Vec<u64>,
    answer: Answer<u64>,
}

impl Kernel for Sums {
    const LOOPS: usize = 1;

    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        // Not the sum of the sums, in which one sum could make up for another, but a number that every sum changes.
        let mut all = 0_u64;
        for _ in 0..self.n {
            let sum = black_box(sum(&mut t, black_box(&self.numbers)));
            all = all.wrapping_mul(FACTOR).wrapping_add(sum);
        }
        self.answer.record(all);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&all_by_formula(self.n))
    }
}

/// Multiplies the value of the sums so far. It is odd, so that no sum is lost.
const FACTOR: u64 = 6_364_136_223_846_793_005;

/// The checker: 1 to 1,000 add up to 1,000·1,001 / 2, and the map x ↦ factor·x + sum is applied n times by squaring.
fn all_by_formula(n: u64) -> u64 {
    let (mut factor, mut summand) = (1_u64, 0_u64);
    for digit in (0..u64::BITS - n.leading_zeros()).rev() {
        (factor, summand) = (factor.wrapping_mul(factor), factor.wrapping_mul(summand).wrapping_add(summand));
        if n >> digit & 1 == 1 {
            (factor, summand) =
                (factor.wrapping_mul(FACTOR), FACTOR.wrapping_mul(summand).wrapping_add(LENGTH * (LENGTH + 1) / 2));
        }
    }
    summand
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn the_formula_agrees_with_doing_it() {
        for n in [1, 2, 3, 7, 100] {
            let expected = (0..n).fold(0, |all: u64, _| all.wrapping_mul(FACTOR).wrapping_add((1..=LENGTH).sum()));
            assert_eq!(all_by_formula(n), expected, "{n}");
        }
    }

    #[test]
    fn the_checker_rejects_a_sum_without_its_last_number_and_a_sum_too_few() {
        let mut instance = Sums { n: 10, numbers: (1..=LENGTH).collect(), answer: Answer::new() };
        instance.run(Serial::token());
        assert_eq!(instance.verify(), Ok(()));
        instance.numbers.pop();
        instance.run(Serial::token());
        assert!(instance.verify().is_err());
        instance.numbers.push(LENGTH);
        instance.n = 9;
        instance.run(Serial::token());
        instance.n = 10;
        assert!(instance.verify().is_err());
    }
}
