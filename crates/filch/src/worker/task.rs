//! Tasks: work that has moved, and names for it that outlive it.
//!
//! A waiter wants only descendants of what it waits for (design, section 6). It cannot follow pointers into a thief's
//! stack, so it follows names: [`TaskId`], written into the frame by its taker and never used again. While the task
//! runs, its worker shows its number in `live`; a take on behalf of a waiter looks there under the victim's L, once it
//! is certain that there is a frame (looking earlier takes unrelated frames, `models/chain.pml`). While that task is
//! live, everything on its worker's ladder from its `base` up descends from it. Who waits at a join has nothing below that:
//! older frames are gone, or it would not wait. Who waits at the end of a scope may, if it has no other ladder to help on
//! (`scope/aside.rs`).
//!
//! Beside the name stand the scope that the task is one of (`of`), for the owner of that scope, and the innermost scope that
//! is open in it (`open`), whose tasks are parts of it. Names of scopes are not used again either.
//!
//! `live[depth]` is written by the occupant only: under the victim's L when it takes, before it names itself in the frame
//! when it was given; cleared after `done`, before its next push. For that relaxed suffices: a frame pushed after the
//! clearing is read with an acquire of the slot, which was released after it. It is released and acquired for `of` and
//! `open`.

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

/// Name of a scope: the worker that opened it, and a number. 2^51 last ten million a second for seven years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScopeId(TaskId);

/// A scope's name where others read it.
struct ScopeCell(TaskCell);

impl ScopeCell {
    fn new() -> Self {
        ScopeCell(TaskCell::new(None))
    }

    fn get(&self) -> Option<ScopeId> {
        self.0.get().map(ScopeId)
    }

    fn set(&self, scope: Option<ScopeId>) {
        self.0.set(scope.map(|scope| scope.0));
    }
}

/// The tasks that one worker is running, one inside the other.
pub(super) struct Tasks {
    /// What it waits for, inside the innermost of them; others follow it.
    waits: TaskCell,
    live: [AtomicU64; MAX_DEPTH],
    /// The addresses of the rungs from which they work up.
    bases: [AtomicUsize; MAX_DEPTH],
    of: [ScopeCell; MAX_DEPTH],
    open: [ScopeCell; MAX_DEPTH],
    /// How many, with those that its occupant is in the middle of on another worker.
    running: AtomicUsize,
    /// How many this worker has ever named.
    named: AtomicU64,
    /// How many scopes its occupants have ever opened.
    scopes: AtomicU64,
}

impl Tasks {
    pub(super) fn new() -> Self {
        Tasks {
            waits: TaskCell::new(None),
            live: std::array::from_fn(|_| AtomicU64::new(0)),
            bases: std::array::from_fn(|_| AtomicUsize::new(0)),
            of: std::array::from_fn(|_| ScopeCell::new()),
            open: std::array::from_fn(|_| ScopeCell::new()),
            running: AtomicUsize::new(0),
            named: AtomicU64::new(0),
            scopes: AtomicU64::new(0),
        }
    }

    /// Whether the occupant can start another task inside those it runs.
    pub(super) fn has_room(&self) -> bool {
        self.running.load(Ordering::Relaxed) < MAX_DEPTH
    }

