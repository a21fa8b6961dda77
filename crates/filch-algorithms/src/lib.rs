//! Parallel algorithms on sequences, on Filch.
//!
//! | to do this | call |
//! |---|---|
//! | make a vector | [`tabulate`], [`map`], [`concat()`], [`random_permutation`] |
//! | reduce to a value | [`reduce`], [`sum`], [`min_index`], [`max_index`], [`find_first`] |
//! | prefix sums | [`scan`], [`scan_exclusive`], [`scan_in_place`], [`scan_exclusive_in_place`] |
//! | choose items | [`filter`], [`partition`], [`pack_indices`] |
//! | equal items | [`histogram`], [`dedup`], [`remove_duplicates`], [`group_by_key`] |
//! | merge and sort | [`merge`], [`merge_by`], [`sort()`], [`sort_by`], [`sort_by_key`] |
//! | sort by integers | [`radix_sort`], [`radix_sort_by_key`], with a [`RadixKey`] |
//! | texts | [`suffix_array`], [`longest_common_prefixes`], [`burrows_wheeler`] |
//!
//! There is no grain to choose. The algorithms run on the pool of the surrounding [`run`](filch::Pool::run), or else on
//! the global pool. **Results are the same on any number of workers**, also those of floating-point numbers: what is
//! combined with what depends on lengths and sizes of items alone. Vectors are not zeroed before they are written.
//!
//! ```
//! use filch_algorithms::{filter, scan_exclusive, sort};
//!
//! let mut numbers: Vec<u64> = (0..100_000).map(|i| i * 7919 % 100_003).collect();
//! sort(&mut numbers);
//! let even = filter(&numbers, |number| number % 2 == 0);
//! let (before, total) = scan_exclusive(&even, 0, |a, b| a + b);
//! assert_eq!(before[before.len() - 1] + even[even.len() - 1], total);
//! ```

// xtask/layers.txt has the layers.

mod blocks;
mod fresh;
mod groups;
pub mod memory;
mod scatter;
mod sequences;
mod sort;
mod text;

pub use groups::*;
pub use sequences::*;
pub use sort::*;
pub use text::*;
