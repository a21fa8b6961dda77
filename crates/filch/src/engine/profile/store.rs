//! The recordings of a team: one for each thread that has entered from outside while others were inside.

use super::recorder::Recorder;
use crate::sync::{Mutex, lock};
use std::cell::RefCell;

/// A recorder, where the hooks of one thread find it.
pub(crate) type Shelf = Box<RefCell<Recorder>>;

/// Where recorders are that no thread uses.
#[derive(Debug)]
pub(crate) struct Store {
    leaf_ns: u64,
    idle: Mutex<Vec<Shelf>>,
}

impl Store {
    pub(crate) fn new(leaf_ns: u64) -> Self {
        Store { leaf_ns, idle: Mutex::new(Vec::new()) }
    }

    /// A recorder for the calling thread.
    pub(crate) fn take(&self) -> Shelf {
        let used = lock(&self.idle).pop();
        used.unwrap_or_else(|| Box::new(RefCell::new(Recorder::new(self.leaf_ns))))
    }

    pub(crate) fn put(&self, recorder: Shelf) {
        lock(&self.idle).push(recorder);
    }

    /// Removes what has been recorded.
    pub(crate) fn take_all(&self) -> Vec<Recorder> {
        std::mem::take(&mut *lock(&self.idle)).into_iter().map(|recorder| recorder.into_inner()).collect()
    }

    /// The mean time below which forks are not divided.
    pub(crate) fn leaf_ns(&self) -> u64 {
        self.leaf_ns
    }
}
