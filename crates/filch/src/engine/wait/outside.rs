//! Waiting at the end of a scope in a thread that does not work for the scope's team.
//!
//! Such a thread runs none of the tasks. If it works for another team, whose waiters may run anything, it runs what
//! that team has meanwhile, on its own ladder there. So pools whose threads wait for each other's tasks do not stop
//! each other. Otherwise it looks for a moment whether they are done, and then sleeps until the last one is.
//!
//! The thread that counts out the last task wakes it. The scope may be gone by then, and so may a pool for which the
//! waiter worked. So that thread holds the parker, or the other team, itself ([`Waiter`]).

use crate::engine::scopes::group::{Group, SpawnOrder, Waiter};
use crate::engine::seats::ambient;
use crate::engine::seats::current;
use crate::engine::seats::held_seats;
use crate::engine::seats::inlet;
use crate::engine::share::thief::Thief;
use crate::engine::share::{at_fork, at_return, descent};
use crate::engine::team::Team;
use crate::engine::team::Top;
use crate::engine::wait::join_end::help_or_pause;
use crate::engine::wait::rest::{Resting, pause};
use crate::engine::wait::while_closed;
use crate::sync::abort::AbortOnUnwind;
use crate::sync::clock;
use crate::sync::parker::Parker;
use filch_policy::{Pauses, awaits_end};
use std::cell::Cell;
use std::sync::Arc;

impl Group {
    /// Opens a scope of `team`, for which the calling thread does not work. If that thread works for another team,
    /// waiters may run anything there. The scope must be [finished](Self::finish_outside), and must not move until
    /// then.
    ///
    /// # Safety
    ///
    /// The team lives until the scope is finished.
    pub(crate) unsafe fn open_outside(team: &Team, order: SpawnOrder) -> Self {
        let abroad = current::with(|here| {
            let worker = here?.owner();
            Some(Waiter::Abroad(worker.team.upgrade()?, worker.index))
        });
        let around = ambient::if_it_may_end(ambient::around_here());
        let waiter = abroad.unwrap_or_else(|| Waiter::Outside(Arc::new(Parker::new())));
        Group::awaited_outside(team, order, waiter, around)
    }

    /// Returns when all tasks of the scope are done. No task can be spawned afterwards.
    ///
    /// # Safety
    ///
    /// Called once, by the thread that has opened the scope, when its body is over.
    pub(crate) unsafe fn finish_outside(&self) {
        // Tasks borrow from this stack, so it must not be unwound before they are done.
        let abort = AbortOnUnwind::arm();
        if !self.pending.is_zero() {
            match self.waiter() {
                Waiter::Outside(parker) => self.sleep(parker),
                // The thread works where it did when it opened the scope.
                _ => self.help_abroad(),
            }
        }
        self.end();
        abort.disarm();
    }

    fn sleep(&self, parker: &Parker) {
        let (begin_ns, mut pauses) = (clock::now_ns(), Pauses::default());
        while !self.pending.is_zero() && awaits_end(clock::now_ns() - begin_ns) {
            pause(pauses.next_turns());
        }
        self.pending.sleep_out(parker, || self.team().must_have_threads());
    }

    /// The calling thread works for a team.
    fn help_abroad(&self) {
        current::with(|here| {
            let top = at_fork::top_of_forked(here.expect("the caller works for a team"));
            let worker = top.owner();
            let wait = || held_seats::waiting_on(top.ladder(), top.rung(), || self.help_at(&top));
            while_closed(worker, || worker.while_waiting(false, wait));
            descent::mark_again(*top);
        });
    }

    /// Runs what the team of `top` has until the tasks of this scope are done. No worker there runs a part of the
    /// scope under a name by which another one could find it.
    fn help_at(&self, top: &Top<'_>) {
        let worker = top.owner();
        let thief = Thief {
            team: worker.team(),
            top: top.again(),
            is_called: &|| self.pending.is_zero(),
            is_met_with_silence: Cell::new(false),
            going_busy: &|| Resting::interrupt(worker),
            may_nap: &|| false,
        };
        let mut rest = Resting::new(**top);
        while !self.pending.is_zero() {
            self.team().must_have_threads();
            // This thread does not return meanwhile, and may have older frames.
            at_return::look(top);
            help_or_pause(&thief, &mut rest, self.goal(), &|| self.pending.announce());
        }
    }
}

/// Whether the calling thread may wait for tasks of a team for which it does not work: it works for no team, or waiters
/// may run anything where it works. Otherwise a thread of the other team might want its seat meanwhile.
pub(crate) fn may_wait_outside() -> bool {
    current::with(|here| {
        here.is_none_or(|here| {
            let team = here.owner().team();
            team.rules().waits_for_any() && !team.is_left_behind() && !inlet::is_here()
        })
    })
}
