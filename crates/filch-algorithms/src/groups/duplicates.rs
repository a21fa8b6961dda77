//! Distinct items. Each item has a bit, which says whether it is the first one with its key.
//!
//! If there are few keys, most items are repetitions: each chunk is filtered first, by a [table](Recent) of the keys
//! that it begins with. What is left is brought together by hashes, in buckets of which each fits a cache with its
//! table. Since items keep their order there, the first one of a key is the first one that its table gets. So no two
//! threads write to the same table, and the result is the same on any number of workers.

use crate::blocks::share_of;
use crate::scatter::scatter;
use crate::sequences::{pack_bits, tabulate};
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// The items of a bucket, on average: with their table, they fit a second-level cache.
const BUCKET: usize = 1 << 14;

/// The most buckets: what is written to each at the same time fits a second-level cache.
const MOST_BUCKETS: usize = 1 << 11;

/// The most keys that a chunk is filtered by: with small ones, a table of a few MiB, a share of a last-level cache.
const MOST_RECENT: usize = 1 << 17;

/// The items that are looked at to find out whether there are few keys.
const SAMPLE: usize = 1 << 11;

/// The items without those that are equal to an earlier one, in their order.
///
/// For small items that can be copied, [`remove_duplicates_by_key`] by themselves is faster.
///
/// Work: O(n) hashes and comparisons, expected, and a clone of each item that stays. Span: as
/// [`filter`](crate::filter), and the O(n / 2048) items of a bucket, or of one that has all items with the same hash.
/// Memory: some 20 bytes for each item, and a bit.
///
/// ```
/// assert_eq!(filch_algorithms::remove_duplicates(&["to", "be", "or", "not", "to", "be"]), ["to", "be", "or", "not"]);
/// ```
///
/// # Panics
///
/// If a hash, a comparison or a clone panics, or if an item does not always have the same hash.
#[must_use]
pub fn remove_duplicates<T: Eq + Hash + Clone + Send + Sync>(items: &[T]) -> Vec<T> {
    remove_duplicates_by_key(items, by_itself)
}

fn by_itself<T>(item: &T) -> &T {
    item
}

/// The items without those that have the key of an earlier one, in their order. The keys are copied.
///
/// Work and span: as [`remove_duplicates`]. Memory: 12 bytes and a key for each item, and a bit.
///
/// ```
/// use filch_algorithms::remove_duplicates_by_key;
///
/// assert_eq!(remove_duplicates_by_key(&[3, 1, 3, 2, 1], |&number| number), [3, 1, 2]);
/// let floats = [0.5, -0.0, 0.5, 0.0];
/// assert_eq!(remove_duplicates_by_key(&floats, |float: &f64| float.to_bits()), [0.5, -0.0, 0.0]);
/// ```
///
/// # Panics
///
/// If `key`, a hash, a comparison or a clone panics, or if an item does not always have the same hash.
#[must_use]
pub fn remove_duplicates_by_key<'a, T, K>(items: &'a [T], key: impl Fn(&'a T) -> K + Send + Sync) -> Vec<T>
where
    T: Clone + Send + Sync,
    K: Copy + Eq + Hash + Send + Sync,
{
    let bits = if u32::try_from(items.len()).is_ok() {
        first_ones(items, key, |index| index as u32, |index| index as usize)
    } else {
        first_ones(items, key, |index| index, |index| index)
    };
    pack_bits(items, bits)
}

/// A bit for each item: whether it is the first one with its key. `I` is a type for indices.
fn first_ones<'a, T: Sync, K, I>(
    items: &'a [T],
    key: impl Fn(&'a T) -> K + Send + Sync,
    to_index: impl Fn(usize) -> I + Send + Sync,
    from_index: impl Fn(I) -> usize + Send + Sync,
) -> Vec<u64>
where
    K: Copy + Eq + Hash + Send + Sync,
    I: Copy + Send + Sync,
{
    let hashes = RandomState::default();
    let hashed = |item: &'a T| {
        let key = key(item);
        (hashes.hash_one(key), key)
    };
    let bits = not_recent(items, &hashed);
    let left: usize = bits.iter().map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum();
    let buckets = (left / BUCKET).next_power_of_two().min(MOST_BUCKETS);
    let mut entries = scatter(bits.len(), buckets, |words: Range<usize>| {
        let indices = words.flat_map(|word| ones(bits[word].load(Ordering::Relaxed)).map(move |bit| word * WORD + bit));
        indices.map(|index| {
            let (hash, key) = hashed(&items[index]);
            // The low bits are for the tables.
            let bucket = (hash >> u32::BITS) as usize & (buckets - 1);
            (bucket, Entry { key, hash: hash as u32, index: to_index(index) })
        })
    });
    filch::for_each(&mut entries.buckets(), |_, entries| {
        assert!(entries.len() < EMPTY as usize, "{} items have hashes with some bits in common", entries.len());
        // At least half of the slots stay empty, so every search comes to an end.
        let mut slots = vec![EMPTY; (2 * entries.len()).next_power_of_two()];
        let last = slots.len() - 1;
        for (number, entry) in (0..EMPTY).zip(entries.iter()) {
            let mut place = entry.hash as usize & last;
            while slots[place] != EMPTY && !entries[slots[place] as usize].equals(entry) {
                place = (place + 1) & last;
            }
            if slots[place] == EMPTY {
                slots[place] = number;
            } else {
                let index = from_index(entry.index);
                bits[index / WORD].fetch_and(!(1 << (index % WORD)), Ordering::Relaxed);
            }
        }
    });
    tabulate(bits.len(), |word| bits[word].load(Ordering::Relaxed))
}

