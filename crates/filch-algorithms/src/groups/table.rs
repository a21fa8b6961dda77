//! A hash table of phases: in each, all workers insert, or all of them look up (Shun and Blelloch 2014). The borrow
//! checker keeps the phases apart.
//!
//! A slot is a word that is empty, or has the *mixed* bits of a key from then on. Mixing is reversible, so equal words
//! are equal keys. The search for a word begins at a place that is mixed from the word once more, since keys may come
//! in the order in which another table returned them. Within a phase the table does not grow, and no key moves; so a
//! worker that skips a slot, because it has another key, would skip it later, too. Which of two keys comes first into a
//! slot is nondeterministic, but what is returned is in the order of the words. Accesses are relaxed: a slot publishes
//! nothing but a number, and values are there before the phase begins.

use super::table_key::TableKey;
use crate::fresh::Start;
use crate::sequences::{filter, map, reduce, tabulate};
use crate::sort::radix_sort;
use std::mem::{replace, swap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The bits of a key, mixed so that all of them change the high ones.
fn mixed(bits: u64) -> u64 {
    let folded = (bits ^ bits >> 32).wrapping_mul(MIXER);
    folded ^ folded >> 32
}

/// The bits that [`mixed`] has been given.
fn unmixed(word: u64) -> u64 {
    let folded = (word ^ word >> 32).wrapping_mul(INVERSE);
    folded ^ folded >> 32
}

/// 2⁶⁴ divided by the golden ratio: odd, and its multiples are spread evenly (Knuth 1998, section 6.4).
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Its inverse modulo 2⁶⁴. Each of Newton's steps doubles the bits that are right, of which an odd number has three.
const INVERSE: u64 = {
    let mut inverse = MIXER;
    let mut right = 3;
    while right < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(MIXER.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
};

/// A word is multiplied by this for its place. Unlike [`MIXER`], it has no structure: a multiplier of SplitMix64
/// (Steele, Lea and Flood 2014).
const PLACER: u64 = 0xBF58_476D_1CE4_E5B9;

/// A slot without a key. One key has this word, and a place of its own.
const EMPTY: u64 = 0;

/// A set of keys, each of which has a value; a plain set if `V` is `()`. Workers insert in parallel, and values are
/// what they can share: atomic numbers, locks.
///
/// The keys, and the order in which they are returned, do not depend on the number of workers nor on the order in which
/// they are inserted.
///
/// ```
/// use filch_algorithms::Table;
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// let mut counts = Table::<u32, AtomicU32>::new();
/// let numbers = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
/// let inserting = counts.inserting(numbers.len());
/// filch::for_each(&numbers, |_, &number| _ = inserting.value(number).fetch_add(1, Relaxed));
///
/// assert_eq!(counts.get(5).map(|count| count.load(Relaxed)), Some(3));
/// assert_eq!(counts.len(), 7);
/// ```
///
/// Nobody looks up during the phase:
/// ```compile_fail,E0502
/// let mut set = filch_algorithms::Table::<u32>::new();
/// let inserting = set.inserting(1);
/// assert!(!set.contains(1));
/// inserting.insert(1);
/// ```
#[derive(Debug)]
pub struct Table<K, V = ()> {
    /// A power of two, of which at least half are empty.
    slots: Vec<AtomicU64>,
    /// One for each slot, and the last one for the key whose word is [`EMPTY`].
    values: Vec<V>,
    has_empty: AtomicBool,
    /// Keys are neither stored nor dropped.
    keys: std::marker::PhantomData<fn() -> K>,
}

impl<K: TableKey, V: Default + Send + Sync> Default for Table<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: TableKey, V: Default + Send + Sync> Table<K, V> {
    /// A table without keys.
    #[must_use]
    pub fn new() -> Self {
        Self::with_slots(1)
    }

    fn with_slots(count: usize) -> Self {
        Table {
            slots: tabulate(count, |_| AtomicU64::new(EMPTY)),
            values: tabulate(count + 1, |_| V::default()),
            has_empty: AtomicBool::new(false),
            keys: std::marker::PhantomData,
        }
    }

    /// A phase in which up to `most` new keys are inserted.
    ///
    /// Work: O(m) for the m slots of the table, of which there are up to four for each key, then 8 bytes and a value.
    ///
    /// # Panics
    ///
    /// If the slots could not be addressed, or if a value panics when it is made. The table is as it was before, then.
    /// As elsewhere, the process is aborted if there is not so much memory.
    pub fn inserting(&mut self, most: usize) -> Inserting<'_, K, V> {
        let keys = self.len().checked_add(most);
        let room = keys.and_then(|keys| keys.checked_mul(2)?.checked_next_power_of_two()).expect("capacity overflow");
        if room > self.slots.len() {
            let old = replace(self, Self::with_slots(room));
            self.take(old);
        }
        Inserting { table: self }
    }

    /// Moves all keys and values here, where there are none yet, and room for them.
    fn take(&mut self, mut old: Self) {
        let start = Start(self.values.as_mut_ptr());
        let (slots, last) = (&self.slots, old.slots.len());
        let (of_slots, of_empty) = old.values.split_at_mut(last);
        filch::for_each((&old.slots, of_slots), |_, (slot, value)| {
            let word = slot.load(Ordering::Relaxed);
            if word != EMPTY {
                let (place, _) = insert(slots, word);
                // SAFETY: there is a value for each slot.
                let target = unsafe { start.at(place) };
                // SAFETY: only this word is in the slot, and it has been in one slot of the old table.
                swap(unsafe { &mut *target }, value);
            }
        });
        self.has_empty = old.has_empty;
        swap(&mut self.values[self.slots.len()], &mut of_empty[0]);
    }

    /// Whether the key is there.
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.place(key).is_some()
    }

    /// The value of the key, if it is there.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        self.place(key).map(|place| &self.values[place])
    }

    fn place(&self, key: K) -> Option<usize> {
        let word = mixed(key.to_bits());
        if word == EMPTY {
            return self.has_empty.load(Ordering::Relaxed).then_some(self.slots.len());
        }
        let found = |place: &usize| [word, EMPTY].contains(&self.slots[*place].load(Ordering::Relaxed));
        let place = places(self.slots.len(), word).find(found)?;
        (self.slots[place].load(Ordering::Relaxed) == word).then_some(place)
    }

    /// The number of keys, which are counted. Work: O(m) for m slots. Span: O(log m).
    #[must_use]
    pub fn len(&self) -> usize {
        let used = |slot: &AtomicU64| usize::from(slot.load(Ordering::Relaxed) != EMPTY);
        reduce(&self.slots, || 0, used, |a, b| a + b) + usize::from(self.has_empty.load(Ordering::Relaxed))
    }

    /// Whether there is no key. Work and span: as [`len`](Self::len).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All keys, in an order that depends on nothing else.
    ///
    /// Work and span: as [`radix_sort`], of as many words as there are slots.
    #[must_use]
    pub fn keys(&self) -> Vec<K> {
        let words = map(&self.slots, |slot| slot.load(Ordering::Relaxed));
        let mut words = filter(&words, |&word| word != EMPTY);
        if self.has_empty.load(Ordering::Relaxed) {
            words.push(EMPTY);
        }
        radix_sort(&mut words);
        map(&words, |&word| K::of_bits(unmixed(word)))
    }
}

