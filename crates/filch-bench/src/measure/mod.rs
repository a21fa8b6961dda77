//! Measuring: runs, times, counts, statistics, and facts about the machine.
//!
//! This layer imports [`show`](crate::show) for numbers and progress, and [`failure`](crate::failure). It knows no
//! command, and it prints nothing but progress.
//!
//! - [`clock`], [`median`], [`ratio`]: times and what follows from them
//! - [`order`]: the order in which runners take turns
//! - [`pools`]: `--topology`, and the default pool
//! - [`runner`], [`series`]: what runs a program, and the measurement of one program
//! - [`counts`]: what Filch counts meanwhile
//! - [`tuning`]: the sweep that tunes rayon's loops by hand
//! - [`callgrind`]: counts of instructions, of one run
//! - [`allocator`]: what happens to memory that a program has freed
//! - [`busy`]: processes that keep cores busy during a measurement; [`others`]: the load by other programs
//! - [`machine`]: facts about the machine

pub mod allocator;
pub mod busy;
pub mod callgrind;
pub mod clock;
pub mod counts;
pub mod machine;
pub mod median;
pub mod order;
pub mod others;
pub mod pools;
pub mod ratio;
pub mod runner;
pub mod series;
pub mod tuning;
