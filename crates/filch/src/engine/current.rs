//! Where a thread is working: the hint.
//!
//! That is a rung of the ladder that it works on now, and what an implicit join starts from: the ladder's top while
//! only implicit joins run, and corrected from the slots after others have. One word, no destructor, no lazy start.

use crate::engine::frame::{Header, Rung};
use crate::engine::team::Ladder;
use crate::sync::AtomicPtr;
use std::cell::Cell;
use std::ptr::{self, NonNull};

/// What a thread's hint points to that works for no pool. Never free, so that an implicit join finds out on the cold
/// path; nothing is written there.
static OUTSIDE: AtomicPtr<Header> = AtomicPtr::new(ptr::without_provenance_mut(1));

thread_local! {
    static HINT: Cell<Rung> = const { Cell::new(outside()) };
}

const fn outside() -> Rung {
    Rung::new(NonNull::from_ref(&OUTSIDE))
}

/// A rung near the top of the ladder that this thread occupies, or one that is never free and [means](is_outside) that
/// this thread is not working for a pool.
#[inline(always)]
pub(crate) fn hint_or_outside() -> Rung {
    HINT.get()
}

/// Whether `hint` says that its thread is not working for a pool.
pub(crate) fn is_outside(hint: Rung) -> bool {
    hint == outside()
}

/// A rung near the top of the ladder that this thread occupies, if it is working for a pool.
#[inline]
pub(crate) fn hint() -> Option<Rung> {
    Some(HINT.get()).filter(|&hint| !is_outside(hint))
}

/// Notes where the top is.
#[inline(always)]
pub(crate) fn set_hint(rung: Rung) {
    HINT.set(rung);
}

/// Notes where the top is; where this thread was working before, for [`go_back`].
#[inline]
pub(crate) fn go_to(top: Rung) -> Rung {
    HINT.replace(top)
}

/// This thread works where it did before.
#[inline]
pub(crate) fn go_back(before: Rung) {
    HINT.set(before);
}

/// Runs `f`, which works on the ladder of `top`, and goes back to where this thread was working.
pub(crate) fn working_at<R>(top: Rung, f: impl FnOnce() -> R) -> R {
    let before = go_to(top);
    let result = f();
    go_back(before);
    result
}

/// Calls `f` with the ladder that this thread works on now.
pub(crate) fn with_ladder<R>(f: impl FnOnce(Option<&Ladder>) -> R) -> R {
    // SAFETY: a thread with a hint occupies the hint's ladder, which outlives its seat and so this call.
    f(hint().map(|hint| unsafe { Ladder::of(hint) }))
}

/// The seat that this thread is on; none if it works for no pool.
pub(crate) fn seat() -> Option<usize> {
    with_ladder(|ladder| ladder.map(|ladder| ladder.owner().seat()))
}

/// The top of `ladder`, which this thread occupies, and whether it works there now.
pub(crate) fn top_of(ladder: &Ladder) -> (Rung, bool) {
    let here = hint().filter(|&hint| {
        // SAFETY: as in `with_ladder`.
        ptr::eq(unsafe { Ladder::of(hint) }, ladder)
    });
    // SAFETY: this thread occupies the ladder, and either rung is one of its rungs.
    let top = unsafe { ladder.top_from(here.unwrap_or(ladder.first())) };
    (top, here.is_some())
}
