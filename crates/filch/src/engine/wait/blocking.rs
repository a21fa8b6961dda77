//! Blocking sections: a worker that waits for something of which the team knows nothing leaves its seat meanwhile.
//!
//! It keeps its ladder, on which its frames are. So a spare worker is put on the seat, and whoever takes the seat works
//! as that one: a caller that waits, a thread of the team that has none, or a thread of the
//! [reserve](crate::protocol::reserve), which is called out. Takers may have the frames of the worker that blocks; its
//! ask word is closed, and its tasks lie where others get them.
//!
//! Afterwards the worker takes a seat, whichever is free, and puts itself there. It waits for one as long as a caller
//! does, and then goes on without a seat: who has the seats may wait for what it has locked.
//!
//! So there may be more threads than seats in the midst of work. While a thread blocks, one that waits at a join and
//! sleeps also leaves its seat if there is work that it may not run: what the blocked thread waits for may be that.
//!
//! ```text
//!            before          within                      after, on another seat
//!   seat 0   worker 0        worker 4 (spare): T runs    worker 4: T runs
//!   seat 1   worker 1        worker 1                    worker 0
//!            (no seat)       worker 0: blocks            worker 1, which has left, is spare
//! ```

use crate::engine::seats::current;
use crate::engine::seats::held_seats::{self, Seat};
use crate::engine::seats::inlet;
use crate::engine::share::descent;
use crate::engine::team::{Occupied, Team, Worker};
use crate::sync::{Ordering, clock};
use filch_policy::{LOOK_AGAIN, works_without_seat};
use std::time::Duration;

/// Runs `f`, while others may work on the seat of this thread.
pub(crate) fn blocking<R>(f: impl FnOnce() -> R) -> R {
    current::with(|here| {
        let _blocked = here.and_then(Blocked::begin);
        f()
    })
}

/// Sleeps on the parker of `worker`, as which the thread at `here` waits, for at most `timeout`. Others may work on its
/// seat meanwhile.
pub(super) fn sleep_without_seat(here: Occupied<'_>, worker: &Worker, timeout: Duration) {
    let _blocked = Blocked::begin(here);
    worker.parker.park_timeout(timeout);
}

/// Whether this thread works for a team that has no threads.
pub(crate) fn is_alone() -> bool {
    current::with(|here| here.is_some_and(|here| !here.owner().team().has_threads()))
}

/// This thread blocks, and others work for it. If this is dropped, it takes a seat again if it had one.
struct Blocked<'l> {
    here: Occupied<'l>,
    seat: &'l Seat,
    has_left: bool,
    /// Whether the worker could be asked.
    was_open: bool,
    had_squad: bool,
}

impl<'l> Blocked<'l> {
    /// `None` where nobody can work meanwhile: where one thread plays all workers, where other strands wait for a state
    /// that this thread has, and where the thread is in a section already.
    fn begin(here: Occupied<'l>) -> Option<Self> {
        let (team, worker) = (here.owner().team(), here.owner());
        if !team.has_threads() || team.reserve.most() == 0 || inlet::is_here() {
            return None;
        }
        let seat = held_seats::block_on(here.ladder())?;
        let was_open = worker.is_busy.load(Ordering::Relaxed);
        if was_open {
            worker.close();
        }
        let had_squad = worker.end_across();
        let begin = || team.reserve.begin_blocking(|number| team.start_in_reserve(number));
        let has_left = team.is_seated(seat.ladder().owner()) && team.leave_seat_of(seat, begin);
        if !has_left {
            begin();
            // They may have the seat that the others need.
            team.call_waiters(|_| true);
        }
        Some(Blocked { here, seat, has_left, was_open, had_squad })
    }
}

impl Drop for Blocked<'_> {
    fn drop(&mut self) {
        let (team, worker) = (self.here.owner().team(), self.here.owner());
        self.seat.end_blocking();
        if team.is_left_behind() {
            // The section has called fork(2), and this is the child.
            return;
        }
        team.reserve.end_blocking();
        if self.seat.is_left() {
            team.sit_again(self.seat, self.has_left);
        }
        if self.had_squad {
            worker.begin_across();
        }
        if self.was_open {
            worker.open();
            descent::mark_again(*self.here.top());
        }
    }
}

impl Team {
    /// Leaves a seat to which the worker belongs that the calling thread occupies with it. Calls `begin` before that.
    /// Returns false if there is no spare worker for the seat.
    fn leave_seat_of(&self, seat: &Seat, begin: impl FnOnce()) -> bool {
        let worker = seat.ladder().owner();
        let number = worker.seat();
        let Some(spare) = self.take_spare(number) else { return false };
        worker.counters.seats_left.bump();
        // SAFETY: this thread occupies these ladders.
        seat.for_each_ladder(|ladder| unsafe { ladder.owner().spawned.owned() }.share());
        seat.set_left(true);
        self.seat_worker(spare, number);
        begin();
        self.leave_seat(number);
        true
    }

    /// Takes a seat again for a worker that has left one: now, or earlier. If none is to be had, it does without.
    fn sit_again(&self, seat: &Seat, is_now: bool) {
        let worker = seat.ladder().owner();
        let mut granted = self.seats.try_sit(worker.seat());
        if is_now && granted.is_none() {
            granted = self.await_seat_again(worker);
            worker.counters.seats_exceeded.add(u64::from(granted.is_none()));
        }
        let Some(number) = granted else { return };
        self.give_back_spare(self.seat_worker(worker.index, number));
        seat.for_each_ladder(|ladder| ladder.owner().sit_on(number));
        seat.set_left(false);
    }

    /// Waits for a seat, as long as a caller does. Nobody lends this thread one, since it is in the list of no waiter.
    fn await_seat_again(&self, worker: &Worker) -> Option<usize> {
        let request = match self.seats.sit_or_queue(worker.seat()) {
            Ok(seat) => return Some(seat),
            Err(request) => request,
        };
        worker.counters.seats_awaited.bump();
        let begin_ns = clock::now_ns();
        loop {
            if let Some(grant) = request.granted() {
                return Some(grant.seat);
            }
            if works_without_seat(clock::now_ns() - begin_ns, false) && self.seats.cancel(&request) {
                return None;
            }
            request.wait_timeout(LOOK_AGAIN);
        }
    }
}
