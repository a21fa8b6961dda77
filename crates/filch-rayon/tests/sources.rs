//! What begins on Filch: texts, ranges of any integer, slices to sort, collections, and serial iterators.

#[path = "../../filch-tests/tests/common/mod.rs"]
mod common;

use common::{eager_pool, must_end, panic_text};
use filch_rayon::prelude::*;
use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

type Pair = (u32, usize);

const MANY: usize = if cfg!(miri) { 30 } else { 3000 };

/// Runs `f` in runs of one, two and four workers.
fn on_any_number_of_workers(f: impl Fn() + Send + Sync) {
    for workers in [1, 2, 4] {
        eager_pool(workers).run(|_| f());
    }
}

fn random_numbers(seed: u64) -> Vec<u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..MANY).map(|_| random.u32(0..MANY as u32 / 3)).collect()
}

#[test]
fn texts_have_the_items_that_the_standard_library_gives_in_the_same_order() {
    let mut random = fastrand::Rng::with_seed(1);
    let text: String = (0..MANY).map(|_| *random.choice(&['a', 'é', ',', ';', ' ', '\n']).unwrap()).collect();
    let empty = String::new();
    on_any_number_of_workers(|| {
        for text in [&text, &empty] {
            let on_filch = text.filch();
            assert!(on_filch.par_chars().collect::<Vec<_>>().into_iter().eq(text.chars()));
            assert!(on_filch.par_char_indices().collect::<Vec<_>>().into_iter().eq(text.char_indices()));
            assert!(on_filch.par_bytes().enumerate().collect::<Vec<_>>().into_iter().eq(text.bytes().enumerate()));
            assert!(on_filch.par_lines().collect::<Vec<_>>().into_iter().eq(text.lines()));
            assert!(on_filch.par_split_whitespace().collect::<Vec<_>>().into_iter().eq(text.split_whitespace()));
            assert!(on_filch.par_split(',').collect::<Vec<_>>().into_iter().eq(text.split(',')));
            assert!(on_filch.par_split(&[',', ';']).collect::<Vec<_>>().into_iter().eq(text.split([',', ';'])));
            let is_separator = |c: char| !c.is_alphabetic();
            let pieces = on_filch.par_split_inclusive(is_separator).map(str::to_owned).collect::<Vec<_>>();
            assert!(pieces.iter().eq(text.split_inclusive(is_separator)));
            assert_eq!(
                on_filch.par_lines().find_first(|line| line.len() > 3),
                text.lines().find(|line| line.len() > 3)
            );
        }
    });
}

#[test]
fn lines_run_on_the_workers_of_the_run() {
    let text = "one\n".repeat(MANY);
    eager_pool(3).run(|_| {
        let places: Vec<_> = text.filch().par_lines().map(|_| filch::current_worker()).collect();
        assert!(places.len() == MANY && places.iter().all(|place| place.is_some_and(|place| place < 3)));
    });
}

#[test]
fn ranges_of_any_integer_are_those_of_the_standard_library() {
    // Written as constants, Clippy refuses such ranges.
    let empty = RangeInclusive::new(3, 2_i32);
    macro_rules! agree {
        ($($range:expr),* $(,)?) => {$(
            assert!($range.filch().collect::<Vec<_>>().into_iter().eq($range), "{}", stringify!($range));
            let numbered: Vec<_> = $range.filch().rev().enumerate().collect();
            assert!(numbered.into_iter().eq($range.rev().enumerate()), "{}", stringify!($range));
        )*};
    }
    on_any_number_of_workers(|| {
        agree! {
            0..MANY as u64, 0..=MANY as u64, -5_i64..MANY as i64, u64::MAX - 9..u64::MAX, u64::MAX - 9..=u64::MAX,
            i64::MIN..i64::MIN + 9, i64::MAX - 9..=i64::MAX, u128::MAX - 9..=u128::MAX, i128::MIN..=i128::MIN + 9,
            0..=255_u8, i8::MIN..=i8::MAX, 3..7_usize, -3..=3_isize, 0..0_u64, empty.clone(),
        };
    });
    let mut iterated = 1..=3_u64;
    iterated.by_ref().for_each(drop);
    assert_eq!(iterated.filch().len(), 0);
    assert!(panic_text(|| _ = (0..=u64::MAX).filch()).contains("more integers than a usize can count"));
    assert!(panic_text(|| _ = (0..u128::MAX).filch()).contains("more integers than a usize can count"));
}

#[test]
fn slices_are_sorted_as_by_the_standard_library() {
    let pairs: Vec<Pair> = random_numbers(2).into_iter().zip(0..).collect();
    on_any_number_of_workers(|| {
        let sorted = |sort: &dyn Fn(&mut [Pair])| {
            let mut items = pairs.clone();
            sort(&mut items);
            items
        };
        let by_first = sorted(&|items| items.sort_by_key(|item| item.0));
        assert_eq!(sorted(&|items| items.filch().par_sort()), sorted(&|items| items.sort()));
        assert_eq!(sorted(&|items| items.filch().par_sort_by(|a, b| a.0.cmp(&b.0))), by_first);
        assert_eq!(sorted(&|items| items.filch().par_sort_by_key(|item| item.0)), by_first);
        assert_eq!(sorted(&|items| items.filch().par_sort_by_cached_key(|item| item.0.to_string())), {
            sorted(&|items| items.sort_by_cached_key(|item| item.0.to_string()))
        });
        let descending = sorted(&|items| items.sort_by_key(|&item| Reverse(item)));
        assert_eq!(sorted(&|items| items.filch().par_sort_unstable()), sorted(&|items| items.sort()));
        assert_eq!(sorted(&|items| items.filch().par_sort_unstable_by(|a, b| b.cmp(a))), descending);
        assert_eq!(sorted(&|items| items.filch().par_sort_unstable_by_key(|&item| Reverse(item))), descending);
    });
}