    /// Whoever occupies this worker next is in the middle of the tasks of `other`, which has the older ones.
    pub(super) fn nest_in(&self, other: Option<&Tasks>) {
        let running = other.map_or(0, |other| other.running.load(Ordering::Relaxed));
        self.running.store(running, Ordering::Relaxed);
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
    /// Called by the occupant, while [`has_room`](Self::has_room), of worker `worker`; the task will work from the rung at
    /// `base` up, and is one of scope `of`, if of any.
    pub(super) fn begin(&self, worker: usize, base: usize, of: Option<ScopeId>) -> TaskId {
        // Before anybody knows the new name: what an older task waits for is no part of it (HELP_KEEPS_WAITS).
        self.waits.set(None);
        let depth = self.running.load(Ordering::Relaxed);
        let seq = self.named.load(Ordering::Relaxed) + 1;
        self.named.store(seq, Ordering::Relaxed);
        self.running.store(depth + 1, Ordering::Relaxed);
        self.bases[depth].store(base, Ordering::Relaxed);
        self.open[depth].set(None);
        self.of[depth].set(of);
        self.live[depth].store(seq, Ordering::Release);
        TaskId::new(worker, depth, seq)
    }

    /// The occupant's innermost task, on worker `worker`.
    pub(super) fn innermost(&self, worker: usize) -> Option<TaskId> {
        let depth = self.running.load(Ordering::Relaxed).checked_sub(1)?;
        Some(TaskId::new(worker, depth, self.live[depth].load(Ordering::Relaxed)))
    }

    /// Ends the occupant's innermost task.
    pub(super) fn end(&self) {
        let depth = self.running.load(Ordering::Relaxed) - 1;
        self.live[depth].store(0, Ordering::Relaxed);
        self.running.store(depth, Ordering::Relaxed);
    }

    /// Whether this worker is running `task`, which must be one of its own.
    pub(super) fn is_live(&self, task: TaskId) -> bool {
        self.live[task.depth()].load(Ordering::Relaxed) == task.seq()
    }

    /// Whether the frame at address `oldest` of this worker's ladder is a part of `task`. Asked under L, with a frame known
    /// to be there.
    pub(super) fn owns(&self, task: TaskId, oldest: usize) -> bool {
        self.is_live(task) && oldest >= self.bases[task.depth()].load(Ordering::Relaxed)
    }

    /// The occupant, of worker `worker`, opens a scope in its innermost task: its name, and that of the scope around it
    /// there.
    pub(super) fn open_scope(&self, worker: usize) -> (ScopeId, Option<ScopeId>) {
        let number = self.scopes.load(Ordering::Relaxed) + 1;
        self.scopes.store(number, Ordering::Relaxed);
        let word = NonZero::new((number << WORKER_BITS) | worker as u64).expect("numbers start at 1");
        let id = ScopeId(TaskId(word));
        let outer = self.innermost_scope().and_then(|open| {
            let outer = open.get();
            open.set(Some(id));
            outer
        });
        (id, outer)
    }

    /// It is over, and `outer` the innermost again.
    pub(super) fn close_scope(&self, outer: Option<ScopeId>) {
        if let Some(open) = self.innermost_scope() {
            open.set(outer);
        }
    }

    /// `None` outside of tasks, where nobody would look.
    fn innermost_scope(&self) -> Option<&ScopeCell> {
        let depth = self.running.load(Ordering::Relaxed).checked_sub(1)?;
        Some(&self.open[depth])
    }

    /// The innermost scope that is open in `task`. Its tasks are parts of `task`, as long as it has any.
    pub(super) fn scope_in(&self, task: TaskId) -> Option<ScopeId> {
        // In the order of `next_after`, and for the same reason.
        let scope = self.open[task.depth()].get()?;
        self.is_live(task).then_some(scope)
    }

    /// The tasks of `scope` that this worker, of name `worker`, runs.
    pub(super) fn of_scope(&self, worker: usize, scope: ScopeId) -> impl Iterator<Item = TaskId> {
        (0..self.running.load(Ordering::Relaxed)).filter_map(move |depth| {
            let seq = self.live[depth].load(Ordering::Acquire);
            // Of the task of that number or of a later one, which has ended the former.
            let is_of = seq != 0 && self.of[depth].get() == Some(scope);
            (is_of && self.live[depth].load(Ordering::Relaxed) == seq).then(|| TaskId::new(worker, depth, seq))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_live_from_its_beginning_to_its_end_and_its_name_is_not_used_again() {
        let tasks = Tasks::new();
        let outer = tasks.begin(7, 0, None);
        let inner = tasks.begin(7, 0, None);
        assert!(tasks.is_live(outer) && tasks.is_live(inner));
        tasks.end();
        assert!(tasks.is_live(outer) && !tasks.is_live(inner));
        let next = tasks.begin(7, 0, None);
        assert_eq!((next.worker(), next.depth()), (inner.worker(), inner.depth()));
        assert!(tasks.is_live(next) && !tasks.is_live(inner), "the same place, another task");
        tasks.end();
        tasks.end();
        assert!(!tasks.is_live(outer) && !tasks.is_live(next));
    }

    #[test]
    fn what_a_worker_waits_for_belongs_to_its_innermost_task() {
        let (tasks, others) = (Tasks::new(), Tasks::new());
        let (outer, theirs) = (tasks.begin(1, 0, None), others.begin(2, 0, None));
        assert_eq!(tasks.next_after(outer), None);
        tasks.wait_for(Some(theirs));
        assert_eq!(tasks.next_after(outer), Some(theirs));
        let inner = tasks.begin(1, 0, None);
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
    fn who_works_on_two_workers_has_room_for_as_many_tasks_as_on_one() {
        let (own, spare) = (Tasks::new(), Tasks::new());
        let older = own.begin(1, 0, None);
        spare.nest_in(Some(&own));
        let mut begun = vec![older];
        while spare.has_room() {
            begun.push(spare.begin(2, 0, None));
            assert_eq!(spare.innermost(2), begun.last().copied());
        }
        assert_eq!(begun.len(), MAX_DEPTH);
        (1..MAX_DEPTH).for_each(|_| spare.end());
        assert!(own.is_live(older) && !begun[1..].iter().any(|&task| spare.is_live(task)));
        spare.nest_in(None);
        assert_eq!(spare.innermost(2), None, "what its next occupant runs elsewhere is none of these");
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
            tasks.begin(0, 0, None);
            begun += 1;
        }
        assert_eq!(begun, MAX_DEPTH);
    }
}
