//! Waiting at the end of a scope.
//!
//! The owner first runs tasks of the scope, its own ones first, as the program's own code. They need no name, no room
//! among the tasks that helping may nest, and nothing from other workers. Once all tasks have begun, the owner helps
//! the workers that run them. It looks for parts of the scope as a waiter at a join does (`join_end.rs`). If it has
//! older frames on its own ladder, it helps on a spare one (`spare_ladder.rs`). If there is nothing to help with it
//! sleeps, until a task is spawned or the last one is done.
//!
//! While a panic unwinds the owner does not help, but it runs the tasks of its scope: a destructor has spawned them,
//! and there may be no other worker for them.

use crate::engine::scopes::group::Group;
use crate::engine::share::run_tasks::perform_all;
use crate::engine::share::{at_fork, descent};
use crate::engine::spawned::{Job, OwnQueue, Spawned};
use crate::engine::team::{Occupied, Top};
use crate::engine::views::hypermap;
use crate::engine::wait::aside::wait_aside;
use crate::engine::wait::region::within;
use crate::sync::abort::AbortOnUnwind;
use crate::sync::{Ordering, lock};

impl Group {
    /// Returns when all tasks of the scope are done. No task can be spawned afterwards.
    ///
    /// # Safety
    ///
    /// Called once, by the thread that has opened the scope, when its body is over.
    pub(crate) unsafe fn finish(&self, at: Occupied<'_>) {
        if !self.pending.is_zero() {
            self.run_out(at);
        }
        self.end();
    }

    /// The tasks of the scope are done.
    pub(super) fn end(&self) {
        if self.has_left() {
            let views = lock(&self.views).take();
            if let Some(views) = views {
                hypermap::absorb(*views);
            }
        }
        if self.is_active.load(Ordering::Relaxed) {
            self.team().sleepers.end_run();
        }
    }

    #[cold]
    fn run_out(&self, at: Occupied<'_>) {
        // Tasks borrow from this stack, so it must not be unwound before they are done.
        let abort = AbortOnUnwind::arm();
        // The first fork of the run may be in a task. And this worker opens and closes its ask word below, as only a
        // worker in a run that has forked may do.
        let top = at_fork::top_of_forked(at);
        let own = top.spawned();
        // The regions are others than those around only if this thread must not unwind.
        within(top.again(), self.around(), |top| {
            loop {
                let done = perform_all(&top, self, |job| self.find_own(own, job));
                self.count_out_own(done);
                if self.pending.is_zero() {
                    break;
                }
                self.run_others_or_wait(&top);
            }
        });
        descent::mark_again(*top);
        abort.disarm();
    }

    fn find_own(&self, own: OwnQueue<'_>, job: &mut Option<Job>) {
        self.team().sharing.before_task(self.team(), self.goal());
        own.get_of(self.goal(), job);
    }

    /// Runs a task of the scope that this worker has not spawned itself. If there is none, waits.
    #[inline(never)]
    fn run_others_or_wait(&self, top: &Top<'_>) {
        let mut other = self.team().find_other_of(self.goal(), **top);
        if other.is_some() {
            let done = perform_all(top, self, |job| *job = other.take().map(Spawned::into_job));
            self.count_out_own(done);
        } else {
            self.wait(top);
        }
    }

    /// Returns when there are tasks of the scope in a pool, or when all are done.
    fn wait(&self, own: &Top<'_>) {
        let team = self.team();
        let is_called = || self.pending.is_zero() || team.shows_of(self.goal());
        let announce = || self.pending.announce() && !team.has_of(self.goal());
        wait_aside(own, self.goal(), self.tier().forks_across(), &is_called, &announce);
    }
}
