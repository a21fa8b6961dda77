//! What commands share to show things, beside [numbers, tables and progress](filch_bench::show).
//!
//! This layer knows nothing about measurements or commands, and imports nothing else of the lab.
//!
//! - [`figures`]: figures as JSON, CSV and Markdown
//! - [`page`]: pages that need no other file
//! - [`picture`]: parts of pictures

pub mod figures;
pub mod page;
pub mod picture;
