//! Stable sorting by the digits of integer keys.
//!
//! Parts that do not fit in a cache are divided by their most significant digit, into parts that do, if keys are
//! spread evenly. Workers sort these independently: by digits from the least significant one where there are few of
//! them, or else by the most significant one again, until parts are so small that comparisons are faster. So the items
//! pass through the memory twice, and the rest takes place in caches.
//!
//! Digits are as wide as the number of items and the bits that differ between keys suggest. Which bits these are is
//! found out for each part anew: its keys may have more in common than the digits by which it was divided.

use super::radix_key::{RadixKey, Word};
use crate::fresh::vector;
use crate::scatter::{CHANGED, scatter_to};
use crate::sequences::reduce;
use std::mem::{MaybeUninit, swap};
use std::ops::Range;

/// The bytes of items that are sorted serially: they fit in a second-level cache, together with the buffer.
const CACHED_BYTES: usize = 256 << 10;

/// The most bits of a digit. Its values have 16 KiB of counts and places, which leaves room in a first-level cache.
const MOST_BITS: u32 = 10;

/// The fewest bits of the digit by which workers divide a part: so many parts keep all workers of a large machine busy.
const LEAST_BITS: u32 = 8;

/// The most passes from the least significant digit on. More take longer than a pass by the most significant one and
/// comparisons.
const MOST_PASSES: u32 = 4;

/// The most items that are sorted by comparisons, about.
const FEW: usize = 32;

/// How often a part that is sorted by comparisons is halved, about, while that many are.
const HALVINGS_OF_FEW: u32 = (FEW / 2).ilog2();

/// How often a part that is sorted by comparisons is halved, about, while another passes by a digit.
const HALVINGS_OF_PASS: u32 = 3;

/// Sorts numbers.
///
/// Work: O(n) for each digit of 8 to 10 bits that are not the same in all keys; fewer if the keys are spread evenly.
/// Span: O(n / P) on P workers if they are, and O(d n / P) for d digits otherwise. Memory: n items, and at most
/// 128 KiB a worker.
///
/// ```
/// let mut items = [3_i32, -1, 4, -1, 5];
/// filch_algorithms::radix_sort(&mut items);
/// assert_eq!(items, [-1, -1, 3, 4, 5]);
/// ```
pub fn radix_sort<K: RadixKey>(items: &mut [K]) {
    radix_sort_by_key(items, |&key| key);
}

/// Sorts stably by a key, which is a number.
///
/// Work, span and memory: as [`radix_sort`]. `key` is called several times for each item.
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
    let word = |item: &T| key(item).to_ordered();
    sort_with_buffer(items, all_bits(&word), &word);
}

/// The numbers, sorted, in a new vector.
///
/// Work and span: as [`radix_sort`]. Memory: the vector, and a buffer for each part that is being sorted. A part has
/// at most 256 KiB if the keys are spread evenly, and may have nearly all items otherwise.
///
/// ```
/// assert_eq!(filch_algorithms::radix_sorted(&[0.5, -1.0, 0.25]), [-1.0, 0.25, 0.5]);
/// ```
#[must_use]
pub fn radix_sorted<K: RadixKey>(items: &[K]) -> Vec<K> {
    radix_sorted_by_key(items, |&key| key)
}

