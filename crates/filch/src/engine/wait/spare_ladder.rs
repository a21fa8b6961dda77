//! Helping aside: an owner at the end of a scope helps on a spare ladder if it has older frames on its own.
//!
//! A scope may end inside the first branch of a join whose second branch, in frame F0, is still latent. If the owner
//! helped on its own ladder, what it forks there would lie above F0. Takers take the oldest frame first, which is F0.
//! F0 is not a part of the task that the owner helps with, so waiters for a part of that task could not get what it
//! forks. If the owner is inside a first branch there that waits for its second branch to begin, all of them would wait
//! for ever.
//!
//! ```text
//!   own ladder    floor │ F0 │ null │        open to takers that may have F0; closed to asks, so usually taken at once
//!   spare ladder  floor │ D  │ null │        only what the owner helps with: D is its oldest
//! ```
//!
//! The spare worker has its own names, counters, ask word, mailbox and parker, as if a second thread helped. A task
//! that it runs has its origin like any other task, by which waiters find it. At the end of the scope the owner sleeps
//! on the parker of its own worker. The seat stays the same (`engine/seats/held_seats.rs`).
//!
//! In three cases the owner helps on its own ladder. If workers do not take, F0 would be out of reach for all of them
//! meanwhile. If waiters run anything, they get past F0. And there may be no spare worker; then F0 hides what is forked
//! above it.
//!
//! The model is `models/aside.pml`, in which helping on the own ladder is a mutant.

use crate::engine::seats::held_seats;
use crate::engine::team::{Ladder, Team};
use crate::engine::team::{Occupied, Top};

/// Calls `f` with the top of the ladder on which this thread is to help while it waits. The thread works there
/// meanwhile. `f` leaves both ladders as it found them.
pub(crate) fn work_aside<R>(top: &Top<'_>, f: impl FnOnce(&Top<'_>) -> R) -> R {
    let (ladder, team) = (top.ladder(), top.owner().team());
    // This look needs no L: only the occupant lowers H and adds frames, and H is at most T. So where it sees no older
    // frame, none will appear. If it sees one that goes at once, helping aside was unnecessary but harmless.
    let has_older = ladder.oldest() < top.rung().addr();
    let spare = team.rules_now().helps_aside(has_older).then(|| Spare::take(team, ladder)).flatten();
    match spare {
        Some(spare) => spare.occupy(f),
        None => f(top),
    }
}

/// Calls `f` with a spare ladder, which this thread occupies meanwhile beside `ladder`, and with its top. `None` if
/// there is no spare worker. `f` leaves both ladders as it found them.
pub(crate) fn work_on_spare<R>(ladder: &Ladder, f: impl FnOnce(&Top<'_>) -> R) -> Option<R> {
    Some(Spare::take(ladder.owner().team(), ladder)?.occupy(f))
}

/// Calls `f` with the top of a spare ladder, which this thread occupies meanwhile beside `ladder`, and on which as many
/// tasks can be nested as on any other. With `None`, if there is no spare worker. `f` leaves both ladders as it found
/// them.
pub(super) fn work_apart<R>(ladder: &Ladder, f: impl FnOnce(Option<&Top<'_>>) -> R) -> R {
    match Spare::take(ladder.owner().team(), ladder) {
        Some(spare) => {
            spare.team.worker(spare.index).tasks.nest_in(None);
            spare.occupy(|top| f(Some(top)))
        }
        None => f(None),
    }
}

/// A spare worker that this thread occupies beside its own.
struct Spare<'t> {
    team: &'t Team,
    index: usize,
}

impl<'t> Spare<'t> {
    fn take(team: &'t Team, own: &Ladder) -> Option<Self> {
        let index = team.take_spare(own.owner().seat())?;
        // So the two workers together may nest as many tasks as one.
        team.worker(index).tasks.nest_in(Some(&own.owner().tasks));
        Some(Spare { team, index })
    }

    fn occupy<R>(self, f: impl FnOnce(&Top<'_>) -> R) -> R {
        let aside = self.team.ladder(self.index);
        // SAFETY: this thread has taken the worker.
        let top = unsafe { Occupied::at(aside.first()) }.top();
        held_seats::occupy_again(self.team, aside, top.rung(), || f(&top))
    }
}

impl Drop for Spare<'_> {
    fn drop(&mut self) {
        self.team.worker(self.index).tasks.nest_in(None);
        self.team.give_back_spare(self.index);
    }
}
