//! `fib` through [`filch::join`]: what a fork costs when no strand is handed down.
//!
//! All else is that of [`fib`](crate::fib).

use crate::fib::{DOMAIN, FORKS, Fib, SIZES};
use crate::{Implicit, Program};

/// Its line in the table of programs.
pub const PROGRAM: Program = Program {
    name: "fib-implicit",
    about: "fib through the free function filch::join, without strands",
    sizes: SIZES,
    domain: DOMAIN,
    grain: None,
    forks: Some(FORKS),
    loops: &[],
    bytes: |_, _| 0,
    build: |n| Box::new(Implicit(Fib::new(n))),
};
