//! The victim's side: what the owner of a ladder does when a return finds that somebody wants something. Under L it
//! settles which frames are its own, and accepts the ask that may stand; after L, it answers.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::chaos;
use crate::engine::frame::{Claim, Header, Left, Place, Rung};
use crate::engine::team::{Ladder, Worker};
use crate::protocol::ask::{Ask, TaskPool, Word};
use crate::protocol::ladder::Claimed;
use crate::sync::clock;
use filch_policy::{self as policy, Gift, Gifts};
use std::ptr::NonNull;

/// Settles a return to `rung`, where `frame` was, that found the bound raised. True if the frame is gone.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, and has just popped `frame` from `rung`.
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend(rung: Rung, frame: NonNull<Header>) -> bool {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    // SAFETY: forwarded.
    let gone = unsafe { settle(ladder, rung) };
    // SAFETY: forwarded.
    unsafe { chaos::at_return(ladder, rung, frame, gone) }
}

/// [`attend`] for a frame that stays with its owner, who goes on with what is left of it, and can read that afterwards.
/// `update` runs under L, before anything leaves the frame: what the owner alone has known about it is written there.
/// It runs no user code, and does not unwind.
///
/// # Safety
///
/// As [`attend`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_rest(rung: Rung, frame: NonNull<Header>, update: impl FnOnce()) {
    // SAFETY: as in `attend`.
    let ladder = unsafe { Ladder::of(rung) };
    let decide = |oldest| {
        // Under L, not earlier: a thief may have been at the frame when it was popped.
        update();
        // SAFETY: called under L, with a frame of this ladder.
        unsafe { ladder.owner().accept(oldest, Some(frame)) }
    };
    // SAFETY: forwarded. That the frame is gone means that all of it is, which the frame says itself.
    unsafe { settle_by(ladder, rung, decide) };
    // SAFETY: forwarded.
    unsafe { chaos::at_claim(ladder, rung, frame) };
}

/// Whose the right to iterate is, says [`attend_items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// The caller's. If it is wanted, [`answer`] is to be called as soon as the frame is on the ladder again.
    Kept {
        is_wanted: bool,
    },
    Moved,
}

/// [`attend`] for the frame of a spawn loop. An ask that only this frame can satisfy is put off until the caller has
/// its next item in hand: to give what is left away before that would leave the caller with nothing to do.
///
/// # Safety
///
/// As [`attend`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_items(rung: Rung, frame: NonNull<Header>) -> Right {
    // SAFETY: as in `attend`.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    let mut is_wanted = false;
    let decide = |oldest: Option<NonNull<Header>>| {
        if oldest.is_none() {
            is_wanted = worker.is_asked();
            return None;
        }
        // SAFETY: as in `settle`.
        unsafe { worker.accept(oldest, None) }
    };
    // SAFETY: forwarded.
    let gone = unsafe { settle_by(ladder, rung, decide) };
    if is_wanted {
        // For the next return, should there be no next item.
        ladder.raise();
    }
    // SAFETY: forwarded.
    let gone = unsafe { chaos::at_return(ladder, rung, frame, gone) };
    is_wanted |= chaos::wants_items(worker.team());
    if gone { Right::Moved } else { Right::Kept { is_wanted } }
}

/// Answers whoever has asked, out of what is on the ladder below `top`.
///
/// # Safety
///
/// The caller occupies the ladder that `top` belongs to, and it is its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn answer(top: Rung) {
    // SAFETY: as in `attend`.
    let ladder = unsafe { Ladder::of(top) };
    // SAFETY: forwarded; at the top it is as if something had just been popped, and nothing there is gone.
    unsafe { settle(ladder, top) };
    // SAFETY: forwarded.
    unsafe { chaos::at_item(ladder, top) };
}

/// Settles under L what there is, and answers who has asked. True if the frame at `rung` is gone.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`.
unsafe fn settle(ladder: &Ladder, rung: Rung) -> bool {
    // SAFETY: called under L, with a frame of this ladder.
    let decide = |oldest| unsafe { ladder.owner().accept(oldest, None) };
    // SAFETY: forwarded.
    unsafe { settle_by(ladder, rung, decide) }
}

/// Settles under L what there is; `decide` says there what whoever has asked is answered, given the oldest frame.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`. `decide` runs no user code, and does not unwind.
unsafe fn settle_by(
    ladder: &Ladder,
    rung: Rung,
    decide: impl FnOnce(Option<NonNull<Header>>) -> Option<Answer>,
) -> bool {
    let worker = ladder.owner();
    worker.counters.attends.bump();
    // A frame may be gone that the caller would free by unwinding, and an asker may be waiting.
    let abort = AbortOnUnwind::arm();
    let mut answer = None;
    let give = |oldest: Option<NonNull<Header>>| {
        answer = decide(oldest);
        oldest.is_some() && answer.as_ref().is_some_and(Answer::gives_the_rest)
    };
    // SAFETY: forwarded.
    let gone = unsafe { ladder.attend(rung, give) };
    // Before the answer: who gets it calls for what is left.
    if worker.team().sleepers.is_watched() {
        ladder.watch();
    }
    if let Some(answer) = answer {
        worker.send(answer);
    }
    abort.disarm();
    gone
}