/// The items, sorted stably by a key, which is a number, in a new vector.
///
/// Work, span and memory: as [`radix_sorted`]. `key` is called several times for each item.
///
/// ```
/// let words = ["to", "be", "or", "not"];
/// assert_eq!(filch_algorithms::radix_sorted_by_key(&words, |word| word.len()), ["to", "be", "or", "not"]);
/// ```
///
/// # Panics
///
/// As [`radix_sort_by_key`].
#[must_use]
pub fn radix_sorted_by_key<T, K, F>(items: &[T], key: F) -> Vec<T>
where
    T: Copy + Send + Sync,
    K: RadixKey,
    F: Fn(&T) -> K + Send + Sync,
{
    let word = |item: &T| key(item).to_ordered();
    let mut sorted = vector(items.len());
    let (bits, ends) = if size_of_val(items) > CACHED_BYTES {
        let (width, rest) = first_digit::<T>(items.len(), varying_bits(items, all_bits(&word), &word));
        let ends = scatter_by(items, sorted.spare_capacity_mut(), 1 << width, digit_of(&word, rest.end, width));
        // SAFETY: as many items as there are have been written.
        unsafe { sorted.set_len(items.len()) };
        (rest, ends)
    } else {
        sorted.extend_from_slice(items);
        (all_bits(&word), vec![items.len()])
    };
    let mut rest = &mut sorted[..];
    let starts = std::iter::once(&0).chain(&ends);
    let part = |(start, end)| rest.split_off_mut(..end - start).expect("ends are in order");
    let mut parts: Vec<&mut [T]> = starts.zip(&ends).map(part).collect();
    filch::for_each(&mut parts, |_, part| sort_with_buffer(part, bits.clone(), &word));
    sorted
}

fn all_bits<T, W: Word>(_: &impl Fn(&T) -> W) -> Range<u32> {
    0..u8::BITS * size_of::<W>() as u32
}

/// Those of the bits that are not the same in all words, and those between them.
fn varying_bits<T, W>(items: &[T], bits: Range<u32>, word: &(impl Fn(&T) -> W + Send + Sync)) -> Range<u32>
where
    T: Sync,
    W: Word,
{
    let first = items.first().map_or(W::default(), word);
    let varying = if size_of_val(items) > CACHED_BYTES {
        reduce(items, W::default, |item| word(item) ^ first, |a, b| a | b)
    } else {
        items.iter().fold(W::default(), |varying, item| varying | (word(item) ^ first))
    };
    // Others vary only if a key changes; then they must not come back, or this would not end.
    bits.start.max(varying.bits().start)..bits.end.min(varying.bits().end)
}

/// How many of these bits are the digit by which workers divide so many items, and the other bits.
fn first_digit<T>(len: usize, bits: Range<u32>) -> (u32, Range<u32>) {
    let parts = (len * size_of::<T>()).div_ceil(CACHED_BYTES).next_power_of_two().ilog2();
    let width = parts.clamp(LEAST_BITS, MOST_BITS).min(bits.len() as u32);
    (width, bits.start..bits.end - width)
}

/// Sorts stably by these bits of `word`; the others have no influence on the order.
fn sort_with_buffer<T, W>(items: &mut [T], bits: Range<u32>, word: &(impl Fn(&T) -> W + Send + Sync))
where
    T: Copy + Send + Sync,
    W: Word,
{
    if bits.is_empty() {
        return;
    }
    let mut buffer = vector::<MaybeUninit<T>>(items.len());
    // SAFETY: there is room, and these items may be uninitialised.
    unsafe { buffer.set_len(items.len()) };
    // SAFETY: what is initialised may be seen as if it were not. Only initialised items are written there: below.
    let items = unsafe { &mut *(std::ptr::from_mut(items) as *mut [MaybeUninit<T>]) };
    Part { from: items, to: &mut buffer, is_back: true }.sort(bits, word);
}

/// The digit of so many bits from `low` on.
fn digit_of<T, W: Word>(
    word: &(impl Fn(&T) -> W + Sync),
    low: u32,
    width: u32,
) -> impl Fn(&T) -> usize + Copy + Send + Sync {
    let mask = (1 << width) - 1;
    move |item| word(item).digit(low, mask)
}

/// Writes the items to a part of `to` for each value of their digit, and returns where the parts end.
fn scatter_by<T: Copy + Send + Sync>(
    from: &[T],
    to: &mut [MaybeUninit<T>],
    values: usize,
    digit: impl Fn(&T) -> usize + Copy + Send + Sync,
) -> Vec<usize> {
    let items = |range: Range<usize>| from[range].iter().map(move |item| (digit(item), *item));
    scatter_to(from.len(), values, items, |_| to)
}

/// Items, all initialised, and as many places to move them to.
struct Part<'a, T: Copy> {
    from: &'a mut [MaybeUninit<T>],
    to: &'a mut [MaybeUninit<T>],
    /// Whether `from` is where they are to be in the end.
    is_back: bool,
}

