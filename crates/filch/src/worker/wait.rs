//! Waiting at a join for a frame that has gone.
//!
//! A waiter runs only descendants of what it waits for: never an unrelated task that could keep it for an hour or want a
//! lock that it holds, and never a deeper stack than the program's own nesting asks for (design, section 6). It looks
//! for them on the ladder of the thief that holds its frame, by the name that the thief left there.

use super::execute::execute;
use super::idle::Rest;
use super::{Header, Ladder, Rung, Team, frame::Claim};
use crate::ladder::Miss;
use crate::sync::clock;

/// What a waiter does meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// It runs descendants of the frame it waits for.
    Help,
    /// Nothing. While a panic unwinds nothing else will do: tasks would run inside a destructor.
    Sleep,
}

/// Returns once the frame with this claim, which was at `rung`, is done.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, which is its top, and has learnt from `attend` that the frame is gone.
#[cold]
pub(crate) unsafe fn wait(rung: Rung, claim: &Claim, meanwhile: Meanwhile) {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    let team = &*worker.team();
    let mut rest = Rest::new(worker);
    while !claim.done.is_set() {
        let found = clock::now_ns();
        // SAFETY: forwarded.
        if meanwhile == Meanwhile::Help && unsafe { help(team, ladder, rung, claim) } {
            rest.over(found);
        } else {
            rest.pause(team, || claim.done.announce());
        }
    }
}

/// Takes a descendant of the frame with this claim and runs it. False if there is none to be had now.
///
/// # Safety
///
/// As [`wait`].
unsafe fn help(team: &Team, ladder: &Ladder, rung: Rung, claim: &Claim) -> bool {
    let worker = ladder.owner();
    let awaited = claim.task;
    let thief = team.ladder_of(awaited);
    if !worker.tasks.has_room() || !thief.has_frame() {
        return false;
    }
    worker.counters.steal_attempts.bump();
    let taken = thief.take(team.period_ns(), |frame| {
        // Under L and with the frame known to be there: now, and not before, does this tell whose it is.
        if !thief.owner().tasks.is_live(awaited) {
            return false;
        }
        let task = worker.tasks.begin(worker.index);
        // SAFETY: `take` calls this under L, before H moves.
        unsafe { Header::set_claim(frame, task) };
        true
    });
    match taken {
        Ok(frame) => {
            worker.counters.forks_taken.bump();
            worker.counters.forks_taken_while_waiting.bump();
            let wake = || thief.owner().parker.unpark();
            // SAFETY: claimed above; the caller occupies the ladder and `rung` is its top.
            unsafe { execute(ladder, rung, frame, wake) };
            true
        }
        Err(miss) => {
            if miss == Miss::Failed {
                worker.counters.failed_takes.bump();
            }
            false
        }
    }
}
