//! The ask word: whether a worker can be asked, and who is asking.

use crate::sync::{AtomicU64, Ordering};

/// One ask: by whom, and which of theirs. Never used again.
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
        debug_assert!(self.asker < 1 << ASKER_BITS, "a pool has at most so many workers, spare ones included");
        (self.seq << (TAG_BITS + ASKER_BITS)) | ((self.asker as u64) << TAG_BITS) | ASKED
    }

    fn from_word(word: u64) -> Option<Self> {
        (word & ((1 << TAG_BITS) - 1) == ASKED).then_some(Ask {
            asker: ((word >> TAG_BITS) & ((1 << ASKER_BITS) - 1)) as usize,
            seq: word >> (TAG_BITS + ASKER_BITS),
        })
    }
}

/// What a look at the word shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Its worker has nothing to give and would not answer.
    Closed,
    /// Its worker is busy and can be asked.
    Open,
    /// Somebody is asking already.
    Asked,
}

/// A worker's ask word. Its occupant opens, answers and closes it; askers post and withdraw.
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

    /// The occupant is busy from now on. It was closed, and a closed word is nobody else's to write.
    pub(crate) fn open(&self) {
        self.0.store(OPEN, Ordering::Release);
    }

    /// The occupant will attend no more. Whoever asked must be answered with nothing.
    #[must_use]
    pub(crate) fn close(&self) -> Option<Ask> {
        // A swap: a store would lose an ask that has just been posted.
        Ask::from_word(self.0.swap(CLOSED, Ordering::AcqRel))
    }

    /// Takes the ask out, which must be answered. By the occupant, while it is open.
    #[must_use]
    pub(crate) fn accept(&self) -> Option<Ask> {
        // A look first: most attentions are takes.
        Ask::from_word(self.0.load(Ordering::Relaxed))?;
        if mutant!("reply_before_claim") {
            let ask = Ask::from_word(self.0.load(Ordering::Acquire));
            self.0.store(OPEN, Ordering::Release);
            return ask;
        }
        // Acquires what the asker wrote before it posted. It may have withdrawn since the look.
        let order = if mutant!("accept_relaxed") { Ordering::Relaxed } else { Ordering::AcqRel };
        Ask::from_word(self.0.swap(OPEN, order))
    }

    /// Asks, if the word is open. The caller's mailbox is pending and its wishes are written.
    #[must_use]
    pub(crate) fn post(&self, ask: Ask) -> bool {
        self.0.compare_exchange(OPEN, ask.word(), Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Takes the caller's own ask back. False: it has been accepted, and the reply is on its way.
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
        assert!(word.post(first) && !word.post(second), "one at a time");
        assert!(!word.withdraw(second) && word.withdraw(first) && word.accept().is_none());
        assert!(word.post(second) && word.accept() == Some(second) && !word.withdraw(second));
        assert!(word.post(first));
        assert_eq!((word.close(), word.look()), (Some(first), Word::Closed));
    }
}
