//! Where a thread is working: the hint.
//!
//! The hint is a rung of the ladder on which the thread works now. An implicit join starts from it. It is the top of
//! the ladder while only implicit joins run. Other joins do not update it, so the next implicit join corrects it from
//! the slots. It is one thread-local word without a destructor and without lazy initialisation.

use crate::engine::frame::{Header, Rung};
use crate::engine::team::Ladder;
use crate::engine::team::{Occupied, Top};
use crate::sync::AtomicPtr;
use std::cell::Cell;
use std::ptr::{self, NonNull};

/// The hint of a thread that works for no pool points here. This slot is never free, so an implicit join takes the cold
/// path and finds out there. It is never written.
static OUTSIDE: AtomicPtr<Header> = AtomicPtr::new(ptr::without_provenance_mut(1));

thread_local! {
    static HINT: Cell<Rung> = const { Cell::new(outside()) };
}

const fn outside() -> Rung {
    Rung::new(NonNull::from_ref(&OUTSIDE))
}

/// A rung near the top of the ladder that this thread works on. If the thread works for no pool, a rung that is never
/// free and for which [`is_outside`] returns true.
#[inline(always)]
pub(crate) fn hint_or_outside() -> Rung {
    HINT.get()
}

/// Whether `hint` says that its thread works for no pool.
pub(crate) fn is_outside(hint: Rung) -> bool {
    hint == outside()
}

/// A rung near the top of the ladder that this thread works on, if it works for a pool.
#[inline]
pub(crate) fn hint() -> Option<Rung> {
    Some(HINT.get()).filter(|&hint| !is_outside(hint))
}

/// Notes where the top is.
#[inline(always)]
pub(crate) fn set_hint(rung: Rung) {
    HINT.set(rung);
}

/// Notes where the top is. Returns where this thread was working before, for [`go_back`].
#[inline]
pub(crate) fn go_to(top: Rung) -> Rung {
    HINT.replace(top)
}

/// Returns to where this thread was working before.
#[inline]
pub(crate) fn go_back(before: Rung) {
    HINT.set(before);
}

/// Runs `f`, which works on the ladder of `top`, and returns to where this thread was working before.
pub(crate) fn working_at<R>(top: Rung, f: impl FnOnce() -> R) -> R {
    let before = go_to(top);
    let result = f();
    go_back(before);
    result
}

/// A number that no other thread has while this one lives. Not zero.
#[inline]
pub(crate) fn thread() -> usize {
    HINT.with(|hint| ptr::from_ref(hint).addr())
}

/// Calls `f` with the ladder that this thread works on now.
pub(crate) fn with<R>(f: impl FnOnce(Option<Occupied<'_>>) -> R) -> R {
    // SAFETY: a thread with a hint occupies the ladder of the hint until it leaves its seat, which it does after this
    // call.
    f(hint().map(|hint| unsafe { Occupied::at(hint) }))
}

/// The seat that this thread is on; `None` if it works for no pool.
pub(crate) fn seat() -> Option<usize> {
    with(|here| here.map(|here| here.owner().seat()))
}

/// Whether this thread works on `ladder` now.
pub(crate) fn works_on(ladder: &Ladder) -> bool {
    with(|here| here.is_some_and(|here| ptr::eq(here.ladder(), ladder)))
}

/// The top of `ladder`, and whether this thread works there now.
///
/// # Safety
///
/// This thread occupies the ladder for as long as the result lives.
pub(crate) unsafe fn top_of(ladder: &Ladder) -> (Top<'_>, bool) {
    let here = hint().filter(|_| works_on(ladder));
    // SAFETY: guaranteed by the caller; either rung is one of the ladder.
    let at = unsafe { Occupied::at(here.unwrap_or(ladder.first())) };
    (at.top(), here.is_some())
}
