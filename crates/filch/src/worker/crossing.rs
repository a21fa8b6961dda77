//! Loans of seats: what keeps pools that enter each other from waiting for ever.
//!
//! A thread that holds a seat of one team may run into another team and have to wait there: for a seat, or at a join. The
//! seat below does nothing meanwhile, and somebody may want it on whom that very wait depends: a task that it waits for
//! enters the first team again, or two threads have entered two teams in opposite order. So:
//!
//! > **A thread that waits lends its seats to those requests that its own progress depends on.** It gets a seat back before
//! > it goes on with the work that it holds that seat for.
//!
//! "Depends on" is reachability in a graph that is looked at under one process-wide lock. Who waits for a seat of a team
//! depends on everybody who holds one; who waits at a join depends on whoever runs the task, and on whom that one waits for,
//! thief by thief (`Tasks::waits`). Requests of threads that hold nothing are not in it: nobody depends on them.
//!
//! Why that suffices: a cycle of threads that wait for each other holds at least one request for a seat; whoever holds that
//! seat waits, reaches the request, and lends. Why it is needed that narrowly: a seat lent to anybody might be out for an
//! hour when its holder's result is there, or be held by somebody who wants a lock that the holder has.
//!
//! What is lent is the right to sit: the borrower gets a ladder of its own (`spares.rs`). The graph changes without notice
//! (a worker deep in a team begins to wait), so waiting threads look again every few milliseconds. All of this happens
//! only to threads that hold a seat and ask for another.

use super::current::{self, Seat};
use super::task::TaskId;
use super::{Ladder, Team};
use crate::seats::{Grant, Loan, Receipt, Request};
use crate::sync::{AtomicUsize, Ordering, lock};
use std::ptr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often a waiting thread looks at the graph again.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Everybody who holds a seat, has asked for another, and waits.
static WAITERS: Mutex<Vec<Arc<Waiter>>> = Mutex::new(Vec::new());

/// Requests for seats among them. Most processes never have one.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

/// A thread that waits.
struct Waiter {
    /// The seats that it has taken. One that it has lent is among them: it cannot go on there without it.
    holds: Mutex<Vec<Place>>,
    waits_for: WaitsFor,
}

/// A worker that a thread occupies, by name: compared and, for the team of a task that is being waited for, followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    team: *const Team,
    worker: usize,
}

enum WaitsFor {
    /// A seat of this team.
    Seat { team: *const Team, request: Arc<Request> },
    /// Its own seat, which the occupant of this spare worker has. The request is for being called by.
    Return { team: *const Team, spare: usize, call: Arc<Request> },
    /// The end of this task. The waiter is in that team.
    Task { team: *const Team, task: TaskId },
}

// SAFETY: the pointers to teams are names, except for that of `Task`, which is followed only while its waiter is
// registered, and so on a seat of that team; teams are `Sync`.
unsafe impl Send for Waiter {}
// SAFETY: as above; `holds` is behind a lock.
unsafe impl Sync for Waiter {}

impl Waiter {
    fn update(&self) {
        let mut holds = lock(&self.holds);
        holds.clear();
        current::for_each_held(|seat| holds.push(Place { team: seat.team(), worker: seat.ladder().owner().index }));
    }

    fn holds(&self, is: impl Fn(Place) -> bool) -> bool {
        lock(&self.holds).iter().any(|&place| is(place))
    }

    fn call(&self) {
        match &self.waits_for {
            WaitsFor::Seat { request, .. } => request.call(),
            WaitsFor::Return { call, .. } => call.call(),
            WaitsFor::Task { team, .. } => {
                // SAFETY: registered, so it is on a seat of this team.
                let team = unsafe { &**team };
                lock(&self.holds)
                    .iter()
                    .filter(|place| ptr::eq(place.team, team))
                    .for_each(|place| team.worker(place.worker).parker.unpark());
            }
        }
    }
}

/// An entry of this thread among the waiters.
pub(super) struct Registered(Arc<Waiter>);

impl Registered {
    fn new(waits_for: WaitsFor) -> Self {
        let waiter = Arc::new(Waiter { holds: Mutex::new(Vec::new()), waits_for });
        waiter.update();
        let mut waiters = lock(&WAITERS);
        if matches!(waiter.waits_for, WaitsFor::Seat { .. }) {
            REQUESTS.fetch_add(1, Ordering::SeqCst);
            waiters.iter().for_each(|other| other.call());
        }
        waiters.push(Arc::clone(&waiter));
        Registered(waiter)
    }

    /// For a thread that waits for `task` in `team` and holds a seat below.
    pub(super) fn at_join(team: &Team, task: TaskId) -> Self {
        Self::new(WaitsFor::Task { team, task })
    }

