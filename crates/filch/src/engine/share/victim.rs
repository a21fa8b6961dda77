//! The victim's side of sharing: the owner of a ladder finds at a return that its work is wanted.
//!
//! This is the second file of the story of a join. What happened before: a fork (`constructs/join/fork.rs`) has pushed
//! its frame and run its first branch. Meanwhile another worker has asked this one for work, or has taken a frame from
//! it. In both cases it has raised E. The return of the fork pops its frame, finds E above its rung, and calls
//! [`attend`].
//!
//! Here the owner settles under L which frames are still its own. If a worker has asked, the owner accepts the ask and
//! claims its oldest frame for the asker. It answers after it has released L.
//!
//! What comes next: the asker, or the worker that has taken a frame, runs it (`engine/share/thief.rs`). If the frame of
//! this return is gone, the owner waits for it (`engine/wait/join_end.rs`).

use crate::engine::abort::AbortOnUnwind;
use crate::engine::chaos;
use crate::engine::frame::{Claim, Header, Left, Place, Rung};
use crate::engine::team::{Ladder, Worker};
use crate::protocol::ask::{Ask, TaskPool, Word};
use crate::protocol::ladder::Claimed;
use crate::sync::clock;
use filch_policy::{self as policy, Gift, Gifts};
use std::ptr::NonNull;

/// Settles a return to `rung`, where `frame` was, that has found E raised. Returns true if the frame is gone.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to, and has just popped `frame` from `rung`.
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend(rung: Rung, frame: NonNull<Header>) -> bool {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    // SAFETY: guaranteed by the caller.
    let gone = unsafe { settle(ladder, rung) };
    // SAFETY: guaranteed by the caller, and `gone` says whether the frame is gone.
    unsafe { chaos::at_return(ladder, rung, frame, gone) }
}

/// [`attend`] for a frame that stays with its owner while parts of it leave. The frame itself shows afterwards what is
/// left of it. `update` runs under L, before anything leaves the frame. It writes into the frame what only the owner
/// knew. It must not run user code, and must not unwind.
///
/// # Safety
///
/// As for [`attend`]. The frame can be [divided](crate::engine::frame::Divide) until nothing is left of it.
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_rest(rung: Rung, frame: NonNull<Header>, update: impl FnOnce()) {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let decide = |oldest| {
        // This must wait until L is held, because a thief may have been using the frame when it was popped.
        update();
        // SAFETY: this runs under L. `oldest` is on this ladder, and the caller has just popped `frame`.
        unsafe { ladder.owner().accept(oldest, Some(frame)) }
    };
    // The result is not needed: this frame is gone if nothing is left of it, which the frame itself shows.
    // SAFETY: guaranteed by the caller.
    unsafe { settle_by(ladder, rung, decide) };
    // SAFETY: guaranteed by the caller.
    unsafe { chaos::at_claim(ladder, rung, frame) };
}

/// Which worker has the right to iterate after [`attend_items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// The caller. If the right is wanted, the caller must call [`answer`] as soon as the frame is on the ladder again.
    Kept {
        is_wanted: bool,
    },
    Moved,
}

/// [`attend`] for the frame of a spawn loop. An ask that only this frame can satisfy waits until the caller has its
/// next item in hand. If the caller gave away what is left before that, it would have nothing to do.
///
/// # Safety
///
/// As for [`attend`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_items(rung: Rung, frame: NonNull<Header>) -> Right {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    let mut is_wanted = false;
    let decide = |oldest: Option<NonNull<Header>>| {
        if oldest.is_none() {
            is_wanted = worker.is_asked();
            return None;
        }
        // SAFETY: this runs under L, and `oldest` is on this ladder.
        unsafe { worker.accept(oldest, None) }
    };
    // SAFETY: guaranteed by the caller.
    let gone = unsafe { settle_by(ladder, rung, decide) };
    if is_wanted {
        // If there is no next item, the next return answers the ask.
        ladder.raise();
    }
    // SAFETY: guaranteed by the caller.
    let gone = unsafe { chaos::at_return(ladder, rung, frame, gone) };
    is_wanted |= chaos::wants_items(worker.team());
    if gone { Right::Moved } else { Right::Kept { is_wanted } }
}

