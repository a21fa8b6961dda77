//! The way out of a fork, when the slot that it found is not free.

use super::{Ladder, Rung};

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
        worker.team().activate();
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

/// Settles a return to `rung` that found the bound raised. True if the frame there is gone.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, and has just popped `rung`.
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend(rung: Rung) -> bool {
    // SAFETY: as in `recover`.
    let ladder = unsafe { Ladder::of(rung) };
    ladder.owner().counters.attends.bump();
    // SAFETY: forwarded.
    unsafe { ladder.attend(rung) }
}
