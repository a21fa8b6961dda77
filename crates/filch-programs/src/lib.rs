//! The programs with which Filch is measured.
//!
//! Each is written as those of [`filch_kernels`] are, which has the simplest ones: once for serial code, Filch, rayon
//! and chili, with a checker that shares no code with it.
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

use filch_kernels::{Program, cilksort, fft, fib, fib_implicit, notempmul, queens, tree_sum};

mod backtracking;
mod branch_and_bound;

pub mod alpha_beta;
pub mod barnes_hut;
pub mod blockedmul;
pub mod cholesky;
pub mod ck;
pub mod colouring;
mod factorised;
pub mod gauss;
mod grid;
pub mod heat;
pub mod histogram;
pub mod knapsack;
pub mod knapsack_cilk;
pub mod knary;
pub mod lu;
pub mod mandelbrot;
pub mod mergesort;
pub mod nested;
pub mod pentomino;
pub mod prefix_sums;
pub mod queens_any;
pub mod queens_search;
pub mod random_tree;
mod residual;
pub mod skew;
pub mod sor;
pub mod sparse_cholesky;
pub mod spmv;
pub mod strassen;
pub mod sudoku;
mod suite;
pub mod sums;
mod temporaries;
pub mod tour;
pub mod units;
pub mod uts;

/// Those that are written over a [`Token`](filch_kernels::runtime::Token).
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