    fn for_seat(team: &Team, request: &Arc<Request>) -> Self {
        Self::new(WaitsFor::Seat { team, request: Arc::clone(request) })
    }

    /// Lends seats of this thread to requests that it depends on. True if it has lent one.
    pub(super) fn lend(&self) -> bool {
        if REQUESTS.load(Ordering::SeqCst) == 0 {
            return false;
        }
        let waiters = lock(&WAITERS);
        self.0.update();
        // At a join, it goes on with the latest at any moment.
        let may_lend_latest = !matches!(self.0.waits_for, WaitsFor::Task { .. });
        let mut lent = false;
        current::for_each_lendable(may_lend_latest, |seat| {
            lent |= waiters.iter().any(|other| match &other.waits_for {
                WaitsFor::Seat { team, request } => {
                    ptr::eq(*team, seat.team())
                        && !Arc::ptr_eq(other, &self.0)
                        && self.depends_on(other, &waiters)
                        && lend(seat, request)
                }
                WaitsFor::Return { .. } | WaitsFor::Task { .. } => false,
            });
        });
        lent
    }

    /// Whether this waiter's progress depends on `other`'s.
    fn depends_on(&self, other: &Arc<Waiter>, waiters: &[Arc<Waiter>]) -> bool {
        let mut reached: Vec<&Arc<Waiter>> = vec![&self.0];
        let mut followed = 0;
        while let Some(&waiter) = reached.get(followed) {
            followed += 1;
            if Arc::ptr_eq(waiter, other) {
                return true;
            }
            let mut reach = |is: &dyn Fn(Place) -> bool| {
                for next in waiters {
                    if next.holds(is) && !reached.iter().any(|known| Arc::ptr_eq(known, next)) {
                        reached.push(next);
                    }
                }
            };
            match &waiter.waits_for {
                // One that has just been granted waits no more, but for the lock that this thread holds.
                WaitsFor::Seat { team, request } => {
                    if request.is_open() {
                        reach(&|place| ptr::eq(place.team, *team));
                    }
                }
                WaitsFor::Return { team, spare, .. } => {
                    reach(&|place| place == Place { team: *team, worker: *spare });
                }
                WaitsFor::Task { team, task } => {
                    // SAFETY: its waiter is registered.
                    let its_team = unsafe { &**team };
                    for worker in its_team.chain(*task) {
                        reach(&|place| place == Place { team: *team, worker });
                    }
                }
            }
        }
        false
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        lock(&WAITERS).retain(|waiter| !Arc::ptr_eq(waiter, &self.0));
        if matches!(self.0.waits_for, WaitsFor::Seat { .. }) {
            REQUESTS.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Gives `seat` to `request`, if nobody else has granted that by now. False, too, where there is no spare worker to go with
/// it: no memory, or thousands of loans one inside the other.
fn lend(seat: &Seat, request: &Arc<Request>) -> bool {
    let (team, index) = (seat.team(), seat.ladder().owner().seat());
    if !team.seats.has(request) {
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
pub(super) enum Admitted<'t> {
    /// A seat, possibly somebody else's.
    Granted(Grant),
    /// Its own, which it had lent: it has come back first.
    Back(&'t Ladder),
}

/// Waits until `request`, which is in `team`'s queue, is granted.
#[cold]
pub(super) fn await_seat<'t>(team: &'t Team, request: &Arc<Request>) -> Admitted<'t> {
    if !current::holds_a_seat() {
        loop {
            if let Some(grant) = request.granted() {
                return Admitted::Granted(grant);
            }
            request.wait();
        }
    }
    let registered = Registered::for_seat(team, request);
    loop {
        if let Some(grant) = request.granted() {
            return Admitted::Granted(grant);
        }
        if let Some(ladder) = current::seat_in(team)
            && team.seats.cancel(request)
        {
            return Admitted::Back(ladder);
        }
        registered.lend();
        request.wait_timeout(LOOK_AGAIN);
    }
}

/// Gives a lent seat back, and the spare worker that went with it.
#[cold]
pub(super) fn give_back(team: &Team, loan: &Loan) {
    team.give_back_spare(loan.receipt.spare);
    loan.receipt.give_back();
    lock(&WAITERS).iter().for_each(|waiter| waiter.call());
}

/// Waits until the latest seat of this thread is back, if it has lent that: the work that it holds the seat for goes on.
pub(super) fn await_return() {
    while let Some((seat, receipt)) = current::latest_if_lent() {
        await_return_of(seat.team(), &receipt);
    }
}

#[cold]
fn await_return_of(team: &Team, receipt: &Receipt) {
    let call = Arc::new(Request::new());
    let registered = Registered::new(WaitsFor::Return { team, spare: receipt.spare, call: Arc::clone(&call) });
    while !receipt.is_returned() {
        registered.lend();
        call.wait_timeout(LOOK_AGAIN);
    }
}
