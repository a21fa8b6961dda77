//! Text files, and what can be wrong with them.
//!
//! The readers of problems are functions of the problems themselves.

mod error;
mod text;

pub use error::{Fault, ReadError, TextError};
pub(crate) use text::{all_lines, end, lines, number, quoted, read};
