//! Streams in order: a serial source, a parallel map, and results in the order of the source.
//!
//! The consumer pulls items from the source into *batches*, each of which is a task with a handle, and a parallel loop
//! inside. It delivers the results of the oldest batch while later ones are under way. When it has to wait, it runs
//! parts of the batch that it waits for. So no thread only waits, and a slow item delays nobody but the consumer.
//!
//! A batch is as large as takes about [`BATCH_NS`] to compute, within the capacity. It ends early if the source is
//! slow. So neither cheap items nor expensive ones nor sources that block need a size by hand.

use crate::constructs::handle::Handle;
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use crate::engine::seats::ambient::pass_on;
use crate::sync::clock;
use std::collections::VecDeque;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::{fmt, thread, vec};

/// How long a batch should take. It costs some microseconds to submit and to await one.
const BATCH_NS: u64 = 500_000;

/// How many batches the capacity has room for, at least.
const BATCHES: usize = 4;

/// How many batches are under way at a time for each worker, at most.
const PER_WORKER: usize = 2;

/// A batch that is computed.
pub(crate) struct Done<U> {
    results: vec::IntoIter<Option<thread::Result<U>>>,
    ns: u64,
}

type Batch<'scope, U> = Box<dyn FnOnce(Strand<'_>) -> Done<U> + Send + 'scope>;

type InFlight<'scope, U> = Handle<'scope, Done<U>>;

