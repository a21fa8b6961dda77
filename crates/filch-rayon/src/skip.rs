//! `skip`. rayon's makes the items that it skips on rayon's pool.

use crate::drive::{bridge, bridge_producer_consumer};
use rayon::iter::plumbing::{Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};

/// An iterator without its first items; see [`OnFilch::skip`](crate::OnFilch::skip).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct Skip<I> {
    inner: I,
    /// At most as many as there are items.
    skipped: usize,
}

impl<I: IndexedParallelIterator> Skip<I> {
    pub(crate) fn new(inner: I, n: usize) -> Self {
        let skipped = n.min(inner.len());
        Skip { inner, skipped }
    }
}

impl<I: IndexedParallelIterator> ParallelIterator for Skip<I> {
    type Item = I::Item;

    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<I::Item>,
    {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for Skip<I> {
    fn drive<C>(self, consumer: C) -> C::Result
    where
        C: Consumer<I::Item>,
    {
        bridge(self, consumer)
    }

    fn len(&self) -> usize {
        self.inner.len() - self.skipped
    }

    fn with_producer<CB>(self, callback: CB) -> CB::Output
    where
        CB: ProducerCallback<I::Item>,
    {
        self.inner.with_producer(Skipping { skipped: self.skipped, callback })
    }
}

struct Skipping<CB> {
    skipped: usize,
    callback: CB,
}

impl<T, CB: ProducerCallback<T>> ProducerCallback<T> for Skipping<CB> {
    type Output = CB::Output;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> CB::Output {
        let (skipped, rest) = producer.split_at(self.skipped);
        // The items are made, because they may do something.
        bridge_producer_consumer(self.skipped, skipped, Dropping);
        self.callback.callback(rest)
    }
}

/// Drops all items.
struct Dropping;

impl<T> Consumer<T> for Dropping {
    type Folder = Dropping;
    type Reducer = Dropping;
    type Result = ();

    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (Dropping, Dropping, Dropping)
    }

    fn into_folder(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        false
    }
}

impl<T> Folder<T> for Dropping {
    type Result = ();

    fn consume(self, item: T) -> Self {
        drop(item);
        self
    }

    fn complete(self) {}

    fn full(&self) -> bool {
        false
    }
}

impl Reducer<()> for Dropping {
    fn reduce(self, (): (), (): ()) {}
}
