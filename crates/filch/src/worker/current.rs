//! What a thread knows of itself: where its ladder's top was last seen, and which seats it sits on.
//!
//! The hint is what an implicit join starts from: a rung of the ladder that this thread works on, exact while only
//! implicit joins run, and corrected from the slots after others have. One word, no destructor, no lazy start.

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

/// A place that this thread occupies in a team; threads that enter pool after pool sit on several, and work on the
/// last. Lives on the stack of [`occupy`].
struct Seat {
    team: *const Team,
    ladder: NonNull<Ladder>,
    below: *const Seat,
    hint_below: Option<Rung>,
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

/// The ladder that this thread occupies in `team`, if any, and whether it is the one that it works on now.
pub(crate) fn seat_in(team: &Team) -> Option<(&Ladder, bool)> {
    let innermost = SEATS.get();
    let mut seat = innermost;
    while !seat.is_null() {
        // SAFETY: seats live on this thread's stack and unlink themselves before they go.
        let Seat { team: its_team, ladder, below, .. } = unsafe { &*seat };
        if ptr::eq(*its_team, team) {
            // SAFETY: the ladder belongs to `team`, which is borrowed.
            return Some((unsafe { ladder.as_ref() }, seat == innermost));
        }
        seat = *below;
    }
    None
}

/// The ladder that this thread works on now.
///
/// The reference must not outlive the pool: use it and let go.
pub(crate) fn with_ladder<R>(f: impl FnOnce(Option<&Ladder>) -> R) -> R {
    let seat = SEATS.get();
    if seat.is_null() {
        return f(None);
    }
    // SAFETY: as in `seat_in`.
    let ladder = unsafe { (*seat).ladder };
    // SAFETY: the team outlives the seat that is occupied.
    f(Some(unsafe { ladder.as_ref() }))
}