impl<'a, T: Copy + Send + Sync> Part<'a, T> {
    /// As [`sort_with_buffer`].
    fn sort<W: Word>(&mut self, bits: Range<u32>, word: &(impl Fn(&T) -> W + Send + Sync)) {
        let len = self.from.len();
        if len <= FEW {
            return self.sort_by_comparisons(word);
        }
        let most = len.ilog2().min(MOST_BITS);
        // If one digit has them all, looking for them is not worth it.
        let bits = if bits.len() as u32 > most { varying_bits(self.items(), bits, word) } else { bits };
        let passes = (bits.len() as u32).div_ceil(most);
        if passes == 0 {
            // They are all equal.
        } else if size_of_val(self.from) > CACHED_BYTES {
            let (width, rest) = first_digit::<T>(len, bits);
            // SAFETY: all are initialised.
            let from = unsafe { &*(&raw const *self.from as *const [T]) };
            let ends = scatter_by(from, self.to, 1 << width, digit_of(word, rest.end, width));
            self.swap();
            let mut before = 0;
            let part = |end| {
                let part = self.split_off(end - before);
                before = end;
                part
            };
            let mut parts: Vec<Part<'_, T>> = ends.into_iter().map(part).collect();
            filch::for_each(&mut parts, |_, part| part.sort(rest.clone(), word));
        } else if len.ilog2() < HALVINGS_OF_PASS + (HALVINGS_OF_PASS * (passes - 1)).min(HALVINGS_OF_FEW) {
            return self.sort_by_comparisons(word);
        } else if passes <= MOST_PASSES {
            self.sort_by_digits(bits.clone(), (bits.len() as u32).div_ceil(passes), word);
        } else {
            let width = (len.ilog2() - HALVINGS_OF_FEW).min(MOST_BITS);
            let rest = bits.start..bits.end - width;
            let mut before = 0;
            let digit = digit_of(word, rest.end, width);
            let counts = self.count(1 << width, digit);
            for end in self.scatter_serially(counts, digit, |_| ()) {
                self.split_off((end - before) as usize).sort(rest.clone(), word);
                before = end;
            }
        }
        self.bring_back();
    }

    fn sort_by_comparisons<W: Word>(&mut self, word: &impl Fn(&T) -> W) {
        self.items().sort_by_key(word);
        self.bring_back();
    }

    /// Takes the first items.
    fn split_off(&mut self, len: usize) -> Part<'a, T> {
        let from = self.from.split_off_mut(..len).expect("there are so many");
        let to = self.to.split_off_mut(..len).expect("there are as many places as items");
        Part { from, to, is_back: self.is_back }
    }

    fn items(&mut self) -> &mut [T] {
        let items: *mut [MaybeUninit<T>] = self.from;
        // SAFETY: all are initialised.
        unsafe { &mut *(items as *mut [T]) }
    }

    fn swap(&mut self) {
        swap(&mut self.from, &mut self.to);
        self.is_back = !self.is_back;
    }

    /// Sorts by digits of so many bits, from the least significant one on. While the items move by one of them, the next
    /// one is counted.
    fn sort_by_digits<W: Word>(&mut self, bits: Range<u32>, width: u32, word: &(impl Fn(&T) -> W + Sync)) {
        let mut counts = self.count(1 << width, digit_of(word, bits.start, width));
        for low in bits.clone().step_by(width as usize) {
            let digit = digit_of(word, low, width);
            if low + width >= bits.end {
                self.scatter_serially(counts, digit, |_| ());
                return;
            }
            let next = digit_of(word, low + width, width);
            let mut next_counts = vec![0; 1 << width];
            self.scatter_serially(counts, digit, |item| next_counts[next(item)] += 1);
            counts = next_counts;
        }
    }

    /// How many items have each digit.
    fn count(&mut self, values: usize, digit: impl Fn(&T) -> usize) -> Vec<u32> {
        let mut counts = vec![0; values];
        self.items().iter().for_each(|item| counts[digit(item)] += 1);
        counts
    }

    /// Moves all items, stably by their digits, which have been counted. Returns where those with each end.
    fn scatter_serially(
        &mut self,
        mut next: Vec<u32>,
        digit: impl Fn(&T) -> usize,
        mut see: impl FnMut(&T),
    ) -> Vec<u32> {
        let mut ends = next.clone();
        let mut end = 0;
        for (next, value_end) in next.iter_mut().zip(&mut ends) {
            (*next, end) = (end, end + *next);
            *value_end = end;
        }
        // Not `items`, which borrows the places, too.
        for item in &*self.from {
            // SAFETY: all are initialised.
            let item = unsafe { item.assume_init_ref() };
            see(item);
            let next = &mut next[digit(item)];
            *self.to.get_mut(*next as usize).expect(CHANGED) = MaybeUninit::new(*item);
            *next += 1;
        }
        // Then all places have been written, each once, because no value has got more of them than there are.
        assert!(next == ends, "{CHANGED}");
        self.swap();
        ends
    }
}

