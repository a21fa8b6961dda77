//! Sorting, and random orders.

mod merge_sort;
mod permutation;
mod radix;

pub use merge_sort::{sort, sort_by, sort_by_key};
pub use permutation::random_permutation;
pub use radix::{RadixKey, radix_sort, radix_sort_by_key};
