//! The tasks that are bound to one thread, until it leaves.

use super::spawned::SpawnQueue;
use crate::sync::{Mutex, MutexGuard, lock};

/// What is bound to one thread.
pub(super) struct Binding {
    tasks: SpawnQueue,
    /// Whether the thread will not look here any more. A task is put here under this lock, and the thread leaves under
    /// it, so no task is left behind.
    has_left: Mutex<bool>,
}

impl Binding {
    pub(super) fn new() -> Self {
        Binding { tasks: SpawnQueue::new(), has_left: Mutex::new(false) }
    }

    pub(super) fn tasks(&self) -> &SpawnQueue {
        &self.tasks
    }

    /// While the result lives, a task may be put here. `None` if the thread has left.
    pub(super) fn open(&self) -> Option<MutexGuard<'_, bool>> {
        let has_left = lock(&self.has_left);
        (!*has_left).then_some(has_left)
    }

    /// From now on nothing is put here: the thread leaves. False if it has to run something first.
    pub(super) fn close(&self) -> bool {
        let mut has_left = lock(&self.has_left);
        *has_left = !self.tasks.has_any();
        *has_left
    }
}
