//! Programs compared: several runners run them in turn, and the ratios of their times are shown.
//!
//! The commands that compare programs share this layer. It imports [`measure`](crate::measure), [`show`](crate::show)
//! and the layers below them, but no command.
//!
//! - [`plan`]: what is compared
//! - [`lineup`]: the runners
//! - [`run`]: the comparison from start to end
//! - [`row`]: the figures of one runner
//! - [`instructions`]: the instructions per fork, of [`target`], which runs under callgrind
//! - [`table`], [`counted`], [`summary`]: tables of one program, of what was counted, and of several programs
//! - [`examples`]: rows for tests of tables and pictures

pub mod counted;
pub mod examples;
pub mod instructions;
pub mod lineup;
pub mod plan;
pub mod row;
pub mod run;
pub mod summary;
pub mod table;
pub mod target;
