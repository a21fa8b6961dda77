//! Equal items: counted, brought together, or reduced to one.

mod duplicates;
mod group;
mod table;
mod table_key;

pub use duplicates::{remove_duplicates, remove_duplicates_by_key};
pub use group::{dedup, group_by_key, histogram};
pub use table::{Inserting, Table};
pub use table_key::TableKey;
