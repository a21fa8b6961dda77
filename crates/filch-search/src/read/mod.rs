//! Text files, and what can be wrong with them. The crate [`filch_text`] opens them.
//!
//! The readers of problems are functions of the problems themselves.

mod error;
mod text;

pub use error::{Fault, Place, ReadError, TextError};
pub use filch_text::FileError;
pub(crate) use text::{Line, Word, Words, all_lines, lines, quoted, read};
