//! The gift: what a worker gives, to a worker that has asked or at a beat. [`Gifts`] chooses; here stands what it is
//! told.

use crate::engine::frame::Header;
use crate::engine::task::TaskId;
use crate::engine::team::Worker;
use crate::protocol::ladder::Claimed;
use crate::sync::Ordering;
use filch_policy::{Gift, Gifts};
use std::ptr::NonNull;

/// The answer to an ask. It must be [sent](Worker::send) exactly once.
#[must_use]
pub(crate) enum Answer {
    Nothing { to: usize },
    Frame { to: usize, frame: Claimed<Header> },
}

impl Answer {
    /// Whether all that was left of the oldest frame goes.
    pub(crate) fn gives_the_rest(&self) -> bool {
        matches!(self, Answer::Frame { frame: Claimed::All(_), .. })
    }
}

impl Worker {
    /// What this worker gives to one that `wants` this: `oldest`, or half of what is left of `popped`. Returns that
    /// frame, and the task that it belongs to.
    ///
    /// # Safety
    ///
    /// The caller occupies this worker and holds the L of its ladder. `oldest` is on the ladder. The caller has just
    /// popped `popped`.
    pub(super) unsafe fn gift(
        &self,
        oldest: Option<NonNull<Header>>,
        popped: Option<NonNull<Header>>,
        wants: Option<TaskId>,
    ) -> Option<(NonNull<Header>, Option<TaskId>)> {
        // SAFETY: `popped` is off the ladder, and its owner is the caller.
        let left = popped.map(|frame| unsafe { Header::left(frame) });
        // The task that a frame belongs to is certain only now, under L and with the frame known to be there. A frame
        // that has just been popped belongs to the innermost task.
        let innermost = self.tasks.innermost();
        let of_oldest = oldest.map(|_| self.tasks.holder(self.team().ladder(self.index).oldest()));
        let gifts = Gifts { oldest: of_oldest, popped: left.map(|left| (innermost, left)) };
        let gift = gifts.choose(wants);
        decided!(self.record, gift(gifts, wants, TaskId::word, gift));
        match gift {
            Gift::Nothing => None,
            Gift::Oldest => oldest.zip(of_oldest),
            Gift::Half => popped.zip(Some(innermost)),
        }
    }

    /// Lets other workers ask this worker, which is busy.
    pub(crate) fn open(&self) {
        self.left.retract();
        self.is_busy.store(true, Ordering::Relaxed);
        if self.team().rules().asks() {
            self.ask_word.open();
        }
    }

    /// Stops other workers from asking this worker. An ask that has been posted is answered with nothing.
    pub(crate) fn close(&self) {
        if self.left.publish() {
            self.call_for_left();
        }
        self.is_busy.store(false, Ordering::Relaxed);
        if self.team().rules().asks()
            && let Some(ask) = self.ask_word.close()
        {
            self.send(Answer::Nothing { to: ask.asker });
        }
    }
}
