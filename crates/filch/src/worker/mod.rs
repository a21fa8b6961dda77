//! The worker layer: who runs.
//!
//! A [`Team`] is a set of workers that share work under one scheduler. A [`Worker`] is a permanent cell, a ladder and
//! what goes with it; threads occupy cells, one at a time. Here stand the slow paths of a fork ([`cold`]), of a return
//! whose frame is gone ([`wait`]), the ways to get work ([`steal`], [`give`]), the way in ([`enter`]), from one team
//! into another ([`crossing`], [`waiters`]), and the life of a thread that has nothing to return to ([`search`]). Tasks
//! that are no frames, and those who wait for them: [`scope`]. What a thread knows of itself: where it is working
//! ([`current`]), what it holds ([`held`]), and which views of reducers are its own ([`hypermap`], [`order`]). May
//! import: `scheduler`, `ladder`, `ask`, `seats`, `sleep`, `sync`.

mod abort;
mod blank;
mod chaos;
pub(crate) mod cold;
pub(crate) mod cost;
mod counters;
mod crossing;
pub(crate) mod current;
mod enter;
mod execute;
pub(crate) mod frame;
mod give;
pub(crate) mod held;
pub(crate) mod hypermap;
pub(crate) mod items;
pub(crate) mod order;
mod payload;
mod random;
pub(crate) mod range;
mod rest;
mod samples;
pub(crate) mod scope;
pub(crate) mod search;
mod spares;
mod steal;
mod task;
mod team;
pub(crate) mod wait;
mod waiters;

pub(crate) use blank::unpack;
pub use counters::Counters;
pub(crate) use frame::{FrameKind, Header};
pub(crate) use items::{ItemsFrame, ItemsPart, Parts};
pub(crate) use range::{Part, RangeFrame};
pub(crate) use rest::{SEARCH_NS, Spin};
pub(crate) use team::{PanicHandler, Team};

use crate::ask::{AskWord, Mailbox, Shelf};
use crate::ladder;
use crate::scheduler::{Credit, Rules};
use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use blank::BlankCell;
use cost::Costs;
use counters::CounterCells;
use random::Random;
use samples::Samples;
use std::sync::Weak;
use task::{GoalCell, TaskCell, Tasks};

/// A rung of a worker's ladder.
pub(crate) type Rung = ladder::Rung<Header>;
/// A worker's ladder, with the worker behind it.
pub(crate) type Ladder = ladder::Ladder<Header, Worker>;

/// A worker's cell. It lives as long as the team, whoever occupies it; what only the occupant writes is atomic all the
/// same, because others read it or may come to, and only slow paths touch it.
pub(crate) struct Worker {
    /// Its name in the team.
    index: usize,
    /// The seat that its occupant is on: its own or, for a spare worker, any.
    seat: AtomicUsize,
    team: Weak<Team>,
    tasks: Tasks,
    /// Where the tasks wait that its occupants have spawned into scopes.
    pool: scope::Pool,
    /// Whether it can be asked. Written by its occupant, askers post.
    ask_word: AskWord,
    /// How often it may give. Written by its occupant under L.
    gives: Credit,
    /// How often it may be interrupted. Written by thieves under L.
    takes: Credit,
    /// Until when it counts as one that does not answer, in nanoseconds of the clock.
    silent_until_ns: AtomicU64,
    /// The answer to its own ask.
    mailbox: Mailbox<Header>,
    /// What it has left for whoever comes.
    shelf: Shelf<Header>,
    /// Of what its own ask wants a part; anything will do if empty. Read by whoever has accepted the ask.
    wants: TaskCell,
    /// Memory for a part of a loop, if it gets one. As `wants`, whoever has accepted its ask may use it.
    blank: BlankCell,
    /// What it believes that iterations of loops cost.
    costs: Costs,
    /// How often it has asked.
    asked: AtomicU64,
    /// Whether a thread of chaos plays it. A seat that is lent makes two of those.
    is_played: AtomicBool,
    /// Where it sleeps while it waits.
    parker: Parker,
    /// What it waits for, if it sleeps for long and is to be called for parts of that.
    watches_for: GoalCell,
    random: Random,
    counters: CounterCells,
    ask_times: Samples,
    take_times: Samples,
}

impl Worker {
    fn new(index: usize, team: Weak<Team>) -> Self {
        Worker {
            index,
            seat: AtomicUsize::new(index),
            team,
            tasks: Tasks::new(index),
            pool: scope::Pool::new(),
            ask_word: AskWord::new(),
            gives: Credit::new(),
            takes: Credit::new(),
            silent_until_ns: AtomicU64::new(0),
            mailbox: Mailbox::new(),
            shelf: Shelf::new(),
            wants: TaskCell::new(None),
            blank: BlankCell::new(),
            costs: Costs::new(),
            asked: AtomicU64::new(0),
            is_played: AtomicBool::new(false),
            parker: Parker::new(),
            watches_for: GoalCell::new(),
            random: Random::new(index as u64),
            counters: CounterCells::default(),
            ask_times: Samples::new(),
            take_times: Samples::new(),
        }
    }

    /// How many workers its team has.
    pub(crate) fn num_workers(&self) -> usize {
        self.team().ladders().len()
    }

    /// The rules of its team.
    pub(crate) fn rules(&self) -> &Rules {
        self.team().rules()
    }

    /// The seat that its occupant is on: what users know a worker by.
    pub(crate) fn seat(&self) -> usize {
        self.seat.load(Ordering::Relaxed)
    }

    /// Its next occupant is on this seat.
    fn sit_on(&self, seat: usize) {
        self.seat.store(seat, Ordering::Relaxed);
    }

    /// The team it belongs to.
    fn team(&self) -> &Team {
        // SAFETY: the team owns this cell, so it lives; and it is whole, because nobody calls this before it is.
        unsafe { &*self.team.as_ptr() }
    }
}
