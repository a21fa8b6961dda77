//! What a thread knows of itself: where it is working, and which seats it sits on.
//!
//! The hint is a rung of the ladder that this thread works on now, and what an implicit join starts from: the ladder's top
//! while only implicit joins run, and corrected from the slots after others have. One word, no destructor, no lazy start.

use super::{Ladder, Rung, Team};
use std::cell::Cell;
use std::ptr::{self, NonNull};

thread_local! {
    static HINT: Cell<Option<Rung>> = const { Cell::new(None) };
    static SEATS: Cell<*const Seat> = const { Cell::new(ptr::null()) };
}

/// A rung near the top of the ladder that this thread occupies, if it is working for a pool.
#[inline(always)]
pub(crate) fn hint() -> Option<Rung> {
    HINT.get()
}

/// Notes where the top is.
#[inline(always)]
pub(crate) fn set_hint(rung: Rung) {
    HINT.set(Some(rung));
}

/// A place that this thread occupies in a team. A thread that enters pool after pool sits on several. Lives on the stack of
/// [`occupy`].
struct Seat {
    team: *const Team,
    ladder: NonNull<Ladder>,
    below: *const Seat,
    hint_below: Option<Rung>,
}

/// Runs `f`, which works on the ladder of `top`, and goes back to where this thread was working.
pub(super) fn working_at<R>(top: Rung, f: impl FnOnce() -> R) -> R {
    let before = HINT.replace(Some(top));
    let result = f();
    HINT.set(before);
    result
}

/// Leaves the seat, also when unwinding.
struct Leave<'a>(&'a Seat);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        SEATS.set(self.0.below);
        HINT.set(self.0.hint_below);
    }
}

/// Runs `f` with this thread as the occupant of `ladder`, which nobody else may be meanwhile, or on it once more.
pub(crate) fn occupy<R>(team: &Team, ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    let seat = Seat { team, ladder: NonNull::from(ladder), below: SEATS.get(), hint_below: HINT.get() };
    let _leave = Leave(&seat);
    SEATS.set(&raw const seat);
    set_hint(top);
    f()
}

/// The ladder that this thread occupies in `team`, if any.
pub(crate) fn seat_in(team: &Team) -> Option<&Ladder> {
    let mut seat = SEATS.get();
    while !seat.is_null() {
        // SAFETY: seats live on this thread's stack and unlink themselves before they go.
        let Seat { team: its_team, ladder, below, .. } = unsafe { &*seat };
        if ptr::eq(*its_team, team) {
            // SAFETY: the ladder belongs to `team`, which is borrowed.
            return Some(unsafe { ladder.as_ref() });
        }
        seat = *below;
    }
    None
}

/// Calls `f` with the ladder that this thread works on now.
pub(crate) fn with_ladder<R>(f: impl FnOnce(Option<&Ladder>) -> R) -> R {
    // SAFETY: a thread with a hint occupies the hint's ladder, which outlives its seat and so this call.
    f(HINT.get().map(|hint| unsafe { Ladder::of(hint) }))
}

/// The top of `ladder`, which this thread occupies, and whether it works there now.
pub(crate) fn top_of(ladder: &Ladder) -> (Rung, bool) {
    let here = HINT.get().filter(|&hint| {
        // SAFETY: as in `with_ladder`.
        ptr::eq(unsafe { Ladder::of(hint) }, ladder)
    });
    // SAFETY: this thread occupies the ladder, and either rung is one of its rungs.
    let top = unsafe { ladder.top_from(here.unwrap_or(ladder.first())) };
    (top, here.is_some())
}
