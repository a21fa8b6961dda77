//! The way in: a run from outside gets a seat, and its ladder is closed until the run forks for the first time.

use crate::engine::frame::Rung;
use crate::engine::seat::loans;
use crate::engine::seat::loans::Admitted;
use crate::engine::team::{Ladder, Team};
use crate::engine::{chaos, current, held};
use crate::protocol::seats::{Grant, Loan};

impl Team {
    /// Runs `f` with the calling thread on a seat of this team. The thread must not have one. Waits for a seat if none
    /// is free.
    pub(crate) fn run_from_outside<R>(&self, f: impl FnOnce(Rung) -> R) -> R {
        let seat = match self.seats.try_sit(0) {
            Some(seat) => seat,
            None => match self.await_seat() {
                Admitted::Granted(Grant { seat, loan: None }) => seat,
                Admitted::Granted(Grant { loan: Some(loan), .. }) => {
                    return self.run_on_spare(loan.receipt.spare, Some(loan), f);
                }
                Admitted::Back(ladder) => return self.run_again(ladder, current::top_of(ladder).0, f),
                Admitted::Unseated(spare) => return self.run_on_spare(spare, None, f),
            },
        };
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

    /// Runs `f` on a seat that the calling thread holds already while it works elsewhere.
    pub(crate) fn run_again<R>(&self, ladder: &Ladder, top: Rung, f: impl FnOnce(Rung) -> R) -> R {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                loans::await_return();
            }
        }
        let _leave = Leave;
        held::occupy_again(self, ladder, top, || f(top))
    }

    /// Runs `f` on a spare worker, either on a seat that another waiting thread has lent, or without a seat.
    #[cold]
    fn run_on_spare<R>(&self, spare: usize, loan: Option<Loan>, f: impl FnOnce(Rung) -> R) -> R {
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
        held::occupy(self, ladder, first, || enter_run(ladder, || f(first)))
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
            self.sleepers.ensure_sentinel();
        }
    }

    /// A run has forked for the first time, on this ladder. Under chaos rungs are opened and closed all the time, and
    /// no run counts as one that has forked.
    pub(crate) fn activate(&self, ladder: &Ladder) {
        if !self.rules.announces_forks() {
            return;
        }
        ladder.owner().open();
        self.sleepers.begin_run();
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
            if self.0.owner().team().sleepers.has_watchers() {
                // The closed ladder had no room for the mark by which watchers are called. Its next occupant may be a
                // thread of the pool, whose forks find no closed ladder and so announce nothing.
                self.0.watch();
            }
        }
    }
    // SAFETY: the caller occupies the ladder, and it is empty.
    unsafe { ladder.first().close() };
    let _exit = Exit(ladder);
    f()
}
