//! Tasks: work that has moved, and how to find out what it is a part of.
//!
//! A waiter runs only parts of what it waits for. An unrelated task could keep it for an hour, want a lock that it
//! holds, or make its stack deeper than the nesting of the program. What a waiter waits for has a name, its [`Goal`].
//! When a worker begins a task it writes down the task's [`Origin`]: the goal that the task is a part of, and the task
//! whose thread waits for that goal, which is its parent. So a walk upwards from a task shows whether it is a part of a
//! goal ([`Team::is_part`](crate::engine::team::Team::is_part)). No list of parts is kept, and nothing is written when
//! a wait begins. A worker that has a frame for a waiter is found wherever it is.
//!
//! ```text
//!   W0  waits for frame x ◄─────────── goal of ─┐
//!   W1  task 1: waits for frame y ◄── parent ── │ ─┐     task 1 = { parent: none,   goal: x }
//!   W2  task 2: forks z, works on               │ ─┘     task 2 = { parent: task 1, goal: y }
//!       frame z of task 2: part of y, of x  ────┘        so W0 may take z, and so may W1
//! ```
//!
//! | variable | written by the occupant | read by any thread |
//! |---|---|---|
//! | `parents`, `goals`, `bases`, `arounds` of depth d | before `live` names the task at that depth | in a walk |
//! | `live` of depth d | a task's number when it begins; 0 after `done`, before the next push | after a walk |
//! | `running` | when a task begins or ends | as a hint where to begin |
//!
//! **Why the result of a walk can be trusted** (`models/parts.pml`). While a task is live, all tasks above it are live,
//! because each of them waits for the next. And while a task is live, what is written about it does not change. A walk
//! that began at a live task may still go wrong if that task ends meanwhile. So its result counts only if the task is
//! live *afterwards*. A take checks this under the victim's L, once it is certain that a frame of that task is there; a
//! check before that takes unrelated frames (`models/chain.pml`). The victim of an ask checks before it gives. `live`
//! is still set for a moment after `done`, but then the task has no frame that could be taken.
//!
//! This requires that all loads of the walk come before the check, so they are acquire loads. A frame that is pushed
//! after `live` has been cleared is read with an acquire of its slot, which was released after the clearing.

use crate::engine::cancel::region::{Around, AroundCell};
use crate::sync::{AtomicU64, AtomicUsize, Ordering};
use std::num::NonZero;
use std::ptr::NonNull;

/// How many tasks can be nested on one worker by helping. A worker at this depth waits without helping.
pub(crate) const MAX_DEPTH: usize = 64;

/// An array that is made at once. (One by one, these took Miri longer than the rest of a pool.)
#[cfg(not(loom))]
macro_rules! array_of {
    ($value:expr; $count:expr) => {
        [const { $value }; $count]
    };
}

/// The atomics of loom are not made at compile time.
#[cfg(loom)]
macro_rules! array_of {
    ($value:expr; $count:expr) => {
        std::array::from_fn::<_, $count, _>(|_| $value)
    };
}

pub(crate) const WORKER_BITS: u32 = 13;
const DEPTH_BITS: u32 = MAX_DEPTH.ilog2();

/// The name of a task that has begun: its worker, its depth (how many tasks that worker was running), and a number that
/// starts at one. The name is one word, so that it can be stored and read at once. 2^45 tasks per worker suffice for a
/// million tasks a second for a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskId(NonZero<u64>);

impl TaskId {
    fn new(worker: usize, depth: usize, seq: u64) -> Self {
        debug_assert!(worker < 1 << WORKER_BITS && depth < MAX_DEPTH);
        let word = (((seq << DEPTH_BITS) | depth as u64) << WORKER_BITS) | worker as u64;
        TaskId(NonZero::new(word).expect("numbers start at 1"))
    }

    /// The name as a number.
    pub(crate) fn word(self) -> u64 {
        self.0.get()
    }

    pub(crate) fn worker(self) -> usize {
        (self.0.get() & ((1 << WORKER_BITS) - 1)) as usize
    }

    fn depth(self) -> usize {
        ((self.0.get() >> WORKER_BITS) & ((1 << DEPTH_BITS) - 1)) as usize
    }
}

/// A cell for a task's name that other workers read. Empty at first.
pub(crate) struct TaskCell(AtomicU64);

impl TaskCell {
    pub(crate) fn new(task: Option<TaskId>) -> Self {
        TaskCell(AtomicU64::new(Self::word(task)))
    }

