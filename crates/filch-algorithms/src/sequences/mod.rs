//! Algorithms on slices: their results are slices, vectors or values.
//!
//! Where the result depends on how the input is divided, this is by its length alone ([`Blocks`](crate::blocks)), never
//! by the number of workers.

mod build;
mod find;
mod flatten;
mod merge;
mod pack;
mod reduce;
mod retain;
mod scan;
mod transpose;

pub use build::{map, map_in_place, map_into, reverse, tabulate, tabulate_into, zip_with, zip_with_into};
pub use find::{find_first, max_index, min_index};
pub use flatten::{concat, concat_into, flat_map, flatten};
pub use merge::{merge, merge_by, merge_into};
pub use pack::{filter, filter_into, pack_indices, partition};
pub(crate) use pack::{filter_by_index, pack_bits};
pub use reduce::{reduce, sum};
pub use retain::retain;
pub use scan::{scan, scan_exclusive, scan_exclusive_in_place, scan_exclusive_into, scan_in_place, scan_into};
pub use transpose::{transpose, transpose_in_place, transpose_into};