/// The slots at which a word may be, in the order of the search.
fn places(slots: usize, word: u64) -> impl Iterator<Item = usize> {
    let bits = slots.ilog2();
    let first = word.wrapping_mul(PLACER).checked_shr(u64::BITS - bits).unwrap_or(0) as usize;
    (first..slots).chain(0..first)
}

/// The place of a word, and whether it is new there.
///
/// # Panics
///
/// If there is no room.
fn insert(slots: &[AtomicU64], word: u64) -> (usize, bool) {
    for place in places(slots.len(), word) {
        let mut other = slots[place].load(Ordering::Relaxed);
        if other == EMPTY {
            match slots[place].compare_exchange(EMPTY, word, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return (place, true),
                Err(taken) => other = taken,
            }
        }
        if other == word {
            return (place, false);
        }
    }
    panic!("all {} slots are full: more keys are inserted than were announced", slots.len())
}

/// A phase in which all workers insert into a [`Table`].
#[derive(Debug)]
pub struct Inserting<'a, K, V> {
    table: &'a Table<K, V>,
}

impl<'a, K: TableKey, V> Inserting<'a, K, V> {
    /// Inserts a key, and says whether it is new. Of several workers that insert it, one is told so.
    ///
    /// Work: O(1), expected.
    ///
    /// # Panics
    ///
    /// If the table is full, since more keys are inserted than were announced.
    pub fn insert(&self, key: K) -> bool {
        self.place(key).1
    }