    fn word(task: Option<TaskId>) -> u64 {
        task.map_or(0, |task| task.0.get())
    }

    /// The name in the cell. Acquires what was written before [`set`](Self::set).
    pub(crate) fn get(&self) -> Option<TaskId> {
        NonZero::new(self.0.load(Ordering::Acquire)).map(TaskId)
    }

    pub(crate) fn set(&self, task: Option<TaskId>) {
        self.0.store(Self::word(task), Ordering::Release);
    }
}

/// What a worker waits for: the address of a frame, of a loop or of a scope. It is compared, and never followed. The
/// address names one thing only while a worker waits for that thing. This suffices, because a task that was a part of
/// an earlier thing at this address has no frames any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal(NonZero<usize>);

impl Goal {
    #[inline(always)]
    pub(crate) fn at<T>(thing: NonNull<T>) -> Self {
        Goal(thing.addr())
    }
}

/// A cell for a goal that other workers read. Empty at first.
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

/// What a task is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The task that waits for `goal`; `None` if the thread that waits is not inside a task.
    pub(crate) parent: Option<TaskId>,
    pub(crate) goal: Goal,
}

/// An [`Origin`], as other workers read it.
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

/// The tasks that one worker is running, nested in each other.
pub(crate) struct Tasks {
    worker: usize,
    live: [AtomicU64; MAX_DEPTH],
    /// For each task, the address of the rung from which it works upwards.
    bases: [AtomicUsize; MAX_DEPTH],
    parents: [TaskCell; MAX_DEPTH],
    /// For each task, the address of its goal.
    goals: [AtomicUsize; MAX_DEPTH],
    /// For each task, what would cancel it.
    arounds: [AroundCell; MAX_DEPTH],
    /// The same for the innermost one on this worker. Only the occupant accesses it.
    around: AroundCell,
    /// How many tasks the occupant is running, including those on another worker that it also occupies.
    running: AtomicUsize,
    /// How many tasks this worker has ever named.
    named: AtomicU64,
}

impl Tasks {
    pub(crate) fn new(worker: usize) -> Self {
        Tasks {
            worker,
            live: array_of!(AtomicU64::new(0); MAX_DEPTH),
            bases: array_of!(AtomicUsize::new(0); MAX_DEPTH),
            parents: array_of!(TaskCell(AtomicU64::new(0)); MAX_DEPTH),
            goals: array_of!(AtomicUsize::new(0); MAX_DEPTH),
            arounds: std::array::from_fn(|_| AroundCell::new()),
            around: AroundCell::new(),
            running: AtomicUsize::new(0),
            named: AtomicU64::new(0),
        }
    }

    /// Whether the occupant can begin another task inside those that it runs.
    pub(crate) fn has_room(&self) -> bool {
        self.running.load(Ordering::Relaxed) < MAX_DEPTH
    }

    /// Makes the next occupant's tasks count as nested in those of `other`, which that occupant is already running.
    pub(crate) fn nest_in(&self, other: Option<&Tasks>) {
        let running = other.map_or(0, |other| other.running.load(Ordering::Relaxed));
        self.running.store(running, Ordering::Relaxed);
    }

    /// Names the occupant's next task and shows it as live. Each call is followed by one of [`end`](Self::end).
    ///
    /// Called by the occupant, if it [`has_room`](Self::has_room). The task will work from the rung at `base` upwards,
    /// inside of the regions `around`.
    pub(crate) fn begin(&self, base: usize, origin: Origin, around: Around) -> TaskId {
        let depth = self.running.load(Ordering::Relaxed);
        let seq = self.named.load(Ordering::Relaxed) + 1;
        self.named.store(seq, Ordering::Relaxed);
        self.running.store(depth + 1, Ordering::Relaxed);
        // Release stores: a thread that reads one of these values must also see that the task that was here before has
        // ended.
        self.bases[depth].store(base, Ordering::Release);
        self.goals[depth].store(origin.goal.0.get(), Ordering::Release);
        self.parents[depth].set(origin.parent);
        self.arounds[depth].set(around);
        self.around.set(around);
        self.live[depth].store(seq, Ordering::Release);
        TaskId::new(self.worker, depth, seq)
    }

    /// Ends the occupant's innermost task.
    pub(crate) fn end(&self) {
        let depth = self.running.load(Ordering::Relaxed) - 1;
        self.live[depth].store(0, Ordering::Relaxed);
        self.running.store(depth, Ordering::Relaxed);
        self.around.set(self.innermost().map_or(Around::NONE, |task| self.around_of(task)));
    }

