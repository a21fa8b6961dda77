//! Algorithms on slices: their results are slices, vectors or values.
//!
//! Each divides its input by its length alone ([`Blocks`](crate::blocks)), never by the number of workers.

mod build;
mod find;
mod merge;
mod pack;
mod reduce;
mod scan;

pub use build::{concat, map, tabulate};
pub use find::{find_first, max_index, min_index};
pub use merge::{merge, merge_by};
pub use pack::{filter, pack_indices, partition};
pub use reduce::{reduce, sum};
pub use scan::{scan, scan_exclusive, scan_exclusive_in_place, scan_in_place};
