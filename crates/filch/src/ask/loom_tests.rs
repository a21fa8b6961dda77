//! The ask word and the mailbox under the model checker; `.ci/loom` runs them, and the mutants that they must reject.

use super::{Ask, AskWord, Mailbox, TaskPool, Word};
use crate::sync::{AtomicUsize, Ordering};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::ptr::NonNull;

/// A frame whose body tells a race, and that must be run once.
#[repr(align(8))]
struct Frame {
    body: UnsafeCell<u32>,
    runs: AtomicUsize,
}

struct Shared {
    word: AskWord,
    mailbox: Mailbox<Frame>,
    frame: Frame,
    replies: AtomicUsize,
}

const ASK: Ask = Ask { asker: 0, seq: 1 };

fn shared() -> Arc<Shared> {
    Arc::new(Shared {
        word: AskWord::new(),
        mailbox: Mailbox::new(),
        frame: Frame { body: UnsafeCell::new(0), runs: AtomicUsize::new(0) },
        replies: AtomicUsize::new(0),
    })
}

impl Shared {
    fn run(&self) {
        let body = self.frame.body.with_mut(|body| unsafe {
            *body += 1;
            *body
        });
        assert_eq!(body, 8, "a frame is seen whole, and run once");
        self.frame.runs.fetch_add(1, Ordering::Relaxed);
    }

    /// What a giver writes into a frame, as late as can be.
    fn claim(&self) {
        self.frame.body.with_mut(|body| unsafe { *body = 7 });
    }

    /// What the victim does: gives its frame if it is asked, later takes it back if it can, and closes.
    fn victim(&self) {
        self.word.open();
        let mut gave = false;
        for _ in 0..2 {
            if self.word.accept().is_some() {
                self.replies.fetch_add(1, Ordering::Relaxed);
                if gave {
                    self.mailbox.refuse();
                } else {
                    gave = true;
                    self.claim();
                    self.mailbox.put(NonNull::from(&self.frame));
                }
            }
        }
        if self.word.close().is_some() {
            self.replies.fetch_add(1, Ordering::Relaxed);
            self.mailbox.refuse();
        }
        if !gave {
            self.claim();
        }
        if !gave || self.mailbox.reclaim(NonNull::from(&self.frame)) {
            self.run();
        }
    }

    /// What the asker does: asks, waits a little, withdraws. How many replies there are to be.
    fn asker(&self) -> usize {
        self.mailbox.expect_reply();
        if !self.word.post(ASK) {
            return 0;
        }
        let mut looks = 0;
        loop {
            if let Some(frame) = self.mailbox.get() {
                assert!(std::ptr::eq(frame.as_ptr(), &self.frame));
                self.run();
                return 1;
            }
            if self.mailbox.is_refused() {
                return 1;
            }
            looks += 1;
            if looks == 2 && self.word.withdraw(ASK) {
                return 0;
            }
            thread::yield_now();
        }
    }
}

/// Given or kept or taken back, a frame runs once; an ask is answered once, or withdrawn.
#[test]
fn a_frame_that_is_asked_for_runs_once() {
    loom::model(|| {
        let shared = shared();
        let asker = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.asker()
        });
        shared.victim();
        let expected = asker.join().unwrap();
        let replies = shared.replies.load(Ordering::Relaxed);
        assert_eq!(replies, expected, "an ask is answered once, a withdrawn one not at all");
        assert_eq!(shared.frame.runs.load(Ordering::Relaxed), 1);
        assert_eq!(shared.word.look(), Word::Closed);
    });
}
