//! Programs compared: several runners run them in turn, and the ratios of their times are shown and written to files.
//!
//! The commands that compare programs share this layer. It imports [`measure`](crate::measure), [`show`](crate::show)
//! and the layers below them, but no command.
//!
//! - [`plan`]: what is compared
//! - [`lineup`]: the runners
//! - [`run`]: the comparison from start to end
//! - [`row`]: the figures of one runner, as written to the JSON file
//! - [`instructions`]: the instructions per fork
//! - [`table`], [`counted`], [`summary`]: tables of one program, of what was counted, and of several programs
//! - [`baseline`]: the rows beside earlier ones
//! - [`figure`]: a picture

pub mod baseline;
pub mod counted;
#[cfg(test)]
mod examples;
pub mod figure;
pub mod instructions;
pub mod lineup;
pub mod plan;
pub mod row;
pub mod run;
pub mod summary;
pub mod table;
