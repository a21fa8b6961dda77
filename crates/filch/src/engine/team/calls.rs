//! Calls: they wake threads that sleep until there is something for them.

use crate::engine::cancel::token::Called;
use crate::engine::frame::task::Goal;
use crate::engine::team::{Ladder, Team, Worker};
use crate::sync::{Ordering, memory_fence};

/// Has the worker of `ladder` decide again what leaves: at its next return, or at once if it waits above older frames.
pub(crate) fn signal(ladder: &Ladder) {
    ladder.raise();
    let worker = ladder.owner();
    if !worker.is_busy.load(Ordering::Relaxed) {
        worker.parker.unpark();
    }
}

/// Something that runs in the team has been cancelled. It may be anywhere.
impl Called for Team {
    fn call(&self) {
        self.all_ladders().for_each(signal);
    }
}

impl Team {
    /// Notes that a run has forked for the first time, or that a scope has got its first task.
    pub(crate) fn begin_activity(&self) {
        self.sleepers.begin_run();
        self.sharing.begins_activity(self);
    }

    /// Makes sure that watchers are called when the oldest frame of a ladder changes.
    pub(crate) fn watch(&self) {
        self.watch_those(|_| true);
    }

    /// Makes sure that a thread which may sit as `worker` is called when the oldest frame of a ladder changes from
    /// which that worker may get something.
    pub(crate) fn watch_for(&self, worker: &Worker) {
        self.watch_those(|ladder| self.are_mates(worker, ladder));
    }

    fn watch_those(&self, is_meant: impl Fn(&Ladder) -> bool) {
        // Where other workers do not get latent frames, a promotion calls.
        if self.rules.shares_latent() {
            self.all_ladders().filter(|ladder| is_meant(ladder)).for_each(Ladder::watch);
        }
    }

    /// Whether a thread wants to be called when a ladder gets another oldest frame. Where other workers do not get
    /// latent frames, none does.
    pub(crate) fn has_watched_ladders(&self) -> bool {
        self.rules.shares_latent() && self.sleepers.is_watched()
    }

    /// [`watch`](Self::watch) for one ladder, if a thread watches. For a caller that has moved H or lowered E, so that
    /// the ladder is no longer prepared, or that has just made or opened the ladder.
    pub(crate) fn watch_again(&self, ladder: &Ladder) {
        if self.has_watched_ladders() {
            ladder.watch();
        }
    }

    /// The squad whose workers alone may get what `worker` forks on the intra-socket tier. `None` if all may.
    pub(crate) fn squad_of_work(&self, worker: &Worker) -> Option<usize> {
        self.squads.as_ref().filter(|squads| squads.is_split()).map(|squads| squads.of(worker.seat()))
    }

    /// Calls those that sleep and may have what `ladder` has to share, or is about to have.
    pub(crate) fn call_for(&self, ladder: &Ladder) {
        self.call(ladder, self.squad_of_work(ladder.owner()));
    }

    /// Calls those that sleep and may have an inter-socket task, which has just come from `ladder`.
    pub(crate) fn call_squads_for(&self, ladder: &Ladder) {
        self.call(ladder, None);
    }

    /// Calls a worker of this squad, if one that sleeps may begin an inter-socket task. The caller has made the squad
    /// free, or no longer counts as its head.
    pub(crate) fn call_head(&self, squad: usize) {
        let Some(squads) = &self.squads else { return };
        // A sleeper has announced itself, and then has looked at what the caller has changed.
        memory_fence();
        let may_begin =
            |&seat: &usize| !self.seats.is_taken(seat) && self.may_begin_across(self.ladder_on(seat).owner());
        if squads.has_any() && squads.workers(squad).iter().any(may_begin) {
            self.sleepers.call_for_more(Some(squad));
        }
    }

    fn call(&self, ladder: &Ladder, squad: Option<usize>) {
        self.sleepers.call_for_more(squad);
        memory_fence();
        self.call_waiters(|goal| ladder.owner().tasks.innermost().is_some_and(|task| self.is_part(task, goal)));
    }

    /// Wakes the waiters that watch for a goal for which `is_needed_for` returns true. The caller has put a task into a
    /// pool, or has found that a ladder is watched.
    pub(crate) fn call_waiters(&self, is_needed_for: impl Fn(Goal) -> bool) {
        if !self.sleepers.has_watchers() {
            return;
        }
        for ladder in self.all_ladders() {
            let worker = ladder.owner();
            if worker.watches_for.get().is_some_and(|goal| self.rules.helps_with(|| is_needed_for(goal))) {
                worker.parker.unpark();
            }
        }
    }

    /// Starts a thread of the reserve.
    pub(crate) fn start_in_reserve(&self, number: usize) -> bool {
        self.threads.reserve.get().is_some_and(|start| start(number))
    }

    /// Whether thread `me` is one of the reserve, and not that of a worker.
    pub(crate) fn is_of_reserve(&self, me: usize) -> bool {
        me >= self.ladders().len()
    }

    /// Wakes the threads of the reserve that are out and sleep as the others do.
    pub(crate) fn call_reserve(&self) {
        let workers = self.ladders().len();
        (0..self.reserve.most()).for_each(|number| self.sleepers.call_this(workers + number));
    }
}
