//! The way in: a run from outside gets a seat, and its ladder is closed until the run forks for the first time.

use crate::engine::cancel::region::Around;
use crate::engine::entry::loans;
use crate::engine::entry::loans::Admitted;
use crate::engine::meters::activity::Activity;
use crate::engine::recording;
use crate::engine::seats::current;
use crate::engine::seats::held_seats;
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::team::{Occupied, Top};
use crate::protocol::seats::{Grant, Loan};
use crate::sync::Ordering;
use filch_policy::Tier;

impl Team {
    /// Runs `f` with the calling thread on a seat of this team. The thread must not have one. Waits for a seat if none
    /// is free, unless a region `around` is cancelled meanwhile; then unwinds.
    pub(crate) fn run_from_outside(&self, around: Around, f: &mut dyn FnMut(Top<'_>)) {
        match self.seats.try_sit(0) {
            Some(seat) => self.run_on_seat(seat, f),
            None => self.wait_and_run(around, f),
        }
    }

    /// [`run_from_outside`](Self::run_from_outside), at once without a seat if none is free: for so many at a time as
    /// there are workers.
    #[cold]
    pub(crate) fn run_urgent(&self, around: Around, f: &mut dyn FnMut(Top<'_>)) {
        struct End<'t>(&'t Team);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.urgent_runs.fetch_sub(1, Ordering::Relaxed);
            }
        }
        if let Some(seat) = self.seats.try_sit(0) {
            return self.run_on_seat(seat, f);
        }
        let others = self.urgent_runs.fetch_add(1, Ordering::Relaxed);
        let _end = End(self);
        match (others < self.ladders().len()).then(|| self.take_spare(0)).flatten() {
            Some(spare) => self.run_on_spare(spare, None, f),
            None => self.wait_and_run(around, f),
        }
    }

    fn run_on_seat(&self, seat: usize, f: &mut dyn FnMut(Top<'_>)) {
        struct Leave<'a>(&'a Team, &'a Ladder);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.leave(self.1);
                loans::await_return();
            }
        }
        let ladder = self.ladder_on(seat);
        let _leave = Leave(self, ladder);
        self.sharing.begins_run(self);
        held_seats::occupy(self, ladder, ladder.first(), || enter_run(ladder, f));
    }

    /// Runs `f` with the calling thread on seat `preferred` or, if that is taken, on another one. The thread must not
    /// have one.
    pub(crate) fn run_as(&self, preferred: usize, f: &mut dyn FnMut(Top<'_>)) {
        match self.seats.try_sit(preferred) {
            Some(seat) => self.run_on_seat(seat, f),
            None => self.wait_and_run(Around::NONE, f),
        }
    }

    #[cold]
    fn wait_and_run(&self, around: Around, f: &mut dyn FnMut(Top<'_>)) {
        match self.await_seat(around) {
            Admitted::Granted(Grant { seat, loan: None }) => self.run_on_seat(seat, f),
            Admitted::Granted(Grant { loan: Some(loan), .. }) => {
                self.run_on_spare(loan.receipt.spare, Some(loan), f);
            }
            // SAFETY: this thread holds the seat of the ladder.
            Admitted::Back(ladder) => self.run_again(unsafe { current::top_of(ladder) }.0, f),
            Admitted::Unseated(spare) => self.run_on_spare(spare, None, f),
        }
    }

    /// Runs `f` on a seat that the calling thread holds already while it works elsewhere.
    fn run_again(&self, top: Top<'_>, f: &mut dyn FnMut(Top<'_>)) {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                loans::await_return();
            }
        }
        let _leave = Leave;
        held_seats::occupy_again(self, top.ladder(), top.rung(), || {
            let _doing = top.owner().activity.begin(Activity::Run);
            f(top.again());
        });
    }

    /// Runs `f` on the seat of `ladder`, wherever the calling thread works now.
    ///
    /// # Safety
    ///
    /// The calling thread holds the seat, and has not lent it.
    pub(crate) unsafe fn run_on_held(&self, ladder: &Ladder, f: &mut dyn FnMut(Top<'_>)) {
        // SAFETY: guaranteed by the caller.
        match unsafe { current::top_of(ladder) } {
            (top, true) => {
                // A thread that has a seat for good comes from outside. Any other one is in a run already.
                let activity = &top.owner().activity;
                let _doing = (activity.now() == Activity::Away).then(|| activity.begin(Activity::Run));
                f(top);
            }
            (top, false) => self.run_again(top, f),
        }
    }

    /// Runs `f` on a spare worker, either on a seat that another waiting thread has lent, or without a seat.
    fn run_on_spare(&self, spare: usize, loan: Option<Loan>, f: &mut dyn FnMut(Top<'_>)) {
        struct Leave<'a>(&'a Team, usize, Option<Loan>);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.give_back_spare(self.1);
                if let Some(loan) = &self.2 {
                    loans::give_back(loan);
                }
                loans::await_return();
            }
        }
        let ladder = self.ladder(spare);
        let counters = &ladder.owner().counters;
        if loan.is_some() { &counters.seats_borrowed } else { &counters.seats_exceeded }.bump();
        let _leave = Leave(self, spare, loan);
        held_seats::occupy(self, ladder, ladder.first(), || enter_run(ladder, f));
    }

    #[cold]
    fn await_seat(&self, around: Around) -> Admitted<'_> {
        let request = match self.seats.sit_or_queue(0) {
            Ok(seat) => return Admitted::Granted(Grant { seat, loan: None }),
            Err(request) => request,
        };
        let _awaits = self.meters.await_seat();
        let admitted = loans::await_seat(self, &request, around);
        let seat = match &admitted {
            Admitted::Granted(grant) => grant.seat,
            Admitted::Back(ladder) => ladder.owner().seat(),
            Admitted::Unseated(spare) => self.worker(*spare).seat(),
        };
        self.worker(seat).counters.seats_awaited.bump();
        admitted
    }

    /// Leaves the worker of `ladder`, and its seat with it, if it is still on one: a worker that has blocked may have
    /// none.
    pub(crate) fn leave(&self, ladder: &Ladder) {
        let worker = ladder.owner();
        let seat = worker.seat();
        if !self.is_seated(worker) {
            return self.give_back_spare(worker.index);
        }
        // So that the workers which others know by their rings and their marks are on seats.
        if worker.index >= self.ladders().len()
            && let Some(known) = self.spares.exchange(self.ladders().len(), worker.index)
        {
            self.seat_worker(known, seat);
            self.watch_again(self.ladder(known));
        }
        self.leave_seat(seat);
    }

    /// Whether the occupant of `worker` holds the seat that it is on. For the occupant.
    pub(crate) fn is_seated(&self, worker: &Worker) -> bool {
        self.seated[worker.seat()].load(Ordering::Relaxed) == worker.index
    }

    /// Leaves a seat. If the seat is free now and there is work, makes sure that a thread looks for it.
    pub(crate) fn leave_seat(&self, seat: usize) {
        if self.seats.leave(seat) && self.sleepers.is_active() {
            match &self.squads {
                None => self.sleepers.ensure_sentinel(),
                // Another worker may be the head now. Any other work is for threads that have seats of their own.
                Some(squads) => self.call_head(squads.of(seat)),
            }
        }
    }

    /// A run has forked for the first time, on this ladder. Under chaos rungs are opened and closed all the time, and
    /// no run counts as one that has forked.
    pub(crate) fn activate(&self, ladder: &Ladder) {
        if !self.rules.announces_forks() {
            return;
        }
        ladder.owner().open();
        self.begin_activity();
        // A closed ladder has no room for the mark by which watchers are called. The frame is a part of no goal, so
        // only waiters that run anything (`wait=any`) are called.
        if self.sleepers.is_watched() {
            self.call_waiters(|_| false);
        }
    }

    /// A run that has forked is over, on this ladder.
    fn deactivate(&self, ladder: &Ladder) {
        if self.rules.announces_forks() {
            ladder.owner().close();
            self.sleepers.end_run();
        }
    }
}

