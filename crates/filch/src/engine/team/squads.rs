//! The squads of CAB: for each squad a pool of inter-socket tasks, and whether the squad is busy with one (Chen, Huang,
//! Guo and Zhou 2011, sections III and IV).
//!
//! A fork on an inter-socket level does not push its frame: a frame there would hide the intra-socket frames above it
//! from the other workers of the squad. Its frame goes to the pool of the squad, as an eagerly shared frame goes to a
//! shelf, and its first branch runs in place, one level deeper. On the boundary level forks push as usual. So the fast
//! path knows nothing of tiers: on inter-socket levels the slot at the top is marked, which sends a fork to the cold
//! path.
//!
//! ```text
//!   level 1  root ──────────────┐                      boundary level 3, two squads
//!   level 2  a ────────┐        b  in the pool of squad 0 ── got by the head of squad 1, which is busy from then on
//!   level 3  aa        ab          leaves of the inter-socket tier: from here on forks are on ladders
//!            └ its forks are shared by the workers of squad 0 only
//! ```
//!
//! **Busy.** A squad that has got an inter-socket task from a pool is busy until that task is done, or waits for
//! another inter-socket task. While it is busy it gets no other one, so two tasks do not compete for its cache. While
//! its task waits it may get another one, because otherwise the squad would have nothing to do. A task that goes on
//! after such a wait makes its squad busy again, unless the squad has got another task meanwhile.
//!
//! **The head.** Only the head worker of a squad gets inter-socket tasks: the one on the lowest seat that is occupied,
//! not counting workers that wait.
//!
//! **The two syncs and `inter_counter`** (section IV-B). Each fork waits for its own frame, and a scope counts its
//! tasks (`sync/pending.rs`). A wait for an inter-socket frame first asks the pool of the squad for it, and then makes
//! the squad free; any other wait does not.
//!
//! | state | written by |
//! |---|---|
//! | the pool of a squad | any worker that forks there or gets a task, under its lock |
//! | `is_busy` | the worker that gets a task sets it by compare-exchange, and clears it |
//! | a worker's `tier` | its occupant |
//! | a worker's `has_squad`, `waits` | its occupant; other workers read `waits` as a hint |
//!
//! `models/squads.pml` checks this, with its mutants. Loom checks these sources (`engine/loom_tests.rs`).

use crate::decisions::Record;
use crate::engine::frame::{Header, Unbegun};
use crate::protocol::task_pool::{SharedPool, Shelf, TaskPool};
use crate::sync::{AtomicBool, Ordering};
use filch_policy::{Balancer, Tier, topology};
use std::iter;

/// The squads of a team that has several. Workers are known by their seats.
pub(crate) struct Squads {
    squads: topology::Squads,
    states: Box<[Squad]>,
    /// The tier of a run's first task.
    pub(crate) first: Tier,
    pub(crate) record: Record,
}

struct Squad {
    pool: Shelf<Unbegun>,
    is_busy: AtomicBool,
}

impl Squads {
    /// The squads, for runs with this boundary level. `None` if there is only one.
    pub(crate) fn new(squads: &topology::Squads, boundary: u32) -> Option<Self> {
        let squad = |_| Squad { pool: Shelf::new(Balancer::Concurrent), is_busy: AtomicBool::new(false) };
        (squads.count() > 1).then(|| Squads {
            squads: squads.clone(),
            states: (0..squads.count()).map(squad).collect(),
            first: Tier::first(boundary),
            record: Record::default(),
        })
    }

    /// The first tier of a run.
    pub(crate) fn first_tier(squads: Option<&Squads>) -> Tier {
        squads.map_or(Tier::INTRA, |squads| squads.first)
    }

    /// Whether intra-socket work stays in its squad. It does unless the boundary level of runs is 0.
    pub(crate) fn is_split(&self) -> bool {
        self.first.splits_squads()
    }

    /// The first tier of a procedure that divides this much data into this many parts again and again.
    pub(crate) fn tier_of(&self, branching: u64, data_bytes: u64) -> Result<Tier, topology::BoundaryError> {
        let cache_bytes = self.squads.smallest_cache_bytes();
        topology::boundary_level(branching, self.squads.count(), data_bytes, cache_bytes).map(Tier::first)
    }

    /// The squad of a seat.
    pub(crate) fn of(&self, seat: usize) -> usize {
        self.squads.of(seat)
    }

    /// The squad of each thread: the threads beyond the number of seats are divided as the seats are.
    pub(crate) fn of_each(&self, seats: usize, threads: usize) -> Box<[usize]> {
        (0..threads).map(|thread| self.of(thread % seats)).collect()
    }

    /// The seats of a squad.
    pub(crate) fn workers(&self, squad: usize) -> &[usize] {
        self.squads.workers(squad)
    }

    /// Adds a task to the pool of inter-socket tasks of a squad.
    pub(crate) fn put(&self, squad: usize, task: Unbegun) {
        self.states[squad].pool.put(task);
    }

    /// The pool of inter-socket tasks of a squad, for who comes back for one.
    pub(crate) fn pool(&self, squad: usize) -> &dyn TaskPool<Header> {
        &self.states[squad].pool
    }

    /// Whether some pool seems to have a task. Takes no lock.
    pub(crate) fn has_any(&self) -> bool {
        self.states.iter().any(|squad| !squad.pool.is_empty())
    }

    /// Whether some pool has a task that `is_wanted`. Takes the locks.
    pub(crate) fn has(&self, is_wanted: &dyn Fn(&Unbegun) -> bool) -> bool {
        self.states.iter().any(|squad| !squad.pool.is_empty() && squad.pool.has(is_wanted))
    }

    /// Whether the worker on `seat` may begin an inter-socket task, as far as can be seen. `is_there` says whether a
    /// worker is on a seat that does not wait.
    pub(crate) fn may_begin(&self, seat: usize, is_there: impl FnMut(usize) -> bool) -> bool {
        let is_busy = self.states[self.of(seat)].is_busy.load(Ordering::Relaxed);
        let is_head = self.squads.is_head(seat, is_there);
        self.record.looks_across(is_head, is_busy)
    }

    /// Makes a squad busy. Returns false if it is already.
    pub(crate) fn begin(&self, squad: usize) -> bool {
        let is_busy = &self.states[squad].is_busy;
        if mutant!("squad_look_then_set") {
            let was_busy = is_busy.load(Ordering::Acquire);
            is_busy.store(true, Ordering::Release);
            return !was_busy;
        }
        is_busy.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Makes a squad free again. Called by the worker that has made it busy.
    pub(crate) fn end(&self, squad: usize) {
        if !mutant!("squad_stays_busy") {
            self.states[squad].is_busy.store(false, Ordering::Release);
        }
    }

    /// Removes the oldest task that `is_wanted` from the pool of `squad`, or else from that of another squad. The
    /// search among the others begins at `start`.
    pub(crate) fn get(&self, squad: usize, start: usize, is_wanted: &dyn Fn(&Unbegun) -> bool) -> Option<Unbegun> {
        let count = self.states.len();
        let others = (0..count).map(|step| (start + step) % count).filter(|&other| other != squad);
        iter::once(squad).chain(others).find_map(|squad| self.states[squad].pool.get(is_wanted))
    }
}