/// Answers an ask with a frame that is on the ladder below `top`.
///
/// # Safety
///
/// The caller occupies the ladder that `top` belongs to, and `top` is its top.
#[cold]
#[inline(never)]
pub(crate) unsafe fn answer(top: Rung) {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(top) };
    // SAFETY: the caller occupies the ladder. `top` is free, as if it had just been popped, and no frame was there that
    // could be gone.
    unsafe { settle(ladder, top) };
    // SAFETY: guaranteed by the caller.
    unsafe { chaos::at_item(ladder, top) };
}

/// Settles under L which frames are gone, and answers an ask. Returns true if the frame at `rung` is gone.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`.
unsafe fn settle(ladder: &Ladder, rung: Rung) -> bool {
    // SAFETY: this runs under L, and `oldest` is on this ladder.
    let decide = |oldest| unsafe { ladder.owner().accept(oldest, None) };
    // SAFETY: guaranteed by the caller.
    unsafe { settle_by(ladder, rung, decide) }
}

/// Settles under L which frames are gone. `decide` runs there with the oldest frame and returns the answer to an ask.
///
/// # Safety
///
/// The caller occupies `ladder` and has just popped `rung`. `decide` runs no user code and does not unwind.
unsafe fn settle_by(
    ladder: &Ladder,
    rung: Rung,
    decide: impl FnOnce(Option<NonNull<Header>>) -> Option<Answer>,
) -> bool {
    let worker = ladder.owner();
    worker.counters.attends.bump();
    // Unwinding would free a frame that may be gone, and leave an asker without an answer.
    let abort = AbortOnUnwind::arm();
    let mut answer = None;
    let give = |oldest: Option<NonNull<Header>>| {
        answer = decide(oldest);
        oldest.is_some() && answer.as_ref().is_some_and(Answer::gives_the_rest)
    };
    // SAFETY: guaranteed by the caller.
    let gone = unsafe { ladder.attend(rung, give) };
    // This comes before the answer, because the worker that gets the answer calls others for what is left.
    if worker.team().sleepers.is_watched() {
        ladder.watch();
    }
    if let Some(answer) = answer {
        worker.send(answer);
    }
    abort.disarm();
    gone
}

/// The answer to an ask. It must be [sent](Worker::send) exactly once.
#[must_use]
pub(crate) enum Answer {
    Nothing { to: usize },
    Frame { to: usize, frame: Claimed<Header> },
}

impl Answer {
    /// Whether all that was left of the oldest frame goes.
    pub(crate) fn gives_the_rest(&self) -> bool {
        matches!(self, Answer::Frame { frame: Claimed::Rest(_), .. })
    }
}

