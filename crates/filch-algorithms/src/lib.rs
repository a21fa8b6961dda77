//! Parallel algorithms on sequences, on Filch.
//!
//! | to do this | call |
//! |---|---|
//! | make items, each by itself | [`tabulate`], [`map`], [`zip_with`], [`random_permutation`] |
//! | join lists | [`concat()`] (of clones), [`flatten`] (which moves), [`flat_map`] |
//! | change the order | [`reverse`], [`transpose`] |
//! | reduce to a value | [`reduce`], [`sum`], [`min_index`], [`max_index`], [`find_first`] |
//! | prefix sums | [`scan`], [`scan_exclusive`] |
//! | choose items | [`filter`], [`retain`], [`partition`], [`pack_indices`] |
//! | equal items | [`histogram`], [`dedup`], [`group_by_key`], [`remove_duplicates`], [`remove_duplicates_by_key`] |
//! | sets and maps | [`Table`] |
//! | merge and sort | [`merge`], [`merge_by`], [`sort()`], [`sort_by`], [`sort_by_key`] |
//! | sort faster and in place, unstably | [`sort_unstable`], [`sort_unstable_by`], [`sort_unstable_by_key`] |
//! | sort by numbers, stably | [`radix_sort`], [`radix_sort_by_key`], with a [`RadixKey`] |
//! | the same, to a new vector | [`radix_sorted`], [`radix_sorted_by_key`] |
//! | sort strings, stably | [`sort_strings`] |
//! | places in the order | [`select_nth_unstable`] and its forms, [`rank`], [`rank_by`], [`is_sorted`] |
//! | texts | [`suffix_array`], [`longest_common_prefixes`], [`burrows_wheeler`], [`inverse_burrows_wheeler`] |
//! | large vectors | [`memory`] |
//!
//! What makes a vector has the plain name. With `_into` at its end it writes to a slice instead, which must be as long
//! as the result (for [`filter_into`], at least as long), and with `_in_place` it changes what it is given. ([`retain`]
//! has the name that it has for vectors.)
//!
//! | a vector | into a slice | in place |
//! |---|---|---|
//! | [`tabulate`] | [`tabulate_into`] | |
//! | [`map`] | [`map_into`] | [`map_in_place`] |
//! | [`zip_with`] | [`zip_with_into`] | |
//! | [`concat()`] | [`concat_into`] | |
//! | [`scan`] | [`scan_into`] | [`scan_in_place`] |
//! | [`scan_exclusive`] | [`scan_exclusive_into`] | [`scan_exclusive_in_place`] |
//! | [`filter`] | [`filter_into`] | [`retain`] |
//! | [`merge_by`] | [`merge_into`] | |
//! | [`transpose`] | [`transpose_into`] | [`transpose_in_place`] |
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
