//! Distinct items. Each item has a bit, which says whether it is the first one with its key.
//!
//! If there are few keys, most items are repetitions: each chunk is filtered first, by a [table](Recent) of keys of
//! earlier chunks and of its own. A worker keeps its table for later chunks. What is left is brought together by
//! hashes, in buckets of which each fits a cache with its table. Since items keep their order there, the first one of
//! a key is the first one that its table gets. So no two threads write to the same table, and the result is the same
//! on any number of workers.

use crate::blocks::share_of;
use crate::memory::prefetch;
use crate::scatter::scatter;
use crate::sequences::{pack_bits, tabulate};
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash};
use std::mem::needs_drop;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// The items of a bucket, on average: with their table, they fit a second-level cache.
const BUCKET: usize = 1 << 14;

/// The most buckets: what is written to each at the same time fits a second-level cache.
const MOST_BUCKETS: usize = 1 << 11;

/// The keys that a chunk is filtered by: with small ones, a table of a few MiB, a share of a last-level cache.
const MOST_RECENT: usize = 1 << 17;

/// The items that are looked at to find out whether there are few keys.
const SAMPLE: usize = 1 << 11;

/// The items without those that are equal to an earlier one, in their order.
///
/// Work: O(n) hashes and comparisons, expected, and a clone of each item that stays; of items that need no drop and
/// have at most two words, O(n) clones. Span: as [`filter`](crate::filter), and the O(n / 2048) items of a bucket, or
/// of one that has all items with the same hash. Memory: 16 bytes for each item, or 24 if they are cloned and have more
/// than a word, and nine bits; and a table of a few MiB for each worker, or of as much as its items if they are fewer.
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
    // A reference to a number or a string slice costs more than a copy, since each comparison follows it.
    if !needs_drop::<T>() && size_of::<T>() <= size_of::<&[T]>() {
        distinct(items, T::clone)
    } else {
        distinct(items, by_itself)
    }
}

fn by_itself<T>(item: &T) -> &T {
    item
}

/// The items without those that have the key of an earlier one, in their order. The keys are copied.
///
/// Work and span: as [`remove_duplicates`]. Memory: 12 bytes and a key for each item, and nine bits.
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
    distinct(items, key)
}

fn distinct<'a, T, K>(items: &'a [T], key: impl Fn(&'a T) -> K + Send + Sync) -> Vec<T>
where
    T: Clone + Send + Sync,
    K: Clone + Eq + Hash + Send + Sync,
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
    K: Clone + Eq + Hash + Send + Sync,
    I: Copy + Send + Sync,
{
    let hashes = RandomState::default();
    let hash = |key: &K| hashes.hash_one(key);
    let bits = not_recent(items, &key, &hash);
    let left: usize = bits.iter().map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum();
    let buckets = (left / BUCKET).next_power_of_two().min(MOST_BUCKETS);
    let mut entries = scatter(bits.len(), buckets, |words: Range<usize>| {
        let indices = words.flat_map(|word| ones(bits[word].load(Ordering::Relaxed)).map(move |bit| word * WORD + bit));
        indices.map(|index| {
            let key = key(&items[index]);
            let hash = hash(&key);
            // The low bits are for the tables.
            let bucket = (hash >> u32::BITS) as usize & (buckets - 1);
            (bucket, Entry { key, hash: hash as u32, index: to_index(index) })
        })
    });
    // A byte for each item: a bit is set by reading it, and workers would wait for each other's caches.
    let are_repeated = tabulate(items.len(), |_| AtomicU8::new(0));
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
                are_repeated[from_index(entry.index)].store(1, Ordering::Relaxed);
            }
        }
    });
    let repeated = |word: usize| {
        let flags = are_repeated[word * WORD..].iter().take(WORD).map(|flag| flag.load(Ordering::Relaxed));
        flags.zip(0..).fold(0, |bits, (flag, bit)| bits | u64::from(flag) << bit)
    };
    tabulate(bits.len(), |word| bits[word].load(Ordering::Relaxed) & !repeated(word))
}

/// A slot of a table that has no entry.
const EMPTY: u32 = u32::MAX;

