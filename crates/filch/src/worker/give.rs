//! The victim's side of an ask: accept it under L, answer it after.

use super::abort::AbortOnUnwind;
use super::frame::{Claim, Place};
use super::range::RangeFrame;
use super::{Header, Worker};
use crate::ask::{Ask, TaskPool, Word};
use crate::ladder::Claimed;
use crate::sync::clock;
use std::ptr::NonNull;

/// What an ask is to be answered. Every one of these must be [sent](Worker::send), once.
#[must_use]
pub(super) enum Answer {
    Nothing { to: usize },
    Frame { to: usize, frame: Claimed<Header> },
}

impl Answer {
    /// Whether all of the oldest frame goes.
    pub(super) fn gives_the_rest(&self) -> bool {
        matches!(self, Answer::Frame { frame: Claimed::Rest(_), .. })
    }
}

impl Worker {
    /// Accepts the ask that may stand in the ask word, and decides. `oldest` is the frame that can be given; without
    /// one, half of what is left in `popped`, the frame of a loop.
    ///
    /// # Safety
    ///
    /// Called under L of this worker's ladder, by its occupant; `oldest` lives, is on the ladder, and leaves it if the
    /// answer [gives the rest](Answer::gives_the_rest); `popped` has just been popped by the caller.
    pub(super) unsafe fn accept(&self, oldest: Option<NonNull<Header>>, popped: Option<&RangeFrame>) -> Option<Answer> {
        let Ask { asker: to, .. } = self.ask_word.accept()?;
        // From now on the asker waits for the answer, so what it wants does not change.
        let wants = self.team().worker(to).wants.get();
        // What it has left is older: the asker will find that.
        let has_left = wants.is_none() && !self.shelf.is_empty();
        if has_left || !self.may_give_again() {
            return Some(Answer::Nothing { to });
        }
        // Under L, and with a frame known to be there: now, and not before, does this tell whose it is. One that has
        // been popped is the innermost task's.
        let popped = popped.filter(|frame| frame.is_divisible()).map(RangeFrame::header);
        let oldest_holder = || self.tasks.holder(self.team().ladder(self.index).oldest());
        let of_oldest = oldest.map(|frame| (frame, oldest_holder()));
        let frame = of_oldest.or_else(|| popped.map(|frame| (frame, self.tasks.innermost())));
        Some(match frame.filter(|&(_, holder)| wants.is_none() || wants == holder) {
            Some((frame, holder)) => {
                let claim = Claim::new(frame, holder, self.index, Place::Mailbox(to as u16));
                // SAFETY: forwarded: under L, H has not moved past it; and the asker, whose ask is accepted, does not
                // touch its blank.
                let frame = unsafe { self.team().worker(to).claim(frame, claim) };
                self.counters.forks_given.bump();
                Answer::Frame { to, frame }
            }
            None => Answer::Nothing { to },
        })
    }

    /// Whether this worker, at a fork, shall leave something for others: it gives, somebody has nothing to do, and it
    /// may. If so, that is paid for.
    pub(super) fn may_leave(&self) -> bool {
        self.team().rules().asks && self.team().sleepers.is_anybody_idle() && self.may_give_again()
    }

    /// Leaves a frame, or a part of it, on this worker's shelf.
    ///
    /// # Safety
    ///
    /// The frame lives until whoever waits for it knows that it is done or has it back; it is off the ladder, and the
    /// caller occupies this worker.
    pub(super) unsafe fn leave(&self, frame: NonNull<Header>) {
        // Once it lies there somebody may run it, and it must not be freed by unwinding.
        let abort = AbortOnUnwind::arm();
        self.blank.make();
        let claim = Claim::new(frame, self.tasks.innermost(), self.index, Place::Shelf(self.index as u16));
        // SAFETY: nobody else knows of it, and this worker has not asked.
        let (Claimed::Rest(frame) | Claimed::Part(frame)) = unsafe { self.claim(frame, claim) };
        self.counters.forks_given.bump();
        self.shelf.put(frame);
        // Afterwards: who has looked at the shelf for the last time before has said that it watches.
        if self.team().sleepers.is_watched() {
            self.team().call_for(self.team().ladder(self.index));
        } else {
            self.team().sleepers.call_for(self.shelf.len());
        }
        abort.disarm();
    }

    /// Whether an ask stands in the ask word.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.ask_word.look(), Word::Asked)
    }

    /// Marks a frame, or a part of it, as leaving its ladder for this worker, the thief.
    ///
    /// # Safety
    ///
    /// The frame lives, and the caller holds the L of its ladder. H has not moved past it, or it has just been popped
    /// by the caller. The blank of this worker is the caller's to use.
    pub(super) unsafe fn claim(&self, frame: NonNull<Header>, claim: Claim) -> Claimed<Header> {
        // SAFETY: it lives.
        let Some(split) = unsafe { frame.as_ref() }.kind().split else {
            // SAFETY: forwarded.
            unsafe { Header::set_claim(frame, claim) };
            return Claimed::Rest(frame);
        };
        let blank = self.blank.take().expect("a thief brings the memory for a part");
        // SAFETY: forwarded; `split` is of the frame's own kind.
        unsafe { split(frame, blank, claim) }
    }

    /// Whether this worker may give now; if so, that is paid for. Askers look too, but two may look at once.
    fn may_give_again(&self) -> bool {
        let period_ns = self.team().rules().give_period_ns;
        period_ns == 0 || self.gives.spend(period_ns, clock::now_ns())
    }

    /// Answers. The asker may run the frame at once.
    pub(super) fn send(&self, answer: Answer) {
        match answer {
            Answer::Nothing { to } => self.team().worker(to).mailbox.refuse(),
            Answer::Frame { to, frame: Claimed::Rest(frame) | Claimed::Part(frame) } => {
                self.team().worker(to).mailbox.put(frame);
            }
        }
    }

    /// From now on this worker, which is busy, can be asked.
    pub(super) fn open(&self) {
        if self.team().rules().asks {
            self.ask_word.open();
        }
    }

    /// From now on it cannot; whoever has asked gets nothing.
    pub(super) fn close(&self) {
        if self.team().rules().asks
            && let Some(ask) = self.ask_word.close()
        {
            self.send(Answer::Nothing { to: ask.asker });
        }
    }
}
