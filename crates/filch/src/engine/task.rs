//! Tasks: work that has moved, and how to tell whose part it is.
//!
//! A waiter runs only parts of what it waits for (design, section 6). What that is has a name, its [`Goal`]. A task is
//! begun with its [`Origin`]: the goal that it is a part of, and the task whose thread waits for that goal, its parent.
//! So whether a task is a part of a goal is told by walking up from it ([`Team::is_part`](super::Team::is_part)): no
//! list of parts is kept, nothing is written when somebody begins to wait, and whoever has a frame for a waiter is
//! found wherever it is.
//!
//! ```text
//!   W0  waits for frame x ◄─────────── goal of ─┐
//!   W1  task 1: waits for frame y ◄── parent ── │ ─┐     task 1 = { parent: none,   goal: x }
//!   W2  task 2: forks z, works on               │ ─┘     task 2 = { parent: task 1, goal: y }
//!       frame z of task 2: part of y, of x  ────┘        so W0 may take z, and so may W1
//! ```
//!
//! | variable | who writes | who reads |
//! |---|---|---|
//! | `parents`, `goals`, `bases` of depth d | the occupant, before `live` names the task there | anybody |
//! | `live` of depth d | the occupant: the task's number when it begins, 0 when it has ended, after `done` and before its next push | anybody |
//! | `running` | the occupant | anybody, as a hint where to begin |
//!
//! **Why a walk can be believed** (`models/parts.pml`). While a task is live, so are all above it, because each of them
//! waits for the next; and while a task is live, what is written about it does not change. A walk that began at a live
//! task may still go wrong, if the task ends meanwhile. So what it says counts only if the task is live *afterwards*: a
//! take looks under the victim's L, once it is certain that there is a frame of that task (looking earlier takes
//! unrelated frames, `models/chain.pml`), and the victim of an ask looks before it gives. `live` is still set for a
//! moment after `done`, but then the task has no frame that could be had.
//!
//! For that all loads of the walk are acquire loads, and so are ordered before the last look. A frame pushed after the
//! clearing of `live` is read with an acquire of the slot, which was released after it.

use crate::sync::{AtomicU64, AtomicUsize, Ordering};
use std::num::NonZero;
use std::ptr::NonNull;

/// Tasks that can be nested on one worker by helping. A worker at this depth waits without helping.
pub(crate) const MAX_DEPTH: usize = 64;

pub(crate) const WORKER_BITS: u32 = 13;
const DEPTH_BITS: u32 = MAX_DEPTH.ilog2();

/// Name of a started task: its worker, how many tasks that worker was in the middle of, and a number from 1. One word,
/// so that it can be shown and read at once; 2^45 tasks per worker last a million tasks a second for a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskId(NonZero<u64>);

impl TaskId {
    fn new(worker: usize, depth: usize, seq: u64) -> Self {
        debug_assert!(worker < 1 << WORKER_BITS && depth < MAX_DEPTH);
        let word = (((seq << DEPTH_BITS) | depth as u64) << WORKER_BITS) | worker as u64;
        TaskId(NonZero::new(word).expect("numbers start at 1"))
    }

    pub(crate) fn worker(self) -> usize {
        (self.0.get() & ((1 << WORKER_BITS) - 1)) as usize
    }

    fn depth(self) -> usize {
        ((self.0.get() >> WORKER_BITS) & ((1 << DEPTH_BITS) - 1)) as usize
    }
}

/// A task's name where others read it; empty at first.
pub(crate) struct TaskCell(AtomicU64);

impl TaskCell {
    pub(crate) fn new(task: Option<TaskId>) -> Self {
        TaskCell(AtomicU64::new(Self::word(task)))
    }

    fn word(task: Option<TaskId>) -> u64 {
        task.map_or(0, |task| task.0.get())
    }

    /// Acquires what was written before [`set`](Self::set).
    pub(crate) fn get(&self) -> Option<TaskId> {
        NonZero::new(self.0.load(Ordering::Acquire)).map(TaskId)
    }

    pub(crate) fn set(&self, task: Option<TaskId>) {
        self.0.store(Self::word(task), Ordering::Release);
    }
}

/// What somebody waits for: the address of a frame, of a loop or of a scope. Compared, never followed. It is the name
/// of one thing only as long as somebody waits for that; but a task that was a part of another has no frames any more
/// by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal(NonZero<usize>);

impl Goal {
    #[inline(always)]
    pub(crate) fn at<T>(thing: NonNull<T>) -> Self {
        Goal(thing.addr())
    }
}

