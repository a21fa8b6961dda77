//! The shelf: the frames that a worker offers, where any worker finds them without asking.
//!
//! Whether a fork or a return puts one there is decided by the scheduler ([`Sharing`](crate::engine::team::Sharing)).
//! How a fork goes on is in `at_fork.rs`. What is on a worker's shelf is older than what is on its ladder. So another
//! worker that would take anything leaves that ladder alone meanwhile, and finds the shelf. A worker that gets a frame
//! whose giver has more on its shelf calls one more sleeper, so the number of workers that are awake doubles from step
//! to step.

use crate::engine::frame::{Claim, OffLadder, Place, Unbegun};
use crate::engine::team::Leaving;
use crate::engine::team::Top;
use crate::engine::team::Worker;
use crate::sync::abort::AbortOnUnwind;
use crate::sync::{Ordering, clock};

impl Worker {
    /// Whether this worker leaves something for others at a fork. Spends what allows it. While the worker prepares a
    /// frame it could not prepare another one, so it leaves nothing.
    pub(super) fn may_leave(&self) -> bool {
        !self.preparing.is_under_way.load(Ordering::Relaxed) && !self.keeps_all() && self.team().sharing.may_leave(self)
    }

    /// Whether this worker leaves the next child of a procedure, whose latest child has left, too
    /// ([`Rules::leaves_ahead`](filch_policy::Rules)). Spends what allows it. As above, not while it prepares a frame.
    pub(crate) fn may_leave_ahead(&self) -> bool {
        if self.preparing.is_under_way.load(Ordering::Relaxed) || self.keeps_all() {
            return false;
        }
        let (kept, workers, paid_ns) = (self.shelf.kept(), self.num_workers(), self.gives.paid_ns());
        let pays = self.rules().leaves_ahead(kept, workers, paid_ns, clock::now_ns);
        // Only the occupant pays here.
        pays.inspect(|&paid_ns| self.gives.pay(paid_ns)).is_some()
    }

    /// Leaves a frame, or a part of it, for any worker, or at first for the one on the seat `to`. Returns what is left
    /// of it. Called by the occupant.
    pub(super) fn leave<'f>(&self, frame: OffLadder<'f>, to: Option<usize>) -> Option<OffLadder<'f>> {
        // Unwinding would free a frame that another worker may be running.
        let abort = AbortOnUnwind::arm();
        self.part_memory.make();
        let claim = Claim::new(frame.as_ptr(), self.tasks.innermost(), self.index, Place::Shelf(self.index as u16));
        let (claimed, rest) = self.claim_own(frame, claim);
        self.put_on_shelf(claimed.into_inner().handed_to(to));
        abort.disarm();
        rest
    }

    /// Carries out what the scheduler has decided under L, which is free again.
    pub(super) fn carry_out(&self, leaving: Leaving, top: &Top<'_>) {
        let Leaving { answer, shelved, is_postponed } = leaving;
        if let Some(answer) = answer {
            self.send(answer);
        }
        if is_postponed {
            top.make_eager();
        }
        if let Some(frame) = shelved {
            self.put_on_shelf(frame.into_inner());
        }
        // This must come after E was lowered: a thief that empties the cell later raises E again.
        if self.shelf.poll() {
            self.call_for_shelf();
        }
    }

    /// Puts a claimed frame on this worker's shelf, and calls a worker for it. Where there are beats, this is a
    /// promotion.
    fn put_on_shelf(&self, frame: Unbegun) {
        self.note_given(&frame);
        if self.rules().beat().is_some() {
            self.counters.promotions.bump();
        }
        self.shelf.put(frame);
        self.call_for_shelf();
    }

    /// Calls a worker for what is on the shelf of this one.
    fn call_for_shelf(&self) {
        // This must come after the frame is in the pool: a worker announces that it watches before its last look there.
        if self.team().sleepers.is_watched() {
            self.team().call_for(self.team().ladder(self.index));
        } else {
            self.team().sleepers.call_for(self.shelf.kept(), self.team().squad_of_work(self));
        }
    }

    /// Lets other workers ask this worker, which is busy.
    pub(crate) fn open(&self) {
        self.shelf.retract();
        self.is_busy.store(true, Ordering::Relaxed);
        if self.team().rules().asks() {
            self.ask_word.open();
        }
    }

    /// Stops other workers from asking this worker. An ask that has been posted is answered with nothing.
    pub(crate) fn close(&self) {
        if self.shelf.publish() {
            self.call_for_shelf();
        }
        self.is_busy.store(false, Ordering::Relaxed);
        if self.team().rules().asks()
            && let Some(ask) = self.ask_word.close()
        {
            self.refuse(ask);
        }
    }

    /// Whether this worker's credit allows it to give now. Spends the credit if so. Askers look at the credit before
    /// they ask, but two of them may do so at once.
    pub(crate) fn may_give_again(&self) -> bool {
        let pays = self.record.spend_gift(self.rules().give(), self.gives.paid_ns(), clock::now_ns);
        // Only the occupant pays here.
        pays.inspect(|&paid_ns| self.gives.pay(paid_ns)).is_some()
    }
}
