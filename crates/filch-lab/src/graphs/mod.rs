//! Graphs: loading them, naming their vertices, solving problems on them, and writing results.
//!
//! The commands on graphs share this layer. It imports the instruments of [`filch_bench`] and the layers below, but no
//! command.
//!
//! - [`args`]: arguments that several commands have
//! - [`take`]: which of the arcs a command takes
//! - [`source`]: from the argument GRAPH to a graph in memory
//! - [`weights`](mod@weights): graphs with weights
//! - [`names`]: the names of vertices
//! - [`trials`]: several entrants in turn
//! - [`row`]: the figures of one entrant, as written to the JSON file
//! - [`report`]: what is printed
//! - [`labels`]: the labels of components, shown and saved
//! - [`save`]: output files; [`scores`]: those of scores
//! - [`session`]: solving a problem from start to end

pub mod args;
pub mod labels;
pub mod names;
pub mod report;
pub mod row;
pub mod save;
pub mod scores;
pub mod session;
pub mod source;
pub mod take;
pub mod trials;
pub mod weights;
