//! What has no indices: a consumer that is divided without one, and rayon's producers without any.

use rayon::iter::plumbing::{Consumer, UnindexedConsumer, UnindexedProducer};

/// A consumer that is not told where it is divided.
pub(crate) struct Unindexed<C>(pub(crate) C);

impl<T, C: UnindexedConsumer<T>> Consumer<T> for Unindexed<C> {
    type Folder = C::Folder;
    type Reducer = C::Reducer;
    type Result = C::Result;

    fn split_at(self, _: usize) -> (Self, Self, C::Reducer) {
        let (left, reducer) = (self.0.split_off_left(), self.0.to_reducer());
        (Unindexed(left), self, reducer)
    }

    fn into_folder(self) -> C::Folder {
        self.0.into_folder()
    }

    fn full(&self) -> bool {
        self.0.full()
    }
}

/// Feeds the items of `producer` to `consumer` on Filch: what [`rayon::iter::plumbing::bridge_unindexed`] is for rayon.
///
/// For authors of parallel iterators without indices, in their own `drive_unindexed`. How long a part takes cannot be
/// known, since parts have no length. So it is divided as rayon does it: into some parts for each worker, and again
/// where a part has been taken by another worker.
///
/// # Panics
///
/// As [`bridge`](crate::bridge()).
pub fn bridge_unindexed<P, C>(producer: P, consumer: C) -> C::Result
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
{
    halve(filch::num_workers(), producer, consumer)
}

/// Runs a part that is to be divided into about so many.
fn halve<P, C>(parts: usize, producer: P, consumer: C) -> C::Result
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
{
    use rayon::iter::plumbing::{Folder, Reducer};

    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let (producer, other) = if parts > 0 { producer.split() } else { (producer, None) };
    let Some(other) = other else { return producer.fold_with(consumer.into_folder()).complete() };
    let (left, reducer) = (consumer.split_off_left(), consumer.to_reducer());
    let (left, right) = filch::join_context(
        move |_| halve(parts / 2, producer, left),
        move |context| {
            let parts = if context.migrated() { filch::num_workers().max(parts / 2) } else { parts / 2 };
            halve(parts, other, consumer)
        },
    );
    reducer.reduce(left, right)
}