#[test]
fn a_cached_key_is_made_once_for_each_item() {
    eager_pool(3).run(|_| {
        let (calls, mut items) = (AtomicUsize::new(0), random_numbers(3));
        items.filch().par_sort_by_cached_key(|&item| {
            calls.fetch_add(1, Ordering::Relaxed);
            item
        });
        assert!(items.is_sorted() && calls.into_inner() == items.len());
    });
}

#[test]
fn collections_are_driven_in_their_order() {
    let set: BTreeSet<u32> = random_numbers(4).into_iter().collect();
    let mut map: HashMap<u32, u64> = set.iter().map(|&key| (key, u64::from(key))).collect();
    on_any_number_of_workers(|| {
        assert!(set.iter().filch_collected().map(|&x| x).collect::<Vec<_>>().into_iter().eq(set.iter().copied()));
        assert_eq!(map.iter().filch_collected().map(|(_, value)| value).sum::<u64>(), map.values().sum());
    });
    map.iter_mut().filch_collected().for_each(|(key, value)| *value += u64::from(*key));
    assert!(map.iter().all(|(&key, &value)| value == 2 * u64::from(key)));
}

#[test]
fn a_bridge_gives_each_item_once() {
    on_any_number_of_workers(|| {
        let mut items: Vec<usize> = (0..MANY).filch_bridge().collect();
        items.sort_unstable();
        assert!(items.into_iter().eq(0..MANY));
        assert_eq!((0..MANY).filch_bridge().filter(|i| i % 3 == 0).count(), MANY.div_ceil(3));
        assert_eq!(iter::empty::<String>().filch_bridge().reduce(|| "none".to_owned(), |a, b| a + &b), "none");
    });
}

#[test]
fn a_bridge_over_an_endless_iterator_ends_when_an_item_is_found() {
    must_end(|| {
        on_any_number_of_workers(|| assert_eq!((0_u64..).filch_bridge().find_any(|&i| i == 100), Some(100)));
    });
}

/// While one thread makes an item, no other one waits for it in a way that the making could depend on.
#[test]
fn iterators_items_and_their_clones_may_fork_and_drive_bridges() {
    #[derive(Debug)]
    struct Forks;

    impl Clone for Forks {
        fn clone(&self) -> Self {
            filch::join(|| (), || ());
            Forks
        }
    }

    fn count(n: usize) -> usize {
        (0..n).filch_bridge().map(|i| filch::join(|| i, || 1).1).sum()
    }

    must_end(|| {
        on_any_number_of_workers(|| {
            let items = (0..MANY / 10).map(|i| count(i % 7));
            let sum: usize = items.filch_bridge().map_with(Forks, |_, n| n + count(3)).sum();
            assert_eq!(sum, (0..MANY / 10).map(|i| i % 7 + 3).sum());
        });
    });
}

#[cfg(panic = "unwind")]
#[test]
fn a_panic_of_an_item_goes_through_a_bridge_and_drops_everything_once() {
    let pool = eager_pool(3);
    let shared = std::sync::Arc::new(());
    let run = || {
        let items = (0..100).map(|i| (i, shared.clone()));
        pool.run(|_| {
            items
                .filch_bridge()
                .map(|(i, item)| {
                    assert!(i != 50, "the fiftieth");
                    item
                })
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(panic_text(|| _ = run()), "the fiftieth");
    assert_eq!(std::sync::Arc::strong_count(&shared), 1);
}

/// A producer whose parts have no known length.
struct Halves(std::ops::Range<usize>);

impl UnindexedProducer for Halves {
    type Item = usize;

    fn split(self) -> (Self, Option<Self>) {
        let Halves(range) = self;
        if range.len() < 2 {
            return (Halves(range), None);
        }
        let middle = range.start + range.len() / 2;
        (Halves(range.start..middle), Some(Halves(middle..range.end)))
    }

    fn fold_with<F: Folder<usize>>(self, folder: F) -> F {
        folder.consume_iter(self.0)
    }
}

impl ParallelIterator for Halves {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        filch_rayon::bridge_unindexed(self, consumer)
    }
}

#[test]
fn a_producer_without_indices_gives_its_items_in_order_on_the_workers_of_the_run() {
    on_any_number_of_workers(|| {
        let places: Vec<_> = Halves(0..MANY).map(|i| (i, filch::current_worker().is_some())).collect();
        assert!(places.into_iter().eq((0..MANY).map(|i| (i, true))));
        assert_eq!(Halves(0..MANY).find_first(|i| i % 7 == 6), Some(6));
    });
}
