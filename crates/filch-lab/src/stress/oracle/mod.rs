//! The oracle, which says what a program means however it is scheduled.
//!
//! - [`meaning`](mod@meaning): what a program means
//! - [`evaluation`]: how to find out

pub mod evaluation;
pub mod meaning;
