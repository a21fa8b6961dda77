//! Items that travel together, and how the first of them that fails ends a pipeline.

use crate::constructs::drop_while_unwinding::drop_quietly_for;
use crate::engine::team::Team;
use crate::sync::{AtomicU64, Mutex, Ordering, clock, lock};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Some items that follow each other in the source.
pub struct Batch<T> {
    /// Batches are counted in the order of the source.
    pub(super) number: u64,
    /// Those that have not failed. None if an earlier batch has failed.
    pub(super) items: Vec<T>,
    /// How many items have been pulled for it.
    pub(super) pulled: usize,
    /// How long it has been in stages.
    pub(super) ns: u64,
}

/// Why a pipeline ends before its source.
pub(super) enum Cause<E> {
    Error(E),
    Panic(Box<dyn Any + Send>),
}

/// The first failure in the order of the source, so far.
pub(super) struct Failure<E> {
    /// The number of its batch: from then on, no later batch enters a stage.
    number: AtomicU64,
    cause: Mutex<Option<Cause<E>>>,
}

const NONE: u64 = u64::MAX;

impl<E> Failure<E> {
    pub(super) fn new() -> Self {
        Failure { number: AtomicU64::new(NONE), cause: Mutex::new(None) }
    }

    pub(super) fn is_some(&self) -> bool {
        self.number.load(Ordering::Relaxed) != NONE
    }

    /// Notes that batch `number` has failed. What has failed in it after that item has not been handled, so a later
    /// failure of the same batch is an earlier one in the order of the source. Returns the cause that does not count.
    fn note(&self, number: u64, cause: Cause<E>) -> Option<Cause<E>> {
        let mut first = lock(&self.cause);
        // This is written under the lock.
        if number > self.number.load(Ordering::Relaxed) {
            return Some(cause);
        }
        self.number.store(number, Ordering::Relaxed);
        first.replace(cause)
    }

    pub(super) fn into_inner(self) -> Option<Cause<E>> {
        self.cause.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// What the stages of a pipeline know of its run.
pub struct Line<'r, E> {
    pub(super) failure: &'r Failure<E>,
    /// Lets one more worker carry batches, if there are workers for that. Called under no lock: under chaos that worker
    /// may be this one, at once.
    pub(super) hire: &'r dyn Fn(),
    pub(super) team: &'r Team,
}

impl<E> Line<'_, E> {
    /// Notes that batch `number` has failed.
    pub(super) fn fail(&self, number: u64, cause: Cause<E>) {
        let lost = self.failure.note(number, cause);
        drop_quietly_for(self.team, lost);
    }

    /// Passes the items of a batch through a stage, up to one that fails.
    pub(super) fn pass<T, U>(&self, batch: Batch<T>, mut f: impl FnMut(T) -> Result<U, E>) -> Batch<U> {
        let Batch { number, items, pulled, ns } = batch;
        let begin = clock::now_ns();
        let mut items = items.into_iter();
        let mut passed = Vec::new();
        if number <= self.failure.number.load(Ordering::Relaxed) {
            passed.reserve_exact(items.len());
            // Unwind safety: the panic is resumed at the end of the pipeline. Until then the closure is called on
            // earlier items, as is documented.
            let end = catch_unwind(AssertUnwindSafe(|| {
                items.by_ref().try_for_each(|item| {
                    passed.push(f(item)?);
                    Ok(())
                })
            }));
            match end {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.fail(number, Cause::Error(error)),
                Err(payload) => self.fail(number, Cause::Panic(payload)),
            }
        }
        drop_quietly_for(self.team, items);
        Batch { number, items: passed, pulled, ns: ns + (clock::now_ns() - begin) }
    }
}
