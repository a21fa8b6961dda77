//! The seats that a thread holds: a list on its own stack, the latest first. No other thread sees it.

use crate::engine::frame::Rung;
use crate::engine::seats::current;
use crate::engine::team::Occupied;
use crate::engine::team::{Ladder, Team};
use crate::protocol::seats::Receipt;
use crate::sync::process::PerProcess;
use crate::sync::{Mutex, lock};
use std::cell::{Cell, RefCell};
use std::ptr::{self, NonNull};
use std::sync::Arc;

thread_local! {
    static SEATS: Cell<*const Seat> = const { Cell::new(ptr::null()) };
}

/// An entry for a seat that this thread holds. A thread that enters pool after pool holds several seats, and may go on
/// with an earlier one from a later one. An entry lives on the stack of [`occupy`] or [`occupy_again`].
pub(crate) struct Seat {
    team: *const Team,
    ladder: NonNull<Ladder>,
    /// Whether the seat was taken or borrowed with this entry. Otherwise the entry goes on with the seat of an earlier
    /// entry. A thread may even borrow a seat that it has lent, from the thread that has it now. These are two roots.
    is_root: bool,
    /// The receipt of the borrower, if this thread has lent the seat. Only set in a root.
    loan: RefCell<Option<Arc<Receipt>>>,
    /// Whether this thread has left the seat in a blocking section, and has got no other one since. Only set in a root.
    is_left: Cell<bool>,
    /// Whether this thread is in a blocking section there. Only set in a root.
    is_blocked: Cell<bool>,
    below: *const Seat,
    works_below: Rung,
}

impl Seat {
    /// An entry above those that there are. This thread works at `top` from now on.
    fn new(team: *const Team, ladder: &Ladder, top: Rung, is_root: bool) -> Self {
        Seat {
            team,
            ladder: NonNull::from(ladder),
            is_root,
            loan: RefCell::new(None),
            is_left: Cell::new(false),
            is_blocked: Cell::new(false),
            below: SEATS.get(),
            works_below: current::go_to(top),
        }
    }

    pub(crate) fn team(&self) -> &Team {
        // SAFETY: a thread that is on a seat borrows the pool, and so its team, until it leaves the seat. This includes
        // the time during which it goes on with another seat.
        unsafe { &*self.team }
    }

    pub(crate) fn ladder(&self) -> &Ladder {
        // SAFETY: the ladder belongs to the team, which lives as in `team` above.
        unsafe { self.ladder.as_ref() }
    }

    /// Whether another thread has the seat now.
    fn is_lent(&self) -> bool {
        self.loan.borrow().as_ref().is_some_and(|receipt| !receipt.is_returned())
    }
}

/// The seats of this thread, the latest first. A reference is valid until this thread leaves that seat.
fn seats<'a>() -> impl Iterator<Item = &'a Seat> {
    let mut next = SEATS.get();
    std::iter::from_fn(move || {
        // SAFETY: entries live on this thread's stack, and `Leave` unlinks them before they go.
        let seat = unsafe { next.as_ref() }?;
        next = seat.below;
        Some(seat)
    })
}

/// The entry with which the seat of `of` was taken or borrowed.
fn root(of: &Seat) -> &Seat {
    let below = || seats().skip_while(|seat| !ptr::eq(*seat, of)).filter(|seat| seat.is_root);
    let same_seat = below().find(|seat| seat.ladder == of.ladder);
    // Under chaos all workers share one seat. A spare ladder on which its occupant helps shares the seat of the
    // occupant.
    same_seat.or_else(|| below().find(|seat| ptr::eq(seat.team, of.team))).unwrap_or(of)
}

/// Whether this thread holds more than one seat.
pub(crate) fn holds_several_seats() -> bool {
    roots().nth(1).is_some()
}

/// Whether this thread holds any seat.
pub(crate) fn holds_a_seat() -> bool {
    !SEATS.get().is_null()
}

/// Whether this thread is inside a run of `team`, also if it has lent its seat there.
pub(crate) fn has_entered(team: &Team) -> bool {
    seats().any(|seat| ptr::eq(seat.team, team))
}

/// Whether this thread is inside a run of a team whose threads are in this process.
pub(crate) fn is_in_a_run() -> bool {
    seats().any(|seat| !seat.team().is_left_behind())
}

/// The entry with which this thread works on `ladder`.
fn entry_of<'a>(ladder: &Ladder) -> Option<&'a Seat> {
    let here = seats().find(|seat| ptr::eq(seat.ladder(), ladder));
    here.or_else(|| seats().find(|seat| ptr::eq(seat.team, ladder.owner().team())))
}

/// Calls `f` once with each seat that this thread could lend. These are the seats that it has not lent yet, except that
/// of the ladder on which it may go on at any moment. This ladder is not always that of the latest seat, because a
/// strand of an older seat may have been smuggled into this run.
pub(crate) fn for_each_lendable(works_on: Option<&Ladder>, mut f: impl FnMut(&Seat)) {
    let works_on = works_on.and_then(entry_of).map(|seat| root(seat).ladder);
    for seat in seats() {
        if Some(seat.ladder) != works_on && seat.is_root && !seat.is_lent() && !seat.is_left.get() {
            f(seat);
        }
    }
}

