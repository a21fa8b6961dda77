//! The way out of a fork, when the slot that it found is not free.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::chaos;
use crate::engine::frame::{Header, Left, Rung};
use crate::engine::team::Ladder;
use crate::protocol::ladder::Wish;
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
        // SAFETY: forwarded.
        unsafe { chaos::at_fork(ladder, top) };
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

/// Leaves parts of `frame`, which is about to be begun, for others, who sleep: half of what is left, half of the rest,
/// and so on. The frame has not been on the ladder.
///
/// # Safety
///
/// As [`share`], and the frame can be divided.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share_parts(top: Rung, frame: NonNull<Header>) {
    // SAFETY: as in `recover`.
    let worker = unsafe { Ladder::of(top) }.owner();
    let abort = AbortOnUnwind::arm();
    // SAFETY: forwarded; the frame is off the ladder, and its owner is the caller.
    while unsafe { Header::left(frame) } > Left::One {
        // SAFETY: as above.
        unsafe { worker.leave(frame) };
        if !worker.may_leave() {
            break;
        }
    }
    abort.disarm();
    // What the caller runs may fork.
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
    if ladder.owner().team().rules().announces_forks() && unsafe { top.is_closed() } {
        // SAFETY: this is the top.
        unsafe { top.open() };
        ladder.owner().team().activate(ladder);
    }
    top
}
