//! `fib` through [`filch::join`]: the cost of a fork without a strand.
//!
//! All the rest is that of [`fib`](crate::fib).

use crate::fib::{DOMAIN, FORKS, Fib, SIZES};
use crate::kernel::{Implicit, Instance, WithForms};
use crate::program::Program;

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    forks: Some(FORKS),
    ..Program::new(("fib-implicit", "fib through the free function filch::join, without strands"), SIZES, DOMAIN, build)
};

#[inline(never)]
fn build(n: u64) -> Box<dyn Instance> {
    Box::new(WithForms::<_, Implicit>::new(Fib::new(n)))
}
