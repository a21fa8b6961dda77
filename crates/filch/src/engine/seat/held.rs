//! The seats that a thread holds: a list from the latest down, on its own stack. Nobody else sees it.

use crate::engine::current;
use crate::engine::frame::Rung;
use crate::engine::team::{Ladder, Team};
use crate::protocol::seats::Receipt;
use std::cell::{Cell, RefCell};
use std::ptr::{self, NonNull};
use std::sync::Arc;

thread_local! {
    static SEATS: Cell<*const Seat> = const { Cell::new(ptr::null()) };
}

/// A seat that this thread holds, or has gone back to from further pools. A thread that enters pool after pool holds
/// several. Lives on the stack of [`occupy`] or [`occupy_again`].
pub(crate) struct Seat {
    team: *const Team,
    ladder: NonNull<Ladder>,
    /// Whether this is where it was taken, or borrowed; further entries for the same seat go on there. A thread may
    /// even borrow a seat that it has lent, from whoever has it now: those are two.
    is_root: bool,
    /// Who has it meanwhile, if this thread has lent it. Only in a root.
    loan: RefCell<Option<Arc<Receipt>>>,
    below: *const Seat,
    works_below: Rung,
}

impl Seat {
    pub(crate) fn team(&self) -> &Team {
        // SAFETY: whoever is on a seat, or has only gone on from it, borrows the pool, and so its team, all the while.
        unsafe { &*self.team }
    }

    pub(crate) fn ladder(&self) -> &Ladder {
        // SAFETY: a ladder of its team.
        unsafe { self.ladder.as_ref() }
    }

    /// Whether another thread has it now.
    fn is_lent(&self) -> bool {
        self.loan.borrow().as_ref().is_some_and(|receipt| !receipt.is_returned())
    }
}

/// The seats of this thread, the latest first. The references are good until this thread leaves the seat in question.
fn seats<'a>() -> impl Iterator<Item = &'a Seat> {
    let mut next = SEATS.get();
    std::iter::from_fn(move || {
        // SAFETY: seats live on this thread's stack and unlink themselves before they go.
        let seat = unsafe { next.as_ref() }?;
        next = seat.below;
        Some(seat)
    })
}

/// Where the seat was taken that this entry goes on with.
fn root(of: &Seat) -> &Seat {
    let below = || seats().skip_while(|seat| !ptr::eq(*seat, of)).filter(|seat| seat.is_root);
    let same_seat = below().find(|seat| seat.ladder == of.ladder);
    // Where one thread plays all workers, they share one seat; and so does a spare ladder that its occupant helps on.
    same_seat.or_else(|| below().find(|seat| ptr::eq(seat.team, of.team))).unwrap_or(of)
}

/// Whether this thread holds more than one seat.
pub(crate) fn holds_several_seats() -> bool {
    seats().filter(|seat| seat.is_root).nth(1).is_some()
}

/// Whether this thread holds any seat.
pub(crate) fn holds_a_seat() -> bool {
    !SEATS.get().is_null()
}

/// Calls `f` with each seat that this thread could lend, each once: none that it has lent already, and not that of the
/// ladder which it may go on with at any moment. That is not always its latest: a strand of an older one may have come
/// to the surface.
pub(crate) fn for_each_lendable(works_on: Option<&Ladder>, mut f: impl FnMut(&Seat)) {
    let entry_of = |ladder: &Ladder| {
        let here = seats().find(|seat| ptr::eq(seat.ladder(), ladder));
        here.or_else(|| seats().find(|seat| ptr::eq(seat.team, ladder.owner().team())))
    };
    let works_on = works_on.and_then(entry_of).map(|seat| root(seat).ladder);
    for seat in seats() {
        if Some(seat.ladder) != works_on && seat.is_root && !seat.is_lent() {
            f(seat);
        }
    }
}

/// Calls `f` with each ladder that this thread occupies, by virtue of a seat that it has taken, lent or not.
pub(crate) fn for_each_occupied(f: impl FnMut(&Ladder)) {
    seats().map(Seat::ladder).for_each(f);
}

impl Seat {
    /// Notes that it is lent.
    pub(crate) fn lend(&self, receipt: Arc<Receipt>) {
        *self.loan.borrow_mut() = Some(receipt);
    }
}

/// The latest seat, if it has been lent and not come back, and by what one knows when it has.
pub(crate) fn latest_if_lent<'a>() -> Option<(&'a Seat, Arc<Receipt>)> {
    let latest = seats().next()?;
    let receipt = root(latest).loan.borrow().clone()?;
    (!receipt.is_returned()).then_some((latest, receipt))
}

/// Leaves the seat, also when unwinding.
struct Leave<'a>(&'a Seat);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        SEATS.set(self.0.below);
        current::go_back(self.0.works_below);
    }
}

/// Runs `f` with this thread as the occupant of `ladder`, which nobody else may be meanwhile.
pub(crate) fn occupy<R>(team: &Team, ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    sit(team, ladder, top, true, f)
}

/// Runs `f` with this thread working on `ladder`, by virtue of a seat that it holds already.
pub(crate) fn occupy_again<R>(team: &Team, ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    sit(team, ladder, top, false, f)
}

/// Runs `f`, which waits on `ladder` and helps there: what it helps with is what this thread works for, also where its
/// latest seat is another, because a strand of an older one has come to the surface.
pub(crate) fn waiting_on<R>(ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    match seats().next() {
        Some(latest) if !ptr::eq(latest.ladder(), ladder) => occupy_again(ladder.owner().team(), ladder, top, f),
        _ => f(),
    }
}

fn sit<R>(team: &Team, ladder: &Ladder, top: Rung, is_root: bool, f: impl FnOnce() -> R) -> R {
    let seat = Seat {
        team,
        ladder: NonNull::from(ladder),
        is_root,
        loan: RefCell::new(None),
        below: SEATS.get(),
        works_below: current::go_to(top),
    };
    let _leave = Leave(&seat);
    SEATS.set(&raw const seat);
    f()
}

/// The ladder that this thread occupies in `team`, if it has a seat there that it has not lent.
pub(crate) fn seat_in(team: &Team) -> Option<&Ladder> {
    let seat = seats().find(|seat| ptr::eq(seat.team, team) && !root(seat).is_lent())?;
    // SAFETY: the ladder belongs to `team`, which is borrowed.
    Some(unsafe { seat.ladder.as_ref() })
}
