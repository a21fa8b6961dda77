//! The way out of a fork, when the slot that it found is not free.

use super::abort::AbortOnUnwind;
use super::give::Answer;
use super::range::RangeFrame;
use super::{Header, Ladder, Rung, chaos, payload};
use crate::ladder::Wish;
use std::any::Any;
use std::ptr::NonNull;

/// What a fork is to do that has found its slot taken, marked or beyond the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Push its frame at this rung, the top of the ladder.
    Push(Rung),
    /// Leave its frame for others, who sleep, and go on from this rung, the top.
    Share(Rung),
    /// Run both branches here, one after the other, without a frame: the ladder is full.
    Full,
}

/// Where a fork goes that found `rung` taken, marked or beyond the last: to the top of the ladder, wherever the strand
/// believes it is.
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
pub(crate) unsafe fn recover_stale(rung: Rung) -> Way {
    // SAFETY: forwarded.
    if unsafe { rung.holds_frame() } {
        // SAFETY: as in `recover`.
        unsafe { Ladder::of(rung) }.owner().counters.stale_forks.bump();
    }
    // SAFETY: forwarded.
    unsafe { recover(rung) }
}

/// Where a fork goes that has a rung of its ladder and no more: the way in for implicit joins, whose hint is not always
/// right.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn recover(rung: Rung) -> Way {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    // SAFETY: forwarded.
    let top = unsafe { ladder.top_from(rung) };
    // SAFETY: forwarded.
    if unsafe { top.is_full() } {
        worker.counters.overflowed_forks.bump();
        return Way::Full;
    }
    // SAFETY: forwarded.
    if unsafe { top.is_closed() } {
        // The first fork of a run: from now on there may be something to take.
        // SAFETY: the caller occupies the ladder and this is its top.
        unsafe { top.open() };
        if worker.team().rules().chaos.is_some() {
            // SAFETY: forwarded.
            unsafe { chaos::at_fork(ladder, top) };
            return Way::Push(top);
        }
        worker.team().activate(ladder);
        return if worker.may_leave() { Way::Share(top) } else { Way::Push(top) };
    }
    // SAFETY: forwarded.
    let Some(wish) = (unsafe { top.take_mark() }) else { return Way::Push(top) };
    if worker.may_leave() {
        return Way::Share(top);
    }
    let mut tells = wish == Wish::Tell || worker.team().sleepers.is_watched();
    while tells {
        worker.team().call_for(ladder);
        // Who has been woken, or begins to watch, may be back asleep before the frame is there: this thread need not
        // have been running meanwhile. Then there is another mark.
        // SAFETY: forwarded.
        tells = unsafe { top.take_mark() }.is_some();
    }
    Way::Push(top)
}

/// Leaves `frame` for others, who sleep; it has not been on the ladder. The next fork at `top` will do the same, if
/// there are still some.
///
/// # Safety
///
/// The caller occupies the ladder that `top` belongs to, its top, and has been told to [share](Way::Share). The frame
/// lives until it has been waited for.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share(top: Rung, frame: NonNull<Header>) {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(top) };
    // SAFETY: forwarded; nobody else knows it.
    unsafe { ladder.owner().leave(frame) };
    // SAFETY: forwarded.
    unsafe { top.make_eager() };
}

/// Leaves parts of a loop that is about to begin for others, who sleep: half of what is left, half of the rest, and so
/// on; `frame` has not been on the ladder.
///
/// # Safety
///
/// As [`share`], and that is the frame of a loop.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share_loop(top: Rung, frame: &RangeFrame) {
    // SAFETY: as in `recover`.
    let worker = unsafe { Ladder::of(top) }.owner();
    let abort = AbortOnUnwind::arm();
    while frame.left() > 1 {
        // SAFETY: forwarded; the frame is off the ladder, and its owner is the caller.
        unsafe { worker.leave(frame.header()) };
        if !worker.may_leave() {
            break;
        }
    }
    abort.disarm();
    // Iterations may fork.
    // SAFETY: forwarded.
    unsafe { top.make_eager() };
}

/// Whether a spawn loop that has an item in hand, and is about to show its frame at `rung`, shall leave the rest for
/// others at once. Whoever sleeps and wants to know has been told.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn shares_items(rung: Rung) -> bool {
    // SAFETY: forwarded.
    matches!(unsafe { recover(rung) }, Way::Share(_))
}

/// Where a loop shows its frame again, at `rung`, and has found that somebody wants to know.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn show_to_watchers(rung: Rung) {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(rung) };
    // As often as there is a mark again: see `recover`.
    // SAFETY: forwarded.
    while unsafe { rung.take_mark() }.is_some() {
        ladder.owner().team().call_for(ladder);
    }
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

/// The top of the ladder that `hint` belongs to, where from now on there may be something to take.
///
/// # Safety
///
/// The caller occupies the ladder that `hint` belongs to.
#[cold]
pub(crate) unsafe fn top_of_forked(hint: Rung) -> Rung {
    // SAFETY: forwarded.
    let top = unsafe { top_from(hint) };
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(hint) };
    // Under chaos forks are to find it closed.
    // SAFETY: forwarded.
    if ladder.owner().team().rules().chaos.is_none() && unsafe { top.is_closed() } {
        // SAFETY: this is the top.
        unsafe { top.open() };
        ladder.owner().team().activate(ladder);
    }
    top
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

