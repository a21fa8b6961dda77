//! Blocking sections: a worker that waits for something of which the team knows nothing leaves its seat meanwhile.
//!
//! It keeps its ladder, on which its frames are. So a spare worker is put on the seat, and whoever takes the seat works
//! as that one: a caller that waits, a thread of the team that has none, or a thread of the
//! [reserve](crate::protocol::reserve), which is called out. Takers may have the frames of the worker that blocks; its
//! ask word is closed, and its tasks lie where others get them.
//!
//! Afterwards the worker takes a seat, whichever is free, and puts itself there. It waits for one as long as a caller
//! does, and then goes on without a seat, because the threads that have the seats may be waiting for a lock that this
//! one holds.
//!
//! So more threads than there are seats may be in the midst of work. Some of them wait at joins, and may not run what a
//! blocked thread needs. So while a thread blocks, a thread that sleeps at a join leaves its seat as well, if there is
//! work.
//!
//! A thread with seats of several teams leaves all of them. In place of one that has none of its own, a thread of the
//! reserve works without a seat.
//!
//! ```text
//!            before          within                      after, on another seat
//!   seat 0   worker 0        worker 4 (spare): T runs    worker 4: T runs
//!   seat 1   worker 1        worker 1                    worker 0
//!            (no seat)       worker 0: blocks            worker 1, which has left, is spare
//! ```

use crate::engine::meters::activity::Activity;
use crate::engine::seats::ambient::{self, end_if_cancelled_here};
use crate::engine::seats::current;
use crate::engine::seats::held_seats::{self, Seat};
use crate::engine::seats::inlet;
use crate::engine::share::descent;
use crate::engine::team::{Occupied, Team, Worker};
use crate::sync::{Ordering, clock};
use filch_policy::{LOOK_AGAIN, works_without_seat};
use std::thread;
use std::time::Duration;

/// Runs `f`, while others may work on the seats of this thread.
pub(crate) fn blocking<R>(f: impl FnOnce() -> R) -> R {
    current::with(|here| {
        let Some(here) = here.filter(|_| !inlet::is_here()) else { return f() };
        let _closed = Closed::close(here);
        let _left = leave_seats(|_| true);
        let _doing = here.owner().activity.begin(Activity::Block);
        f()
    })
}

/// Sleeps in a blocking section until `is_over`. Whoever makes that true unparks this thread. Unwinds if what this
/// thread runs is cancelled.
pub(crate) fn park_until(is_over: impl Fn() -> bool) {
    let (this, around) = (thread::current(), ambient::around_here());
    // SAFETY: it is dropped at the end of this.
    let _calling = unsafe { around.call_while(&this) };
    blocking(|| {
        while !is_over() {
            end_if_cancelled_here();
            thread::park();
        }
    });
}

/// Whether a thread blocks in a team of which this thread has a seat.
pub(super) fn is_anybody_blocked() -> bool {
    held_seats::roots().any(|seat| seat.team().reserve.is_needed())
}

/// Sleeps on the parker of `worker`, as which this thread waits, for at most `timeout`. Where other threads block,
/// there is work and no seat is free, others may work on the seat of this thread meanwhile.
pub(super) fn sleep_beside_blocked(worker: &Worker, timeout: Duration) {
    let is_needed = |team: &Team| team.reserve.is_needed() && team.has_latent() && !team.seats.has_free();
    let _left = (!inlet::is_here()).then(|| leave_seats(is_needed));
    worker.parker.park_timeout(timeout);
}

/// Whether this thread works for a team that has no threads.
pub(crate) fn is_alone() -> bool {
    current::with(|here| here.is_some_and(|here| !here.owner().team().has_threads()))
}

/// None of the workers as which this thread works can be asked. If this is dropped, those can be again that could.
struct Closed<'l> {
    here: Occupied<'l>,
    opened: Vec<&'l Worker>,
}

