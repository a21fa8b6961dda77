//! What may leave a ladder, for a scheduler that decides about it under L; and how it is claimed, and sent.

use super::{Answer, Asker, Latent, Leaving, Shelved, Team, Worker};
use crate::engine::frame::ready::Ready;
use crate::engine::frame::task::TaskId;
use crate::engine::frame::{Claim, Header, Place};
use crate::protocol::ask::{Ask, Word};
use crate::protocol::ladder::Claimed;
use crate::protocol::task_pool::TaskPool;
use filch_policy::{Gift, Gifts};
use std::ptr::NonNull;

impl Leaving {
    /// Whether all of the oldest frame leaves.
    pub(crate) fn takes_all(&self) -> bool {
        let given = self.answer.as_ref().and_then(|answer| answer.frame.as_ref());
        given
            .into_iter()
            .chain(self.shelved.as_ref().map(|shelved| &shelved.0))
            .any(|frame| matches!(frame, Claimed::All(_)))
    }
}

impl<'l> Latent<'l> {
    /// # Safety
    ///
    /// The caller occupies `worker` and holds the L of its ladder throughout `'l`. `oldest` is on the ladder and lives.
    /// The caller has just popped `popped`, which can be divided. It lets `oldest` leave the ladder if all of it is
    /// claimed here. There is memory for a part, unless other workers may get latent frames.
    pub(crate) unsafe fn new(
        worker: &'l Worker,
        oldest: Option<NonNull<Header>>,
        popped: Option<NonNull<Header>>,
        ready: Ready,
    ) -> Self {
        // SAFETY: both frames live, as the caller guarantees.
        let is_ready = |frame: &NonNull<Header>| unsafe { ready.allows(*frame) };
        let is_unready = oldest.or(popped).is_some_and(|frame| !is_ready(&frame) && !ready.refuses(frame));
        Latent { worker, oldest: oldest.filter(is_ready), popped: popped.filter(is_ready), is_unready }
    }

    pub(crate) fn worker(&self) -> &'l Worker {
        self.worker
    }

    /// Accepts the ask in the ask word, if there is one. What is accepted must be answered.
    pub(crate) fn accept(&self) -> Option<Asker> {
        if self.is_unready {
            if self.worker.is_asked() {
                // The ask, which has come after the look at the frames, waits until the oldest has been prepared.
                self.worker.team().ladder(self.worker.index).raise();
            }
            return None;
        }
        let Ask { asker, .. } = self.worker.ask_word.accept()?;
        // From now on the asker waits for the answer, so what it wants does not change.
        Some(Asker { index: asker, wants: self.worker.team().worker(asker).wants.get() })
    }

    /// Gives the oldest frame to `asker`, or half of what is left of the popped one, if it wants that.
    pub(crate) fn give(self, asker: Asker) -> Answer {
        let (to, worker) = (asker.index, self.worker);
        // SAFETY: the ask has been accepted, so its asker leaves its memory for a part to this worker.
        let frame = unsafe { self.claim(asker.wants, worker.team().worker(to), Place::Mailbox(to as u16)) };
        if frame.is_some() {
            worker.counters.forks_given.bump();
        }
        Answer { to, frame }
    }

    /// Hands over a frame from this worker's shelf, if there is one that the asker wants.
    pub(crate) fn hand_over(&self, asker: Asker) -> Answer {
        let claim = |frame: NonNull<Header>| {
            // SAFETY: the frame lies in the pool, so it lives; this worker claimed the frame before it put it there.
            unsafe { Header::claim_of(frame) }
        };
        let is_wanted = |frame| filch_policy::is_wanted(asker.wants, claim(frame).origin.parent);
        let frame = self.worker.shelf.hand_over(&is_wanted);
        if let Some(frame) = frame {
            claim(frame).move_to(Place::Mailbox(asker.index as u16));
        }
        // What is on the ladder stays.
        Answer { to: asker.index, frame: frame.map(Claimed::Part) }
    }

    /// Claims the oldest frame, or half of what is left of the popped one, for the shelf of this worker, which has no
    /// ask outstanding.
    pub(crate) fn shelve(self) -> Option<Shelved> {
        // SAFETY: without an ask outstanding, the worker's memory for a part is its own.
        unsafe { self.claim(None, self.worker, Place::Shelf(self.worker.index as u16)) }.map(Shelved)
    }

    /// # Safety
    ///
    /// This worker may use the memory of `thief` for a part.
    unsafe fn claim(&self, wants: Option<TaskId>, thief: &Worker, place: Place) -> Option<Claimed<Header>> {
        let worker = self.worker;
        // SAFETY: `popped` is off the ladder, and its owner is this thread.
        let left = self.popped.map(|frame| unsafe { Header::left(frame) });
        // The task that a frame belongs to is certain only now, under L and with the frame known to be there. A frame
        // that has just been popped belongs to the innermost task.
        let innermost = worker.tasks.innermost();
        let of_oldest = self.oldest.map(|_| worker.tasks.holder(worker.team().ladder(worker.index).oldest()));
        let gifts = Gifts { oldest: of_oldest, popped: left.map(|left| (innermost, left)) };
        let (frame, holder) = match worker.record.gift(gifts, wants, TaskId::word) {
            Gift::Nothing => return None,
            Gift::Oldest => self.oldest.zip(of_oldest)?,
            Gift::Half => self.popped.zip(Some(innermost))?,
        };
        // SAFETY: this thread holds L, and H has not moved past the frame; or the frame is off the ladder, with
        // something left, and its owner is this thread. The rest is guaranteed by the caller.
        Some(unsafe { thief.claim(frame, Claim::new(frame, holder, worker.index, place)) })
    }
}

impl Shelved {
    pub(crate) fn into_inner(self) -> Claimed<Header> {
        self.0
    }
}

impl Asker {
    /// Refuses the ask.
    pub(crate) fn refuse(self) -> Answer {
        Answer { to: self.index, frame: None }
    }
}

impl Worker {
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
            return Claimed::All(frame);
        };
        let memory = self.part_memory.take().expect("a thief brings the memory for a part");
        // SAFETY: guaranteed by the caller; the table is that of the frame's own type.
        unsafe { (divide.split)(frame, memory, claim) }
    }

    /// Sends the answer. The asker may begin the frame at once.
    pub(crate) fn send(&self, answer: Answer) {
        let asker = self.team().worker(answer.to);
        match answer.frame {
            None => asker.mailbox.refuse(),
            Some(Claimed::All(frame) | Claimed::Part(frame)) => asker.mailbox.put(frame),
        }
        if !self.team().rules_now().takes() {
            // It may nap.
            asker.parker.unpark();
        }
    }

    /// Answers the ask with nothing that the worker has found when it closed its ask word.
    pub(crate) fn refuse(&self, ask: Ask) {
        self.send(Answer { to: ask.asker, frame: None });
    }
}

impl Team {
    /// The task pool in which a claimed frame lies until a worker begins it. `None` if the frame was taken, because
    /// then the thief begins it at once.
    pub(crate) fn given_at(&self, place: Place) -> Option<&dyn TaskPool<Header>> {
        match place {
            Place::Nowhere => None,
            Place::Mailbox(of) => Some(&self.worker(of.into()).mailbox),
            Place::Shelf(of) => Some(&*self.worker(of.into()).shelf),
            Place::Squad(of) => self.squads.as_ref().map(|squads| squads.pool(of.into())),
        }
    }
}
