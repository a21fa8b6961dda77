//! Waiting at the end of a scope.
//!
//! The owner runs tasks of the scope, its own first, as the program's own code: they need no name, no room among the
//! tasks that helping may nest, and nobody else's consent. Once all are begun, it helps those who run them: it looks
//! for parts of them as one that waits at a join does (`engine/wait/join_end.rs`), the scope being its goal; on a spare ladder,
//! if it has older frames on its own ([`aside`](super::aside)). Then it sleeps, until a task is spawned or the last one
//! is done.
//!
//! While a panic unwinds it does not help, but its own tasks it runs: a destructor has spawned them, and there may be
//! nobody else.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::chaos;
use crate::engine::frame::Rung;
use crate::engine::seat::waiters::Registered;
use crate::engine::seat::{held, loans};
use crate::engine::share::thief::Thief;
use crate::engine::share::way;
use crate::engine::tasks::Core;
use crate::engine::tasks::{Latent, perform};
use crate::engine::team::{Ladder, Worker};
use crate::engine::views::hypermap;
use crate::engine::wait::join_end::help_or_pause;
use crate::engine::wait::rest::Rest;
use crate::engine::wait::spare_ladder::work_aside;
use crate::sync::{Ordering, lock};
use std::cell::Cell;

impl Core {
    /// Returns once all tasks of the scope are done; no more can come.
    ///
    /// # Safety
    ///
    /// Called once, by who has opened the scope, when its body is over; `rung` is of the ladder that it occupies.
    pub(crate) unsafe fn finish(&self, rung: Rung) {
        if !self.pending.is_zero() {
            // SAFETY: forwarded.
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
    /// As [`finish`](Self::finish).
    #[cold]
    unsafe fn run_out(&self, rung: Rung) {
        // Tasks borrow from this stack.
        let abort = AbortOnUnwind::arm();
        // SAFETY: as in `open`.
        let ladder = unsafe { Ladder::of(rung) };
        // A first fork may be a task's, and this worker opens and closes its ask word here, as who has forked may.
        // SAFETY: forwarded.
        let top = unsafe { way::top_of_forked(rung) };
        loop {
            let mut done = 0;
            while let Some(latent) = self.find(ladder) {
                // SAFETY: the caller occupies the ladder, and what the body pushed it has popped.
                unsafe { perform(ladder, top, latent) };
                done += 1;
            }
            // All at once: nobody else is interested.
            self.pending.complete(done);
            if self.pending.is_zero() {
                break;
            }
            // SAFETY: forwarded; just determined.
            unsafe { self.wait(ladder, top) };
        }
        abort.disarm();
    }

    fn find(&self, ladder: &Ladder) -> Option<Latent> {
        let team = self.team();
        chaos::at_finish(team, self.goal());
        team.find_of(self.goal(), ladder.owner())
    }

    /// Returns once there are tasks in a pool, or all are done.
    ///
    /// # Safety
    ///
    /// The caller occupies `ladder`, whose top is `top`.
    unsafe fn wait(&self, ladder: &Ladder, top: Rung) {
        let worker = ladder.owner();
        worker.close();
        work_aside(ladder, top, |ladder, top| {
            // SAFETY: forwarded, or the top of an empty ladder that this thread occupies as well.
            held::waiting_on(ladder, top, || unsafe { self.wait_on(worker, ladder, top) });
        });
        loans::go_on();
        // Once more: a strand of this ladder that has come to the surface on another may have waited here.
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
            // SAFETY: forwarded.
            unsafe { help_or_pause(&thief, &mut rest, self.goal(), announce) };
        }
    }
}