/// Runs `f` on an empty ladder that this thread has just sat down at, as a run: the ladder is closed, so that the first
/// fork announces the run.
fn enter_run(ladder: &Ladder, f: &mut dyn FnMut(Top<'_>)) {
    struct Exit<'a>(Occupied<'a>);
    impl Drop for Exit<'_> {
        fn drop(&mut self) {
            let (bottom, ladder) = (self.0, self.0.ladder());
            bottom.owner().set_tier(Tier::INTRA);
            debug_assert!(bottom.is_settled(), "a run leaves its ladder as it found it");
            if bottom.is_closed() {
                bottom.open();
            } else {
                bottom.owner().team().deactivate(ladder);
            }
            // The closed ladder had no room for the mark by which watchers are called. Its next occupant may be a
            // thread of the pool, whose forks find no closed ladder and so announce nothing.
            bottom.owner().team().watch_again(ladder);
        }
    }
    // SAFETY: this thread occupies the ladder until this returns.
    let top = unsafe { Occupied::at(ladder.first()) }.top();
    let _recorded = recording::begin_run(ladder.owner().team(), *top);
    top.close();
    if let Some(squads) = &ladder.owner().team().squads {
        ladder.owner().set_tier(squads.first);
    }
    let _exit = Exit(*top);
    let _doing = ladder.owner().activity.begin(Activity::Run);
    f(top);
}

/// Calls `enter` with a pointer to `f`, which it must call once. So the ways in are compiled once for all `f`.
pub(crate) fn by_pointer<R>(f: impl FnOnce(Top<'_>) -> R, enter: impl FnOnce(&mut dyn FnMut(Top<'_>))) -> R {
    let (mut f, mut result) = (Some(f), None);
    enter(&mut |top| {
        let f = f.take().expect("a run begins once");
        result = Some(f(top));
    });
    result.expect("a run has a result unless it panics")
}
