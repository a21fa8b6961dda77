//! Tasks: work that has moved, and names for it that outlive it.
//!
//! A waiter wants only descendants of what it waits for (design, section 6). It cannot follow pointers into a thief's
//! stack, so it follows names: [`TaskId`], written into the frame by its taker and never used again. While the task
//! runs, its worker shows its number in `live`; a take on behalf of a waiter looks there under the victim's L, once it
//! is certain that there is a frame (looking earlier takes unrelated frames, `models/chain.pml`). While that task is
//! live, everything on its worker's ladder descends from it: older frames are gone, or its worker would not have
//! started it.
//!
//! `live[depth]` is written by the occupant only: under the victim's L when it takes; cleared after `done`, before its
//! next push. Relaxed suffices: a frame pushed after the clearing is read with an acquire of the slot, which was
//! released after it.

use crate::sync::{AtomicU64, AtomicUsize, Ordering};

/// Tasks that can be nested on one worker by helping. A worker at this depth waits without helping.
pub(super) const MAX_DEPTH: usize = 64;

/// Name of a started task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskId {
    pub(super) worker: usize,
    depth: usize,
    /// From 1, so that 0 is nobody's.
    seq: u64,
}

/// The tasks that one worker is running, one inside the other.
pub(super) struct Tasks {
    live: [AtomicU64; MAX_DEPTH],
    /// How many.
    running: AtomicUsize,
    /// How many this worker has ever named.
    named: AtomicU64,
}

impl Tasks {
    pub(super) fn new() -> Self {
        Tasks {
            live: std::array::from_fn(|_| AtomicU64::new(0)),
            running: AtomicUsize::new(0),
            named: AtomicU64::new(0),
        }
    }

    /// Whether the occupant can start another task inside those it runs.
    pub(super) fn has_room(&self) -> bool {
        self.running.load(Ordering::Relaxed) < MAX_DEPTH
    }

    /// Names the occupant's next task and shows it as live. Every call is followed by one of [`end`](Self::end).
    ///
    /// Called by the occupant, while [`has_room`](Self::has_room), of worker `worker`.
    pub(super) fn begin(&self, worker: usize) -> TaskId {
        let depth = self.running.load(Ordering::Relaxed);
        let seq = self.named.load(Ordering::Relaxed) + 1;
        self.named.store(seq, Ordering::Relaxed);
        self.running.store(depth + 1, Ordering::Relaxed);
        self.live[depth].store(seq, Ordering::Relaxed);
        TaskId { worker, depth, seq }
    }

    /// Ends the occupant's innermost task.
    pub(super) fn end(&self) {
        let depth = self.running.load(Ordering::Relaxed) - 1;
        self.live[depth].store(0, Ordering::Relaxed);
        self.running.store(depth, Ordering::Relaxed);
    }

    /// Whether this worker is running `task`, which must be one of its own.
    pub(super) fn is_live(&self, task: TaskId) -> bool {
        self.live[task.depth].load(Ordering::Relaxed) == task.seq
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_live_from_its_beginning_to_its_end_and_its_name_is_not_used_again() {
        let tasks = Tasks::new();
        let outer = tasks.begin(7);
        let inner = tasks.begin(7);
        assert!(tasks.is_live(outer) && tasks.is_live(inner));
        tasks.end();
        assert!(tasks.is_live(outer) && !tasks.is_live(inner));
        let next = tasks.begin(7);
        assert_eq!((next.worker, next.depth), (inner.worker, inner.depth));
        assert!(tasks.is_live(next) && !tasks.is_live(inner), "the same place, another task");
        tasks.end();
        tasks.end();
        assert!(!tasks.is_live(outer) && !tasks.is_live(next));
    }

    #[test]
    fn there_is_room_for_as_many_tasks_as_can_be_shown() {
        let tasks = Tasks::new();
        let mut begun = 0;
        while tasks.has_room() {
            tasks.begin(0);
            begun += 1;
        }
        assert_eq!(begun, MAX_DEPTH);
    }
}