/// A slot of a table that has no entry.
const EMPTY: u32 = u32::MAX;

/// An item in a bucket.
#[derive(Clone, Copy)]
struct Entry<K, I> {
    key: K,
    hash: u32,
    index: I,
}

impl<K: Eq, I> Entry<K, I> {
    fn equals(&self, other: &Self) -> bool {
        self.hash == other.hash && self.key == other.key
    }
}

/// The places of the ones in a word.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < WORD).then_some(place)
    })
}

/// A bit for each item: whether it may be the first one with its key.
fn not_recent<'a, T: Sync, K: Copy + Eq + Hash + Send + Sync>(
    items: &'a [T],
    hashed: &(impl Fn(&'a T) -> (u64, K) + Send + Sync),
) -> Vec<AtomicU64> {
    let all = |word: usize| u64::MAX >> (WORD - WORD.min(items.len() - word * WORD));
    let bits = tabulate(items.len().div_ceil(WORD), |word| AtomicU64::new(all(word)));
    if items.len() <= BUCKET || !are_few(items, hashed) {
        return bits;
    }
    let size = share_of(bits.len(), BUCKET / WORD);
    filch::for_each((filch::chunks(&bits, size), filch::chunks(items, size * WORD)), |_, (bits, items)| {
        let mut recent = Recent::new(hashed(&items[0]).1, MOST_RECENT.min(items.len()));
        for (word, items) in bits.iter().zip(items.chunks(WORD)) {
            if recent.is_useless() {
                break;
            }
            let is_new = items.iter().map(|item| !recent.has(hashed(item)));
            word.store(
                is_new.zip(0..).fold(0, |bits, (is_new, bit)| bits | u64::from(is_new) << bit),
                Ordering::Relaxed,
            );
        }
    });
    bits
}

/// Whether there are so few keys that a table of [`Recent`] has most of them.
fn are_few<'a, T, K: Copy + Eq>(items: &'a [T], hashed: &impl Fn(&'a T) -> (u64, K)) -> bool {
    let mut recent = Recent::new(hashed(&items[0]).1, SAMPLE);
    let sample = items.iter().step_by((items.len() / SAMPLE).max(1)).take(SAMPLE);
    let repeated = sample.filter(|item| recent.has(hashed(item))).count();
    // Of d keys that are equally frequent, s samples repeat about s² / 2d.
    repeated * 2 * MOST_RECENT >= SAMPLE * SAMPLE
}

/// The first keys that it was asked for.
struct Recent<K> {
    /// The very first one. A slot that has it is empty.
    first: K,
    /// At least half of them stay empty.
    slots: Vec<K>,
    most: usize,
    keys: usize,
    asked: usize,
}

impl<K: Copy + Eq> Recent<K> {
    fn new(first: K, most: usize) -> Self {
        Recent { first, slots: vec![first; (2 * most).next_power_of_two()], most, keys: 0, asked: 0 }
    }

    /// Whether it was asked for the key before, as far as it knows.
    #[inline]
    fn has(&mut self, (hash, key): (u64, K)) -> bool {
        self.asked += 1;
        if key == self.first {
            return self.asked > 1;
        }
        let last = self.slots.len() - 1;
        let mut place = hash as usize & last;
        // At least half of the slots are empty, unless a key is not equal to itself.
        for _ in 0..=last {
            let other = self.slots[place];
            if other == key {
                return true;
            }
            if other == self.first {
                break;
            }
            place = (place + 1) & last;
        }
        if self.keys < self.most {
            self.slots[place] = key;
            self.keys += 1;
        }
        false
    }

    /// Whether it is full, and had few of the keys that it was asked for.
    fn is_useless(&self) -> bool {
        self.keys == self.most && self.asked < 2 * self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_first_of_equal_items_stays_in_its_place() {
        let mut random = fastrand::Rng::with_seed(13);
        for (len, values) in [(0, 1), (1, 1), (1000, 1), (1000, 30), (30_000, 20_000), (30_000, u64::MAX)] {
            let items: Vec<String> = (0..len).map(|_| random.u64(0..values).to_string()).collect();
            let mut seen = HashSet::new();
            let expected: Vec<&String> = items.iter().filter(|item| seen.insert(item.as_str())).collect();
            assert!(remove_duplicates(&items).iter().eq(expected));
        }
    }

    #[test]
    fn of_few_keys_many_and_both_the_first_of_each_stays() {
        let mut random = fastrand::Rng::with_seed(17);
        for workers in [1, 3] {
            let pool = filch::Pool::builder().workers(workers).build().expect("a pool");
            for spread in [8, 10, 14, 32] {
                let items: Vec<u32> =
                    (0..100_000).map(|_| random.u32(..) >> random.u32(32 - spread..=32 - spread / 2)).collect();
                let mut seen = HashSet::new();
                let expected: Vec<u32> = items.iter().copied().filter(|item| seen.insert(*item)).collect();
                assert_eq!(pool.run(|_| remove_duplicates_by_key(&items, |&item| item)), expected);
            }
        }
    }

    #[test]
    fn items_with_equal_hashes_are_told_apart() {
        #[derive(Clone, PartialEq, Eq, Debug)]
        struct Colliding(usize);
        impl Hash for Colliding {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                state.write_usize(self.0 % 2);
            }
        }
        let items: Vec<Colliding> = (0..600).map(|index| Colliding(index % 100)).collect();
        assert_eq!(remove_duplicates(&items), items[..100]);
    }
}
