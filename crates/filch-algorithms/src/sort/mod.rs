//! Sorting.

mod merge_sort;
mod radix;

pub use merge_sort::{sort, sort_by, sort_by_key};
pub use radix::{RadixKey, radix_sort, radix_sort_by_key};
