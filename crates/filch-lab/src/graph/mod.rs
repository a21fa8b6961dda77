//! `filch forest`, `components`, `bfs`, `generate` and `graph`: commands on graphs.
//!
//! - [`args`]: what a user may type
//! - [`source`]: from GRAPH to a graph in memory
//! - [`names`]: what its vertices are called
//! - [`stage`]: what the user sees meanwhile
//! - [`session`]: what the commands that solve something have in common
//! - [`trials`]: several entrants in turn
//! - [`row`]: their figures, as they go into the JSON file
//! - [`report`]: their figures, as they go to the terminal
//! - [`save`]: results and graphs, as they go into files
//! - [`forest`], [`components`], [`bfs`], [`generate`], [`info`]: the commands

pub mod args;
pub mod bfs;
pub mod components;
pub mod forest;
pub mod generate;
pub mod info;
pub mod names;
pub mod report;
pub mod row;
pub mod save;
pub mod session;
pub mod source;
pub mod stage;
pub mod trials;
