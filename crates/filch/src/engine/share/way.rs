//! What a fork does when the slot that it has found is not free.

use crate::decisions::keeping;
use crate::engine::abort::AbortOnUnwind;
use crate::engine::chaos;
use crate::engine::frame::{Header, Rung};
use crate::engine::prepare;
use crate::engine::share::descent::{self, Descent};
use crate::engine::team::Ladder;
use filch_policy::{Fork, Wish};
use std::cell::Cell;
use std::ptr::NonNull;

/// What a fork does if its slot is taken, marked or beyond the last rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It pushes its frame at this rung, which is the top of the ladder.
    Push(Rung),
    /// It leaves its frame for idle workers, and goes on from this rung, which is the top of the ladder.
    Share(Rung),
    /// It runs both branches one after the other, without a frame, because the ladder is full.
    Full,
}

/// Decides what a fork does that has found `rung` taken, marked or beyond the last rung. It goes on at the top of the
/// ladder, whatever its strand says.
///
/// The answer [`Way::Share`] spends a credit or a beat, so a fork asks once, and does what it is told.
///
/// A strand is stale if its rung holds a frame: user code has smuggled it past an implicit join. Safe code can do this
/// with a wrapper that asserts `Send` and checks that it stays on its own thread. The rung of a strand is never *above*
/// the top, because the strand's lifetime ends inside the branch that it was made for.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn recover_stale(rung: Rung) -> Way {
    // SAFETY: guaranteed by the caller.
    unsafe { note_stale(rung) };
    // SAFETY: guaranteed by the caller.
    unsafe { recover(rung) }
}

/// Counts a fork whose strand is stale.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
unsafe fn note_stale(rung: Rung) {
    // SAFETY: guaranteed by the caller.
    if unsafe { rung.holds_frame() } {
        // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
        unsafe { Ladder::of(rung) }.owner().counters.stale_forks.bump();
    }
}

/// The top of the ladder that `rung` belongs to, for a spawn loop that has found `rung` taken, marked or beyond the
/// last rung; or `None` if the ladder is full. Nothing is decided yet: [`shares_items`] is asked when the loop has its
/// first item in hand.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn top_for_items(rung: Rung) -> Option<Rung> {
    // SAFETY: guaranteed by the caller.
    unsafe { note_stale(rung) };
    // SAFETY: guaranteed by the caller.
    unsafe { top_with_room(rung) }
}

/// The top of the ladder that `hint` belongs to, unless the ladder is full.
///
/// # Safety
///
/// The caller occupies the ladder that `hint` belongs to.
unsafe fn top_with_room(hint: Rung) -> Option<Rung> {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(hint) };
    // SAFETY: guaranteed by the caller.
    let top = unsafe { ladder.top_from(hint) };
    // SAFETY: the caller occupies the ladder.
    if unsafe { top.is_full() } {
        ladder.owner().counters.overflowed_forks.bump();
        return None;
    }
    Some(top)
}

/// Decides what a fork does that knows nothing but a rung of its ladder. Implicit joins come here if their hint is
/// wrong or their slot is not free.
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
    // SAFETY: guaranteed by the caller.
    let Some(top) = (unsafe { top_with_room(rung) }) else { return Way::Full };
    // SAFETY: the caller occupies the ladder.
    if unsafe { top.is_closed() } {
        // The run forks for the first time, so from now on other workers may find something.
        // SAFETY: the caller occupies the ladder, and `top` is its top.
        unsafe { top.open() };
        // SAFETY: the caller occupies the ladder, and `top` is its top, just opened.
        if unsafe { chaos::at_fork(ladder, top) } {
            return Way::Push(top);
        }
        worker.team().activate(ladder);
        let (forks_across, may_leave) = (worker.forks_across(), Cell::new(None));
        let fork = Fork::at_first(forks_across, keeping(&may_leave, || worker.may_leave()));
        decided!(worker.record, FirstFork { forks_across, may_leave: may_leave.get(), does: fork });
        return match fork {
            Fork::Shares => Way::Share(top),
            Fork::Tells | Fork::Pushes => Way::Push(top),
        };
    }
    // SAFETY: the caller occupies the ladder, and `top` is its top.
    let mark = unsafe { top.take_mark() };
    let forks_across = worker.forks_across();
    // A fork on an inter-socket level shares its frame whether there is a mark or not.
    let Some(wish) = mark.or(forks_across.then_some(Wish::Share)) else { return Way::Push(top) };
    let mut fork = at_mark(ladder, wish, forks_across, || worker.may_leave());
    while fork == Fork::Tells {
        worker.team().call_for(ladder);
        // A worker that was called may be asleep again before the frame is pushed, because this thread may not have run
        // meanwhile. Such a worker has left another mark.
        // SAFETY: the caller occupies the ladder, and `top` is its top.
        fork = if unsafe { top.take_mark() }.is_some() { Fork::Tells } else { Fork::Pushes };
    }
    match fork {
        Fork::Shares => Way::Share(top),
        Fork::Tells | Fork::Pushes => Way::Push(top),
    }
}

