//! Waiting at a join for a frame that has gone.
//!
//! A waiter runs only descendants of what it waits for: never an unrelated task that could keep it for an hour or want a
//! lock that it holds, and never a deeper stack than the program's own nesting asks for (design, section 6). It looks
//! for them on the ladder of the thief that holds its frame, by the name that the thief left there.
//!
//! While a panic unwinds it only sleeps: tasks would run inside a destructor, with `panicking()` true.

use super::abort::AbortOnUnwind;
use super::idle::Rest;
use super::steal::take_from;
use super::{Ladder, Rung, frame::Claim};
use crate::sync::clock;

/// Returns once the frame with this claim, which was at `rung`, is done.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, which is its top, and has learnt from `attend` that the frame is gone.
#[cold]
pub(crate) unsafe fn wait(rung: Rung, claim: &Claim) {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    // The frame is on this thread's stack, and a thief is at it.
    let abort = AbortOnUnwind::arm();
    let worker = ladder.owner();
    let team = &*worker.team();
    let thief = team.ladder_of(claim.task);
    let helps = !std::thread::panicking();
    let mut rest = Rest::new(worker);
    while !claim.done.is_set() {
        let found = clock::now_ns();
        // Asked under L, with a frame known to be there: now, and not before, does this tell whose it is.
        let descends = || thief.owner().tasks.is_live(claim.task);
        // SAFETY: forwarded.
        if helps && worker.tasks.has_room() && unsafe { take_from(team, thief, ladder, rung, descends) } {
            worker.counters.forks_taken_while_waiting.bump();
            rest.over(found);
        } else {
            rest.pause(team, || claim.done.announce());
        }
    }
    abort.disarm();
}
