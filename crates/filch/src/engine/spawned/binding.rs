//! The tasks that are bound to one thread, until it leaves.

use crate::engine::spawned::SpawnQueue;
use crate::sync::{Mutex, MutexGuard, lock};

/// What is bound to one thread.
pub(crate) struct Binding {
    tasks: SpawnQueue,
    /// Whether the thread will not look here any more. A task is put here under this lock, and the thread leaves under
    /// it, so no task is left behind.
    has_left: Mutex<bool>,
}

impl Binding {
    pub(crate) fn new() -> Self {
        Binding { tasks: SpawnQueue::new(), has_left: Mutex::new(false) }
    }

    pub(crate) fn tasks(&self) -> &SpawnQueue {
        &self.tasks
    }

    /// While the result lives, a task may be put here. `None` if the thread has left.
    pub(crate) fn open(&self) -> Option<MutexGuard<'_, bool>> {
        let has_left = lock(&self.has_left);
        (!*has_left).then_some(has_left)
    }

    /// From now on nothing is put here: the thread leaves. False if it has to run something first.
    pub(crate) fn close(&self) -> bool {
        let is_empty = || !self.tasks.has_any();
        let early = mutant!("binding_looks_early").then(is_empty);
        let mut has_left = lock(&self.has_left);
        *has_left = early.unwrap_or_else(is_empty);
        *has_left
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::*;
    use crate::engine::frame::Top;
    use crate::engine::spawned::{Fate, GroupHead, Job, Spawned, Task};
    use crate::protocol::sleep::Sleepers;
    use crate::sync::parker::Parker;
    use crate::sync::{AtomicUsize, Ordering};
    use filch_policy::{End, Plan, Tier};
    use loom::sync::Arc;
    use loom::thread;
    use std::ptr::NonNull;
    use std::time::Duration;

    /// A task that counts when it is dropped, which stands for a run.
    struct Counts(Arc<(AtomicUsize, Parker)>);

    impl Task for Counts {
        fn run(self, _: Top<'_>) {}
    }

    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.0.fetch_add(1, Ordering::Relaxed);
            self.0.1.unpark();
        }
    }

    struct Threads {
        binding: Binding,
        sleepers: Sleepers,
        is_over: AtomicUsize,
        scope: GroupHead,
        /// How many tasks have run, and who waits for that.
        done: Arc<(AtomicUsize, Parker)>,
    }

    impl Threads {
        fn run(&self, task: Spawned) {
            Job::finish(&mut Some(task.into_job()), Fate::Drop).expect("it does not panic");
        }

        fn run_bound(&self) -> bool {
            self.binding.tasks().get_any(End::Oldest).map(|task| self.run(task)).is_some()
        }

        /// What `life::live` does. There are no timeouts here, so a call that is missed is a deadlock.
        fn live(&self) {
            let is_over = || self.is_over.load(Ordering::SeqCst) > 0;
            while !is_over() {
                if !self.run_bound() {
                    let look = |_| is_over() || self.binding.tasks().has_any();
                    self.sleepers.sleep(0, Plan::Nap(Duration::MAX), false, look);
                }
            }
            while !self.binding.close() {
                self.run_bound();
            }
        }

        /// What `Group::spawn_bound` does.
        fn bind(&self) {
            // SAFETY: the task borrows nothing.
            let job = unsafe { Job::new(Counts(Arc::clone(&self.done))) };
            // SAFETY: the scope lives as long as the queue.
            let task = unsafe { Spawned::new(NonNull::from(&self.scope), job) };
            let Some(binding) = self.binding.open() else { return self.run(task) };
            self.binding.tasks().put(task);
            drop(binding);
            self.sleepers.call_this(0);
        }
    }

    /// The parts of broadcasts, for a thread that is told to leave meanwhile; or not before one is over, if `awaits`.
    fn check(binders: usize, awaits: bool) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(move || {
            let threads = Arc::new(Threads {
                binding: Binding::new(),
                sleepers: Sleepers::new(1, None),
                is_over: AtomicUsize::new(0),
                scope: GroupHead { parent: None, is_fifo: false, tier: Tier::INTRA, owner: 0 },
                done: Arc::new((AtomicUsize::new(0), Parker::new())),
            });
            let beside = |f: fn(&Threads)| {
                let threads = Arc::clone(&threads);
                thread::spawn(move || f(&threads))
            };
            let bound = beside(Threads::live);
            let binders: Vec<_> = (0..binders).map(|_| beside(Threads::bind)).collect();
            threads.bind();
            if awaits {
                threads.done.1.park();
            }
            threads.is_over.store(1, Ordering::SeqCst);
            threads.sleepers.wake_all();
            let count = 1 + binders.len();
            binders.into_iter().chain([bound]).for_each(|thread| thread.join().unwrap());
            assert_eq!(threads.done.0.load(Ordering::Relaxed), count, "each task has run once");
        });
    }

    #[test]
    fn what_is_bound_to_a_thread_that_leaves_is_run() {
        check(0, false);
    }

    #[test]
    fn what_is_bound_to_a_thread_that_sleeps_is_run() {
        check(0, true);
    }

    #[test]
    fn what_two_threads_bind_to_one_that_leaves_is_run() {
        check(1, false);
    }
}