    /// The regions around what the occupant runs on this worker. For the occupant only.
    #[inline(always)]
    pub(crate) fn around(&self) -> Around {
        self.around.get()
    }

    /// The regions around `task`, which is one of this worker's, and live: the caller runs a part of it.
    pub(crate) fn around_of(&self, task: TaskId) -> Around {
        self.arounds[task.depth()].get()
    }

    /// The occupant's innermost task on this worker. For the occupant only.
    pub(crate) fn innermost(&self) -> Option<TaskId> {
        let depth = self.running.load(Ordering::Relaxed).checked_sub(1)?;
        self.live_at(depth)
    }

    fn live_at(&self, depth: usize) -> Option<TaskId> {
        let seq = self.live[depth].load(Ordering::Acquire);
        (seq != 0).then(|| TaskId::new(self.worker, depth, seq))
    }

    /// The task that a frame at the rung with address `rung` belongs to: the innermost one that works from there or
    /// below. This is certain under L if a frame is known to be there, and otherwise a guess.
    pub(crate) fn holder(&self, rung: usize) -> Option<TaskId> {
        let running = self.running.load(Ordering::Relaxed).min(MAX_DEPTH);
        let works_below = |depth: usize| self.bases[depth].load(Ordering::Acquire) <= rung;
        (0..running).rev().find_map(|depth| self.live_at(depth).filter(|_| works_below(depth)))
    }

    /// The origin of `task`, which is one of this worker's. To be trusted only if the task is live afterwards.
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
        let outer = tasks.begin(0, origin(None), Around::NONE);
        let inner = tasks.begin(0, origin(None), Around::NONE);
        assert!(is_live(&tasks, outer) && is_live(&tasks, inner));
        tasks.end();
        assert!(is_live(&tasks, outer) && !is_live(&tasks, inner));
        let next = tasks.begin(0, origin(None), Around::NONE);
        assert_eq!((next.worker(), next.depth()), (inner.worker(), inner.depth()));
        assert!(is_live(&tasks, next) && !is_live(&tasks, inner), "another task at the same depth");
        tasks.end();
        tasks.end();
        assert!(!is_live(&tasks, outer) && !is_live(&tasks, next));
    }

    #[test]
    fn a_frame_belongs_to_the_innermost_task_that_works_from_below_it() {
        let tasks = Tasks::new(1);
        assert_eq!(tasks.holder(16), None, "outside of tasks");
        let outer = tasks.begin(16, origin(None), Around::NONE);
        let inner = tasks.begin(32, origin(Some(outer)), Around::NONE);
        assert_eq!([8, 16, 24, 32, 40].map(|rung| tasks.holder(rung)), {
            let (outer, inner) = (Some(outer), Some(inner));
            [None, outer, outer, inner, inner]
        });
        assert_eq!(tasks.origin(inner).parent, Some(outer));
        tasks.end();
        assert_eq!(tasks.holder(32), Some(outer));
        let same_base = tasks.begin(16, origin(Some(outer)), Around::NONE);
        assert_eq!(
            tasks.holder(16),
            Some(same_base),
            "an outer task has no frame at the base of a task that began inside it"
        );
    }

    #[test]
    fn who_works_on_two_workers_has_room_for_as_many_tasks_as_on_one() {
        let (own, spare) = (Tasks::new(1), Tasks::new(2));
        let older = own.begin(0, origin(None), Around::NONE);
        spare.nest_in(Some(&own));
        assert_eq!(spare.innermost(), None, "tasks on another worker are not innermost here");
        let mut begun = vec![older];
        while spare.has_room() {
            begun.push(spare.begin(0, origin(None), Around::NONE));
            assert_eq!(spare.innermost(), begun.last().copied());
        }
        assert_eq!(begun.len(), MAX_DEPTH);
        assert!(spare.all().eq(begun[1..].iter().copied()));
        (1..MAX_DEPTH).for_each(|_| spare.end());
        assert!(is_live(&own, older) && !begun[1..].iter().any(|&task| is_live(&spare, task)));
        spare.nest_in(None);
        assert_eq!(spare.innermost(), None, "tasks on another worker are not innermost here");
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
            tasks.begin(0, origin(None), Around::NONE);
            begun += 1;
        }
        assert_eq!(begun, MAX_DEPTH);
    }
}
