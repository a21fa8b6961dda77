//! Stable sorting by the digits of integer keys, the least significant first.
//!
//! For each digit of eight bits, each block counts its items with each value. The prefix sums of these counts, over
//! values and then blocks, are where the items of each block go, and each block moves its items there. Digits that are
//! equal in all keys are skipped.

use crate::blocks::share_of;
use crate::fresh::Start;
use crate::sequences::reduce;
use std::mem::{MaybeUninit, swap};
use std::slice;

/// The values of a digit.
const VALUES: usize = 256;

/// The fewest items of a block: so many that its counts are a small part of its work.
const LEAST: usize = 16 * VALUES;

/// An integer that items are sorted by.
pub trait RadixKey: sealed::Key {}

mod sealed {
    pub trait Key: Copy + Send + Sync {
        const DIGITS: u32;
        /// The number whose order as an unsigned integer is that of the keys.
        fn to_ordered(self) -> u128;
        fn digit(self, digit: u32) -> usize;
    }
}

macro_rules! keys {
    ($($key:ty, $unsigned:ty, $flip:expr;)+) => {$(
        impl RadixKey for $key {}
        impl sealed::Key for $key {
            const DIGITS: u32 = <$unsigned>::BITS / 8;
            #[inline(always)]
            fn to_ordered(self) -> u128 {
                (self as $unsigned ^ $flip) as u128
            }
            #[inline(always)]
            fn digit(self, digit: u32) -> usize {
                usize::from(((self as $unsigned ^ $flip) >> (8 * digit)) as u8)
            }
        }
    )+};
}

// The sign bit of a signed integer is flipped, so that negative numbers come first.
keys! {
    u8, u8, 0;
    u16, u16, 0;
    u32, u32, 0;
    u64, u64, 0;
    u128, u128, 0;
    usize, usize, 0;
    i8, u8, 1 << 7;
    i16, u16, 1 << 15;
    i32, u32, 1 << 31;
    i64, u64, 1 << 63;
    i128, u128, 1 << 127;
    isize, usize, 1 << (usize::BITS - 1);
}

/// Sorts integers.
///
/// Work: O((d + 1) n) for d digits of eight bits that are not the same in all keys. Span: O(d n / P + d P) on P
/// workers. Memory: n items, and 24 KiB a worker.
///
/// ```
/// let mut items = [3_i32, -1, 4, -1, 5];
/// filch_algorithms::radix_sort(&mut items);
/// assert_eq!(items, [-1, -1, 3, 4, 5]);
/// ```
pub fn radix_sort<K: RadixKey>(items: &mut [K]) {
    radix_sort_by_key(items, |&key| key);
}

/// Sorts stably by a key, which is an integer.
///
/// Work, span and memory: as [`radix_sort`]. `key` is called once for each item, and twice for each digit that differs.
///
/// ```
/// let mut pairs = [(2_u8, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
/// filch_algorithms::radix_sort_by_key(&mut pairs, |pair| pair.0);
/// assert_eq!(pairs, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
/// ```
///
/// # Panics
///
/// If `key` panics. It may panic if `key` returns different keys for the same item; otherwise the order is unspecified
/// then. All items are still there, each once.
pub fn radix_sort_by_key<T, K, F>(items: &mut [T], key: F)
where
    T: Copy + Send + Sync,
    K: RadixKey,
    F: Fn(&T) -> K + Send + Sync,
{
    let Some(first) = items.first().map(|item| key(item).to_ordered()) else { return };
    let varying = reduce(items, || 0, |item| key(item).to_ordered() ^ first, |a, b| a | b);
    let digits: Vec<u32> = (0..K::DIGITS).filter(|digit| varying >> (8 * digit) & 0xFF != 0).collect();
    if digits.is_empty() {
        return;
    }
    let len = items.len();
    let mut buffer: Vec<MaybeUninit<T>> = Vec::with_capacity(len);
    // SAFETY: there is room, and these items may be uninitialised.
    unsafe { buffer.set_len(len) };
    let size = share_of(len, LEAST);
    // SAFETY: what is initialised may be seen as if it were not. Only initialised items are written there: below.
    let items = unsafe { &mut *(std::ptr::from_mut(items) as *mut [MaybeUninit<T>]) };
    let mut passes = Passes { from: items, to: &mut buffer, is_back: true };
    for digit in digits {
        passes.pass(size, |item| key(item).digit(digit));
    }
}

/// The items, all initialised, and as many places to move them to.
struct Passes<'a, T: Copy> {
    from: &'a mut [MaybeUninit<T>],
    to: &'a mut [MaybeUninit<T>],
    /// Whether `from` is where they are to be in the end.
    is_back: bool,
}

