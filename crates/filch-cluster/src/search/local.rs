//! What the workers of a rank and its communication thread share.
//!
//! `wanted` is written by the communication thread, which then interrupts the workers, and counted down by workers,
//! each of which splits off a part for one count. One that has nothing to split off loses its count; the communication
//! thread asks again after a while. `events` is written by workers, who wake the communication thread, and emptied by
//! it. So no worker waits for another rank, and none calls the transport.

use super::goal::Goal;
use crate::error::Failure;
use crate::id::Id;
use filch::{CancelToken, Cancelled, Export, Search, SearchPart, Strand};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Thread;

/// What a worker tells the communication thread.
pub(super) enum Event<P: Search, T> {
    /// It has split off a piece of an open part.
    Exported { part_of: Id, worker: usize, piece: SearchPart<P> },
    /// A piece of an open part has come to its end. `None`: it has been cancelled.
    Ended { part_of: Id, outcome: Result<Option<T>, Failure> },
}

pub(super) struct Local<'g, P: Search, G: Goal<P>> {
    problem: &'g P,
    goal: &'g G,
    wanted: AtomicUsize,
    events: Mutex<Vec<Event<P, G::Value>>>,
    communication: Thread,
}

impl<'g, P: Search, G: Goal<P>> Local<'g, P, G> {
    /// The caller is the communication thread.
    pub(super) fn new(problem: &'g P, goal: &'g G) -> Self {
        let communication = std::thread::current();
        Local { problem, goal, wanted: AtomicUsize::new(0), events: Mutex::new(Vec::new()), communication }
    }

    pub(super) fn want(&self, parts: usize) {
        // Relaxed: it says nothing of other memory. Who misses it is interrupted again.
        self.wanted.store(parts, Ordering::Relaxed);
    }

    pub(super) fn events(&self) -> Vec<Event<P, G::Value>> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether a worker has split something off that the communication thread does not know of.
    pub(super) fn has_events(&self) -> bool {
        !self.events.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn tell(&self, event: Event<P, G::Value>) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        self.communication.unpark();
    }
}

/// A piece of an open part, for a worker to run. Its end is told also if none begins it.
pub(super) struct Piece<'l, 'g, P: Search, G: Goal<P>> {
    local: &'l Local<'g, P, G>,
    part_of: Id,
    outcome: Result<Option<G::Value>, Failure>,
}

impl<'l, 'g, P: Search, G: Goal<P>> Piece<'l, 'g, P, G> {
    pub(super) fn new(local: &'l Local<'g, P, G>, part_of: Id) -> Self {
        Piece { local, part_of, outcome: Ok(None) }
    }

    /// Runs it until its end or until `token` is cancelled.
    pub(super) fn run(mut self, mut s: Strand<'_>, piece: SearchPart<P>, token: &CancelToken) {
        let Local { problem, goal, .. } = *self.local;
        let export = Exporter { local: self.local, part_of: self.part_of };
        let run = || s.run_until(token, |s| goal.run(s, problem, piece, &export));
        self.outcome = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(value)) => Ok(Some(value)),
            Ok(Err(Cancelled)) => Ok(None),
            Err(payload) => Err(Failure::unwound(&*payload)),
        };
    }
}

impl<P: Search, G: Goal<P>> Drop for Piece<'_, '_, P, G> {
    fn drop(&mut self) {
        let outcome = std::mem::replace(&mut self.outcome, Ok(None));
        self.local.tell(Event::Ended { part_of: self.part_of, outcome });
    }
}

/// Where pieces of an open part go.
struct Exporter<'l, 'g, P: Search, G: Goal<P>> {
    local: &'l Local<'g, P, G>,
    part_of: Id,
}

impl<P: Search, G: Goal<P>> Export<P> for Exporter<'_, '_, P, G> {
    fn is_wanted(&self) -> bool {
        let one_less = |wanted: usize| wanted.checked_sub(1);
        self.local.wanted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
    }

    fn export(&self, piece: SearchPart<P>) {
        let worker = filch::current_worker().unwrap_or_default();
        self.local.tell(Event::Exported { part_of: self.part_of, worker, piece });
    }
}
