//! `fib` through [`filch::join`]: what a fork costs when no strand is handed down.
//!
//! The other forms and the checker are those of [`fib`](crate::fib).

use crate::Program;
use crate::fib::{DOMAIN, FORKS, Fib, SIZES};

/// Its line in the table of programs.
pub const PROGRAM: Program = Program {
    name: "fib-implicit",
    about: "fib through the free function filch::join, without strands",
    sizes: SIZES,
    domain: DOMAIN,
    forks: Some(FORKS),
    build: |n| Box::new(Fib::new(n, |_, n| fib_implicit(n))),
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
