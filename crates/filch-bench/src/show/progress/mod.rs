//! What users see while they wait, on standard error: a bar on a terminal, plain lines elsewhere.
//!
//! - [`samples`]: the samples of a measurement
//! - [`stage`]: a stage of work on a graph, such as reading it
//! - [`cases`]: the cases of a stress test
//! - [`tree`]: the tree of a search
//! - [line](mod@line): plain lines

pub mod cases;
pub mod line;
pub mod samples;
pub mod stage;
pub mod tree;
