//! The victim's side of an ask: accept it under L, answer it after.

use super::frame::Claim;
use super::{Header, Worker};
use crate::ask::{Ask, TaskPool};
use crate::sync::{Ordering, clock};
use std::ptr::NonNull;

/// What an ask is to be answered. Every one of these must be [sent](Worker::send), once.
#[must_use]
pub(super) enum Answer {
    Nothing { to: usize },
    Frame { to: usize, frame: NonNull<Header> },
}

impl Answer {
    pub(super) fn gives(&self) -> bool {
        matches!(self, Answer::Frame { .. })
    }
}

impl Worker {
    /// Accepts the ask that may stand in the ask word, and decides. `oldest` is the frame that can be given.
    ///
    /// # Safety
    ///
    /// Called under L of this worker's ladder, by its occupant; `oldest` lives, is on the ladder, and is given away if the
    /// answer [gives](Answer::gives).
    pub(super) unsafe fn accept(&self, oldest: Option<NonNull<Header>>) -> Option<Answer> {
        let Ask { asker: to, .. } = self.ask_word.accept()?;
        // From now on the asker waits for the answer, so what it wants does not change.
        let wants = self.team().worker(to).wants.get();
        if !self.may_give_again() {
            return Some(Answer::Nothing { to });
        }
        // Under L, and with a frame known to be there: now, and not before, does this tell whose it is.
        let frame =
            oldest.filter(|_| wants.is_none_or(|task| self.tasks.owns(task, self.team().ladder(self.index).oldest())));
        Some(match frame {
            Some(frame) => {
                // SAFETY: forwarded: under L, H has not moved past it.
                unsafe { Header::set_claim(frame, Claim::given(self.index, to)) };
                self.counters.forks_given.bump();
                Answer::Frame { to, frame }
            }
            None => Answer::Nothing { to },
        })
    }

    /// Whether N has passed since the last answer; if so, it begins again. Askers look too, but two may look at once.
    fn may_give_again(&self) -> bool {
        let period_ns = self.team().rules().give_period_ns;
        if period_ns == 0 {
            return true;
        }
        let now = clock::now_ns();
        let may = now >= self.next_give.load(Ordering::Relaxed);
        if may {
            self.next_give.store(now.saturating_add(period_ns), Ordering::Relaxed);
        }
        may
    }

    /// Answers. The asker may run the frame at once.
    pub(super) fn send(&self, answer: Answer) {
        match answer {
            Answer::Nothing { to } => self.team().worker(to).mailbox.refuse(),
            Answer::Frame { to, frame } => self.team().worker(to).mailbox.put(frame),
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
