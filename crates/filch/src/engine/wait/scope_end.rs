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

use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::Rung;
use crate::engine::group::Core;
use crate::engine::run_tasks::perform;
use crate::engine::seat::loans;
use crate::engine::seat::waiters::Registered;
use crate::engine::share::thief::Thief;
use crate::engine::share::way;
use crate::engine::task_pool::Latent;
use crate::engine::team::{Ladder, Worker};
use crate::engine::views::hypermap;
use crate::engine::wait::join_end::help_or_pause;
use crate::engine::wait::rest::Rest;
use crate::engine::wait::spare_ladder::work_aside;
use crate::engine::{chaos, held};
use crate::sync::{Ordering, lock};
use std::cell::Cell;

impl Core {
    /// Returns when all tasks of the scope are done. No task can be spawned afterwards.
    ///
    /// # Safety
    ///
    /// Called once, by the thread that has opened the scope, when its body is over. The thread occupies the ladder of
    /// `rung`.
    pub(crate) unsafe fn finish(&self, rung: Rung) {
        if !self.pending.is_zero() {
            // SAFETY: guaranteed by the caller.
            unsafe { self.run_out(rung) };
        }
        let views = lock(&self.views).take();
        if let Some(views) = views {
            hypermap::absorb(*views);
        }
        if self.is_active.load(Ordering::Relaxed) {
            self.team().sleepers.end_run();
        }
    }

    /// # Safety
    ///
    /// As for [`finish`](Self::finish).
    #[cold]
    unsafe fn run_out(&self, rung: Rung) {
        // Tasks borrow from this stack, so it must not be unwound before they are done.
        let abort = AbortOnUnwind::arm();
        // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
        let ladder = unsafe { Ladder::of(rung) };
        // The first fork of the run may be in a task. And this worker opens and closes its ask word below, as only a
        // worker in a run that has forked may do.
        // SAFETY: the caller occupies the ladder of `rung`.
        let top = unsafe { way::top_of_forked(rung) };
        loop {
            let mut done = 0;
            while let Some(latent) = self.find(ladder) {
                // SAFETY: the caller occupies the ladder. `top` is its top, because the body and its tasks pop what
                // they push.
                unsafe { perform(ladder, top, latent) };
                done += 1;
            }
            // Counts all of them out at once, because only this thread waits for them.
            self.pending.complete(done);
            if self.pending.is_zero() {
                break;
            }
            // SAFETY: the caller occupies the ladder, and `top` is its top.
            unsafe { self.wait(ladder, top) };
        }
        abort.disarm();
    }

    fn find(&self, ladder: &Ladder) -> Option<Latent> {
        let team = self.team();
        chaos::at_finish(team, self.goal());
        team.find_of(self.goal(), ladder.owner())
    }

    /// Returns when there are tasks of the scope in a pool, or when all are done.
    ///
    /// # Safety
    ///
    /// The caller occupies `ladder`, whose top is `top`.
    unsafe fn wait(&self, ladder: &Ladder, top: Rung) {
        let worker = ladder.owner();
        worker.close();
        work_aside(ladder, top, |ladder, top| {
            // SAFETY: the caller guarantees this for its own ladder. A spare ladder is empty, and this thread occupies
            // it, too.
            held::waiting_on(ladder, top, || unsafe { self.wait_on(worker, ladder, top) });
        });
        loans::go_on();
        // Closed once more: a strand of this ladder that was smuggled to another one may have waited here and opened it
        // again.
        worker.close();
        worker.open();
    }

    /// Waits as `worker`, and helps on `ladder`.
    ///
    /// # Safety
    ///
    /// The caller occupies `ladder`, whose top is `top`, and the ladder of `worker`.
    unsafe fn wait_on(&self, worker: &Worker, ladder: &Ladder, top: Rung) {
        let team = self.team();
        let is_called = || self.pending.is_zero() || team.shows_of(self.goal());
        let thief = Thief {
            team,
            ladder,
            top,
            is_called: &is_called,
            is_met_with_silence: Cell::new(false),
            going_busy: &|| Rest::interrupt(worker),
        };
        let mut registered = None;
        let mut rest = Rest::new(worker);
        while !is_called() {
            team.must_have_threads();
            if held::holds_several_seats() {
                let registered = registered.get_or_insert_with(|| Registered::for_end(team, self.goal()));
                loans::lend(registered, Some(ladder));
            }
            let announce = || self.pending.announce() && !team.has_of(self.goal());
            // SAFETY: guaranteed by the caller.
            unsafe { help_or_pause(&thief, &mut rest, self.goal(), announce) };
        }
    }
}