    /// The value of a key, which is inserted if it is not there.
    ///
    /// # Panics
    ///
    /// As [`insert`](Self::insert).
    pub fn value(&self, key: K) -> &'a V {
        &self.table.values[self.place(key).0]
    }

    fn place(&self, key: K) -> (usize, bool) {
        let word = mixed(key.to_bits());
        if word == EMPTY {
            let has_empty = &self.table.has_empty;
            // Most only look.
            let is_new = !has_empty.load(Ordering::Relaxed) && !has_empty.swap(true, Ordering::Relaxed);
            return (self.table.slots.len(), is_new);
        }
        insert(&self.table.slots, word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    fn set_of(keys: &[u64]) -> Table<u64> {
        let mut set = Table::new();
        let inserting = set.inserting(keys.len());
        filch::for_each(keys, |_, &key| _ = inserting.insert(key));
        set
    }

    #[test]
    fn mixing_can_be_undone() {
        let mut random = fastrand::Rng::with_seed(18);
        for bits in (0..1000).map(|_| random.u64(..)).chain([0, 1, u64::MAX]) {
            assert_eq!(unmixed(mixed(bits)), bits);
        }
    }

    #[test]
    fn values_stay_with_their_keys_through_phases() {
        let mut random = fastrand::Rng::with_seed(19);
        let mut table = Table::<i64, AtomicUsize>::new();
        let mut expected = BTreeMap::<i64, usize>::new();
        let (phases, bound): (&[usize], i64) =
            if cfg!(miri) { (&[0, 1, 10, 90], 30) } else { (&[0, 1, 10, 3000, 20_000], 2000) };
        for &phase in phases {
            let keys: Vec<i64> = (0..phase).map(|_| random.i64(-bound..bound)).collect();
            let inserting = table.inserting(keys.len());
            let new = filch::map_reduce(&keys, || 0, |_, &key| usize::from(inserting.insert(key)), |a, b| a + b);
            filch::for_each(&keys, |_, &key| _ = inserting.value(key).fetch_add(1, Ordering::Relaxed));
            let before = expected.len();
            keys.iter().for_each(|&key| *expected.entry(key).or_default() += 1);
            assert_eq!(new, expected.len() - before, "one worker is told that a key is new");
            assert_eq!(table.len(), expected.len());
            for key in -bound - 9..bound + 9 {
                assert_eq!(table.get(key).map(|count| count.load(Ordering::Relaxed)), expected.get(&key).copied());
            }
        }
    }

    #[test]
    fn keys_and_their_order_depend_on_nothing_but_the_keys() {
        let mut random = fastrand::Rng::with_seed(20);
        let len = if cfg!(miri) { 100 } else { 5000 };
        let mut items: Vec<f64> = (0..len).map(|_| f64::from(random.i32(-999..999)) / 8.0).chain([-0.0]).collect();
        let mut found = Vec::new();
        for workers in [1, 2, 4] {
            random.shuffle(&mut items);
            let pool = filch::Pool::builder().workers(workers).build().expect("a pool");
            let keys = pool.run(|_| {
                let mut set = Table::<f64>::new();
                let inserting = set.inserting(2000);
                filch::for_each(&items, |_, &item| _ = inserting.insert(item));
                set.keys()
            });
            found.push(keys.into_iter().map(f64::to_bits).collect::<Vec<_>>());
        }
        assert!(found.iter().all(|keys| *keys == found[0]));
        let distinct: BTreeSet<u64> = items.iter().map(|item| item.to_bits()).collect();
        assert_eq!(found[0].len(), distinct.len());
        assert!(found[0].iter().all(|bits| distinct.contains(bits)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "it is about many keys")]
    fn keys_are_found_near_their_places_in_whatever_pattern_they_come() {
        const MOST: u64 = 1 << 13;
        let all = set_of(&tabulate(8 * MOST as usize, |key| key as u64)).keys();
        let fibonacci = |number: u32| (0..number).fold((0_u64, 1_u64), |(a, b), _| (b, a + b)).0;
        let strides = (1..80).map(fibonacci).chain((0..51).map(|shift| 1 << shift));
        let patterns = strides.map(|stride| (0..MOST).map(|index| index.wrapping_mul(stride)).collect());
        let parts = all.chunks(MOST as usize).map(<[u64]>::to_vec);
        for keys in patterns.chain(parts).collect::<Vec<Vec<u64>>>() {
            let set = set_of(&keys);
            let is = |place: &usize, word| set.slots[*place].load(Ordering::Relaxed) == word;
            let probes =
                |&key: &u64| 1 + places(set.slots.len(), mixed(key)).take_while(|place| !is(place, mixed(key))).count();
            let probes: usize = keys.iter().map(probes).sum();
            // Half of the slots are full, so 3/2 are expected for each key (Knuth 1998, section 6.4).
            assert!(probes < 2 * keys.len(), "{probes} probes for {:?}...", &keys[..3]);
        }
    }

    #[test]
    fn a_table_that_cannot_be_so_large_keeps_its_keys() {
        let mut set = set_of(&[0, 1, 2, 3]);
        for most in [usize::MAX, usize::MAX / 2, usize::MAX / 2 - 11, usize::MAX / 4 + 1] {
            catch_unwind(AssertUnwindSafe(|| _ = set.inserting(most))).expect_err("it is too large");
        }
        assert_eq!(set.keys().into_iter().collect::<BTreeSet<u64>>(), (0..4).collect());
    }

    #[test]
    #[should_panic(expected = "more keys are inserted than were announced")]
    fn more_keys_than_announced_are_refused() {
        let mut set = Table::<u32>::new();
        let inserting = set.inserting(3);
        (1..100).for_each(|key| _ = inserting.insert(key));
    }
}
