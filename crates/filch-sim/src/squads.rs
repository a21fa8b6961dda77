//! The squads of CAB: one on each socket, with a pool of inter-socket tasks (Chen, Huang, Guo and Zhou 2011, section
//! III). This is the state of `crates/filch/src/engine/team/squads.rs`, without the races.

use crate::claims::ClaimId;
use crate::shelf::Shelf;
use filch_policy::topology::Squads as Seats;
use filch_policy::{Balancer, Tier, looks_across};
use std::ops::Range;

/// The squads of a machine with several sockets.
pub(crate) struct Squads {
    seats: Seats,
    states: Vec<Squad>,
    /// The tier of the run's first task.
    pub(crate) first: Tier,
}

struct Squad {
    pool: Shelf,
    is_busy: bool,
}

impl Squads {
    pub(crate) fn new(seats: &Seats, boundary: u32) -> Self {
        let squad = |_| Squad { pool: Shelf::new(Balancer::Concurrent), is_busy: false };
        let states = (0..seats.count()).map(squad).collect();
        Squads { seats: seats.clone(), states, first: Tier::first(boundary) }
    }

    pub(crate) fn count(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn of(&self, worker: usize) -> usize {
        self.seats.of(worker)
    }

    /// The workers of a squad, in increasing order.
    pub(crate) fn workers(&self, squad: usize) -> &[usize] {
        self.seats.workers(squad)
    }

    /// The same as a range.
    pub(crate) fn range(&self, squad: usize) -> Range<usize> {
        let seats = self.workers(squad);
        seats[0]..seats[0] + seats.len()
    }

    /// The pool of inter-socket tasks of a squad.
    pub(crate) fn pool(&mut self, squad: usize) -> &mut Shelf {
        &mut self.states[squad].pool
    }

    pub(crate) fn has_any(&self) -> bool {
        self.states.iter().any(|squad| !squad.pool.is_empty())
    }

    /// Whether some pool has a task that `is_wanted`.
    pub(crate) fn has(&self, is_wanted: impl Fn(ClaimId) -> bool) -> bool {
        self.states.iter().any(|squad| squad.pool.frames().any(&is_wanted))
    }

    /// Whether a worker may begin an inter-socket task. `is_there` says whether a worker has its seat and does not
    /// wait.
    pub(crate) fn may_begin(&self, worker: usize, is_there: impl FnMut(usize) -> bool) -> bool {
        looks_across(self.seats.is_head(worker, is_there), self.states[self.of(worker)].is_busy)
    }

    /// Makes a squad busy. Returns false if it is already.
    pub(crate) fn begin(&mut self, squad: usize) -> bool {
        !std::mem::replace(&mut self.states[squad].is_busy, true)
    }

    /// Makes a squad free again.
    pub(crate) fn end(&mut self, squad: usize) {
        self.states[squad].is_busy = false;
    }

    /// Removes the oldest task that `is_wanted` from the pool of `squad`, or else from that of another squad, from
    /// `start` on. Returns it with its squad.
    pub(crate) fn get(
        &mut self,
        squad: usize,
        start: usize,
        is_wanted: impl Fn(ClaimId) -> bool,
    ) -> Option<(ClaimId, usize)> {
        let count = self.count();
        let others = (0..count).map(|step| (start + step) % count).filter(|&other| other != squad);
        std::iter::once(squad).chain(others).find_map(|squad| Some((self.states[squad].pool.get(&is_wanted)?, squad)))
    }
}
