//! Sorting, and random orders.

mod block_moves;
mod distribute;
mod merge_sort;
mod permutation;
mod radix;
mod radix_key;
mod sample_sort;
mod select;
mod sorted;
mod strings;

pub use merge_sort::{sort, sort_by, sort_by_key};
pub use permutation::random_permutation;
pub use radix::{radix_sort, radix_sort_by_key, radix_sorted, radix_sorted_by_key};
pub use radix_key::RadixKey;
pub use sample_sort::{sort_unstable, sort_unstable_by, sort_unstable_by_key};
pub use select::{rank, rank_by, select_nth_unstable, select_nth_unstable_by, select_nth_unstable_by_key};
pub use sorted::is_sorted;
pub use strings::sort_strings;
