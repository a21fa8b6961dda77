//! The way out of a fork, when the slot that it found is not free.

use super::abort::AbortOnUnwind;
use super::range::RangeFrame;
use super::{Header, Ladder, PanicHandler, Rung, chaos};
use std::any::Any;
use std::ptr::NonNull;

/// Where a fork may push that found `rung` taken, closed or beyond the last: at the top of the ladder, wherever the strand
/// believes it is. `None` if the ladder is full: run both branches here, one after the other, without a frame.
///
/// A strand whose rung holds a frame is stale: somebody has smuggled it past an implicit join, with a wrapper that
/// asserts `Send` and is kept on its own thread (design, section 3). The rung of a strand is never *above* the top,
/// because the strand's lifetime ends inside the branch that it was made for.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn recover_stale(rung: Rung) -> Option<Rung> {
    // SAFETY: forwarded.
    if unsafe { rung.holds_frame() } {
        // SAFETY: as in `recover`.
        unsafe { Ladder::of(rung) }.owner().counters.stale_forks.bump();
    }
    // SAFETY: forwarded.
    unsafe { recover(rung) }
}

/// Where a fork may push that has a rung of its ladder and no more: the way in for implicit joins, whose hint is not
/// always right.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn recover(rung: Rung) -> Option<Rung> {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    // SAFETY: forwarded.
    let top = unsafe { ladder.top_from(rung) };
    // SAFETY: forwarded.
    if unsafe { top.is_full() } {
        worker.counters.overflowed_forks.bump();
        return None;
    }
    // SAFETY: forwarded.
    if unsafe { top.is_closed() } {
        // The first fork of a run: from now on there may be something to take.
        // SAFETY: the caller occupies the ladder and this is its top.
        unsafe { top.open() };
        match worker.team().rules().chaos {
            // SAFETY: forwarded.
            Some(_) => unsafe { chaos::at_fork(ladder, top) },
            None => worker.team().activate(ladder),
        }
    }
    Some(top)
}

/// The top of the ladder that `hint` belongs to.
///
/// # Safety
///
/// The caller occupies the ladder that `hint` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn top_from(hint: Rung) -> Rung {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(hint) };
    // SAFETY: forwarded.
    unsafe { ladder.top_from(hint) }
}

/// Settles a return to `rung`, where `frame` was, that found the bound raised. True if the frame is gone.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, and has just popped `frame` from `rung`.
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend(rung: Rung, frame: NonNull<Header>) -> bool {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(rung) };
    // SAFETY: forwarded.
    let gone = unsafe { settle(ladder, rung, None) };
    if ladder.owner().team().rules().chaos.is_some() {
        // SAFETY: forwarded.
        unsafe { chaos::at_return(ladder, rung, frame, gone) }
    } else {
        gone
    }
}

/// [`attend`] for the frame of a loop whose blocks are `block` long: what is left of it can be read afterwards.
///
/// # Safety
///
/// As [`attend`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_loop(rung: Rung, frame: &RangeFrame, block: u64) {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(rung) };
    // SAFETY: forwarded. That the frame is gone means that all of it is, which the frame says itself.
    unsafe { settle(ladder, rung, Some((frame, block))) };
    if ladder.owner().team().rules().chaos.is_some() {
        // SAFETY: forwarded.
        unsafe { chaos::at_claim(ladder, rung, frame) };
    }
}

/// Settles under L what there is, and answers who has asked. True if the frame at `rung` is gone.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`; `popped` was the frame there, if it is a loop's, with the length
/// of its blocks.
unsafe fn settle(ladder: &Ladder, rung: Rung, popped: Option<(&RangeFrame, u64)>) -> bool {
    let worker = ladder.owner();
    worker.counters.attends.bump();
    // A frame may be gone that the caller would free by unwinding, and an asker may be waiting.
    let abort = AbortOnUnwind::arm();
    let mut answer = None;
    let give = |oldest| {
        let popped = popped.map(|(frame, block)| {
            frame.set_block(block);
            frame
        });
        // SAFETY: `attend` calls this under L, with a frame of this ladder.
        answer = unsafe { worker.accept(oldest, popped) };
        answer.as_ref().is_some_and(|answer| oldest.is_some() && answer.gives_the_rest())
    };
    // SAFETY: forwarded.
    let gone = unsafe { ladder.attend(rung, give) };
    if let Some(answer) = answer {
        worker.send(answer);
    }
    abort.disarm();
    gone
}

/// Deals with the payload of a panic that cannot be passed on, because another one is on its way: the pool's panic handler
/// gets it, or else it is dropped.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
pub(crate) unsafe fn lose_payload(rung: Rung, payload: Box<dyn Any + Send>, drop: impl FnOnce(Box<dyn Any + Send>)) {
    // SAFETY: as in `recover`.
    match unsafe { Ladder::of(rung) }.owner().team().panic_handler() {
        Some(handler) => call(handler, payload),
        None => drop(payload),
    }
}

/// A handler that panics ends the process: there is nobody left to tell.
fn call(handler: &PanicHandler, payload: Box<dyn Any + Send>) {
    let abort = AbortOnUnwind::arm();
    handler(payload);
    abort.disarm();
}
