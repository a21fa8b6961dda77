//! Whose turn it is at a serial stage.
//!
//! All is under one lock. The closure of the stage is there unless a worker is in the stage. A batch that comes
//! meanwhile, or before its turn, is parked. The worker that leaves the stage learns whether a parked batch is ready.

use super::batch::Batch;
use crate::engine::recording::Key;
use crate::sync::{Mutex, lock};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

pub(super) struct Turn<T, F> {
    is_in_order: bool,
    state: Mutex<State<T, F>>,
    /// What a batch waits for, in a profile: that the one before it has left the stage.
    key: Key,
}

struct State<T, F> {
    /// The closure, unless a worker is in the stage.
    f: Option<F>,
    /// How many batches have passed.
    passed: u64,
    /// The first one in the order of the source is on top.
    parked: BinaryHeap<Parked<T>>,
}

impl<T, F> Turn<T, F> {
    pub(super) fn new(is_in_order: bool, f: F) -> Self {
        Turn {
            is_in_order,
            state: Mutex::new(State { f: Some(f), passed: 0, parked: BinaryHeap::new() }),
            key: Key::new(),
        }
    }

    fn is_turn_of(&self, state: &State<T, F>, number: u64) -> bool {
        !self.is_in_order || number == state.passed
    }

    fn is_ready(&self, state: &State<T, F>) -> bool {
        state.f.is_some() && state.parked.peek().is_some_and(|Parked(first)| self.is_turn_of(state, first.number))
    }

    /// Enters the stage with a batch, or parks that.
    pub(super) fn enter(&self, batch: Batch<T>) -> Option<(Batch<T>, F)> {
        let mut state = lock(&self.state);
        if self.is_turn_of(&state, batch.number)
            && let Some(f) = state.f.take()
        {
            self.key.wait();
            return Some((batch, f));
        }
        state.parked.push(Parked(batch));
        None
    }

    /// Leaves the stage. Returns whether a parked batch is ready.
    pub(super) fn leave(&self, f: F) -> bool {
        self.key.post();
        let mut state = lock(&self.state);
        state.f = Some(f);
        state.passed += 1;
        self.is_ready(&state)
    }

    /// Enters the stage with the first parked batch, if that is ready.
    pub(super) fn enter_with_parked(&self) -> Option<(Batch<T>, F)> {
        let mut state = lock(&self.state);
        if !self.is_ready(&state) {
            return None;
        }
        state.f.take().and_then(|f| state.parked.pop().map(|Parked(batch)| (batch, f)))
    }

    /// Whether a parked batch is ready.
    pub(super) fn has_ready(&self) -> bool {
        self.is_ready(&lock(&self.state))
    }
}

/// A parked batch: the greater the earlier.
struct Parked<T>(Batch<T>);

impl<T> PartialEq for Parked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Parked<T> {}

impl<T> PartialOrd for Parked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Parked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.number.cmp(&self.0.number)
    }
}
