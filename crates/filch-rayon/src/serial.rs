//! Serial iterators: their items as they come, or all of them at once.

use crate::{Filch, OnFilch};
use rayon::iter::plumbing::{Folder, Reducer, UnindexedConsumer};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parallel iterators on Filch from the serial ones that collections, channels and readers have.
pub trait FilchIterator: Iterator + Sized {
    /// The items, each as soon as it has been made, in no particular order: what
    /// [`par_bridge`](rayon::iter::ParallelBridge::par_bridge) is on rayon.
    ///
    /// The worker that makes an item also consumes it, and meanwhile another worker can go on with the iterator, as in
    /// [`filch::for_each_item`]. So this pays if what is done with an item takes microseconds or more. The iterator may
    /// be endless, block, or fork.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// (0..10).for_each(|i| sender.send(i).unwrap());
    /// drop(sender);
    /// let sum: u32 = receiver.into_iter().filch_bridge().map(|i| i * i).sum();
    /// assert_eq!(sum, 285);
    /// ```
    ///
    /// Work: that of the iterator, and for each item a push and a pop, a folder, and a reduction. Span: that of making
    /// all items, and of the longest one. Memory: a result for each worker.
    fn filch_bridge(self) -> Bridge<Self>
    where
        Self: Send,
        Self::Item: Send,
    {
        Bridge { items: self }
    }

    /// All items, collected into a vector, which has indices: for maps, sets, lists and heaps, in the order in which
    /// they iterate. This is what rayon does, too, for these collections.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let ages = std::collections::BTreeMap::from([("Ann", 31), ("Bob", 17), ("Cid", 44)]);
    /// let adults = ages.iter().filch_collected().filter(|(_, age)| **age > 17);
    /// let adults: Vec<&str> = adults.map(|(name, _)| *name).collect();
    /// assert_eq!(adults, ["Ann", "Cid"]);
    /// ```
    ///
    /// Memory: that of the items. The vector is made by this call, serially.
    fn filch_collected(self) -> OnFilch<rayon::vec::IntoIter<Self::Item>>
    where
        Self::Item: Send,
    {
        self.collect::<Vec<_>>().into_par_iter().filch()
    }
}

impl<I: Iterator> FilchIterator for I {}

/// The items of a serial iterator; see [`filch_bridge()`](FilchIterator::filch_bridge).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct Bridge<I> {
    items: I,
}

impl<I> ParallelIterator for Bridge<I>
where
    I: Iterator<Item: Send> + Send,
{
    type Item = I::Item;

    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<I::Item>,
    {
        let mut shares = Shares { items: self.items, consumer };
        let results = Mutex::new(Vec::new());
        filch::for_each_item(&mut shares, |_, Share { item, consumer, reducer }| {
            let result = consumer.into_folder().consume(item).complete();
            // No user code runs under the lock.
            let other = lock(&results).pop();
            let result = match other {
                Some(other) => reducer.reduce(other, result),
                None => result,
            };
            lock(&results).push(result);
        });
        let Shares { consumer, .. } = shares;
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let all = results.into_iter().reduce(|a, b| consumer.to_reducer().reduce(a, b));
        all.unwrap_or_else(|| consumer.into_folder().complete())
    }
}

/// Items with what is to consume each. Whoever iterates has the consumer, and divides it.
struct Shares<I, C> {
    items: I,
    consumer: C,
}

/// An item, what is to consume it, and what combines the result with another one.
struct Share<T, C, R> {
    item: T,
    consumer: C,
    reducer: R,
}

impl<I: Iterator, C: UnindexedConsumer<I::Item>> Iterator for Shares<I, C> {
    type Item = Share<I::Item, C, C::Reducer>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = if self.consumer.full() { None } else { self.items.next() }?;
        Some(Share { item, consumer: self.consumer.split_off_left(), reducer: self.consumer.to_reducer() })
    }
}

fn lock<T>(results: &Mutex<T>) -> MutexGuard<'_, T> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}
