//! The lab: what stands behind the command `filch`.
//!
//! [`cli`] says what a user may type, [`tour`], [`machine`], [`mod@bench`], [`knary`], [`steals`], [`shapes`],
//! [`stress`], [`mod@graph`] and [`completions`] do it, [`failure`] says how it may end.

pub mod bench;
pub mod cli;
pub mod completions;
pub mod debian;
pub mod failure;
pub mod graph;
pub mod interrupt;
pub mod knary;
pub mod machine;
pub mod numbers;
pub mod others;
pub mod output;
pub mod programs;
pub mod shapes;
pub mod stats;
pub mod steals;
pub mod stress;
pub mod tour;
