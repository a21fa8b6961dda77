//! Loans of seats: what keeps pools that enter each other from waiting for ever.
//!
//! A thread that holds a seat of one team may run into another team and have to wait there: for a seat, or at a join.
//! The seat below does nothing meanwhile, and somebody may want it on whom that very wait depends: a task that it waits
//! for enters the first team again, or two threads have entered two teams in opposite order. So:
//!
//! > **A thread that waits lends its seats to those requests that its own progress depends on.** It gets a seat back
//! > before
//! > it goes on with the work that it holds that seat for.
//!
//! "Depends on" is reachability in the graph of those who hold a seat and wait (`waiters.rs`). Requests of threads that
//! hold nothing are not in it: nobody depends on them.
//!
//! Why that suffices: a cycle of threads that wait for each other holds at least one request for a seat; whoever holds
//! that seat waits, reaches the request, and lends. Why it is needed that narrowly: a seat lent to anybody might be out
//! for an hour when its holder's result is there, or be held by somebody who wants a lock that the holder has.
//!
//! What is lent is the right to sit: the borrower gets a ladder of its own (`spares.rs`). The graph changes without
//! notice (a worker deep in a team begins to wait), so waiting threads look again every few milliseconds. All of this
//! happens only to threads that hold a seat and ask for another.
//!
//! The graph knows nothing of what user code waits for by other means: a lock, a channel, a sleep. So a request that
//! has not come forward in the queue for a while is withdrawn, and its thread works [without a
//! seat](Admitted::Unseated): rather a thread more than cores for a while than one that waits for somebody's whole
//! task, or for ever.

use crate::engine::seat::held;
use crate::engine::seat::held::Seat;
use crate::engine::seat::waiters;
use crate::engine::seat::waiters::Registered;
use crate::engine::team::{Ladder, Team};
use crate::protocol::seats::{Grant, Loan, Receipt, Request};
use crate::sync::clock;
use filch_policy::{LOOK_AGAIN, works_without_seat};
use std::sync::Arc;

/// Lends seats of this thread to requests that it depends on; not that of the ladder which it may go on with at any
/// moment, where it waits at a join or a scope's end.
pub(crate) fn lend(registered: &Registered, works_on: Option<&Ladder>) {
    let Some(look) = registered.look() else { return };
    held::for_each_lendable(works_on, |seat| {
        let _ = look.needed_requests(seat.team()).any(|request| lend_to(seat, request));
    });
}

/// Gives `seat` to `request`, if nobody else has granted that by now. False, too, where there is no spare worker to go
/// with it: no memory, or thousands of loans one inside the other.
fn lend_to(seat: &Seat, request: &Arc<Request>) -> bool {
    let (team, index) = (seat.team(), seat.ladder().owner().seat());
    if team.seats.place(request).is_none() {
        return false;
    }
    let Some(spare) = team.take_spare(index) else { return false };
    let is_waiting = team.seats.cancel(request);
    if is_waiting {
        let receipt = Arc::new(Receipt::new(spare));
        seat.lend(Arc::clone(&receipt));
        request.grant(Grant { seat: index, loan: Some(Loan { receipt }) });
    } else {
        team.give_back_spare(spare);
    }
    is_waiting
}

/// How a thread that had to wait for a seat got one.
pub(crate) enum Admitted<'t> {
    /// A seat, possibly somebody else's.
    Granted(Grant),
    /// Its own, which it had lent: it has come back first.
    Back(&'t Ladder),
    /// None, but a spare worker of this index.
    Unseated(usize),
}

/// Waits until `request`, which is in `team`'s queue, is granted, or has not come forward for too long.
#[cold]
pub(crate) fn await_seat<'t>(team: &'t Team, request: &Arc<Request>) -> Admitted<'t> {
    let registered = held::holds_a_seat().then(|| Registered::for_seat(team, request));
    let (mut place, mut since) = (team.seats.place(request), clock::now_ns());
    loop {
        if let Some(grant) = request.granted() {
            return Admitted::Granted(grant);
        }
        if let Some(registered) = &registered {
            if let Some(ladder) = held::seat_in(team)
                && team.seats.cancel(request)
            {
                return Admitted::Back(ladder);
            }
            lend(registered, None);
        }
        let (place_now, now) = (team.seats.place(request), clock::now_ns());
        if place_now != place {
            (place, since) = (place_now, now);
        } else if works_without_seat(now - since, registered.is_some())
            && let Some(spare) = team.take_spare(0)
        {
            if team.seats.cancel(request) {
                return Admitted::Unseated(spare);
            }
            team.give_back_spare(spare);
        }
        request.wait_timeout(LOOK_AGAIN);
    }
}

/// Gives a lent seat back, after the spare worker that went with it.
#[cold]
pub(crate) fn give_back(loan: &Loan) {
    loan.receipt.give_back();
    waiters::call_all();
}

/// At the end of a wait at a join or a scope's end: what goes on is what this thread holds its latest seat for,
/// wherever it has waited.
pub(crate) fn go_on() {
    if held::holds_several_seats() {
        await_return();
    }
}

/// Waits until the latest seat of this thread is back, if it has lent that: the work that it holds the seat for goes
/// on.
pub(crate) fn await_return() {
    while let Some((seat, receipt)) = held::latest_if_lent() {
        await_return_of(seat.team(), &receipt);
    }
}

#[cold]
fn await_return_of(team: &Team, receipt: &Receipt) {
    let call = Arc::new(Request::new());
    let registered = Registered::for_return(team, receipt.spare, &call);
    while !receipt.is_returned() {
        team.must_have_threads();
        lend(&registered, None);
        call.wait_timeout(LOOK_AGAIN);
    }
}
