//! Equal items: counted, brought together, or reduced to one.

mod duplicates;
mod group;

pub use duplicates::{remove_duplicates, remove_duplicates_by_key};
pub use group::{dedup, group_by_key, histogram};