/// A goal where others read it; none at first.
pub(crate) struct GoalCell(AtomicUsize);

impl GoalCell {
    pub(crate) fn new() -> Self {
        GoalCell(AtomicUsize::new(0))
    }

    pub(crate) fn get(&self) -> Option<Goal> {
        NonZero::new(self.0.load(Ordering::SeqCst)).map(Goal)
    }

    pub(crate) fn set(&self, goal: Option<Goal>) {
        self.0.store(goal.map_or(0, |goal| goal.0.get()), Ordering::SeqCst);
    }
}

/// Where a task comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The task that waits for `goal`; none if that is a part of no task.
    pub(crate) parent: Option<TaskId>,
    pub(crate) goal: Goal,
}

/// An [`Origin`], as others read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lineage {
    pub(crate) parent: Option<TaskId>,
    goal: usize,
}

impl Lineage {
    pub(crate) fn is(self, goal: Goal) -> bool {
        self.goal == goal.0.get()
    }
}

/// The tasks that one worker is running, one inside the other.
pub(crate) struct Tasks {
    worker: usize,
    live: [AtomicU64; MAX_DEPTH],
    /// The addresses of the rungs from which they work up.
    bases: [AtomicUsize; MAX_DEPTH],
    parents: [TaskCell; MAX_DEPTH],
    /// The addresses of goals.
    goals: [AtomicUsize; MAX_DEPTH],
    /// How many, with those that its occupant is in the middle of on another worker.
    running: AtomicUsize,
    /// How many this worker has ever named.
    named: AtomicU64,
}

impl Tasks {
    pub(crate) fn new(worker: usize) -> Self {
        Tasks {
            worker,
            live: std::array::from_fn(|_| AtomicU64::new(0)),
            bases: std::array::from_fn(|_| AtomicUsize::new(0)),
            parents: std::array::from_fn(|_| TaskCell::new(None)),
            goals: std::array::from_fn(|_| AtomicUsize::new(0)),
            running: AtomicUsize::new(0),
            named: AtomicU64::new(0),
        }
    }

    /// Whether the occupant can start another task inside those it runs.
    pub(crate) fn has_room(&self) -> bool {
        self.running.load(Ordering::Relaxed) < MAX_DEPTH
    }

    /// Whoever occupies this worker next is in the middle of the tasks of `other`, which has the older ones.
    pub(crate) fn nest_in(&self, other: Option<&Tasks>) {
        let running = other.map_or(0, |other| other.running.load(Ordering::Relaxed));
        self.running.store(running, Ordering::Relaxed);
    }

    /// Names the occupant's next task and shows it as live. Every call is followed by one of [`end`](Self::end).
    ///
    /// Called by the occupant, while [`has_room`](Self::has_room); the task will work from the rung at `base` up.
    pub(crate) fn begin(&self, base: usize, origin: Origin) -> TaskId {
        let depth = self.running.load(Ordering::Relaxed);
        let seq = self.named.load(Ordering::Relaxed) + 1;
        self.named.store(seq, Ordering::Relaxed);
        self.running.store(depth + 1, Ordering::Relaxed);
        // Released, each: whoever reads one of these has to find the task ended that was here before.
        self.bases[depth].store(base, Ordering::Release);
        self.goals[depth].store(origin.goal.0.get(), Ordering::Release);
        self.parents[depth].set(origin.parent);
        self.live[depth].store(seq, Ordering::Release);
        TaskId::new(self.worker, depth, seq)
    }

    /// Ends the occupant's innermost task.
    pub(crate) fn end(&self) {
        let depth = self.running.load(Ordering::Relaxed) - 1;
        self.live[depth].store(0, Ordering::Relaxed);
        self.running.store(depth, Ordering::Relaxed);
    }

    /// The occupant's innermost task on this worker, as the occupant sees it.
    pub(crate) fn innermost(&self) -> Option<TaskId> {
        let depth = self.running.load(Ordering::Relaxed).checked_sub(1)?;
        self.live_at(depth)
    }

    fn live_at(&self, depth: usize) -> Option<TaskId> {
        let seq = self.live[depth].load(Ordering::Acquire);
        (seq != 0).then(|| TaskId::new(self.worker, depth, seq))
    }

