//! Tasks that are [bound] to a thread, where it cannot run them as the worker that it is.
//!
//! A thread may find no free seat; it may wait for another pool, or for a seat to come back; it may be unwinding, or
//! have as many tasks on its stack as a worker may. No other thread can run these tasks, and somebody may wait for
//! them. So it runs them as a spare worker of the team that it is a thread of, as a caller does that works without a
//! seat.

use crate::engine::scopes::bound;
use crate::engine::seats::held_seats;
use crate::engine::share::run_tasks::run_tasks;
use crate::engine::team::Occupied;
use filch_policy::End;

/// Runs one task that only this thread may run, if there is one. Calls `going_busy` before. Returns whether there was
/// one.
pub(crate) fn run_bound(going_busy: &dyn Fn()) -> bool {
    let run = bound::here(|team, me| {
        let queue = team.bound_to(me);
        let Some(spare) = (!queue.is_empty()).then(|| team.take_spare(me)).flatten() else { return false };
        let ladder = team.ladder(spare);
        // Only this thread removes tasks.
        let latent = queue.get_any(End::Oldest).expect("it has been seen");
        held_seats::occupy(team, ladder, ladder.first(), || {
            // SAFETY: this thread occupies the ladder. (Its ask word is closed, as those of all workers without an
            // occupant are.)
            run_tasks(&unsafe { Occupied::at(ladder.first()) }.top(), latent, going_busy, &|| true);
        });
        team.give_back_spare(spare);
        true
    });
    run.unwrap_or(false)
}
