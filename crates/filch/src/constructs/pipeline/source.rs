//! The source of a pipeline: pulled by one worker at a time, and bounded by what is under way.
//!
//! All is under one lock, which is released while the source makes an item. The source is there unless a worker is
//! pulling. What that worker has pulled so far can be taken by another one as a batch, so that no item waits for a
//! source that blocks as long as a worker is free.
//!
//! A batch is as large as takes about [`BATCH_NS`] to pull and to pass through all stages, so it is a single item where
//! these are expensive or the source is slow.

use super::batch::{Batch, Cause, Line};
use crate::constructs::ordered::fitting;
use crate::sync::{Mutex, clock, lock};
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How long a batch should take: 20 times as long as what it costs to take it through the locks of a few stages, from
/// one worker to another, and to make the vectors for its items.
const BATCH_NS: u64 = 50_000;

/// For how many batches of each worker there is room by default. With fewer, a slow item in a stage in order would stop
/// the others; with more, items are held for no use.
const PER_WORKER: usize = 4;

pub(super) struct Source<I: Iterator> {
    capacity: Option<usize>,
    workers: usize,
    state: Mutex<State<I>>,
}

struct State<I: Iterator> {
    /// `None` while a worker is pulling, and once the source is over.
    iterator: Option<I>,
    /// The items of the next batch.
    pulled: Vec<I::Item>,
    /// Since when they have been pulled.
    begin_ns: u64,
    /// How many batches there have been.
    batches: u64,
    /// How many items have been pulled and are not through the last stage.
    under_way: usize,
    /// How many items a batch should have.
    batch: usize,
}

impl<I: Iterator> State<I> {
    /// Takes what has been pulled as a batch.
    fn take_batch(&mut self) -> Option<Batch<I::Item>> {
        if self.pulled.is_empty() {
            return None;
        }
        let items = take(&mut self.pulled);
        let number = self.batches;
        self.batches += 1;
        Some(Batch { number, pulled: items.len(), items, ns: clock::now_ns() - self.begin_ns })
    }
}

impl<I: Iterator> Source<I> {
    pub(super) fn new(iterator: I, capacity: Option<usize>, workers: usize) -> Self {
        let state =
            State { iterator: Some(iterator), pulled: Vec::new(), begin_ns: 0, batches: 0, under_way: 0, batch: 1 };
        Source { capacity, workers, state: Mutex::new(state) }
    }

    fn has_room(&self, state: &State<I>) -> bool {
        let default = || (PER_WORKER * self.workers).saturating_mul(state.batch);
        state.under_way < self.capacity.unwrap_or_else(default)
    }

    /// How many items a batch may have.
    fn most(&self, state: &State<I>) -> usize {
        let fair = self.capacity.map_or(usize::MAX, |capacity| capacity / (2 * self.workers));
        state.batch.min(fair).max(1)
    }

    /// The next batch. `None` if there is no room for one, if another worker is pulling the first item of it, or if the
    /// source is over.
    pub(super) fn next_batch<E>(&self, line: &Line<'_, E>) -> Option<Batch<I::Item>> {
        let mut state = lock(&self.state);
        if let Some(batch) = state.take_batch() {
            return Some(batch);
        }
        if line.failure.is_some() || !self.has_room(&state) {
            return None;
        }
        let iterator = state.iterator.take()?;
        drop(state);
        self.pull(iterator, line)
    }

    /// Whether there may be a [next batch](Self::next_batch).
    pub(super) fn has_next<E>(&self, line: &Line<'_, E>) -> bool {
        let state = lock(&self.state);
        !state.pulled.is_empty() || state.iterator.is_some() && self.has_room(&state) && !line.failure.is_some()
    }

    /// Pulls a batch, unless others take all of it meanwhile.
    fn pull<E>(&self, mut iterator: I, line: &Line<'_, E>) -> Option<Batch<I::Item>> {
        let mut now_ns = clock::now_ns();
        loop {
            let begin_ns = now_ns;
            // Unwind safety: the iterator is not used again after a panic, which is resumed at the end of the pipeline.
            let next = catch_unwind(AssertUnwindSafe(|| iterator.next()));
            let mut state = lock(&self.state);
            let Ok(Some(item)) = next else {
                drop(state);
                return self.end(iterator, next.err(), line);
            };
            if state.pulled.is_empty() {
                state.begin_ns = begin_ns;
            }
            state.pulled.push(item);
            state.under_way += 1;
            let is_first = state.pulled.len() == 1;
            now_ns = clock::now_ns();
            let is_full = state.pulled.len() >= self.most(&state) || now_ns - state.begin_ns >= BATCH_NS;
            if is_full || line.failure.is_some() || !self.has_room(&state) {
                state.iterator = Some(iterator);
                let batch = state.take_batch();
                drop(state);
                // To pull meanwhile.
                (line.hire)();
                return batch;
            }
            drop(state);
            if is_first {
                // To take what is there if the next item does not come.
                (line.hire)();
            }
        }
    }

    /// The source is over, perhaps by a panic. Returns what has been pulled.
    fn end<E>(
        &self,
        iterator: I,
        panic: Option<Box<dyn std::any::Any + Send>>,
        line: &Line<'_, E>,
    ) -> Option<Batch<I::Item>> {
        // Unwind safety: nothing is left of it.
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(iterator)));
        let mut state = lock(&self.state);
        let batch = state.take_batch();
        let batches = state.batches;
        drop(state);
        for payload in [panic, dropped.err()].into_iter().flatten().take(1) {
            // After all items: no batch has this number.
            line.fail(batches, Cause::Panic(payload));
        }
        batch
    }

    /// A batch has passed the last stage.
    pub(super) fn done(&self, batch: &Batch<()>) {
        let mut state = lock(&self.state);
        state.under_way -= batch.pulled;
        state.batch = fitting(BATCH_NS, batch.pulled, batch.ns, state.batch);
    }
}