/// [`attend`] for the frame of a loop whose blocks are this long: what is left of it can be read afterwards.
///
/// # Safety
///
/// As [`attend`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_loop(rung: Rung, frame: &RangeFrame, lo: u64, block: u64) {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(rung) };
    // SAFETY: forwarded. That the frame is gone means that all of it is, which the frame says itself.
    unsafe { settle(ladder, rung, Some(Popped { frame, lo, block })) };
    if ladder.owner().team().rules().chaos.is_some() {
        // SAFETY: forwarded.
        unsafe { chaos::at_claim(ladder, rung, frame) };
    }
}

/// Whose the right to iterate is, says [`attend_items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// The caller's. If it is wanted, [`answer`] is to be called as soon as the frame is on the ladder again.
    Kept {
        is_wanted: bool,
    },
    Moved,
}

/// [`attend`] for the frame of a spawn loop. An ask that only this frame can satisfy is put off until the caller has
/// its next item in hand: to give what is left away before that would leave the caller with nothing to do.
///
/// # Safety
///
/// As [`attend`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_items(rung: Rung, frame: NonNull<Header>) -> Right {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    let mut is_wanted = false;
    let decide = |oldest: Option<NonNull<Header>>| {
        if oldest.is_none() {
            is_wanted = worker.is_asked();
            return None;
        }
        // SAFETY: as in `settle`.
        unsafe { worker.accept(oldest, None) }
    };
    // SAFETY: forwarded.
    let mut gone = unsafe { settle_by(ladder, rung, decide) };
    if is_wanted {
        // For the next return, should there be no next item.
        ladder.raise();
    }
    if worker.team().rules().chaos.is_some() {
        // SAFETY: forwarded.
        gone = unsafe { chaos::at_return(ladder, rung, frame, gone) };
        is_wanted = true;
    }
    if gone { Right::Moved } else { Right::Kept { is_wanted } }
}

/// Answers whoever has asked, out of what is on the ladder below `top`.
///
/// # Safety
///
/// The caller occupies the ladder that `top` belongs to, and it is its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn answer(top: Rung) {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(top) };
    // SAFETY: forwarded; at the top it is as if something had just been popped, and nothing there is gone.
    unsafe { settle(ladder, top, None) };
    if ladder.owner().team().rules().chaos.is_some() {
        // SAFETY: forwarded.
        unsafe { chaos::at_item(ladder, top) };
    }
}

/// A loop's frame that has just been popped, and what its owner knows better.
struct Popped<'f> {
    frame: &'f RangeFrame,
    /// Where what is left begins: further down than the frame says, if the block was not run to its end.
    lo: u64,
    block: u64,
}

/// Settles under L what there is, and answers who has asked. True if the frame at `rung` is gone.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`; `popped` was the frame there, if it is a loop's.
unsafe fn settle(ladder: &Ladder, rung: Rung, popped: Option<Popped<'_>>) -> bool {
    let decide = |oldest| {
        // Under L, not earlier: a thief may have been at the frame when it was popped.
        let popped = popped.map(|Popped { frame, lo, block }| frame.update(lo, block));
        // SAFETY: called under L, with a frame of this ladder.
        unsafe { ladder.owner().accept(oldest, popped) }
    };
    // SAFETY: forwarded.
    unsafe { settle_by(ladder, rung, decide) }
}

/// Settles under L what there is; `decide` says there what whoever has asked is answered, given the oldest frame.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`. `decide` runs no user code, and does not unwind.
unsafe fn settle_by(
    ladder: &Ladder,
    rung: Rung,
    decide: impl FnOnce(Option<NonNull<Header>>) -> Option<Answer>,
) -> bool {
    let worker = ladder.owner();
    worker.counters.attends.bump();
    // A frame may be gone that the caller would free by unwinding, and an asker may be waiting.
    let abort = AbortOnUnwind::arm();
    let mut answer = None;
    let give = |oldest: Option<NonNull<Header>>| {
        answer = decide(oldest);
        oldest.is_some() && answer.as_ref().is_some_and(Answer::gives_the_rest)
    };
    // SAFETY: forwarded.
    let gone = unsafe { ladder.attend(rung, give) };
    // Before the answer: who gets it calls for what is left.
    if worker.team().sleepers.is_watched() {
        ladder.watch();
    }
    if let Some(answer) = answer {
        worker.send(answer);
    }
    abort.disarm();
    gone
}

/// Deals with the payload of a panic that cannot be passed on, because another one is on its way.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
pub(crate) unsafe fn lose_payload(rung: Rung, payload: Box<dyn Any + Send>) {
    // SAFETY: as in `recover`.
    payload::lose(unsafe { Ladder::of(rung) }.owner().team(), payload);
}
