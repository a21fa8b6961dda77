//! Tasks: work that has moved, and names for it that outlive it.
//!
//! A waiter wants only descendants of what it waits for (design, section 6). It cannot follow pointers into a thief's
//! stack, so it follows names: [`TaskId`], written into the frame by its taker and never used again. While the task
//! runs, its worker shows its number in `live`; a take on behalf of a waiter looks there under the victim's L, once it
//! is certain that there is a frame (looking earlier takes unrelated frames, `models/chain.pml`). While that task is
//! live, everything on its worker's ladder descends from it: older frames are gone, or its worker would not have
//! started it.
//!
//! `live[depth]` is written by the occupant only: under the victim's L when it takes, before it names itself in the frame
//! when it was given; cleared after `done`, before its next push. Relaxed suffices: a frame pushed after the clearing is
//! read with an acquire of the slot, which was released after it.

use crate::sync::{AtomicU64, AtomicUsize, Ordering};
use std::num::NonZero;

/// Tasks that can be nested on one worker by helping. A worker at this depth waits without helping.
pub(super) const MAX_DEPTH: usize = 64;

pub(super) const WORKER_BITS: u32 = 13;
const DEPTH_BITS: u32 = MAX_DEPTH.ilog2();

/// Name of a started task: its worker, how many tasks that worker was in the middle of, and a number from 1. One word, so
/// that it can be shown and read at once; 2^45 tasks per worker last a million tasks a second for a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskId(NonZero<u64>);

impl TaskId {
    fn new(worker: usize, depth: usize, seq: u64) -> Self {
        debug_assert!(worker < 1 << WORKER_BITS && depth < MAX_DEPTH);
        let word = (((seq << DEPTH_BITS) | depth as u64) << WORKER_BITS) | worker as u64;
        TaskId(NonZero::new(word).expect("numbers start at 1"))
    }

    pub(super) fn worker(self) -> usize {
        (self.0.get() & ((1 << WORKER_BITS) - 1)) as usize
    }

    fn depth(self) -> usize {
        ((self.0.get() >> WORKER_BITS) & ((1 << DEPTH_BITS) - 1)) as usize
    }

    fn seq(self) -> u64 {
        self.0.get() >> (WORKER_BITS + DEPTH_BITS)
    }
}

/// A task's name where others read it; empty at first.
pub(super) struct TaskCell(AtomicU64);

impl TaskCell {
    pub(super) fn new(task: Option<TaskId>) -> Self {
        TaskCell(AtomicU64::new(Self::word(task)))
    }

    fn word(task: Option<TaskId>) -> u64 {
        task.map_or(0, |task| task.0.get())
    }

    /// Acquires what was written before [`set`](Self::set).
    pub(super) fn get(&self) -> Option<TaskId> {
        NonZero::new(self.0.load(Ordering::Acquire)).map(TaskId)
    }

    pub(super) fn set(&self, task: Option<TaskId>) {
        self.0.store(Self::word(task), Ordering::Release);
    }
}

/// The tasks that one worker is running, one inside the other.
pub(super) struct Tasks {
    /// What it waits for, inside the innermost of them; others follow it.
    waits: TaskCell,
    live: [AtomicU64; MAX_DEPTH],
    /// How many.
    running: AtomicUsize,
    /// How many this worker has ever named.
    named: AtomicU64,
}

impl Tasks {
    pub(super) fn new() -> Self {
        Tasks {
            waits: TaskCell::new(None),
            live: std::array::from_fn(|_| AtomicU64::new(0)),
            running: AtomicUsize::new(0),
            named: AtomicU64::new(0),
        }
    }

    /// Whether the occupant can start another task inside those it runs.
    pub(super) fn has_room(&self) -> bool {
        self.running.load(Ordering::Relaxed) < MAX_DEPTH
    }

    /// The occupant waits for `task`, or for nothing any more.
    pub(super) fn wait_for(&self, task: Option<TaskId>) {
        self.waits.set(task);
    }

    /// What it waits for that runs `task`: a part of that. None if it waits for nothing, or `task` is over.
    pub(super) fn next_after(&self, task: TaskId) -> Option<TaskId> {
        // First the name, then whether it belongs to `task` still (`models/follow.pml`, LIVE_FIRST and OWN_DONE).
        let next = self.waits.get()?;
        self.is_live(task).then_some(next)
    }

    /// Names the occupant's next task and shows it as live. Every call is followed by one of [`end`](Self::end).
    ///
    /// Called by the occupant, while [`has_room`](Self::has_room), of worker `worker`.
    pub(super) fn begin(&self, worker: usize) -> TaskId {
        // Before anybody knows the new name: what an older task waits for is no part of it (HELP_KEEPS_WAITS).
        self.waits.set(None);
        let depth = self.running.load(Ordering::Relaxed);
        let seq = self.named.load(Ordering::Relaxed) + 1;
        self.named.store(seq, Ordering::Relaxed);
        self.running.store(depth + 1, Ordering::Relaxed);
        self.live[depth].store(seq, Ordering::Relaxed);
        TaskId::new(worker, depth, seq)
    }

    /// Ends the occupant's innermost task.
    pub(super) fn end(&self) {
        let depth = self.running.load(Ordering::Relaxed) - 1;
        self.live[depth].store(0, Ordering::Relaxed);
        self.running.store(depth, Ordering::Relaxed);
    }

    /// Whether this worker is running `task`, which must be one of its own: then what its ladder holds descends from it.
    pub(super) fn is_live(&self, task: TaskId) -> bool {
        self.live[task.depth()].load(Ordering::Relaxed) == task.seq()
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
        assert_eq!((next.worker(), next.depth()), (inner.worker(), inner.depth()));
        assert!(tasks.is_live(next) && !tasks.is_live(inner), "the same place, another task");
        tasks.end();
        tasks.end();
        assert!(!tasks.is_live(outer) && !tasks.is_live(next));
    }

    #[test]
    fn what_a_worker_waits_for_belongs_to_its_innermost_task() {
        let (tasks, others) = (Tasks::new(), Tasks::new());
        let (outer, theirs) = (tasks.begin(1), others.begin(2));
        assert_eq!(tasks.next_after(outer), None);
        tasks.wait_for(Some(theirs));
        assert_eq!(tasks.next_after(outer), Some(theirs));
        let inner = tasks.begin(1);
        assert_eq!(
            (tasks.next_after(inner), tasks.next_after(outer)),
            (None, None),
            "inside, it does not wait for that"
        );
        tasks.end();
        tasks.wait_for(Some(theirs));
        assert_eq!((tasks.next_after(inner), tasks.next_after(outer)), (None, Some(theirs)));
    }

    #[test]
    fn a_name_holds_its_parts() {
        let task = TaskId::new(8191, 63, 1 << 44);
        assert_eq!((task.worker(), task.depth(), task.seq()), (8191, 63, 1 << 44));
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