    /// The task that a frame at the rung of address `rung` belongs to: the innermost that works from there or below.
    /// Certain under L, with a frame known to be there; a guess otherwise.
    pub(crate) fn holder(&self, rung: usize) -> Option<TaskId> {
        let running = self.running.load(Ordering::Relaxed).min(MAX_DEPTH);
        let works_below = |depth: usize| self.bases[depth].load(Ordering::Acquire) <= rung;
        (0..running).rev().find_map(|depth| self.live_at(depth).filter(|_| works_below(depth)))
    }

    /// Where `task`, one of this worker's, comes from. To be believed if it is live afterwards.
    pub(crate) fn origin(&self, task: TaskId) -> Lineage {
        let depth = task.depth();
        Lineage { parent: self.parents[depth].get(), goal: self.goals[depth].load(Ordering::Acquire) }
    }

    /// The tasks that this worker runs, the outermost first.
    pub(crate) fn all(&self) -> impl Iterator<Item = TaskId> {
        (0..self.running.load(Ordering::Relaxed).min(MAX_DEPTH)).filter_map(|depth| self.live_at(depth))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn origin(parent: Option<TaskId>) -> Origin {
        Origin { parent, goal: Goal::at(NonNull::<u64>::dangling()) }
    }

    fn is_live(tasks: &Tasks, task: TaskId) -> bool {
        tasks.all().any(|live| live == task)
    }

    #[test]
    fn a_task_is_live_from_its_beginning_to_its_end_and_its_name_is_not_used_again() {
        let tasks = Tasks::new(7);
        let outer = tasks.begin(0, origin(None));
        let inner = tasks.begin(0, origin(None));
        assert!(is_live(&tasks, outer) && is_live(&tasks, inner));
        tasks.end();
        assert!(is_live(&tasks, outer) && !is_live(&tasks, inner));
        let next = tasks.begin(0, origin(None));
        assert_eq!((next.worker(), next.depth()), (inner.worker(), inner.depth()));
        assert!(is_live(&tasks, next) && !is_live(&tasks, inner), "the same place, another task");
        tasks.end();
        tasks.end();
        assert!(!is_live(&tasks, outer) && !is_live(&tasks, next));
    }

    #[test]
    fn a_frame_belongs_to_the_innermost_task_that_works_from_below_it() {
        let tasks = Tasks::new(1);
        assert_eq!(tasks.holder(16), None, "outside of tasks");
        let outer = tasks.begin(16, origin(None));
        let inner = tasks.begin(32, origin(Some(outer)));
        assert_eq!([8, 16, 24, 32, 40].map(|rung| tasks.holder(rung)), {
            let (outer, inner) = (Some(outer), Some(inner));
            [None, outer, outer, inner, inner]
        });
        assert_eq!(tasks.origin(inner).parent, Some(outer));
        tasks.end();
        assert_eq!(tasks.holder(32), Some(outer));
        let same_base = tasks.begin(16, origin(Some(outer)));
        assert_eq!(
            tasks.holder(16),
            Some(same_base),
            "the outer one has nothing there, or it would not have been begun"
        );
    }

    #[test]
    fn who_works_on_two_workers_has_room_for_as_many_tasks_as_on_one() {
        let (own, spare) = (Tasks::new(1), Tasks::new(2));
        let older = own.begin(0, origin(None));
        spare.nest_in(Some(&own));
        assert_eq!(spare.innermost(), None, "what its occupant runs elsewhere is none of these");
        let mut begun = vec![older];
        while spare.has_room() {
            begun.push(spare.begin(0, origin(None)));
            assert_eq!(spare.innermost(), begun.last().copied());
        }
        assert_eq!(begun.len(), MAX_DEPTH);
        assert!(spare.all().eq(begun[1..].iter().copied()));
        (1..MAX_DEPTH).for_each(|_| spare.end());
        assert!(is_live(&own, older) && !begun[1..].iter().any(|&task| is_live(&spare, task)));
        spare.nest_in(None);
        assert_eq!(spare.innermost(), None, "what its next occupant runs elsewhere is none of these");
    }

    #[test]
    fn a_name_holds_its_parts() {
        let task = TaskId::new(8191, 63, 1 << 44);
        assert_eq!((task.worker(), task.depth()), (8191, 63));
        assert_ne!(task, TaskId::new(8191, 63, (1 << 44) - 1));
    }

    #[test]
    fn there_is_room_for_as_many_tasks_as_can_be_shown() {
        let tasks = Tasks::new(0);
        let mut begun = 0;
        while tasks.has_room() {
            tasks.begin(0, origin(None));
            begun += 1;
        }
        assert_eq!(begun, MAX_DEPTH);
    }
}
