//! What commands share to show things: numbers, tables and progress.
//!
//! This layer knows nothing about measurements or commands. It imports [`interrupt`](crate::interrupt), so that Ctrl-C
//! leaves a clean line on the terminal, and [`ranks`](crate::ranks).
//!
//! - [`numbers`]: numbers as people read them
//! - [`table`]: tables as wide as the terminal
//! - [`progress`]: what users see while they wait

pub mod numbers;
pub mod progress;
pub mod table;
