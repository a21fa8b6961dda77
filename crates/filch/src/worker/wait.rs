//! Waiting at a join for a frame that has gone.
//!
//! A waiter runs only descendants of what it waits for: never an unrelated task that could keep it for an hour or want a
//! lock that it holds, and never a deeper stack than the program's own nesting asks for (design, section 6). A frame that
//! was given and that nobody has begun it takes back. Else it looks for parts of it on the ladder of the thief that holds
//! it, by the name that the thief left there; if that one waits itself, on the ladder of *its* thief, and so on: what it
//! waits for is a part of the task that it runs, as long as that is live (`models/chain.pml`, `models/follow.pml`).
//!
//! While a panic unwinds it only sleeps: tasks would run inside a destructor, with `panicking()` true.

use super::abort::AbortOnUnwind;
use super::frame::Claim;
use super::rest::{Rest, Spin};
use super::steal::Thief;
use super::task::TaskId;
use super::waiters::Registered;
use super::{Header, Ladder, Rung, crossing, held};
use crate::ask::TaskPool;
use crate::sync::clock;
use std::cell::Cell;

/// Pauses for a thief that is about to name itself, before this thread makes room for it.
const TURNS_BEFORE_YIELD: u32 = 12;

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// Whoever had the frame has run it.
    Done,
    /// The frame is its owner's again, not begun.
    Reclaimed,
}

/// Returns once `frame`, which was at `rung`, is done or the caller's again. If it is done, what it did comes, in reducers,
/// after everything that the caller has done so far.
///
/// # Safety
///
/// The caller owns `frame` and occupies the ladder of `rung`, which is its top. It has learnt from `attend` that the frame
/// is gone, and waits for it once.
#[cold]
pub(crate) unsafe fn wait(rung: Rung, frame: &Header) -> Waited {
    // SAFETY: forwarded.
    unsafe { wait_among(rung, frame, &|_| ()) }
}

/// Calls its argument with tasks, until that says that it has found something to do.
pub(crate) type Others<'a> = &'a dyn Fn(&mut dyn FnMut(TaskId) -> bool);

/// [`wait`], running parts of `others` as well, where `frame` has none: tasks that the caller is going to wait for next.
///
/// # Safety
///
/// As [`wait`].
#[cold]
pub(crate) unsafe fn wait_among(rung: Rung, frame: &Header, others: Others<'_>) -> Waited {
    // SAFETY: gone, says the caller.
    let claim = unsafe { frame.claim() };
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    let team = worker.team();
    if claim.task.get().is_none() && team.worker(claim.to as usize).mailbox.reclaim(frame.into()) {
        worker.counters.forks_reclaimed.bump();
        return Waited::Reclaimed;
    }
    // The frame is on this thread's stack, and a thief is at it.
    let abort = AbortOnUnwind::arm();
    if !claim.done.is_set() {
        worker.close();
        // SAFETY: forwarded.
        unsafe { wait_for_thief(ladder, rung, claim, others) };
        worker.tasks.wait_for(None);
        worker.open();
    }
    // SAFETY: the caller owns it, and it is done.
    unsafe { claim.absorb() };
    abort.disarm();
    Waited::Done
}

/// # Safety
///
/// As [`wait`].
unsafe fn wait_for_thief(ladder: &Ladder, rung: Rung, claim: &Claim, others: Others<'_>) {
    let worker = ladder.owner();
    let team = worker.team();
    let thief = Thief {
        team,
        ladder,
        top: rung,
        is_called: &|| claim.done.is_set(),
        is_met_with_silence: Cell::new(false),
        going_busy: &|| worker.counters.tasks_run_while_waiting.bump(),
    };
    let mut registered = None;
    let mut spin = Spin::new();
    let mut rest = Rest::new(worker);
    while !claim.done.is_set() {
        // Nobody else could have removed it from the mailbox: its thief is about to name itself, unless it is not running.
        let Some(task) = claim.task.get() else {
            if spin.pause() > TURNS_BEFORE_YIELD {
                std::thread::yield_now();
            }
            continue;
        };
        worker.tasks.wait_for(Some(task));
        if held::holds_seats_below_the_latest() {
            crossing::lend(registered.get_or_insert_with(|| Registered::at_join(team, task)));
        }
        let help_any = || {
            // SAFETY: forwarded.
            let mut found = unsafe { help(&thief, claim, task) };
            if !found {
                others(&mut |other| {
                    // SAFETY: forwarded.
                    found = found || unsafe { help(&thief, claim, other) };
                    found
                });
            }
            found
        };
        help_or_pause(&thief, &mut rest, help_any, || claim.done.announce());
    }
}

/// One turn of somebody who waits: calls `help`, if tasks may be run here and now; if that finds nothing to do, pauses, and
/// calls `announce` before it sleeps (see [`Rest::pause`]).
pub(super) fn help_or_pause(
    thief: &Thief<'_>,
    rest: &mut Rest<'_>,
    help: impl FnOnce() -> bool,
    announce: impl FnOnce() -> bool,
) {
    let found = clock::now_ns();
    if !std::thread::panicking() && thief.ladder.owner().tasks.has_room() && help() {
        return rest.over(found);
    }
    if thief.is_met_with_silence.take() {
        // The other one may be waiting for this processor.
        std::thread::yield_now();
    }
    rest.pause(announce);
}

/// Runs one part of what is being waited for, wherever along the chain of thieves there is one. False if there was none.
///
/// # Safety
///
/// As [`Thief::visit`].
unsafe fn help(thief: &Thief<'_>, claim: &Claim, task: TaskId) -> bool {
    // SAFETY: forwarded.
    if unsafe { follow(thief, task) } {
        return true;
    }
    // SAFETY: forwarded.
    thief.team.rules().waits_for_any && !claim.done.is_set() && unsafe { thief.visit_all() }
}

/// Runs one part of `task`, wherever along the chain of thieves there is one. False if there was none.
///
/// # Safety
///
/// As [`Thief::visit`].
pub(super) unsafe fn follow(thief: &Thief<'_>, task: TaskId) -> bool {
    let mut part = task;
    // Longer chains than there are workers have come about while this one was followed.
    for _ in 0..thief.team.count() {
        let holder = thief.team.ladder(part.worker());
        // SAFETY: forwarded.
        if unsafe { thief.visit(holder, Some(part)) } {
            return true;
        }
        // SAFETY: forwarded.
        if unsafe { thief.visit_scope_in(part) } {
            return true;
        }
        match holder.owner().tasks.next_after(part) {
            Some(next) => part = next,
            None => break,
        }
    }
    false
}