/// The ladders that this thread occupies, including those of seats that it has lent.
pub(crate) fn occupied<'a>() -> impl Iterator<Item = &'a Ladder> {
    seats().map(Seat::ladder)
}

/// The entries with which this thread took or borrowed seats.
pub(crate) fn roots<'a>() -> impl Iterator<Item = &'a Seat> {
    seats().filter(|seat| seat.is_root)
}

impl Seat {
    /// The ladders on which this thread works on the strength of this seat, a root.
    pub(crate) fn ladders(&self) -> impl Iterator<Item = &Ladder> {
        seats().filter(move |seat| ptr::eq(root(seat), self)).map(Seat::ladder)
    }

    /// This thread begins a blocking section. Returns false if it is in one already, or has lent the seat.
    pub(crate) fn begin_blocking(&self) -> bool {
        !self.is_lent() && !self.is_blocked.replace(true)
    }

    /// The blocking section is over.
    pub(crate) fn end_blocking(&self) {
        self.is_blocked.set(false);
    }

    /// Whether this thread has left the seat, and has got no other one since.
    pub(crate) fn is_left(&self) -> bool {
        self.is_left.get()
    }

    /// Notes that this thread has left the seat, or has one again.
    pub(crate) fn set_left(&self, is_left: bool) {
        self.is_left.set(is_left);
    }

    /// Notes that the seat is lent.
    pub(crate) fn lend(&self, receipt: Arc<Receipt>) {
        *self.loan.borrow_mut() = Some(receipt);
    }
}

/// The latest seat, if it is lent, and the receipt that shows when it is back.
pub(crate) fn latest_if_lent<'a>() -> Option<(&'a Seat, Arc<Receipt>)> {
    let latest = seats().next()?;
    let receipt = root(latest).loan.borrow().clone()?;
    (!receipt.is_returned()).then_some((latest, receipt))
}

/// Removes the entry of the seat, also when unwinding.
struct Leave<'a>(&'a Seat);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        // SAFETY: up to here this thread occupies the ladder of the entry, and so its worker.
        unsafe { self.0.ladder().owner().spawned.owned() }.share();
        SEATS.set(self.0.below);
        current::go_back(self.0.works_below);
        if std::thread::panicking() {
            current::with(|here| {
                if let Some(here) = here {
                    here.owner().note_unwinding();
                }
            });
        }
    }
}

/// Runs `f` with this thread as the occupant of `ladder`. No other thread may occupy it meanwhile.
pub(crate) fn occupy<R>(team: &Team, ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    sit(team, ladder, top, true, f)
}

/// A seat that is held for good. It has a pointer to its team.
struct Kept {
    _seat: *const Seat,
}

// SAFETY: the pointer is never followed.
unsafe impl Send for Kept {}

/// The seats that are held for good. They are here for tools that look for memory that was lost: the threads that hold
/// the seats may have ended.
static KEPT: PerProcess<Mutex<Vec<Kept>>> = PerProcess::new(Mutex::new(Vec::new()));

/// Makes this thread, which holds no seat, the occupant of ladder 0 of `team` until it ends. The team is never freed.
pub(crate) fn occupy_for_good(team: &Arc<Team>) {
    let ladder = team.ladder(0);
    let seat = Box::leak(Box::new(Seat::new(Arc::into_raw(Arc::clone(team)), ladder, ladder.first(), true)));
    SEATS.set(seat);
    lock(KEPT.get()).push(Kept { _seat: seat });
    // SAFETY: this thread occupies the ladder.
    unsafe { Occupied::at(ladder.first()) }.close();
}

/// Runs `f` with this thread working on `ladder`, on the strength of a seat that it holds already.
pub(crate) fn occupy_again<R>(team: &Team, ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    sit(team, ladder, top, false, f)
}

/// Runs `f`, which waits on `ladder` and helps there. What it helps with counts as work for the seat of `ladder`. This
/// matters if the latest seat is another one, because a strand of an older seat has been smuggled into this run.
pub(crate) fn waiting_on<R>(ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    match seats().next() {
        Some(latest) if !ptr::eq(latest.ladder(), ladder) => occupy_again(ladder.owner().team(), ladder, top, f),
        _ => f(),
    }
}

fn sit<R>(team: &Team, ladder: &Ladder, top: Rung, is_root: bool, f: impl FnOnce() -> R) -> R {
    let seat = Seat::new(team, ladder, top, is_root);
    let _leave = Leave(&seat);
    SEATS.set(&raw const seat);
    f()
}

/// The ladder that this thread occupies in `team`, if it has a seat there which it has not lent.
pub(crate) fn seat_in(team: &Team) -> Option<&Ladder> {
    seat_in_named(team)
}

/// [`seat_in`], for a team that may be gone. The result is valid until this thread leaves the seat.
pub(crate) fn seat_in_named<'a>(team: *const Team) -> Option<&'a Ladder> {
    seats().find(|seat| ptr::eq(seat.team, team) && !root(seat).is_lent()).map(Seat::ladder)
}
