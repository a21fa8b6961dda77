//! Reductions whose shape depends on the length alone.

use crate::blocks::Blocks;
use std::iter;
use std::ops::Add;

/// Maps every item, and combines the results in the order of the items.
///
/// What is combined with what depends on the number of items and their size alone. So if `combine` is only nearly
/// associative, as floating-point addition is, the result is still the same on any number of workers and in every run.
/// ([`filch::map_reduce`] divides where it is asked to, which is faster where `combine` is slow.)
///
/// `identity` must be neutral: each block begins with it.
///
/// Work: O(n) calls. Span: that of the largest block, of at most 16 KiB and of one item where there are few, and
/// O(log n) calls of `combine`.
///
/// ```
/// let longest = filch_algorithms::reduce(&["a", "bcd", "ef"], || 0, |word| word.len(), usize::max);
/// assert_eq!(longest, 3);
/// ```
///
/// # Panics
///
/// If one of the functions panics.
#[must_use]
pub fn reduce<T: Sync, U: Send>(
    items: &[T],
    identity: impl Fn() -> U + Send + Sync,
    map: impl Fn(&T) -> U + Send + Sync,
    combine: impl Fn(U, U) -> U + Send + Sync,
) -> U {
    let block = |range: std::ops::Range<usize>| items[range].iter().map(&map).fold(identity(), &combine);
    reduce_blocks(Blocks::of::<T>(items.len()), block, &combine).unwrap_or_else(&identity)
}

/// The sum of all items, the same on any number of workers also for floating-point numbers.
///
/// Work and span: as [`reduce`].
///
/// ```
/// let halves = vec![0.5; 1000];
/// assert_eq!(filch_algorithms::sum(&halves), 500.0);
/// ```
///
/// # Panics
///
/// If an addition panics, as that of integers does on overflow in debug builds.
#[must_use]
pub fn sum<T: Add<Output = T> + iter::Sum + Copy + Send + Sync>(items: &[T]) -> T {
    let block = |range: std::ops::Range<usize>| items[range].iter().copied().sum();
    let zero = || iter::empty::<T>().sum();
    reduce_blocks(Blocks::of::<T>(items.len()), block, &|a, b| a + b).unwrap_or_else(zero)
}

/// Combines the results of all blocks in their order, as a balanced tree; `None` if there is no block.
pub(super) fn reduce_blocks<U: Send>(
    blocks: Blocks,
    block: impl Fn(std::ops::Range<usize>) -> U + Send + Sync,
    combine: &(impl Fn(U, U) -> U + Send + Sync),
) -> Option<U> {
    fn tree<U: Send>(
        mut s: filch::Strand<'_>,
        first: usize,
        count: usize,
        block: &(impl Fn(usize) -> U + Sync),
        combine: &(impl Fn(U, U) -> U + Sync),
    ) -> U {
        if count == 1 {
            return block(first);
        }
        let half = count / 2;
        let (left, right) =
            s.join(|s| tree(s, first, half, block, combine), |s| tree(s, first + half, count - half, block, combine));
        combine(left, right)
    }
    let count = blocks.count();
    (count > 0).then(|| filch::scope(|s, _| tree(s, 0, count, &|number| block(blocks.range(number)), combine)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_floats_is_the_same_on_any_number_of_workers() {
        let mut random = fastrand::Rng::with_seed(1);
        let items: Vec<f64> = (0..100_000).map(|_| random.f64() * 10_f64.powi(random.i32(-9..9))).collect();
        let on = |workers| {
            let pool = filch::Pool::builder().workers(workers).build().expect("a pool");
            pool.run(|_| {
                let seen = reduce(&[0; 9], || 0, |_| filch::num_workers(), usize::max);
                assert_eq!(seen, workers, "it runs on the surrounding pool");
                sum(&items)
            })
        };
        let expected = on(1);
        for workers in [2, 3, 4, 4, 4] {
            assert_eq!(on(workers).to_bits(), expected.to_bits(), "{workers} workers");
        }
    }

    #[test]
    fn what_does_not_commute_stays_in_order() {
        for len in [0, 1, 2, 300, 5000] {
            let items: Vec<u32> = (0..len).collect();
            let joined = reduce(&items, String::new, u32::to_string, |a, b| a + &b);
            assert_eq!(joined, items.iter().map(u32::to_string).collect::<String>());
        }
    }
}
