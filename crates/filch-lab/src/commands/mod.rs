//! The commands: one file or folder each, with the arguments and the help text beside the code.
//!
//! A command imports the layers below, but no other command and not [`cli`](crate::cli), which lists them.
//!
//! - [`tour`]: `filch` without a command
//! - [`machine`], [bench](mod@bench), [`knary`], [`steals`], [`shapes`]: measurements
//! - [`stress`]: a search for faults
//! - [`forest`], [`components`], [`bfs`], [`generate`], [`graph`](mod@graph): graphs
//! - [`completions`]: completions for shells
//! - [`callgrind`], [`keep_busy`]: hidden commands, which other commands run

pub mod bench;
pub mod bfs;
pub mod callgrind;
pub mod completions;
pub mod components;
pub mod forest;
pub mod generate;
pub mod graph;
pub mod keep_busy;
pub mod knary;
pub mod machine;
pub mod shapes;
pub mod steals;
pub mod stress;
pub mod tour;
