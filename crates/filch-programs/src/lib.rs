//! The programs that Filch is measured with.
//!
//! One file per program, short enough to put beside the paper it comes from. Each holds
//!
//! - the *program*, written once over a [`runtime::Token`], from which the compiler makes the serial elision (every
//!   join replaced by two calls in order, every parallel loop by a plain one), the Filch form, and the rayon and chili
//!   forms of the same shape;
//! - its [`Kernel`]: the input in memory, and what one call does;
//! - a *checker* that shares no code with what it checks.
//!
//! Some stop forking below a size, their [`Grain`]; without it (a grain of 1) they show what a library's forks cost.
//! Those with [loops](Program::loops) have none: how finely a loop is cut is the library's business. For rayon there is
//! a second form, whose loops are [tuned](runtime::Tunings) by hand.
//!
//! [`all`] is the table of programs: to add one, write its file and add its line here. [`units`] are work by the piece
//! for those that need some. Not in the table are [`random_tree`]s, which are for counting steals, not for timing.
//!
//! ```
//! let program = filch_programs::find("queens").unwrap();
//! let mut instance = program.prepare(8).unwrap();
//! instance.serial();
//! instance.verify().unwrap();
//! ```

mod answer;
mod kernel;
mod program;
pub mod runtime;

pub mod blockedmul;
pub mod cilksort;
pub mod fft;
pub mod fib;
pub mod fib_implicit;
pub mod heat;
pub mod histogram;
pub mod knary;
pub mod lu;
pub mod mandelbrot;
pub mod matrix;
pub mod mergesort;
pub mod nested;
pub mod notempmul;
pub mod prefix_sums;
mod product;
pub mod queens;
pub mod random_tree;
pub mod skew;
pub mod sorting;
pub mod spmv;
pub mod strassen;
pub mod sums;
pub mod tree_sum;
pub mod units;

pub use answer::{Answer, Mismatch};
pub use kernel::{Implicit, Instance, Kernel};
pub use program::{Domain, Forks, Grain, POWER_OF_TWO, Program, Rule, SizeError, Sizes};

/// Every program, in the order in which reports show them.
pub fn all() -> &'static [Program] {
    static ALL: &[Program] = &[
        fib::PROGRAM,
        fib_implicit::PROGRAM,
        tree_sum::PROGRAM,
        queens::PROGRAM,
        knary::PROGRAM,
        skew::PROGRAM,
        cilksort::PROGRAM,
        mergesort::PROGRAM,
        notempmul::PROGRAM,
        blockedmul::PROGRAM,
        strassen::PROGRAM,
        lu::PROGRAM,
        heat::PROGRAM,
        fft::PROGRAM,
        spmv::RANDOM,
        spmv::THREE,
        spmv::POWER_LAW,
        spmv::ARROWHEAD,
        nested::PROGRAM,
        mandelbrot::PROGRAM,
        histogram::PROGRAM,
        prefix_sums::PROGRAM,
        sums::PROGRAM,
    ];
    ALL
}

/// The program of that name.
pub fn find(name: &str) -> Option<&'static Program> {
    all().iter().find(|program| program.name == name)
}
