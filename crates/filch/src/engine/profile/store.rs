//! The recordings of a team: one for each thread that has entered from outside while others were inside.

use super::recorder::Recorder;
use crate::sync::{Mutex, lock};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A recorder at a place in memory where the hooks of one thread find it. A pointer, and not a box, so that it may be
/// moved while they use it.
#[derive(Debug)]
pub(crate) struct Kept(NonNull<RefCell<Recorder>>);

// SAFETY: this owns the recorder as a box would, and a recorder is not tied to a thread.
unsafe impl Send for Kept {}

impl Kept {
    fn new(recorder: Recorder) -> Self {
        Kept(NonNull::from(Box::leak(Box::new(RefCell::new(recorder)))))
    }

    /// The place. It is valid as long as this lives.
    pub(crate) fn place(&self) -> NonNull<RefCell<Recorder>> {
        self.0
    }

    fn into_inner(self) -> Recorder {
        let this = ManuallyDrop::new(self);
        // SAFETY: the pointer is that of a leaked box, and is not used again.
        unsafe { Box::from_raw(this.0.as_ptr()) }.into_inner()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: as in `into_inner`.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Where recorders are that no thread uses.
#[derive(Debug)]
pub(crate) struct Store {
    leaf_ns: u64,
    idle: Mutex<Vec<Kept>>,
}

impl Store {
    pub(crate) fn new(leaf_ns: u64) -> Self {
        Store { leaf_ns, idle: Mutex::new(Vec::new()) }
    }

    /// A recorder for the calling thread.
    pub(crate) fn take(&self) -> Kept {
        let used = lock(&self.idle).pop();
        used.unwrap_or_else(|| Kept::new(Recorder::new(self.leaf_ns)))
    }

    pub(crate) fn put(&self, recorder: Kept) {
        lock(&self.idle).push(recorder);
    }

    /// Removes what has been recorded.
    pub(crate) fn take_all(&self) -> Vec<Recorder> {
        std::mem::take(&mut *lock(&self.idle)).into_iter().map(Kept::into_inner).collect()
    }

    /// The mean time below which forks are not divided.
    pub(crate) fn leaf_ns(&self) -> u64 {
        self.leaf_ns
    }
}