/// How batches are submitted, and joined.
pub(crate) struct Way<'scope, U> {
    pub(crate) submit: Box<dyn Fn(Batch<'scope, U>) -> InFlight<'scope, U> + Send + 'scope>,
    pub(crate) join: fn(InFlight<'scope, U>) -> Done<U>,
    /// How many workers there are.
    pub(crate) workers: usize,
}

/// The results of [`map_ordered`](crate::map_ordered), in the order of the source.
///
/// Items that have been pulled from the source and not been delivered are dropped with it, if no worker has begun them.
#[must_use = "iterators are lazy"]
pub struct MapOrdered<'scope, I: Iterator, F, U> {
    source: I,
    f: Arc<F>,
    way: Way<'scope, U>,
    /// The results of the oldest batch.
    current: Option<Done<U>>,
    /// The batches after it, and how many items each has.
    under_way: VecDeque<(InFlight<'scope, U>, usize)>,
    /// The items of the next batch. They stay here if the source panics.
    pulled: Vec<Slot<I::Item, U>>,
    /// How many items are in batches and have not been delivered, and how many may be.
    held: usize,
    capacity: usize,
    /// How many items the next batch has.
    batch: usize,
    /// How long the latest batch has taken.
    batch_ns: u64,
    is_exhausted: bool,
}

impl<'scope, I, F, U> MapOrdered<'scope, I, F, U>
where
    I: Iterator,
    I::Item: Send + 'scope,
    U: Send + 'scope,
    F: Fn(I::Item) -> U + Send + Sync + 'scope,
{
    pub(crate) fn new(source: I, capacity: usize, f: F, way: Way<'scope, U>) -> Self {
        assert!(capacity > 0, "a stream holds at least one item");
        MapOrdered {
            source,
            f: Arc::new(f),
            way,
            current: None,
            under_way: VecDeque::new(),
            pulled: Vec::new(),
            held: 0,
            capacity,
            batch: 1,
            batch_ns: 0,
            is_exhausted: false,
        }
    }

    /// Pulls items and submits them, as many as there is room for.
    fn fill(&mut self) {
        let most = self.batch.min(self.capacity.div_ceil(BATCHES));
        let most_batches = BATCHES.max(PER_WORKER * self.way.workers);
        while !self.is_exhausted && self.capacity - self.held >= most && self.under_way.len() < most_batches {
            let begin = clock::now_ns();
            while self.pulled.len() < most && (self.pulled.is_empty() || clock::now_ns() - begin < BATCH_NS) {
                let Some(item) = self.source.next() else {
                    self.is_exhausted = true;
                    break;
                };
                self.pulled.push((Some(item), None));
            }
            if !self.pulled.is_empty() {
                let (items, f) = (take(&mut self.pulled), Arc::clone(&self.f));
                let len = items.len();
                self.held += len;
                self.under_way.push_back(((self.way.submit)(Box::new(move |s| compute(s, items, &*f))), len));
            }
            // If the source is slower than the workers, there are results already, or will be before its next item.
            let pulled_ns = clock::now_ns() - begin;
            let is_oldest_done = || self.under_way.front().is_none_or(|(oldest, _)| oldest.is_finished());
            if pulled_ns >= BATCH_NS && (pulled_ns >= self.batch_ns || is_oldest_done()) {
                break;
            }
        }
    }

    /// Takes the next batch, and adapts the size of those to come.
    fn go_on(&mut self) -> Option<()> {
        let (handle, len) = self.under_way.pop_front()?;
        // While another worker has this batch, the next one is better than a share of it.
        while handle.is_under_way() && self.under_way.iter().any(|(later, _)| later.run_ahead()) {}
        let done = (self.way.join)(handle);
        self.batch = fitting(BATCH_NS, len, done.ns, self.batch);
        self.batch_ns = done.ns;
        self.current = Some(done);
        Some(())
    }
}

/// How many items the next batch should have to take `aim_ns`, where the last one took `took_ns` for `len` items. At
/// most twice as many as `now`.
pub(super) fn fitting(aim_ns: u64, len: usize, took_ns: u64, now: usize) -> usize {
    let fitting = (len as u64).saturating_mul(aim_ns) / took_ns.max(1);
    usize::try_from(fitting).unwrap_or(usize::MAX).clamp(1, now.saturating_mul(2))
}

/// An item, until it is computed, and its result.
type Slot<T, U> = (Option<T>, Option<thread::Result<U>>);

/// Computes a batch.
fn compute<T: Send, U: Send>(mut s: Strand<'_>, mut items: Vec<Slot<T, U>>, f: &(impl Fn(T) -> U + Sync)) -> Done<U> {
    let begin = clock::now_ns();
    s.for_each(&mut items, |_, (item, result)| {
        let item = item.take().expect("each item is visited once");
        // Item by item, so that no earlier one is lost. Unwind safety: the panic is resumed where the item would be
        // delivered.
        *result = Some(catch_unwind(AssertUnwindSafe(|| f(item))));
    });
    let results: Vec<_> = items.into_iter().map(|(_, result)| result).collect();
    Done { results: results.into_iter(), ns: clock::now_ns() - begin }
}

impl<'scope, I, F, U> Iterator for MapOrdered<'scope, I, F, U>
where
    I: Iterator,
    I::Item: Send + 'scope,
    U: Send + 'scope,
    F: Fn(I::Item) -> U + Send + Sync + 'scope,
{
    type Item = U;

    /// The next result. Pulls items from the source as far as the capacity allows.
    ///
    /// # Panics
    ///
    /// If `f` has panicked on the item whose turn it is, with its payload: all results before it have been delivered.
    /// If the source panics.
    fn next(&mut self) -> Option<U> {
        loop {
            if let Some(done) = &mut self.current {
                match done.results.next().map(|result| result.expect("all items have been visited")) {
                    Some(Ok(result)) => {
                        self.held -= 1;
                        return Some(result);
                    }
                    Some(Err(payload)) => {
                        // Nothing after it is delivered.
                        (self.is_exhausted, self.current) = (true, None);
                        self.under_way.clear();
                        pass_on(payload);
                    }
                    None => self.current = None,
                }
            }
            self.fill();
            self.go_on()?;
        }
    }
}

impl<'scope> Scope<'scope, '_> {
    /// [`map_ordered`](crate::map_ordered) in this scope: the items and `f` may borrow from around it.
    ///
    /// # Panics
    ///
    /// As [`map_ordered`](crate::map_ordered).
    ///
    /// ```
    /// let words = ["to", "be", "or", "not"];
    /// let lengths: Vec<usize> =
    ///     filch::scope(|_, scope| scope.map_ordered(words.iter(), 2, |word| word.len()).collect());
    /// assert_eq!(lengths, [2, 2, 2, 3]);
    /// ```
    pub fn map_ordered<I, F, U>(&'scope self, source: I, capacity: usize, f: F) -> MapOrdered<'scope, I::IntoIter, F, U>
    where
        I: IntoIterator,
        I::Item: Send + 'scope,
        U: Send + 'scope,
        F: Fn(I::Item) -> U + Send + Sync + 'scope,
    {
        let submit = Box::new(move |batch| self.submit(batch).abort_on_drop());
        MapOrdered::new(
            source.into_iter(),
            capacity,
            f,
            Way { submit, join: Handle::join, workers: self.core().team().ladders().len() },
        )
    }
}

impl<I: Iterator, F, U> fmt::Debug for MapOrdered<'_, I, F, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapOrdered").field("held", &self.held).field("capacity", &self.capacity).finish_non_exhaustive()
    }
}
