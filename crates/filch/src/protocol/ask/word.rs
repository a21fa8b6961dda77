//! The ask word: whether a worker can be asked, and which worker is asking.

use crate::sync::{AtomicU64, Ordering};

/// One ask: the worker that asks, and a number that this worker uses for one ask only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) asker: usize,
    pub(crate) seq: u64,
}

const CLOSED: u64 = 0;
const OPEN: u64 = 1;
const ASKED: u64 = 2;
const TAG_BITS: u32 = 2;
const ASKER_BITS: u32 = 13;

impl Ask {
    fn word(self) -> u64 {
        debug_assert!(self.asker < 1 << ASKER_BITS, "an index of a worker, spare ones included, fits");
        (self.seq << (TAG_BITS + ASKER_BITS)) | ((self.asker as u64) << TAG_BITS) | ASKED
    }

    fn from_word(word: u64) -> Option<Self> {
        (word & ((1 << TAG_BITS) - 1) == ASKED).then_some(Ask {
            asker: ((word >> TAG_BITS) & ((1 << ASKER_BITS) - 1)) as usize,
            seq: word >> (TAG_BITS + ASKER_BITS),
        })
    }
}

/// What a look at an ask word shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// The worker has nothing to give and would not answer.
    Closed,
    /// The worker is busy and can be asked.
    Open,
    /// Another worker is asking already.
    Asked,
}

/// A worker's ask word. Its occupant opens it, answers asks, and closes it; askers post and withdraw asks.
pub(crate) struct AskWord(AtomicU64);

impl AskWord {
    pub(crate) fn new() -> Self {
        AskWord(AtomicU64::new(CLOSED))
    }

    pub(crate) fn look(&self) -> Word {
        match self.0.load(Ordering::Relaxed) {
            CLOSED => Word::Closed,
            OPEN => Word::Open,
            _ => Word::Asked,
        }
    }

    /// The occupant is busy from now on. A store suffices: the word was closed, and no other thread writes a closed
    /// word.
    pub(crate) fn open(&self) {
        self.0.store(OPEN, Ordering::Release);
    }

    /// The occupant will not attend any more. The caller must answer the ask that this returns with "nothing".
    #[must_use]
    pub(crate) fn close(&self) -> Option<Ask> {
        // A swap: a store would lose an ask that has just been posted.
        Ask::from_word(self.0.swap(CLOSED, Ordering::AcqRel))
    }

    /// Takes the ask out of the word; the caller must answer it. Called by the occupant, while the word is open.
    #[must_use]
    pub(crate) fn accept(&self) -> Option<Ask> {
        // A load first: often there is no ask, and then no read-modify-write is needed.
        Ask::from_word(self.0.load(Ordering::Relaxed))?;
        if mutant!("reply_before_claim") {
            let ask = Ask::from_word(self.0.load(Ordering::Acquire));
            self.0.store(OPEN, Ordering::Release);
            return ask;
        }
        // Acquires what the asker wrote before it posted. The asker may have withdrawn its ask since the load above.
        let order = if mutant!("accept_relaxed") { Ordering::Relaxed } else { Ordering::AcqRel };
        Ask::from_word(self.0.swap(OPEN, order))
    }

    /// Posts an ask, if the word is open. The caller has made its mailbox pending and has written what it wants.
    #[must_use]
    pub(crate) fn post(&self, ask: Ask) -> bool {
        self.0.compare_exchange(OPEN, ask.word(), Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Withdraws the caller's own ask. Returns false if the ask has been accepted: then the reply is on its way.
    #[must_use]
    pub(crate) fn withdraw(&self, ask: Ask) -> bool {
        self.0.compare_exchange(ask.word(), OPEN, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_ask_survives_the_word() {
        for ask in [Ask { asker: 0, seq: 1 }, Ask { asker: 8191, seq: 1 << 40 }] {
            assert_eq!(Ask::from_word(ask.word()), Some(ask));
        }
    }

    #[test]
    fn an_ask_is_accepted_or_withdrawn_and_never_both() {
        let word = AskWord::new();
        let (first, second) = (Ask { asker: 3, seq: 1 }, Ask { asker: 4, seq: 9 });
        assert!(!word.post(first), "a closed word cannot be asked");
        word.open();
        assert!(word.post(first) && !word.post(second), "one ask at a time");
        assert!(!word.withdraw(second) && word.withdraw(first) && word.accept().is_none());
        assert!(word.post(second) && word.accept() == Some(second) && !word.withdraw(second));
        assert!(word.post(first));
        assert_eq!((word.close(), word.look()), (Some(first), Word::Closed));
    }
}