/// Leaves `frame`, which has not been on the ladder, for idle workers. The next fork at `top` does the same if there
/// are still idle workers. On an inter-socket level, goes down one level until the result is dropped.
///
/// # Safety
///
/// The caller occupies the ladder that `top` belongs to, and `top` is its top. [`Way::Share`] has told it to share. The
/// frame lives until it has been waited for.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share(top: Rung, frame: NonNull<Header>) -> Descent {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let worker = unsafe { Ladder::of(top) }.owner();
    // SAFETY: guaranteed by the caller.
    unsafe { prepare::one(worker, frame, top) };
    if worker.forks_across() {
        // SAFETY: guaranteed by the caller.
        return unsafe { descent::share(top, frame) };
    }
    // SAFETY: the caller occupies the ladder and guarantees that the frame lives. The frame has not been on the ladder,
    // so no other thread can find it.
    unsafe { worker.leave(frame) };
    // SAFETY: guaranteed by the caller.
    unsafe { top.make_eager() };
    Descent::none(top)
}

/// Leaves parts of `frame`, which is about to begin, for idle workers: half of what is left, then half of the rest, and
/// so on. The frame has not been on the ladder.
///
/// # Safety
///
/// As for [`share`], and the frame can be divided.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share_parts(top: Rung, frame: NonNull<Header>) -> Descent {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let worker = unsafe { Ladder::of(top) }.owner();
    let abort = AbortOnUnwind::arm();
    let mut descent = Descent::none(top);
    // SAFETY: the frame is off the ladder, and the caller is its owner.
    while unsafe { Header::left(frame) }.can_be_left() {
        let is_across = worker.forks_across();
        if descent.is_some() && !is_across {
            // What is left is on the boundary level.
            break;
        }
        // SAFETY: guaranteed by the caller.
        let ready = unsafe { prepare::one(worker, frame, top) };
        // SAFETY: the caller is the owner of the frame.
        if !unsafe { ready.allows(frame) } {
            break;
        }
        if is_across {
            // SAFETY: guaranteed by the caller.
            descent.add(unsafe { descent::share(top, frame) });
            continue;
        }
        // SAFETY: the caller occupies the ladder and guarantees that the frame lives. The frame has not been on the
        // ladder, so no other thread can find it.
        unsafe { worker.leave(frame) };
        if !worker.may_leave() {
            break;
        }
    }
    abort.disarm();
    if !descent.is_some() {
        // What the caller runs may fork.
        // SAFETY: the caller occupies the ladder, and `top` is its top.
        unsafe { top.make_eager() };
    }
    descent
}

/// Whether a spawn loop that has an item in hand leaves the rest for idle workers at once, instead of showing its frame
/// at `rung`. Calls those that watch.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, and `rung` is its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn shares_items(rung: Rung) -> bool {
    // SAFETY: guaranteed by the caller.
    matches!(unsafe { recover(rung) }, Way::Share(_))
}

/// Calls those that watch, for a loop that is about to show its frame again at `rung` and has found a mark there.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, and `rung` is its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn show_to_watchers(rung: Rung) {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    // Repeats as long as there is another mark, as `recover` does.
    // SAFETY: the caller occupies the ladder, and `rung` is its top.
    while let Some(wish) = unsafe { rung.take_mark() } {
        // The loop's frame has been shown before, so it is not shared now.
        if at_mark(ladder, wish, false, || false) == Fork::Tells {
            ladder.owner().team().call_for(ladder);
        }
    }
}

/// What a fork on `ladder` does that has found a mark.
fn at_mark(ladder: &Ladder, wish: Wish, forks_across: bool, may_leave: impl FnOnce() -> bool) -> Fork {
    let worker = ladder.owner();
    let (leaves, watched) = (Cell::new(None), Cell::new(None));
    let is_watched = keeping(&watched, || worker.team().has_watched_ladders());
    let fork = Fork::at_mark(wish, forks_across, keeping(&leaves, may_leave), is_watched);
    decided!(
        worker.record,
        MarkedFork { wish, forks_across, may_leave: leaves.get(), is_watched: watched.get(), does: fork }
    );
    fork
}

/// The top of the ladder that `hint` belongs to.
///
/// # Safety
///
/// The caller occupies the ladder that `hint` belongs to.
#[cold]
#[inline(never)]
pub(crate) unsafe fn top_from(hint: Rung) -> Rung {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(hint) };
    // SAFETY: the caller occupies the ladder, and `hint` is one of its rungs.
    unsafe { ladder.top_from(hint) }
}

/// The top of the ladder that `hint` belongs to. If the run has not forked yet, it counts from now on as one that has.
///
/// # Safety
///
/// The caller occupies the ladder that `hint` belongs to.
#[cold]
pub(crate) unsafe fn top_of_forked(hint: Rung) -> Rung {
    // SAFETY: guaranteed by the caller.
    let top = unsafe { top_from(hint) };
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(hint) };
    // Under chaos the ladder stays closed for the next fork.
    // SAFETY: the caller occupies the ladder.
    if ladder.owner().team().rules().announces_forks() && unsafe { top.is_closed() } {
        // SAFETY: the caller occupies the ladder, and `top` is its top.
        unsafe { top.open() };
        ladder.owner().team().activate(ladder);
    }
    // SAFETY: the caller occupies the ladder, and `top` is its top.
    unsafe { descent::mark_again(top) };
    top
}
