//! The worker layer: who runs.
//!
//! A [`Team`] is a set of workers that share work under one scheduler. A [`Worker`] is a permanent cell, a ladder and
//! what goes with it; threads occupy cells. Here stand the slow paths of a fork ([`cold`]), of a return whose frame is
//! gone ([`wait`]), and the life of a thread that has nothing to return to ([`search`]).
//! May import: `scheduler`, `ladder`, `sync`.

mod abort;
pub(crate) mod cold;
mod counters;
pub(crate) mod current;
pub(crate) mod entrance;
mod execute;
pub(crate) mod frame;
mod idle;
pub(crate) mod search;
mod stage;
mod steal;
mod task;
mod team;
pub(crate) mod wait;

pub use counters::Counters;
pub(crate) use frame::{FrameKind, Header};
pub(crate) use team::Team;

use crate::ladder;
use crate::sync::AtomicU64;
use crate::sync::parker::Parker;
use counters::CounterCells;
use idle::Nap;
use std::sync::Weak;
use task::Tasks;

/// A rung of a worker's ladder.
pub(crate) type Rung = ladder::Rung<Header>;
/// A worker's ladder, with the worker behind it.
pub(crate) type Ladder = ladder::Ladder<Header, Worker>;

/// A worker's cell. It lives as long as the team, whoever occupies it; what only the occupant writes is atomic all the
/// same, because others read it or may come to, and only slow paths touch it.
pub(crate) struct Worker {
    /// Its place in the team.
    index: usize,
    team: Weak<Team>,
    tasks: Tasks,
    parker: Parker,
    nap: Nap,
    counters: CounterCells,
    /// State of the choice of victims; 0 before the first.
    random: AtomicU64,
}

impl Worker {
    fn new(index: usize, team: Weak<Team>) -> Self {
        Worker {
            index,
            team,
            tasks: Tasks::new(),
            parker: Parker::new(),
            nap: Nap::new(),
            counters: CounterCells::default(),
            random: AtomicU64::new(0),
        }
    }

    /// How many workers its team has.
    pub(crate) fn num_workers(&self) -> usize {
        self.team().ladders().len()
    }

    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The team it belongs to. It lives while anybody occupies this cell.
    fn team(&self) -> std::sync::Arc<Team> {
        self.team.upgrade().expect("a pool outlives its runs and its threads")
    }
}
