//! Streams in order, on the pool that the consumer works for.

use super::run::{here, num_workers};
use super::submit;
use crate::constructs::{MapOrdered, Way};

/// Maps the items of any iterator in parallel, and returns the results in the order of the items.
///
/// At most `capacity` items at a time have been pulled from the source and not been delivered; so the source may be
/// endless, and its items large. The consumer pulls the items, and computes when it would have to wait otherwise. Items
/// are computed in batches whose size follows from the time that they take. A source that blocks ends its batch, but
/// the consumer waits for it.
///
/// Tasks go to the pool that this thread works for, or to the global pool. `f` may fork. [`Scope::map_ordered`] takes
/// what borrows.
///
/// Work: that of `f`, and some microseconds for a batch of about half a millisecond. Span: of the source, and the
/// longest call of `f`. This is a pipeline of three stages: a serial one, a parallel one, and a serial one in order
/// (Lee et al. 2015).
///
/// [`Scope::map_ordered`]: crate::Scope::map_ordered
///
/// ```
/// let squares = filch::map_ordered(1_u64.., 100, |n| n * n);
/// assert!(squares.take(1000).eq((1..=1000).map(|n| n * n)));
/// ```
///
/// # Panics
///
/// If `capacity` is zero, and outside of any run as [`run`](crate::run). While it is iterated: if `f` panics, after all
/// results before it, and if the source panics.
pub fn map_ordered<I, F, U>(source: I, capacity: usize, f: F) -> MapOrdered<'static, I::IntoIter, F, U>
where
    I: IntoIterator,
    I::Item: Send + 'static,
    U: Send + 'static,
    F: Fn(I::Item) -> U + Send + Sync + 'static,
{
    // Inside of a run the consumer helps.
    let way = Way {
        submit: Box::new(|batch| submit(batch).abort_on_drop()),
        join: |batch| here(|_| batch.join()),
        workers: num_workers(),
    };
    MapOrdered::new(source.into_iter(), capacity, f, way)
}
