//! What may leave a ladder, for a scheduler that decides about it under L; and how it is claimed, and sent.

use super::{Team, Worker};
use crate::engine::frame::ready::Ready;
use crate::engine::frame::task::TaskId;
use crate::engine::frame::{Claim, FrameRef, Header, OffLadder, Place, Unbegun};
use crate::protocol::ask::{Ask, Word};
use crate::protocol::ladder::Claimed;
use crate::protocol::task_pool::TaskPool;
use filch_policy::{Gift, Gifts, Left};

/// The frames of a ladder that may leave it now. Its worker holds L as long as this exists.
pub(crate) struct Latent<'l> {
    worker: &'l Worker,
    /// The oldest frame on the ladder.
    oldest: Option<FrameRef<'l>>,
    /// The frame of a loop that has just been popped, of which half may leave.
    popped: Option<OffLadder<'l>>,
    /// Whether what would leave has to be prepared first.
    is_unready: bool,
}

/// A worker whose ask has been accepted, and which waits for the answer.
#[must_use]
pub(crate) struct Asker {
    index: usize,
    /// What it wants a part of; anything if empty.
    pub(crate) wants: Option<TaskId>,
}

/// The answer to an ask. It must be [sent](Worker::send) exactly once.
#[must_use]
pub(crate) struct Answer {
    to: usize,
    frame: Option<Claimed<Unbegun>>,
}

/// A frame that has been claimed for the shelf of its worker.
#[must_use]
pub(crate) struct Shelved(Claimed<Unbegun>);

/// What a scheduler has decided under L, to be carried out when L is free again.
#[derive(Default)]
pub(crate) struct Leaving {
    /// The answer to an ask that has been accepted.
    pub(crate) answer: Option<Answer>,
    /// What goes to the shelf of the worker.
    pub(crate) shelved: Option<Shelved>,
    /// Whether the next fork is to leave its frame, because there was none.
    pub(crate) is_postponed: bool,
}

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
    /// The caller occupies `worker` and holds the L of its ladder throughout `'l`, and `oldest` is there. The caller
    /// lets `oldest` leave the ladder if all of it is claimed here.
    pub(crate) unsafe fn new(
        worker: &'l Worker,
        oldest: Option<FrameRef<'l>>,
        popped: Option<OffLadder<'l>>,
        ready: Ready,
    ) -> Self {
        let first = oldest.as_ref().or(popped.as_deref());
        let is_unready = first.is_some_and(|frame| !ready.allows(frame) && !ready.refuses(frame));
        let (oldest, popped) = (oldest.filter(|frame| ready.allows(frame)), popped.filter(|frame| ready.allows(frame)));
        Latent { worker, oldest, popped, is_unready }
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
        let frame = self.claim(asker.wants, worker.team().worker(to), Place::Mailbox(to as u16));
        if let Some(Claimed::All(frame) | Claimed::Part(frame)) = &frame {
            worker.note_given(frame);
        }
        Answer { to, frame }
    }

    /// Hands over a frame from this worker's shelf, if there is one that the asker wants.
    pub(crate) fn hand_over(&self, asker: Asker) -> Answer {
        let is_wanted = |frame: &Unbegun| filch_policy::is_wanted(asker.wants, frame.claim().origin.parent);
        let frame = self.worker.shelf.hand_over(&is_wanted);
        if let Some(frame) = &frame {
            frame.claim().move_to(Place::Mailbox(asker.index as u16));
        }
        // What is on the ladder stays.
        Answer { to: asker.index, frame: frame.map(Claimed::Part) }
    }

    /// Claims the oldest frame, or half of what is left of the popped one, for the shelf of this worker, which has no
    /// ask outstanding.
    pub(crate) fn shelve(self) -> Option<Shelved> {
        let worker = self.worker;
        self.claim(None, worker, Place::Shelf(worker.index as u16)).map(Shelved)
    }

    fn claim(self, wants: Option<TaskId>, thief: &Worker, place: Place) -> Option<Claimed<Unbegun>> {
        let worker = self.worker;
        let left = self.popped.as_ref().map(OffLadder::left);
        // The task that a frame belongs to is certain only now, under L and with the frame known to be there. A frame
        // that has just been popped belongs to the innermost task.
        let innermost = worker.tasks.innermost();
        let of_oldest = self.oldest.as_ref().map(|_| worker.tasks.holder(worker.team().ladder(worker.index).oldest()));
        let gifts = Gifts { oldest: of_oldest, popped: left.map(|left| (innermost, left)) };
        let claim = |frame: &FrameRef<'_>, holder| Claim::new(frame.as_ptr(), holder, worker.index, place);
        Some(match worker.record.gift(gifts, wants, TaskId::word) {
            Gift::Nothing => return None,
            Gift::Oldest => {
                let (oldest, holder) = self.oldest.zip(of_oldest)?;
                // SAFETY: this thread holds L, and lets the frame leave.
                unsafe { thief.claim(&oldest, claim(&oldest, holder)) }
            }
            Gift::Half => {
                let popped = self.popped?;
                let claim = claim(&popped, innermost);
                thief.claim_own(popped, claim).0
            }
        })
    }
}

impl Shelved {
    pub(crate) fn into_inner(self) -> Unbegun {
        self.0.into_inner()
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

    /// Marks a frame that is off the ladder, or a part of it, as leaving for this worker, the thief. Also returns what
    /// is left of it.
    pub(crate) fn claim_own<'f>(
        &self,
        frame: OffLadder<'f>,
        claim: Claim,
    ) -> (Claimed<Unbegun>, Option<OffLadder<'f>>) {
        assert!(frame.left() != Left::Nothing, "what leaves a frame is a part of what is left of it");
        // SAFETY: the frame is off the ladder, and its owner has it.
        let claimed = unsafe { self.claim(&frame, claim) };
        let rest = matches!(claimed, Claimed::Part(_)).then_some(frame);
        (claimed, rest)
    }

    /// Marks a frame, or a part of it, as leaving its ladder for this worker, the thief.
    ///
    /// # Safety
    ///
    /// Either the caller holds the L of the frame's ladder, H has not moved past the frame, and will do so if all of it
    /// leaves; or the frame is off the ladder and its owner's, and something is left of it. It lives until what leaves
    /// has been waited for.
    pub(crate) unsafe fn claim(&self, frame: &FrameRef<'_>, claim: Claim) -> Claimed<Unbegun> {
        let Some(divide) = frame.kind().divide else {
            // SAFETY: guaranteed by the caller.
            return Claimed::All(unsafe { Header::set_claim(frame.as_ptr(), claim) });
        };
        let memory = self.part_memory.take().expect("a thief brings the memory for a part");
        // SAFETY: guaranteed by the caller; the table is that of the frame's own type.
        unsafe { (divide.split)(frame.as_ptr(), memory, claim) }
    }

    /// Sends the answer. The asker may begin the frame at once.
    pub(crate) fn send(&self, answer: Answer) {
        let asker = self.team().worker(answer.to);
        match answer.frame {
            None => asker.mailbox.refuse(),
            Some(frame) => asker.mailbox.put(frame.into_inner().into_inner()),
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
