//! Tasks that a thread runs without a seat: those that are [bound] to it, where it cannot run them as the worker that
//! it is, and urgent ones.
//!
//! A thread may find no free seat; it may wait for another pool, or for a seat to come back; it may be unwinding, or
//! have as many tasks on its stack as a worker may. No other thread can run these tasks, and somebody may wait for
//! them. So it runs them as a spare worker of the team that it is a thread of, as a caller does that works without a
//! seat.

use crate::engine::scopes::bound;
use crate::engine::seats::held_seats;
use crate::engine::share::run_tasks::run_tasks;
use crate::engine::spawned::Spawned;
use crate::engine::team::{Occupied, Team};
use filch_policy::End;

/// Runs one task that only this thread may run, if there is one. Calls `going_busy` before. Returns whether there was
/// one.
pub(crate) fn run_bound(going_busy: &dyn Fn()) -> bool {
    let run = bound::here(|team, me| {
        let queue = team.bound_to(me);
        let Some(spare) = (!queue.is_empty()).then(|| team.take_spare(me)).flatten() else { return false };
        // Only this thread removes tasks.
        run_as(team, spare, queue.get_any(End::Oldest).expect("it has been seen"), going_busy);
        true
    });
    run.unwrap_or(false)
}

/// Runs one urgent task of `team`, if there is one, with this thread, which has no seat there. Calls `going_busy`
/// before. Returns whether there was one.
pub(crate) fn run_urgent(team: &Team, going_busy: &dyn Fn()) -> bool {
    let Some(spare) = team.take_spare(0) else { return false };
    let latent = team.find_urgent();
    let is_found = latent.is_some();
    match latent {
        Some(latent) => run_as(team, spare, latent, going_busy),
        None => team.give_back_spare(spare),
    }
    is_found
}

/// Runs a task as a spare worker that this thread has taken, and gives it back.
fn run_as(team: &Team, spare: usize, latent: Spawned, going_busy: &dyn Fn()) {
    let ladder = team.ladder(spare);
    held_seats::occupy(team, ladder, ladder.first(), || {
        // SAFETY: this thread occupies the ladder. (Its ask word is closed, as those of all workers without an occupant
        // are.)
        run_tasks(&unsafe { Occupied::at(ladder.first()) }.top(), latent, going_busy, &|| true);
    });
    team.give_back_spare(spare);
}
