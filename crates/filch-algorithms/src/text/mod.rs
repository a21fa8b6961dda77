//! Texts: suffix arrays and what follows from them.

mod suffix_array;

pub use suffix_array::{burrows_wheeler, longest_common_prefixes, suffix_array};