impl<'l> Closed<'l> {
    fn close(here: Occupied<'l>) -> Self {
        let workers = held_seats::occupied().map(|ladder| ladder.owner());
        let opened: Vec<_> = workers.filter(|worker| worker.is_busy.load(Ordering::Relaxed)).collect();
        opened.iter().for_each(|worker| worker.close());
        Closed { here, opened }
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        for worker in self.opened.iter().filter(|worker| !worker.team().is_left_behind()) {
            // Closed once more: what has run in the section may have opened it again, and it may have been asked.
            worker.close();
            worker.open();
        }
        descent::mark_again(*self.here.top());
    }
}

/// This thread blocks, and leaves its seats of those teams until the result is dropped. Empty in another section.
fn leave_seats<'l>(of: impl Fn(&Team) -> bool) -> Vec<Section<'l>> {
    let can_leave = |seat: &&Seat| seat.team().has_threads() && seat.team().reserve.most() > 0 && of(seat.team());
    held_seats::roots().filter(can_leave).filter_map(Section::begin).collect()
}

/// A seat of a thread that blocks.
struct Section<'l> {
    seat: &'l Seat,
    /// Whether the thread has left it. Otherwise it had none, or one that another thread has lent, and a thread of the
    /// reserve works without one, too.
    has_left: bool,
    /// The workers whose squads were busy with their tasks.
    had_squads: Vec<&'l Worker>,
}

impl<'l> Section<'l> {
    /// `None` if the thread is in another section, or has lent the seat.
    fn begin(seat: &'l Seat) -> Option<Self> {
        if !seat.begin_blocking() {
            return None;
        }
        let team = seat.team();
        let had_squads = seat.ladders().map(|ladder| ladder.owner()).filter(|worker| worker.end_across()).collect();
        let spare =
            team.is_seated(seat.ladder().owner()).then(|| team.take_spare(seat.ladder().owner().seat())).flatten();
        let begin = || team.reserve.begin_blocking(spare.is_some(), |number| team.start_in_reserve(number));
        match spare {
            Some(spare) => team.leave_seat_of(seat, spare, begin),
            None => {
                begin();
                team.call_reserve();
                // They may have the seat that the others need.
                team.call_waiters(|_| true);
            }
        }
        Some(Section { seat, has_left: spare.is_some(), had_squads })
    }
}

impl Drop for Section<'_> {
    fn drop(&mut self) {
        let team = self.seat.team();
        self.seat.end_blocking();
        if team.is_left_behind() {
            // The section has called fork(2), and this is the child.
            return;
        }
        team.reserve.end_blocking(self.has_left);
        if self.seat.is_left() {
            team.sit_again(self.seat, self.has_left);
        }
        self.had_squads.iter().for_each(|worker| _ = worker.begin_across());
    }
}

impl Team {
    /// Leaves a seat to the worker `spare`. Calls `begin` before that.
    fn leave_seat_of(&self, seat: &Seat, spare: usize, begin: impl FnOnce()) {
        let worker = seat.ladder().owner();
        let number = worker.seat();
        worker.counters.seats_left.bump();
        // SAFETY: this thread occupies these ladders.
        seat.ladders().for_each(|ladder| unsafe { ladder.owner().spawned.owned() }.share());
        seat.set_left(true);
        self.seat_worker(spare, number);
        begin();
        self.leave_seat(number);
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
        seat.ladders().for_each(|ladder| ladder.owner().sit_on(number));
        seat.set_left(false);
    }

    /// Waits for a seat, as long as a caller does. Nobody lends this thread one, since it is in the list of no waiter.
    fn await_seat_again(&self, worker: &Worker) -> Option<usize> {
        let request = match self.seats.sit_or_queue(worker.seat()) {
            Ok(seat) => return Some(seat),
            Err(request) => request,
        };
        worker.counters.seats_awaited.bump();
        let _awaits = worker.team().meters.await_seat();
        let begin_ns = clock::now_ns();
        loop {
            if let Some(grant) = request.granted() {
                debug_assert!(grant.loan.is_none(), "nobody knows that this thread waits");
                return Some(grant.seat);
            }
            if works_without_seat(clock::now_ns() - begin_ns, false) && self.seats.cancel(&request) {
                return None;
            }
            request.wait_timeout(LOOK_AGAIN);
        }
    }
}
