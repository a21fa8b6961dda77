//! The programs with which Filch is measured.
//!
//! There is one file per program, short enough to be compared with the paper it comes from. Each file holds
//!
//! - the *program*, written once over a [`Token`](runtime::Token). From it the compiler makes the serial elision (a
//!   join becomes two calls in order, a parallel loop a plain one), the Filch form, and the rayon and chili forms of
//!   the same shape;
//! - its [`Kernel`]: the input in memory, and the work of one call;
//! - a *checker* that shares no code with what it checks.
//!
//! Some programs stop forking below a size, their [`Grain`]. With a grain of 1, they show the cost of a library's
//! forks. Programs with [loops](Program::loops) have no grain, because the library decides how finely to divide a loop.
//! For rayon there is a second form, whose loops are [tuned](runtime::Tunings) by hand.
//!
//! [`all`] is the list of programs. To add a program, write its file and add it here. [`units`] are pieces of work for
//! programs that need some. [`random_tree`]s are not in the list, because they are for counting steals and not for
//! timing.
//!
//! ```
//! let program = filch_programs::find("queens").unwrap();
//! let mut instance = program.prepare(8).unwrap();
//! instance.serial();
//! instance.verify().unwrap();
//! ```

use std::sync::LazyLock;

mod answer;
mod backtracking;
mod branch_and_bound;
mod extent;
mod kernel;
mod program;
mod quicksort;
pub mod runtime;

pub mod alpha_beta;
pub mod barnes_hut;
pub mod blockedmul;
pub mod cholesky;
pub mod cilksort;
pub mod ck;
pub mod colouring;
mod factorised;
pub mod fft;
pub mod fib;
pub mod fib_implicit;
pub mod gauss;
mod grid;
pub mod heat;
pub mod histogram;
pub mod knapsack;
pub mod knapsack_cilk;
pub mod knary;
pub mod lu;
pub mod mandelbrot;
pub mod matrix;
pub mod mergesort;
pub mod nested;
pub mod notempmul;
pub mod pentomino;
pub mod prefix_sums;
mod product;
pub mod queens;
pub mod queens_any;
pub mod queens_search;
pub mod random_tree;
mod residual;
pub mod skew;
pub mod sor;
pub mod sorting;
pub mod sparse_cholesky;
pub mod spmv;
pub mod strassen;
pub mod sudoku;
mod suite;
pub mod sums;
pub mod tour;
pub mod tree_sum;
pub mod units;
pub mod uts;

pub use answer::{Answer, Mismatch};
pub use extent::{Extent, ParseExtentError};
pub use kernel::{Forms, Implicit, Instance, Kernel, WithForms};
pub use program::{
    Built, Data, Domain, Forks, Grain, Input, InputError, Library, POWER_OF_TWO, Program, ReadInput, Rule, Shape,
    SizeError, Sizes,
};

/// Those that are written over a [`Token`](runtime::Token).
const PROGRAMS: &[Program] = &[
    fib::PROGRAM,
    fib_implicit::PROGRAM,
    tree_sum::PROGRAM,
    tree_sum::CHILI,
    queens::PROGRAM,
    queens_any::PROGRAM,
    queens_search::PROGRAM,
    queens_search::COPIED,
    pentomino::PROGRAM,
    pentomino::COPIED,
    sudoku::PROGRAM,
    sudoku::COPIED,
    knapsack::PROGRAM,
    knapsack::COPIED,
    knapsack_cilk::PROGRAM,
    tour::PROGRAM,
    tour::COPIED,
    colouring::PROGRAM,
    colouring::COPIED,
    uts::PROGRAM,
    uts::JOINS,
    uts::BINOMIAL,
    uts::BINOMIAL_JOINS,
    ck::PROGRAM,
    alpha_beta::PROGRAM,
    knary::PROGRAM,
    skew::PROGRAM,
    cilksort::PROGRAM,
    mergesort::PROGRAM,
    notempmul::PROGRAM,
    blockedmul::PROGRAM,
    strassen::PROGRAM,
    lu::PROGRAM,
    cholesky::PROGRAM,
    sparse_cholesky::PROGRAM,
    gauss::PROGRAM,
    heat::PROGRAM,
    sor::PROGRAM,
    fft::PROGRAM,
    barnes_hut::PROGRAM,
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

/// Every program, in the order in which reports show them.
pub fn all() -> &'static [Program] {
    static ALL: LazyLock<Vec<Program>> = LazyLock::new(|| [PROGRAMS.to_vec(), suite::programs()].concat());
    &ALL
}

/// The program with this name.
pub fn find(name: &str) -> Option<&'static Program> {
    all().iter().find(|program| program.name == name)
}
