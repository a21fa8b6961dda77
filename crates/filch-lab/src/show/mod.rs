//! What commands share to show things: numbers, tables, pictures and progress.
//!
//! This layer knows nothing about measurements or commands. It imports [`interrupt`](crate::interrupt), so that Ctrl-C
//! leaves a clean line on the terminal, and nothing else of the lab.
//!
//! - [`numbers`]: numbers as people read them
//! - [`table`]: tables as wide as the terminal
//! - [`figures`]: figures as JSON, CSV and Markdown
//! - [`page`]: pages that need no other file
//! - [`picture`]: parts of pictures
//! - [`progress`]: what users see while they wait

pub mod figures;
pub mod numbers;
pub mod page;
pub mod picture;
pub mod progress;
pub mod table;
