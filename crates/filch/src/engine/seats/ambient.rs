//! The regions around what a thread runs, and how it ends when one of them has been cancelled: by unwinding.

use crate::engine::cancel::region::Around;
use crate::engine::cancel::{Ended, is_end};
use crate::engine::seats::current;
use crate::engine::seats::inlet;
use crate::engine::team::Occupied;
use crate::sync::Ordering;
use std::any::Any;
use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::LocalKey;

thread_local! {
    /// The regions around what this thread is about to enter a pool with, if it is.
    static ENTERING: Cell<Around> = const { Cell::new(Around::NONE) };

    /// The regions around what this thread runs outside of all pools.
    static OUTSIDE: Cell<Around> = const { Cell::new(Around::NONE) };
}

/// Puts back what was in a cell.
struct GoBack(&'static LocalKey<Cell<Around>>, Around);

impl Drop for GoBack {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// Whether panics unwind, in this build.
pub(crate) const fn unwinds() -> bool {
    cfg!(panic = "unwind")
}

/// Runs `enter`, which enters a pool inside of these regions.
pub(crate) fn entering_with<R>(around: Around, enter: impl FnOnce() -> R) -> R {
    let _go_back = GoBack(&ENTERING, ENTERING.replace(around));
    enter()
}

/// Runs `f`, outside of all pools, inside of these regions instead of those around.
pub(crate) fn outside_within<R>(around: Around, f: impl FnOnce() -> R) -> R {
    let _go_back = GoBack(&OUTSIDE, OUTSIDE.replace(around));
    f()
}

/// The regions around what this thread enters a pool with.
pub(crate) fn take_entering() -> Around {
    let entering = ENTERING.replace(Around::NONE);
    if entering.is_none() { around_here() } else { entering }
}

/// The regions around what this thread runs.
#[inline]
pub(crate) fn around_here() -> Around {
    current::with(|here| here.map_or_else(|| OUTSIDE.get(), |here| here.owner().tasks.around()))
}

/// The regions `around` this thread that may cancel what it begins now: none if it must not unwind.
#[inline]
pub(crate) fn if_it_may_end(around: Around) -> Around {
    if !around.is_none() && must_go_on() { Around::NONE } else { around }
}

/// Whether this thread must not unwind now.
fn must_go_on() -> bool {
    std::thread::panicking() || inlet::is_here()
}

/// Whether what is inside of these regions is to end, and this thread may unwind.
#[cold]
#[inline(never)]
pub(crate) fn ends(around: Around) -> bool {
    unwinds() && around.is_cancelled() && !must_go_on()
}

/// Whether what this thread runs at this place is to [end](end_if_cancelled).
#[inline]
pub(crate) fn is_to_end(at: Occupied<'_>) -> bool {
    let around = at.owner().tasks.around();
    !around.is_none() && ends(around)
}

/// Unwinds, if what this thread runs at this place has been cancelled, and if it may.
#[inline]
pub(crate) fn end_if_cancelled(at: Occupied<'_>) {
    if is_to_end(at) {
        end(at);
    }
}

/// Unwinds, if what this thread runs has been cancelled, and if it may.
pub(crate) fn end_if_cancelled_here() {
    current::with(|here| match here {
        Some(here) => end_if_cancelled(here),
        None if ends(OUTSIDE.get()) => resume_unwind(Box::new(Ended)),
        None => {}
    });
}

/// Unwinds from what this thread runs at this place.
#[cold]
pub(crate) fn end(at: Occupied<'_>) -> ! {
    at.owner().is_unwinding.store(true, Ordering::Relaxed);
    // So that this worker looks again, if something catches the payload.
    at.ladder().raise();
    resume_unwind(Box::new(Ended))
}

/// Passes a payload on, by unwinding. If it is the end of a region, this worker learns that it unwinds.
#[cold]
pub(crate) fn pass_on(payload: Box<dyn Any + Send>) -> ! {
    if is_end(&*payload) {
        current::with(|here| {
            if let Some(here) = here {
                here.owner().is_unwinding.store(true, Ordering::Relaxed);
            }
        });
    }
    resume_unwind(payload)
}
