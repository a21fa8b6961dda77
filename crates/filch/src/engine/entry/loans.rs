//! Loans of seats, which prevent deadlocks between pools that enter each other.
//!
//! A thread that holds a seat of one team may enter another team and have to wait there, for a seat or at a join. Its
//! first seat is idle meanwhile, and the wait itself may depend on a thread that wants this seat. For example, a task
//! that is being waited for may enter the first team again, or two threads may have entered two teams in opposite
//! order. So:
//!
//! > **A thread that waits lends its seats to those requests that its own progress depends on.** It gets a seat back
//! > before it goes on with the work that it holds that seat for.
//!
//! "Depends on" means reachable in the graph of the threads that hold a seat and wait (`waiters.rs`). Requests of
//! threads that hold no seat are not in the graph, because no thread depends on them.
//!
//! This suffices: a cycle of threads that wait for each other contains at least one request for a seat. The thread that
//! holds that seat waits, reaches the request in the graph, and lends. And nothing else may be lent: a seat that was
//! lent to any request might be away for an hour when the result is there that its holder waits for, or its borrower
//! might want a lock that the holder has.
//!
//! The right to work is lent, and not the ladder: the borrower gets a ladder of its own (`spare_workers.rs`). The graph
//! changes without notice, for example when a worker deep in a team begins to wait. So waiting threads look again every
//! few milliseconds. All of this concerns only threads that hold a seat and ask for another.
//!
//! The graph does not contain what user code waits for by other means, such as a lock, a channel or a sleep. So a
//! request that has not moved forward in the queue for a while is withdrawn, and its thread works [without a
//! seat](Admitted::Unseated). One thread more than there are seats, for a while, is better than a thread that waits for
//! the whole task of another thread, or for ever.

use crate::engine::cancel::Ended;
use crate::engine::cancel::region::Around;
use crate::engine::entry::unseated;
use crate::engine::entry::waiters;
use crate::engine::entry::waiters::Registered;
use crate::engine::seats::ambient;
use crate::engine::seats::held_seats;
use crate::engine::seats::held_seats::Seat;
use crate::engine::team::{Ladder, Team};
use crate::protocol::seats::{Grant, Loan, Receipt, Request};
use crate::sync::clock;
use filch_policy::{LOOK_AGAIN, works_without_seat};
use std::sync::Arc;

/// Lends seats of this thread to requests that it depends on. `works_on` is the ladder on which the thread waits at a
/// join or at the end of a scope. Its seat is not lent, because the thread may go on there at any moment.
pub(crate) fn lend(registered: &Registered, works_on: Option<&Ladder>) {
    let Some(look) = registered.look() else { return };
    held_seats::for_each_lendable(works_on, |seat| {
        let _ = look.needed_requests(seat.team()).any(|request| lend_to(seat, request));
    });
}

/// Lends `seat` to `request`. Returns false if the request has been granted in another way, or if there is no spare
/// worker for the borrower. That happens when there is no memory, or when thousands of loans are nested.
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

/// How a thread that had to wait for a seat was admitted.
pub(crate) enum Admitted<'t> {
    /// With a seat, possibly one that another thread has lent.
    Granted(Grant),
    /// With its own seat, which it had lent and which has come back first.
    Back(&'t Ladder),
    /// Without a seat, as the spare worker with this index.
    Unseated(usize),
}

/// Waits until `request`, which is in the queue of `team`, is granted or has stayed at one place for too long. If a
/// region `around` is cancelled meanwhile, withdraws it and unwinds.
#[cold]
pub(crate) fn await_seat<'t>(team: &'t Team, request: &Arc<Request>, around: Around) -> Admitted<'t> {
    let registered = held_seats::holds_a_seat().then(|| Registered::for_seat(team, request));
    let (mut place, mut since) = (team.seats.place(request), clock::now_ns());
    loop {
        if let Some(grant) = request.granted() {
            return Admitted::Granted(grant);
        }
        if ambient::ends(around) && team.seats.cancel(request) {
            drop(registered);
            ambient::pass_on(Box::new(Ended));
        }
        if let Some(registered) = &registered {
            if let Some(ladder) = held_seats::seat_in(team)
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

/// Gives a lent seat back. The caller has already given back the spare worker that went with it.
#[cold]
pub(crate) fn give_back(loan: &Loan) {
    loan.receipt.give_back();
    waiters::call_all();
}

/// Ends a wait at a join or at the end of a scope. The thread now goes on with the work that it holds its latest seat
/// for, whichever ladder it has waited on, so that seat must be back.
pub(crate) fn go_on() {
    if held_seats::holds_several_seats() {
        await_return();
    }
}

/// Waits until the latest seat of this thread is back, if it is lent, because the work that the thread holds that seat
/// for goes on.
pub(crate) fn await_return() {
    while let Some((seat, receipt)) = held_seats::latest_if_lent() {
        await_return_of(seat.team(), &receipt);
    }
}

#[cold]
fn await_return_of(team: &Team, receipt: &Receipt) {
    let call = Arc::new(Request::new());
    let registered = Registered::for_return(team, receipt.spare, &call);
    while !receipt.is_returned() {
        team.must_have_threads();
        // Whoever has the seat may wait for it.
        unseated::run_bound(&|| ());
        lend(&registered, None);
        call.wait_timeout(LOOK_AGAIN);
    }
}
