//! Promotion: at a beat, a worker leaves its oldest frame for others, whatever the load (Acar, Charguéraud, Guatto,
//! Rainey and Sieczkowski 2018, sections 2 and 4).
//!
//! A [beat](crate::engine::beat) is an ask made by a clock. The worker finds it at its next return, as it finds the ask
//! of a thief: the beat has raised E. It claims its oldest frame, or half of what is left of its outermost loop, under
//! L. Then it puts the frame into its shared pool, and calls a sleeper. If it comes back for the frame before another
//! worker has begun it, it takes the frame back.
//!
//! If the beat is due when the worker has no frame, the fork that brings the next one promotes it at once, as other
//! schedulers leave a frame for idle workers (`engine/share/marked_fork.rs`).

use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::{Claim, Header, Place};
use crate::engine::occupied::Top;
use crate::engine::prepare::{self, Ready};
use crate::engine::share::gift::Answer;
use crate::engine::task::TaskId;
use crate::engine::team::Worker;
use crate::protocol::ladder::Claimed;
use crate::sync::clock;
use filch_policy::{self as policy, Beat};
use std::ptr::NonNull;

impl Worker {
    /// Takes the beat for this worker, if there is one. The caller has lowered E before: a beat that comes later raises
    /// E again. If it is not `is_used` for a [promotion](Self::promote), it is due again at once.
    pub(super) fn take_beat(&self, is_used: bool) -> bool {
        self.beat.take(clock::now_ns(), is_used, &self.poll_times)
    }

    /// Takes the beat that has been given to this worker, or spends the one that is due. The worker is about to fork,
    /// and promotes the frame if this returns true.
    pub(super) fn spends_beat(&self, beat: Beat) -> bool {
        if self.take_beat(true) {
            return true;
        }
        let spends = self.beat.spend(beat, clock::now_ns());
        if spends {
            self.counters.beats.bump();
        }
        spends
    }

    /// Claims the oldest frame for others, or half of `popped` if there is none. Returns `None` if there is nothing to
    /// promote. What this returns must be [left](Self::leave_promoted).
    ///
    /// # Safety
    ///
    /// The caller occupies this worker and holds the L of its ladder. `oldest` lives and is on the ladder. It leaves
    /// the ladder if all of it is claimed. The caller has just popped `popped`. There is memory for a part.
    pub(super) unsafe fn promote(
        &self,
        oldest: Option<NonNull<Header>>,
        ready: Ready,
        popped: Option<NonNull<Header>>,
    ) -> Option<Claimed<Header>> {
        // SAFETY: `oldest` lives, as the caller guarantees.
        let oldest = oldest.filter(|&oldest| unsafe { ready.allows(oldest) });
        // SAFETY: `popped` is off the ladder, and its owner is the caller.
        let popped = popped.filter(|&popped| unsafe { ready.allows(popped) });
        // SAFETY: guaranteed by the caller.
        let (frame, holder) = unsafe { self.gift(oldest, popped, None) }?;
        let claim = Claim::new(frame, holder, self.index, Place::Left(self.index as u16));
        // SAFETY: guaranteed by the caller. This worker has no ask outstanding, so its memory for a part is its own.
        Some(unsafe { self.claim(frame, claim) })
    }

    /// Puts a promoted frame where other workers find it, and calls one. Without a frame, notes that the beat has found
    /// none.
    pub(super) fn leave_promoted(&self, promoted: Option<Claimed<Header>>) {
        let Some(Claimed::All(frame) | Claimed::Part(frame)) = promoted else {
            self.counters.empty_beats.bump();
            return;
        };
        self.note_given();
        self.put_for_others(frame);
    }

    /// Hands over a frame that this worker has promoted and kept, to the worker `to` that has asked.
    pub(super) fn hand_over(&self, to: usize, wants: Option<TaskId>) -> Answer {
        let claim = |frame: NonNull<Header>| {
            // SAFETY: the frame lies in the pool, so it lives; this worker claimed the frame before it put it there.
            unsafe { Header::claim_of(frame) }
        };
        let Some(frame) = self.left.hand_over(&|frame| policy::is_wanted(wants, claim(frame).origin.parent)) else {
            return Answer::Nothing { to };
        };
        claim(frame).move_to(Place::Mailbox(to as u16));
        // What is on the ladder stays.
        Answer::Frame { to, frame: Claimed::Part(frame) }
    }
}

/// Promotes a frame below `top` if there is a beat for this worker. For a worker that waits, and so does not return: a
/// beat that finds no frame is over, since no fork follows soon.
pub(crate) fn at_beat(top: &Top<'_>) {
    let (ladder, worker) = (top.ladder(), top.owner());
    if !worker.beat.is_given() {
        return;
    }
    let abort = AbortOnUnwind::arm();
    let ready = prepare::oldest(top);
    worker.part_memory.make();
    let (mut beats, mut promoted) = (false, None);
    let mut passes = false;
    let give = |oldest: Option<NonNull<Header>>| {
        passes = oldest.is_some_and(|oldest| ready.refuses(oldest));
        if passes {
            return true;
        }
        beats = worker.take_beat(true);
        if beats {
            // SAFETY: this runs under L, and `oldest` is on this ladder.
            promoted = unsafe { worker.promote(oldest, ready, None) };
        }
        matches!(promoted, Some(Claimed::All(_)))
    };
    top.attend(give);
    if passes {
        // The beat is for what is above the frame that could not be prepared.
        ladder.raise();
    }
    if beats {
        worker.leave_promoted(promoted);
    }
    abort.disarm();
}