/// What an ask is to be answered. Every one of these must be [sent](Worker::send), once.
#[must_use]
pub(crate) enum Answer {
    Nothing { to: usize },
    Frame { to: usize, frame: Claimed<Header> },
}

impl Answer {
    /// Whether all of the oldest frame goes.
    pub(crate) fn gives_the_rest(&self) -> bool {
        matches!(self, Answer::Frame { frame: Claimed::Rest(_), .. })
    }
}

impl Worker {
    /// Accepts the ask that may stand in the ask word, and decides. `oldest` is the frame that can be given; without
    /// one, half of what is left of `popped`.
    ///
    /// # Safety
    ///
    /// Called under L of this worker's ladder, by its occupant; `oldest` lives, is on the ladder, and leaves it if the
    /// answer [gives the rest](Answer::gives_the_rest); `popped` has just been popped by the caller.
    pub(crate) unsafe fn accept(
        &self,
        oldest: Option<NonNull<Header>>,
        popped: Option<NonNull<Header>>,
    ) -> Option<Answer> {
        let Ask { asker: to, .. } = self.ask_word.accept()?;
        // From now on the asker waits for the answer, so what it wants does not change.
        let wants = self.team().worker(to).wants.get();
        // What it has left is older: the asker will find that.
        if policy::leaves_alone(wants, !self.shelf.is_empty()) || !self.may_give_again() {
            return Some(Answer::Nothing { to });
        }
        // Under L, and with a frame known to be there: now, and not before, does this tell whose it is. One that has
        // been popped is the innermost task's.
        // SAFETY: forwarded.
        let popped = popped.filter(|&frame| unsafe { Header::left(frame) } == Left::Plenty);
        let innermost = self.tasks.innermost();
        let of_oldest = oldest.map(|_| self.tasks.holder(self.team().ladder(self.index).oldest()));
        let gift = Gifts { oldest: of_oldest, popped: popped.map(|_| innermost) }.choose(wants);
        let chosen = match gift {
            Gift::Nothing => None,
            Gift::Oldest => oldest.zip(of_oldest),
            Gift::Half => popped.zip(Some(innermost)),
        };
        Some(match chosen {
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
    pub(crate) fn may_leave(&self) -> bool {
        self.leaves() && self.may_give_again()
    }

    /// Whether it shall, as soon as it may.
    pub(crate) fn leaves(&self) -> bool {
        self.team().rules().leaves(self.team().sleepers.is_anybody_idle())
    }

    /// Leaves a frame, or a part of it, on this worker's shelf.
    ///
    /// # Safety
    ///
    /// The frame lives until whoever waits for it knows that it is done or has it back; it is off the ladder, and the
    /// caller occupies this worker.
    pub(crate) unsafe fn leave(&self, frame: NonNull<Header>) {
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
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.ask_word.look(), Word::Asked)
    }

    /// Marks a frame, or a part of it, as leaving its ladder for this worker, the thief.
    ///
    /// # Safety
    ///
    /// The frame lives, and the caller holds the L of its ladder. H has not moved past it, or it has just been popped
    /// by the caller. The blank of this worker is the caller's to use.
    pub(crate) unsafe fn claim(&self, frame: NonNull<Header>, claim: Claim) -> Claimed<Header> {
        // SAFETY: it lives.
        let Some(divide) = unsafe { frame.as_ref() }.kind().divide else {
            // SAFETY: forwarded.
            unsafe { Header::set_claim(frame, claim) };
            return Claimed::Rest(frame);
        };
        let memory = self.blank.take().expect("a thief brings the memory for a part");
        // SAFETY: forwarded; of the frame's own kind.
        unsafe { (divide.split)(frame, memory, claim) }
    }

    /// Whether this worker may give now; if so, that is paid for. Askers look too, but two may look at once.
    fn may_give_again(&self) -> bool {
        let credit = self.team().rules().give();
        credit.is_unlimited() || self.gives.spend(credit, clock::now_ns())
    }

    /// Answers. The asker may run the frame at once.
    pub(crate) fn send(&self, answer: Answer) {
        match answer {
            Answer::Nothing { to } => self.team().worker(to).mailbox.refuse(),
            Answer::Frame { to, frame: Claimed::Rest(frame) | Claimed::Part(frame) } => {
                self.team().worker(to).mailbox.put(frame);
            }
        }
    }

    /// From now on this worker, which is busy, can be asked.
    pub(crate) fn open(&self) {
        if self.team().rules().asks() {
            self.ask_word.open();
        }
    }

    /// From now on it cannot; whoever has asked gets nothing.
    pub(crate) fn close(&self) {
        if self.team().rules().asks()
            && let Some(ask) = self.ask_word.close()
        {
            self.send(Answer::Nothing { to: ask.asker });
        }
    }
}
