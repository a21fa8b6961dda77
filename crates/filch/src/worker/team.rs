//! A team: the workers of a pool and what they share.

use super::idle;
use super::stage::{Stage, StageCell};
use super::task::TaskId;
use super::{Counters, Header, Ladder, Worker};
use crate::ladder::LadderBox;
use crate::scheduler::Scheduler;
use crate::sync::{AtomicU64, AtomicUsize, Ordering, clock};
use std::sync::Arc;
use std::time::Duration;

/// The workers of a pool, their scheduler, and where runs from outside come in.
pub(crate) struct Team {
    ladders: Box<[LadderBox<Header, Worker>]>,
    scheduler: Scheduler,
    takes: bool,
    /// N, in nanoseconds.
    period_ns: AtomicU64,
    /// Runs under way whose first fork has happened.
    active: AtomicUsize,
    stage: StageCell,
    pub(super) entrance: super::entrance::Entrance,
}

impl Team {
    /// `None` where there is no memory for the ladders.
    pub(crate) fn new(workers: usize, capacity: usize, scheduler: Scheduler, takes: bool) -> Option<Arc<Self>> {
        let team = Arc::new_cyclic(|team| {
            let worker = |index| Worker::new(index, team.clone());
            Team {
                ladders: (0..workers).map_while(|index| LadderBox::new(capacity, worker(index))).collect(),
                scheduler,
                takes,
                period_ns: AtomicU64::new(0),
                active: AtomicUsize::new(0),
                stage: StageCell::new(),
                entrance: super::entrance::Entrance::new(),
            }
        });
        (team.ladders.len() == workers).then_some(team)
    }

    pub(crate) fn ladders(&self) -> &[LadderBox<Header, Worker>] {
        &self.ladders
    }

    pub(super) fn worker(&self, index: usize) -> &Worker {
        self.ladders[index].owner()
    }

    /// The ladder that runs `task`.
    pub(super) fn ladder_of(&self, task: TaskId) -> &Ladder {
        &self.ladders[task.worker]
    }

    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Whether idle workers take.
    pub(crate) fn takes(&self) -> bool {
        self.takes
    }

    pub(crate) fn period_ns(&self) -> u64 {
        self.period_ns.load(Ordering::Relaxed)
    }

    /// What the threads are there for now.
    pub(crate) fn stage(&self) -> &StageCell {
        &self.stage
    }

    /// Ends calibration: from now on the threads look for work.
    pub(crate) fn start(&self, period: Duration) {
        self.period_ns.store(clock::as_ns(period), Ordering::Relaxed);
        self.stage.set(Stage::Working);
    }

    /// Tells all threads to leave once they have nothing to do.
    pub(crate) fn dismiss(&self) {
        self.stage.set(Stage::Leaving);
        for ladder in &self.ladders {
            ladder.owner().parker.unpark();
        }
    }

    /// Whether a run is under way that has forked.
    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::SeqCst) > 0
    }

    /// A run has forked for the first time.
    pub(super) fn activate(&self) {
        self.active.fetch_add(1, Ordering::SeqCst);
        self.wake_idle();
    }

    /// A run that had forked is over.
    pub(super) fn deactivate(&self) {
        self.active.fetch_sub(1, Ordering::SeqCst);
    }

    /// There is work: whoever naps may look.
    pub(super) fn wake_idle(&self) {
        self.ladders.iter().for_each(|ladder| idle::wake(ladder.owner()));
    }

    pub(crate) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.ladders.iter().for_each(|ladder| ladder.owner().counters.add_to(&mut sum));
        sum
    }
}
