//! A worker that unwinds from a region that has been cancelled ([`cancel`](crate::engine::cancel)).

use crate::engine::cancel::region::Around;
use crate::engine::frame::task::TaskId;
use crate::engine::team::Worker;
use crate::sync::Ordering;

impl Worker {
    /// Whether nothing may leave the ladder, because this thread, the occupant, unwinds.
    pub(crate) fn keeps_all(&self) -> bool {
        self.settle_unwinding();
        self.is_unwinding.load(Ordering::Relaxed)
    }

    /// Forgets that this thread, the occupant, unwinds, if it does not any more.
    pub(crate) fn settle_unwinding(&self) {
        if self.is_unwinding.load(Ordering::Relaxed) {
            self.is_unwinding.store(std::thread::panicking(), Ordering::Relaxed);
        }
    }

    /// Notes that this thread, the occupant, unwinds, if it does so inside of a region: what destructors fork must not
    /// be cancelled, and is a part of the region elsewhere.
    pub(crate) fn note_unwinding(&self) {
        if !self.tasks.around().is_none() && std::thread::panicking() {
            self.is_unwinding.store(true, Ordering::Relaxed);
        }
    }

    /// The regions around a part of a task, or of none, which is live.
    pub(crate) fn around_part_of(&self, parent: Option<TaskId>) -> Around {
        parent.map_or(Around::NONE, |task| self.team().worker(task.worker()).tasks.around_of(task))
    }
}