/// An item in a bucket.
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
fn not_recent<'a, T: Sync, K: Clone + Eq + Send>(
    items: &'a [T],
    key: &(impl Fn(&'a T) -> K + Send + Sync),
    hash: &(impl Fn(&K) -> u64 + Send + Sync),
) -> Vec<AtomicU64> {
    let all = |word: usize| u64::MAX >> (WORD - WORD.min(items.len() - word * WORD));
    let bits = tabulate(items.len().div_ceil(WORD), |word| AtomicU64::new(all(word)));
    if items.len() <= BUCKET || !are_few(items, key, hash) {
        return bits;
    }
    let most = MOST_RECENT.min(share_of(items.len(), BUCKET));
    // The next chunk, and the tables that are not in use. Chunks are begun in their order, so that a table has only
    // keys of earlier ones, and each worker needs one table.
    let rest = Mutex::new((bits.chunks(BUCKET / WORD).zip(items.chunks(BUCKET)), Vec::new()));
    filch::for_each(0..items.len().div_ceil(BUCKET), |_, _| {
        let (chunk, table) = {
            let (chunks, tables) = &mut *lock(&rest);
            (chunks.next(), tables.pop())
        };
        let (bits, items) = chunk.expect("there are as many chunks");
        let mut recent = table.unwrap_or_else(|| Recent::new(key(&items[0]), most));
        if !recent.is_useless() {
            for (word, items) in bits.iter().zip(items.chunks(WORD)) {
                word.store(recent.new_ones(items, key, hash), Ordering::Relaxed);
            }
        }
        lock(&rest).1.push(recent);
    });
    bits
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nothing panics under the lock")
}

/// Whether there are so few keys that a table of [`Recent`] has most of them.
fn are_few<'a, T, K: Clone + Eq>(items: &'a [T], key: &impl Fn(&'a T) -> K, hash: &impl Fn(&K) -> u64) -> bool {
    let mut recent = Recent::new(key(&items[0]), SAMPLE);
    let sample = items.iter().step_by((items.len() / SAMPLE).max(1)).take(SAMPLE).map(key);
    let repeated = sample.filter(|key| recent.has(hash(key), key.clone())).count();
    // Of d keys that are equally frequent, s samples repeat about s² / 2d.
    repeated * 2 * MOST_RECENT >= SAMPLE * SAMPLE
}

/// The keys of a set: their tags are one word.
const WAYS: usize = size_of::<u64>();

/// A byte of one in each way.
const ONES: u64 = u64::MAX / 0xff;

/// The first keys that it was asked for, in sets of a few. A set that is full gets no other ones. Keys are compared if
/// their tags are equal, so that a key that is not there is rarely compared with one that is far away.
struct Recent<K> {
    /// A byte for each key of a set: some bits of its hash, or zero if there is no key.
    tags: Vec<u64>,
    keys: Vec<K>,
    asked: usize,
    found: usize,
}

impl<K: Clone + Eq> Recent<K> {
    /// With room for about so many keys. Places without one have a clone of `any`.
    fn new(any: K, most: usize) -> Self {
        let sets = (2 * most / WAYS).next_power_of_two();
        Recent { tags: vec![0; sets], keys: vec![any; sets * WAYS], asked: 0, found: 0 }
    }

    /// A bit for each of up to 64 items: whether it was not asked for the key before, as far as it knows. First all are
    /// hashed, then all look at the tags, and then at the keys, so that the processor can wait for many at a time.
    fn new_ones<'a, T>(&mut self, items: &'a [T], key: &impl Fn(&'a T) -> K, hash: &impl Fn(&K) -> u64) -> u64 {
        let (mut hashes, mut places) = ([0; WORD], [0; WORD]);
        for (to, item) in hashes.iter_mut().zip(items) {
            *to = hash(&key(item));
            prefetch(&raw const self.tags[self.set(*to)]);
        }
        // Without an equal tag; without one in a full set; with one, but of another key.
        let (mut unequal, mut full, mut other) = (0, 0, 0);
        for (bit, (place, hash)) in (0_u32..).zip(places.iter_mut().zip(&hashes[..items.len()])) {
            let set = self.set(*hash);
            let tags = self.tags[set];
            let equal = equal_tags(tags, tag(*hash));
            unequal |= u64::from(equal == 0) << bit;
            full |= u64::from(tags >> (u64::BITS - u8::BITS) != 0) << bit;
            *place = set * WAYS + (equal.trailing_zeros() / u8::BITS) as usize % WAYS;
            prefetch(&raw const self.keys[*place]);
        }
        for (bit, (place, item)) in (0_u32..).zip(places.iter().zip(items)) {
            other |= u64::from(unequal >> bit & 1 == 0 && self.keys[*place] != key(item)) << bit;
        }
        let mut new = unequal | other;
        for bit in ones(unequal & !full | other) {
            new ^= u64::from(self.has(hashes[bit], key(&items[bit]))) << bit;
        }
        self.asked += items.len();
        self.found += items.len() - new.count_ones() as usize;
        new
    }

    /// Whether it was asked for the key before, as far as it knows.
    fn has(&mut self, hash: u64, key: K) -> bool {
        let set = self.set(hash);
        let tags = self.tags[set];
        let keys = &mut self.keys[set * WAYS..][..WAYS];
        if ones(equal_tags(tags, tag(hash))).any(|bit| keys[bit / u8::BITS as usize] == key) {
            return true;
        }
        let way = (u64::BITS - tags.leading_zeros()).div_ceil(u8::BITS);
        if let Some(place) = keys.get_mut(way as usize) {
            *place = key;
            self.tags[set] = tags | tag(hash) << (way * u8::BITS);
        }
        false
    }

    fn set(&self, hash: u64) -> usize {
        hash as usize & (self.tags.len() - 1)
    }

    /// Whether it had few of the keys that it was asked for.
    fn is_useless(&self) -> bool {
        self.asked > 2 * MOST_RECENT && self.found < self.asked / 4
    }
}

/// What a set has for a key with this hash: neither zero, nor one.
fn tag(hash: u64) -> u64 {
    hash >> (u64::BITS - u8::BITS) | 2
}

/// A bit in each byte that has this tag. Above the lowest one, there may be too many (Lamport 1975): of bytes that
/// differ in the lowest bit only, which an empty place does not, since no tag is one.
fn equal_tags(tags: u64, tag: u64) -> u64 {
    let difference = tags ^ (tag * ONES);
    difference.wrapping_sub(ONES) & !difference & (ONES << (u8::BITS - 1))
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
    fn a_key_that_fills_empty_places_is_new_once() {
        let random = RandomState::default();
        let items = [7_u64, 8, 7, 9, 8];
        let mut recent = Recent::new(items[0], 16);
        let new = |recent: &mut Recent<u64>| recent.new_ones(&items, &|&item| item, &|key| random.hash_one(key));
        assert_eq!((new(&mut recent), new(&mut recent)), (0b01011, 0));
        // All keys in one set: those that have no place there are new each time.
        let many: Vec<u64> = (0..20).collect();
        let mut recent = Recent::new(0, 16);
        let new = |recent: &mut Recent<u64>| recent.new_ones(&many, &|&item| item, &|_| 0);
        assert_eq!((new(&mut recent), new(&mut recent)), ((1 << 20) - 1, (1 << 20) - (1 << WAYS)));
    }

    #[test]
    fn items_that_need_a_drop_are_cloned_if_they_stay() {
        struct Counted<'a>(u32, &'a AtomicU64, Box<()>);
        impl Eq for Counted<'_> {}
        impl PartialEq for Counted<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }
        impl Hash for Counted<'_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }
        impl Clone for Counted<'_> {
            fn clone(&self) -> Self {
                self.1.fetch_add(1, Ordering::Relaxed);
                Counted(self.0, self.1, self.2.clone())
            }
        }
        let clones = AtomicU64::new(0);
        let items: Vec<Counted<'_>> = (0..40_000).map(|index| Counted(index % 100, &clones, Box::new(()))).collect();
        assert_eq!((remove_duplicates(&items).len(), clones.load(Ordering::Relaxed)), (100, 100));
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