impl<T: Copy> Part<'_, T> {
    /// Copies the items to where they are to be in the end.
    fn bring_back(&mut self) {
        if !self.is_back {
            self.to.copy_from_slice(self.from);
            self.is_back = true;
        }
    }
}

impl<T: Copy> Drop for Part<'_, T> {
    /// Also if a key panics.
    fn drop(&mut self) {
        self.bring_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn assert_sorts<K: RadixKey + Ord + Debug>(mut make: impl FnMut() -> K) {
        for len in [0, 1, 2, 33, 100, 2000, if cfg!(miri) { 300 } else { 60_000 }] {
            let items: Vec<(K, usize)> = (0..len).map(|index| (make(), index)).collect();
            let (mut sorted, mut expected) = (items.clone(), items.clone());
            radix_sort_by_key(&mut sorted, |item| item.0);
            expected.sort_by_key(|item| item.0);
            assert_eq!(sorted, expected);
            assert_eq!(radix_sorted_by_key(&items, |item| item.0), expected);
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
        // Few keys far apart, and most items with one key.
        assert_sorts(|| random.u64(..) & 0x8000_0001_0000_4001);
        assert_sorts(|| random.u64(0..1 << 40) >> random.u32(0..400).min(40));
        // Groups that share their upper bits, and a key that shares none with the others.
        assert_sorts(|| u128::from(random.u32(0..900)) << 96 | u128::from(random.u64(0..1 << 40)));
        assert_sorts(|| if random.u32(0..5000) == 0 { u64::MAX } else { random.u64(0..1 << 24) });
    }

    #[test]
    fn floating_point_numbers_are_sorted_in_their_total_order() {
        let mut random = fastrand::Rng::with_seed(14);
        let special = [0.0, -0.0, 1.0, -1.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
        let mut numbers: Vec<f64> = (0..1000).map(|i| special.get(i).copied().unwrap_or(random.f64() - 0.5)).collect();
        let mut single: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
        let (mut expected, mut expected_single) = (numbers.clone(), single.clone());
        expected.sort_by(f64::total_cmp);
        expected_single.sort_by(f32::total_cmp);
        radix_sort(&mut numbers);
        radix_sort(&mut single);
        assert!(numbers.iter().map(|x| x.to_bits()).eq(expected.iter().map(|x| x.to_bits())));
        assert!(single.iter().map(|x| x.to_bits()).eq(expected_single.iter().map(|x| x.to_bits())));
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
                let sorted = catch_unwind(AssertUnwindSafe(|| {
                    pool.run(|_| {
                        radix_sort_by_key(&mut items, |&item| {
                            let is_over = calls.fetch_add(1, Ordering::Relaxed) >= last;
                            assert!(!is_over || changes);
                            if is_over { !item } else { item }
                        });
                    });
                }));
                if let (Err(panic), true) = (sorted, changes) {
                    let message = panic.downcast_ref::<&str>().map(|text| text.to_string());
                    let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
                    let message = message.expect("a message");
                    // The standard library's sort has another.
                    assert!(message.contains(CHANGED) || message.contains("total order"), "{message}");
                }
                items.sort_unstable();
                expected.sort_unstable();
                assert_eq!(items, expected);
            }
        }
    }
}
