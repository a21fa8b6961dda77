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

#[cfg(test)]
mod tests {
    use super::sort_unstable_by;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Whenever that is: while blocks are classified, moved, or sorted.
    #[test]
    fn a_sort_that_is_cancelled_loses_and_doubles_nothing() {
        let len = if cfg!(miri) { 500 } else { 100_000 };
        let pool = filch::Pool::builder().workers(2).build().expect("a small pool");
        for round in 1..20 {
            let mut items: Vec<Box<usize>> = (0..len).map(|i| Box::new(i * 7919 % len)).collect();
            let (token, compared) = (filch::CancelToken::new(), AtomicUsize::new(0));
            let result = pool.run_until(&token, |_| {
                sort_unstable_by(&mut items, |a, b| {
                    if compared.fetch_add(1, Ordering::Relaxed) == round * len {
                        token.cancel();
                    }
                    a.cmp(b)
                });
            });
            assert!(result.is_err() || items.is_sorted());
            items.sort();
            assert!(items.iter().enumerate().all(|(place, item)| **item == place));
        }
    }
}
