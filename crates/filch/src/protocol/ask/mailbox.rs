//! The mailbox: where an asker receives the reply.

use crate::protocol::task_pool::TaskPool;
use crate::sync::{AtomicPtr, Ordering};
use std::ptr::{self, NonNull};

/// Empty, waiting for a reply, or holding one: a frame, or the mark that says "nothing". Frames are aligned to more
/// than the marks, so no frame looks like a mark.
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

    /// Prepares for a reply. Called before the ask is posted.
    pub(crate) fn expect_reply(&self) {
        self.0.store(mark(PENDING), Ordering::Relaxed);
    }

    /// No reply will come: the ask has been withdrawn, or could not be posted.
    pub(crate) fn expect_nothing(&self) {
        self.0.store(ptr::null_mut(), Ordering::Relaxed);
    }

    /// Replies with a frame. The asker sees everything that has been written before.
    pub(crate) fn put(&self, frame: NonNull<F>) {
        let order = if mutant!("relaxed_reply") { Ordering::Relaxed } else { Ordering::Release };
        self.0.store(frame.as_ptr(), order);
    }

    /// Replies "nothing".
    pub(crate) fn refuse(&self) {
        self.0.store(mark(NOTHING), Ordering::Release);
    }

    /// Whether a reply has come and there is no frame in it: the victim has given none, or its owner has taken it back.
    pub(crate) fn is_refused(&self) -> bool {
        self.0.load(Ordering::Acquire).addr() == NOTHING
    }

    /// Removes the frame that was given, to run it.
    pub(crate) fn get(&self) -> Option<NonNull<F>> {
        let value = self.0.load(Ordering::Relaxed);
        let frame = NonNull::new(value).filter(|_| value.addr() > PENDING)?;
        if mutant!("collect_by_store") {
            self.0.store(ptr::null_mut(), Ordering::Relaxed);
            return Some(frame);
        }
        // A compare-exchange, because the frame's owner may have taken it back since the load.
        self.0.compare_exchange(value, ptr::null_mut(), Ordering::Acquire, Ordering::Relaxed).ok().map(|_| frame)
    }
}

impl<F> TaskPool<F> for Mailbox<F> {
    fn reclaim(&self, frame: NonNull<F>) -> bool {
        // A frame is in one place at most while it lives, so this pointer cannot be that of another frame at the same
        // address. If the frame goes back, the asker finds "nothing".
        self.0.compare_exchange(frame.as_ptr(), mark(NOTHING), Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}
