//! Simulations of real programs: what several commands need to run them.
//!
//! - [`costs`]: what steps cost: given, measured by `filch machine --format json`, or known of this machine
//! - [`predicted`]: the time of a recorded program on so many workers

pub mod costs;
pub mod predicted;