impl<T: Copy + Send + Sync> Passes<'_, T> {
    /// Moves all items, stably by their digits.
    fn pass(&mut self, size: usize, digit: impl Fn(&T) -> usize + Send + Sync) {
        // SAFETY: all are initialised.
        let from = unsafe { slice::from_raw_parts(self.from.as_ptr().cast::<T>(), self.from.len()) };
        let mut counts = vec![[0; VALUES]; from.len().div_ceil(size)];
        filch::for_each((filch::chunks(from, size), &mut counts), |_, (block, counts)| {
            block.iter().for_each(|item| counts[digit(item)] += 1);
        });
        // Where the items of each block with each value begin; those of the next block, or value, begin where they end.
        let mut places = vec![[Places::default(); VALUES]; counts.len()];
        let mut end = 0;
        for value in 0..VALUES {
            for (counts, places) in counts.iter().zip(&mut places) {
                let next = end;
                end += counts[value];
                places[value] = Places { next, end };
            }
        }
        let to = Start(self.to.as_mut_ptr());
        filch::for_each((filch::chunks(from, size), &mut places), |_, (block, places)| {
            for item in block {
                let places = &mut places[digit(item)];
                assert!(places.next < places.end, "the key of an item is always the same");
                // SAFETY: it is one of as many places as there are items, and no other block nor value has it.
                let place = unsafe { to.at(places.next) };
                // SAFETY: as above.
                unsafe { place.write(MaybeUninit::new(*item)) };
                places.next += 1;
            }
        });
        // Each block has written as many items as it has places, and none twice: so all are initialised.
        swap(&mut self.from, &mut self.to);
        self.is_back = !self.is_back;
    }
}

/// Where the next item of a block with some value goes, and where its places end.
#[derive(Clone, Copy, Default)]
struct Places {
    next: usize,
    end: usize,
}

impl<T: Copy> Drop for Passes<'_, T> {
    /// Copies the items to where they are to be, in the end and if a key panics.
    fn drop(&mut self) {
        if !self.is_back {
            self.to.copy_from_slice(self.from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn assert_sorts<K: RadixKey + Ord + Debug + Sync>(mut make: impl FnMut() -> K) {
        for len in [0, 1, 2, 100, if cfg!(miri) { 300 } else { 40_000 }] {
            let items: Vec<(K, usize)> = (0..len).map(|index| (make(), index)).collect();
            let (mut sorted, mut expected) = (items.clone(), items);
            radix_sort_by_key(&mut sorted, |item| item.0);
            expected.sort_by_key(|item| item.0);
            assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn keys_of_all_types_are_sorted_stably() {
        let mut random = fastrand::Rng::with_seed(5);
        assert_sorts(|| random.u8(..));
        assert_sorts(|| random.i8(..));
        assert_sorts(|| random.u16(..));
        assert_sorts(|| random.i16(..));
        assert_sorts(|| random.u32(..));
        assert_sorts(|| random.i32(..));
        assert_sorts(|| random.u64(..) << random.u32(0..64));
        assert_sorts(|| random.i64(..) >> random.u32(0..64));
        assert_sorts(|| random.u128(..));
        assert_sorts(|| random.i128(..));
        assert_sorts(|| random.usize(..));
        assert_sorts(|| random.isize(..));
        assert_sorts(|| 7_u64);
        // One digit, and three: the items are in the buffer in the end.
        assert_sorts(|| random.u64(0..200));
        assert_sorts(|| random.u32(0..1 << 24));
    }

    #[test]
    fn a_key_that_panics_or_changes_loses_and_doubles_nothing() {
        let len = if cfg!(miri) { 200 } else { 20_000 };
        let pool = filch::Pool::builder().workers(3).build().expect("a pool");
        for last in (0..).map(|round| round * len / 3).take_while(|&last| last < 8 * len) {
            for changes in [false, true] {
                let mut items: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
                let mut expected = items.clone();
                let calls = AtomicUsize::new(0);
                _ = catch_unwind(AssertUnwindSafe(|| {
                    pool.run(|_| {
                        radix_sort_by_key(&mut items, |&item| {
                            let is_last = calls.fetch_add(1, Ordering::Relaxed) == last;
                            assert!(!is_last || changes);
                            if is_last { !item } else { item }
                        });
                    });
                }));
                items.sort_unstable();
                expected.sort_unstable();
                assert_eq!(items, expected);
            }
        }
    }
}