impl Worker {
    /// Accepts the ask in the ask word, if there is one, and decides about the answer. `oldest` is the frame that may
    /// be given. If there is none, half of what is left of `popped` may be given.
    ///
    /// # Safety
    ///
    /// The caller occupies this worker and holds the L of its ladder. `oldest` lives and is on the ladder. It leaves
    /// the ladder if the answer [gives the rest](Answer::gives_the_rest). The caller has just popped `popped`.
    pub(crate) unsafe fn accept(
        &self,
        oldest: Option<NonNull<Header>>,
        popped: Option<NonNull<Header>>,
    ) -> Option<Answer> {
        let Ask { asker: to, .. } = self.ask_word.accept()?;
        // From now on the asker waits for the answer, so what it wants does not change.
        let wants = self.team().worker(to).wants.get();
        // What lies on the shelf is older than what is on the ladder. The asker will find it there.
        if policy::leaves_alone(wants, !self.shelf.is_empty()) || !self.may_give_again() {
            return Some(Answer::Nothing { to });
        }
        // The task that a frame belongs to is certain only now, under L and with the frame known to be there. A frame
        // that has just been popped belongs to the innermost task.
        // SAFETY: `popped` is off the ladder, and its owner is the caller.
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
                // SAFETY: the caller holds L, and H has not moved past the frame. The ask has been accepted, so its
                // asker leaves its memory for a part to this worker.
                let frame = unsafe { self.team().worker(to).claim(frame, claim) };
                self.counters.forks_given.bump();
                Answer::Frame { to, frame }
            }
            None => Answer::Nothing { to },
        })
    }

    /// Whether this worker leaves something for others at a fork. It does if its scheduler asks, some worker is idle,
    /// and its credit for giving allows it. Spends the credit if so.
    pub(crate) fn may_leave(&self) -> bool {
        self.leaves() && self.may_give_again()
    }

    /// Whether this worker would leave something for others at a fork if its credit allowed it.
    pub(crate) fn leaves(&self) -> bool {
        self.team().rules().leaves(self.team().sleepers.is_anybody_idle())
    }

    /// Leaves a frame, or a part of it, on this worker's shelf.
    ///
    /// # Safety
    ///
    /// The caller occupies this worker. The frame is off the ladder, and no other thread can find it. It lives until
    /// the worker that waits for it knows that it is done, or has it back.
    pub(crate) unsafe fn leave(&self, frame: NonNull<Header>) {
        // Unwinding would free a frame that another worker may be running.
        let abort = AbortOnUnwind::arm();
        self.blank.make();
        let claim = Claim::new(frame, self.tasks.innermost(), self.index, Place::Shelf(self.index as u16));
        // SAFETY: the caller guarantees that no other thread can find the frame. This worker has no ask outstanding, so
        // its memory for a part is its own.
        let (Claimed::Rest(frame) | Claimed::Part(frame)) = unsafe { self.claim(frame, claim) };
        self.counters.forks_given.bump();
        self.shelf.put(frame);
        // This must come after the frame is on the shelf: a worker announces that it watches before its last look at
        // the shelf.
        if self.team().sleepers.is_watched() {
            self.team().call_for(self.team().ladder(self.index));
        } else {
            self.team().sleepers.call_for(self.shelf.len());
        }
        abort.disarm();
    }

    /// Whether there is an ask in the ask word.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.ask_word.look(), Word::Asked)
    }

    /// Marks a frame, or a part of it, as leaving its ladder for this worker, the thief.
    ///
    /// # Safety
    ///
    /// The frame lives. Either the caller holds the L of its ladder and H has not moved past it, or the frame is off
    /// the ladder and the caller is its owner. If the frame can be divided, something is left of it. The caller may use
    /// this worker's memory for a part.
    pub(crate) unsafe fn claim(&self, frame: NonNull<Header>, claim: Claim) -> Claimed<Header> {
        // SAFETY: the caller guarantees that the frame lives.
        let Some(divide) = unsafe { frame.as_ref() }.kind().divide else {
            // SAFETY: guaranteed by the caller.
            unsafe { Header::set_claim(frame, claim) };
            return Claimed::Rest(frame);
        };
        let memory = self.blank.take().expect("a thief brings the memory for a part");
        // SAFETY: guaranteed by the caller; the table is that of the frame's own type, and the memory came from
        // `Box::into_raw`.
        unsafe { (divide.split)(frame, memory, claim) }
    }

    /// Whether this worker's credit allows it to give now. Spends the credit if so. Askers look at the credit before
    /// they ask, but two of them may do so at once.
    fn may_give_again(&self) -> bool {
        let credit = self.team().rules().give();
        credit.is_unlimited() || self.gives.spend(credit, clock::now_ns())
    }

    /// Sends the answer. The asker may begin the frame at once.
    pub(crate) fn send(&self, answer: Answer) {
        match answer {
            Answer::Nothing { to } => self.team().worker(to).mailbox.refuse(),
            Answer::Frame { to, frame: Claimed::Rest(frame) | Claimed::Part(frame) } => {
                self.team().worker(to).mailbox.put(frame);
            }
        }
    }

    /// Lets other workers ask this worker, which is busy.
    pub(crate) fn open(&self) {
        if self.team().rules().asks() {
            self.ask_word.open();
        }
    }

    /// Stops other workers from asking this worker. An ask that has been posted is answered with nothing.
    pub(crate) fn close(&self) {
        if self.team().rules().asks()
            && let Some(ask) = self.ask_word.close()
        {
            self.send(Answer::Nothing { to: ask.asker });
        }
    }
}
