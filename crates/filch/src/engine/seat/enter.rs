//! The way in: a run from outside gets a seat, and its ladder is closed until the run forks for the first time.

use crate::engine::frame::Rung;
use crate::engine::seat::loans;
use crate::engine::seat::loans::Admitted;
use crate::engine::team::{Ladder, Team};
use crate::engine::{chaos, current, held};
use crate::protocol::seats::{Grant, Loan};
use filch_policy::Tier;

impl Team {
    /// Runs `f` with the calling thread on a seat of this team. The thread must not have one. Waits for a seat if none
    /// is free.
    pub(crate) fn run_from_outside<R>(&self, f: impl FnOnce(Rung) -> R) -> R {
        match self.seats.try_sit(0) {
            Some(seat) => self.run_on_seat(seat, f),
            None => by_pointer(f, |f| self.wait_and_run(f)),
        }
    }

    fn run_on_seat<R>(&self, seat: usize, f: impl FnOnce(Rung) -> R) -> R {
        struct Leave<'a>(&'a Team, usize);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.leave_seat(self.1);
                loans::await_return();
            }
        }
        let _leave = Leave(self, seat);
        chaos::begin_run(self);
        let ladder = self.ladder(seat);
        let first = ladder.first();
        held::occupy(self, ladder, first, || enter_run(ladder, || f(first)))
    }

    /// Runs `f` with the calling thread on seat `preferred` or, if that is taken, on another one. The thread must not
    /// have one.
    pub(crate) fn run_as(&self, preferred: usize, f: impl FnOnce()) {
        match self.seats.try_sit(preferred) {
            Some(seat) => self.run_on_seat(seat, |_| f()),
            None => by_pointer(|_| f(), |f| self.wait_and_run(f)),
        }
    }

    #[cold]
    fn wait_and_run(&self, f: &mut dyn FnMut(Rung)) {
        match self.await_seat() {
            Admitted::Granted(Grant { seat, loan: None }) => self.run_on_seat(seat, f),
            Admitted::Granted(Grant { loan: Some(loan), .. }) => {
                self.run_on_spare(loan.receipt.spare, Some(loan), f);
            }
            Admitted::Back(ladder) => self.run_again(ladder, current::top_of(ladder).0, f),
            Admitted::Unseated(spare) => self.run_on_spare(spare, None, f),
        }
    }

    /// Runs `f` on a seat that the calling thread holds already while it works elsewhere.
    pub(crate) fn run_again(&self, ladder: &Ladder, top: Rung, f: &mut dyn FnMut(Rung)) {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                loans::await_return();
            }
        }
        let _leave = Leave;
        held::occupy_again(self, ladder, top, || f(top));
    }

    /// Runs `f` on a spare worker, either on a seat that another waiting thread has lent, or without a seat.
    fn run_on_spare(&self, spare: usize, loan: Option<Loan>, f: &mut dyn FnMut(Rung)) {
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
        let first = ladder.first();
        held::occupy(self, ladder, first, || enter_run(ladder, || f(first)));
    }

    #[cold]
    fn await_seat(&self) -> Admitted<'_> {
        let request = match self.seats.sit_or_queue(0) {
            Ok(seat) => return Admitted::Granted(Grant { seat, loan: None }),
            Err(request) => request,
        };
        let admitted = loans::await_seat(self, &request);
        let seat = match &admitted {
            Admitted::Granted(grant) => grant.seat,
            Admitted::Back(ladder) => ladder.owner().seat(),
            Admitted::Unseated(spare) => self.worker(*spare).seat(),
        };
        self.worker(seat).counters.seats_awaited.bump();
        admitted
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

/// Runs `f` on an empty ladder, as a run: the ladder is closed, so that the first fork announces the run.
fn enter_run<R>(ladder: &Ladder, f: impl FnOnce() -> R) -> R {
    struct Exit<'a>(&'a Ladder);
    impl Drop for Exit<'_> {
        fn drop(&mut self) {
            let bottom = self.0.first();
            self.0.owner().set_tier(Tier::INTRA);
            // SAFETY: the caller of `enter_run` occupies the ladder.
            debug_assert!(unsafe { self.0.is_settled_at(bottom) }, "a run leaves its ladder as it found it");
            // SAFETY: the caller of `enter_run` occupies the ladder, and `bottom` is its top, because every task pops
            // what it pushes.
            if unsafe { bottom.is_closed() } {
                // SAFETY: as above: `bottom` is the top of a ladder that this thread occupies.
                unsafe { bottom.open() };
            } else {
                self.0.owner().team().deactivate(self.0);
            }
            // The closed ladder had no room for the mark by which watchers are called. Its next occupant may be a
            // thread of the pool, whose forks find no closed ladder and so announce nothing.
            self.0.owner().team().watch_again(self.0);
        }
    }
    // SAFETY: the caller occupies the ladder, and it is empty.
    unsafe { ladder.first().close() };
    if let Some(squads) = &ladder.owner().team().squads {
        ladder.owner().set_tier(squads.first);
    }
    let _exit = Exit(ladder);
    f()
}

/// Calls `enter` with a pointer to `f`, which it must call once. So the rare ways in share one copy of `f`, which can
/// be a whole loop.
pub(crate) fn by_pointer<R>(f: impl FnOnce(Rung) -> R, enter: impl FnOnce(&mut dyn FnMut(Rung))) -> R {
    let mut result = None;
    enter(&mut once(f, &mut result));
    result.expect("a run has a result unless it panics")
}

/// A function of its own, so that its type does not depend on the way in.
fn once<R>(f: impl FnOnce(Rung) -> R, result: &mut Option<R>) -> impl FnMut(Rung) {
    let mut f = Some(f);
    move |rung| {
        let f = f.take().expect("a run begins once");
        *result = Some(f(rung));
    }
}
