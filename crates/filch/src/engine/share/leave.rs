//! Leaving: a worker puts a frame into its shared pool, where any worker finds it without asking.
//!
//! Whether a fork does so is decided here: because some worker is idle, or because a beat is due. How it goes on is in
//! `way.rs`. What a worker has left is older than what is on its ladder. So another worker that would take anything
//! leaves that ladder alone meanwhile, and finds the shelf. A worker that gets a frame whose giver has left more calls
//! one more sleeper, so the number of workers that are awake doubles from step to step.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::{Claim, Header, Place};
use crate::engine::team::Worker;
use crate::protocol::ladder::Claimed;
use crate::sync::{Ordering, clock};
use std::ptr::NonNull;

impl Worker {
    /// Whether this worker leaves something for others at a fork. It does if its scheduler asks, some worker is idle,
    /// and its credit for giving allows it; or if its scheduler beats, and a beat is due. Spends the credit or the beat
    /// if so. While it prepares a frame it could not prepare another one, so it leaves nothing.
    pub(crate) fn may_leave(&self) -> bool {
        if self.preparing.is_under_way.load(Ordering::Relaxed) {
            return false;
        }
        match self.rules().beat() {
            Some(beat) => self.spends_beat(beat),
            None => self.leaves() && self.may_give_again(),
        }
    }

    /// Whether this worker would leave something for others at a fork if its credit allowed it.
    pub(crate) fn leaves(&self) -> bool {
        match self.rules().beat() {
            Some(beat) => self.beat.is_due(beat, clock::now_ns()),
            None => {
                let is_anybody_idle = self.team().sleepers.is_anybody_idle();
                let leaves = self.rules().leaves(is_anybody_idle);
                decided!(self.record, Leaves { is_anybody_idle, does: leaves });
                leaves
            }
        }
    }

    /// Leaves a frame, or a part of it, for any worker.
    ///
    /// # Safety
    ///
    /// The caller occupies this worker. The frame is off the ladder, and no other thread can find it. It lives until
    /// the worker that waits for it knows that it is done, or has it back.
    pub(crate) unsafe fn leave(&self, frame: NonNull<Header>) {
        // Unwinding would free a frame that another worker may be running.
        let abort = AbortOnUnwind::arm();
        self.part_memory.make();
        let claim = Claim::new(frame, self.tasks.innermost(), self.index, Place::Left(self.index as u16));
        // SAFETY: the caller guarantees that no other thread can find the frame. This worker has no ask outstanding, so
        // its memory for a part is its own.
        let (Claimed::All(frame) | Claimed::Part(frame)) = unsafe { self.claim(frame, claim) };
        self.note_given();
        self.put_for_others(frame);
        abort.disarm();
    }

    /// Counts a frame that this worker leaves for others, which is a promotion if its scheduler beats.
    pub(super) fn note_given(&self) {
        self.counters.forks_given.bump();
        if self.rules().beat().is_some() {
            self.counters.promotions.bump();
        }
    }

    /// Puts a claimed frame into this worker's shared pool, and calls a worker for it.
    pub(super) fn put_for_others(&self, frame: NonNull<Header>) {
        self.left.put(frame);
        self.call_for_left();
    }

    /// Calls a worker for what this one has left.
    pub(super) fn call_for_left(&self) {
        // This must come after the frame is in the pool: a worker announces that it watches before its last look there.
        if self.team().sleepers.is_watched() {
            self.team().call_for(self.team().ladder(self.index));
        } else {
            self.team().sleepers.call_for(self.left.kept(), self.team().squad_of_work(self));
        }
    }

    /// Whether this worker's credit allows it to give now. Spends the credit if so. Askers look at the credit before
    /// they ask, but two of them may do so at once.
    pub(super) fn may_give_again(&self) -> bool {
        let credit = self.team().rules().give();
        if credit.is_unlimited() {
            decided!(self.record, unlimited_gift());
            return true;
        }
        let now_ns = clock::now_ns();
        let paid_ns = self.gives.paid_ns();
        let pays = credit.spend(paid_ns, now_ns);
        decided!(self.record, SpendGift { paid_ns, now_ns, does: pays });
        // Only the occupant pays here.
        pays.inspect(|&paid_ns| self.gives.pay(paid_ns)).is_some()
    }
}
