//! The mailbox: where an asker gets its reply.

use super::TaskPool;
use crate::sync::{AtomicPtr, Ordering};
use std::ptr::{self, NonNull};

/// Empty, waiting for a reply, or holding one: a frame, or the mark that says "nothing". Frames are aligned to more
/// than the marks.
pub(crate) struct Mailbox<F>(AtomicPtr<F>);

const NOTHING: usize = 1;
const PENDING: usize = 2;

fn mark<F>(value: usize) -> *mut F {
    ptr::without_provenance_mut(value)
}

impl<F> Mailbox<F> {
    pub(crate) fn new() -> Self {
        Mailbox(AtomicPtr::new(ptr::null_mut()))
    }

    /// Before asking.
    pub(crate) fn expect_reply(&self) {
        self.0.store(mark(PENDING), Ordering::Relaxed);
    }

    /// After a withdrawal: no reply will come.
    pub(crate) fn expect_nothing(&self) {
        self.0.store(ptr::null_mut(), Ordering::Relaxed);
    }

    /// The reply "nothing".
    pub(crate) fn refuse(&self) {
        self.0.store(mark(NOTHING), Ordering::Release);
    }

    /// Whether the reply has come and nothing is in it, or no longer.
    pub(crate) fn is_refused(&self) -> bool {
        self.0.load(Ordering::Acquire).addr() == NOTHING
    }
}

impl<F> TaskPool<F> for Mailbox<F> {
    /// The reply that gives a frame.
    fn put(&self, frame: NonNull<F>) {
        let order = if mutant!("relaxed_reply") { Ordering::Relaxed } else { Ordering::Release };
        self.0.store(frame.as_ptr(), order);
    }

    fn get(&self) -> Option<NonNull<F>> {
        let value = self.0.load(Ordering::Relaxed);
        let frame = NonNull::new(value).filter(|_| value.addr() > PENDING)?;
        if mutant!("collect_by_store") {
            self.0.store(ptr::null_mut(), Ordering::Relaxed);
            return Some(frame);
        }
        // Its owner may take it back after the look.
        self.0.compare_exchange(value, ptr::null_mut(), Ordering::Acquire, Ordering::Relaxed).ok().map(|_| frame)
    }

    fn reclaim(&self, frame: NonNull<F>) -> bool {
        // A frame that lives is in one place at most, so this cannot meet another at the same address. The asker finds
        // "nothing" instead.
        self.0.compare_exchange(frame.as_ptr(), mark(NOTHING), Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}
