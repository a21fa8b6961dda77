//! Algorithms on slices: their results are slices, vectors or values.
//!
//! Each divides its input by its length alone ([`Blocks`](crate::blocks)), never by the number of workers.

mod build;
mod duplicates;
mod find;
mod group;
mod merge;
mod pack;
mod permutation;
mod reduce;
mod scan;

pub use build::{flatten, map, tabulate};
pub use duplicates::remove_duplicates;
pub use find::{find_first, max_index, min_index};
pub use group::{group_by_key, histogram, unique};
pub use merge::{merge, merge_by};
pub use pack::{filter, pack_indices, partition};
pub use permutation::random_permutation;
pub use reduce::{reduce, sum};
pub use scan::{scan, scan_exclusive, scan_exclusive_in_place, scan_in_place};
