//! `fib` through [`filch::join`]: what a fork costs when no strand is handed down.
//!
//! The other forms are those of [`fib`](crate::fib).

use std::hint::black_box;

use filch::Strand;

use crate::fib::{DOMAIN, FORKS, SIZES, fib_by_doubling, fib_chili, fib_rayon, fib_serial};
use crate::{Answer, Instance, Mismatch, Program};

/// Its line in the table of programs.
pub const PROGRAM: Program = Program {
    name: "fib-implicit",
    about: "fib through the free function filch::join, without strands",
    sizes: SIZES,
    domain: DOMAIN,
    forks: Some(FORKS),
    build: |n| Box::new(FibImplicit { n, answer: Answer::new() }),
};

/// The Filch form, without strands.
#[inline(never)]
pub fn fib_implicit(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = filch::join(move || fib_implicit(n - 1), move || fib_implicit(n - 2));
    a + b
}

struct FibImplicit {
    n: u64,
    answer: Answer<u64>,
}

impl Instance for FibImplicit {
    fn serial(&mut self) {
        self.answer.record(fib_serial(black_box(self.n)));
    }

    fn filch(&mut self, _: Strand<'_>) {
        self.answer.record(fib_implicit(black_box(self.n)));
    }

    fn rayon(&mut self) {
        self.answer.record(fib_rayon(black_box(self.n)));
    }

    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.answer.record(fib_chili(scope, black_box(self.n)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&fib_by_doubling(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checker_rejects_a_neighbouring_number() {
        let mut instance = FibImplicit { n: 12, answer: Answer::new() };
        instance.answer.record(145);
        assert!(instance.verify().is_err());
    }
}
