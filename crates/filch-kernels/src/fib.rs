//! Fibonacci numbers by double recursion (Frigo, Leiserson and Randall 1998, figure 1): nothing but forks.

use std::hint::black_box;

use crate::answer::{Answer, Mismatch};
use crate::kernel::Kernel;
use crate::program::{Domain, Forks, Program, Sizes};
use crate::runtime::{Runtime, Token};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    forks: Some(FORKS),
    ..Program::new(("fib", "the n-th Fibonacci number by double recursion"), SIZES, DOMAIN, build)
};

#[inline(never)]
fn build(n: u64) -> Box<dyn crate::Instance> {
    Box::new(Fib::new(n))
}

pub(crate) const SIZES: Sizes = Sizes { small: 27, default: 38, paper: 35 };

pub(crate) const DOMAIN: Domain = Domain { counts: "the index of the Fibonacci number", min: 0, max: 60, rule: None };

pub(crate) const FORKS: Forks = Forks { at: forks, sizes: [15, 20] };

/// The program.
#[inline(never)]
pub fn fib<R: Runtime>(mut t: Token<R>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = t.join(move |t| fib(t, n - 1), move |t| fib(t, n - 2));
    a + b
}

/// The checker: doubling along the binary digits of n, by F(2k) = F(k)·(2·F(k+1) − F(k)) and F(2k+1) = F(k)² + F(k+1)².
pub fn fib_by_doubling(n: u64) -> u64 {
    let (mut f, mut next) = (0, 1);
    for digit in (0..u64::BITS - n.leading_zeros()).rev() {
        (f, next) = (f * (2 * next - f), f * f + next * next);
        if n >> digit & 1 == 1 {
            (f, next) = (next, f + next);
        }
    }
    f
}

/// The number of forks: each call with n ≥ 2 forks, which are F(n+1) − 1 calls.
fn forks(n: u64) -> u64 {
    fib_by_doubling(n + 1) - 1
}

#[derive(Debug)]
pub(crate) struct Fib {
    n: u64,
    answer: Answer<u64>,
}

impl Fib {
    pub(crate) fn new(n: u64) -> Self {
        Fib { n, answer: Answer::new() }
    }
}

impl Kernel for Fib {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(fib(t, black_box(self.n)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&fib_by_doubling(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checker_knows_the_numbers_of_oeis_a000045() {
        let first = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144];
        for (n, expected) in (0..).zip(first) {
            assert_eq!(fib_by_doubling(n), expected);
        }
        assert_eq!(fib_by_doubling(DOMAIN.max + 1), 2_504_730_781_961);
    }

    #[test]
    fn the_checker_rejects_a_neighbouring_number() {
        let mut instance = Fib::new(12);
        for neighbour in [143, 145] {
            instance.answer.record(neighbour);
            assert!(instance.verify().is_err());
        }
        instance.answer.record(144);
        assert_eq!(instance.verify(), Ok(()));
    }

    #[test]
    fn the_number_of_forks_is_that_of_calls_that_are_no_leaves() {
        fn count(n: u64) -> u64 {
            if n < 2 { 0 } else { 1 + count(n - 1) + count(n - 2) }
        }
        for n in 0..20 {
            assert_eq!(forks(n), count(n));
        }
    }
}
