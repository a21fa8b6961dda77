//! How many tasks are spawned and not done, and whether the thread that waits for them sleeps.
//!
//! Both are in one word: the count, and the waiter's announcement that it is about to sleep. A task is counted in
//! before it can be found. It is counted out as the last thing that its runner does to the memory around: after the
//! last task the waiter may go on at once and free that memory, with this word in it.
//!
//! The waiter counts those tasks apart, without a locked instruction, that it counts in or out itself. What is left is
//! the sum of both counts, which only the waiter forms. Either may be below zero: others may have counted out tasks of
//! the waiter, and the waiter tasks of others. Before the waiter announces that it sleeps, it adds its count to the
//! word, where the last of the others must find zero.
//!
//! | state | written by | read by |
//! |---|---|---|
//! | `word` | all | all |
//! | `own` | the waiter | the waiter |
//!
//! A spawner first puts a task where it can be found, under a lock, and then looks for the announcement. The waiter
//! first announces itself, and then looks for tasks under the same lock. The one that has the lock second sees the
//! other, so the spawner's look needs no ordering of its own. A spawner that finds the announcement withdraws it and
//! leaves a token in the waiter's parker (`models/scope.pml`).

use super::parker::Parker;
use super::{AtomicUsize, Ordering};

pub(crate) struct Pending {
    word: AtomicUsize,
    own: AtomicUsize,
}

const AWAITED: usize = 1;
const ONE: usize = 2;

impl Pending {
    pub(crate) fn new() -> Self {
        Pending { word: AtomicUsize::new(0), own: AtomicUsize::new(0) }
    }

    /// For tasks that nobody awaits: [`complete`](Self::complete) returns true whenever no task is left. The other
    /// methods of the waiter are not called.
    pub(crate) fn always_told() -> Self {
        Pending { word: AtomicUsize::new(AWAITED), own: AtomicUsize::new(0) }
    }

    /// Counts one task in. For the waiter.
    pub(crate) fn add_own(&self) {
        self.set_own(self.own().wrapping_add(ONE));
    }

    /// Counts so many tasks out. For the waiter.
    pub(crate) fn complete_own(&self, tasks: usize) {
        self.set_own(self.own().wrapping_sub(tasks * ONE));
    }

    fn own(&self) -> usize {
        self.own.load(Ordering::Relaxed)
    }

    fn set_own(&self, own: usize) {
        self.own.store(own, Ordering::Relaxed);
    }

    /// Counts one task in. Returns whether it is the only one now.
    pub(crate) fn add(&self) -> bool {
        // Relaxed: the thread that counts the task out finds it where it is put afterwards, under a lock.
        self.word.fetch_add(ONE, Ordering::Relaxed) < ONE
    }

    /// Whether all tasks are done. Acquires what was written before [`complete`](Self::complete). For the waiter; or
    /// for any thread, if nothing is counted apart.
    pub(crate) fn is_zero(&self) -> bool {
        self.word.load(Ordering::Acquire).wrapping_add(self.own()) < ONE
    }

    /// Counts so many tasks out. Returns true if the waiter must be woken. The caller must do that without this memory,
    /// which may be gone. A waiter that has not withdrawn its announcement may be woken although it does not sleep.
    pub(crate) fn complete(&self, tasks: usize) -> bool {
        self.word.fetch_sub(tasks * ONE, Ordering::AcqRel) == (tasks * ONE) | AWAITED
    }

    /// Sleeps until all tasks are done, as a waiter that nobody [calls](Self::call). `before` is called before each
    /// sleep.
    pub(crate) fn sleep_out(&self, parker: &Parker, before: impl Fn()) {
        while !self.is_zero() {
            before();
            if self.announce() {
                parker.park();
            }
        }
    }

    /// Announces that the waiter is about to sleep. Returns false if there is nothing left to wait for.
    pub(crate) fn announce(&self) -> bool {
        if self.own() != 0 && !mutant!("pending_apart") {
            self.word.fetch_add(self.own(), Ordering::Relaxed);
            self.set_own(0);
        }
        self.word.fetch_or(AWAITED, Ordering::AcqRel) >= ONE || mutant!("pending_no_look")
    }

    /// Called when a task can be found. Returns true if the caller must wake the waiter.
    pub(crate) fn call(&self) -> bool {
        self.word.load(Ordering::Relaxed) & AWAITED != 0
            && self.word.fetch_and(!AWAITED, Ordering::AcqRel) & AWAITED != 0
            && !mutant!("pending_silent")
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::*;
    use crate::sync::{Mutex, lock};
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use std::time::Duration;

    struct Shared {
        pending: Pending,
        pool: Mutex<usize>,
        parker: Parker,
    }

    impl Shared {
        fn get(&self) -> bool {
            let mut pool = lock(&self.pool);
            let got = *pool > 0;
            *pool -= usize::from(got);
            got
        }

        fn complete(&self) {
            if self.pending.complete(1) {
                self.parker.unpark();
            }
        }
    }

    /// A running task spawns another, and leaves that to the waiter. Under loom a sleep never times out, so a lost
    /// wake-up is a deadlock, which loom reports.
    #[test]
    fn a_waiter_that_sleeps_is_woken_by_a_spawn_and_by_the_last_task() {
        loom::model(|| {
            let shared = Arc::new(Shared { pending: Pending::new(), pool: Mutex::new(0), parker: Parker::new() });
            // The waiter has spawned the first task, and may run the second, which the first spawns.
            shared.pending.add_own();
            let task = loom::thread::spawn({
                let shared = Arc::clone(&shared);
                move || {
                    shared.pending.add();
                    *lock(&shared.pool) += 1;
                    if shared.pending.call() {
                        shared.parker.unpark();
                    }
                    shared.complete();
                }
            });
            let mut ran = 0;
            while !shared.pending.is_zero() {
                if shared.get() {
                    ran += 1;
                    shared.pending.complete_own(1);
                } else if shared.pending.announce() {
                    if mutant!("pending_no_second_look") || !shared.get() {
                        shared.parker.park_timeout(Duration::MAX);
                    } else {
                        ran += 1;
                        shared.pending.complete_own(1);
                    }
                }
            }
            assert_eq!(ran, 1, "only the waiter runs the second task");
            task.join().unwrap();
        });
    }
    /// The scope of a moved run, on the stack of its caller, which works for another team or for none.
    struct Moved {
        pending: Pending,
        /// The caller's parker, which whoever is to wake the caller holds itself.
        parker: std::sync::Arc<Parker>,
        /// What tasks leave for the caller.
        result: Mutex<usize>,
        /// The memory around, which the caller frees.
        memory: UnsafeCell<usize>,
    }

    impl Moved {
        /// What `run_tasks::count_out` does.
        fn end_task(&self) {
            *lock(&self.result) += 1;
            let look = || self.memory.with(|_| ());
            look();
            let parker = std::sync::Arc::clone(&self.parker);
            if self.pending.complete(1) {
                parker.unpark();
            }
            if mutant!("scope_touched_late") {
                look();
            }
        }
    }

    /// Each of two workers ends a task of a run whose caller sleeps until both are done, and then frees the scope.
    #[test]
    fn the_caller_of_a_moved_run_is_woken_when_all_is_done_and_nobody_is_in_its_memory_then() {
        loom::model(|| {
            let moved = Arc::new(Moved {
                pending: Pending::new(),
                parker: std::sync::Arc::new(Parker::new()),
                result: Mutex::new(0),
                memory: UnsafeCell::new(0),
            });
            (0..2).for_each(|_| _ = moved.pending.add());
            let workers = [(); 2].map(|()| {
                let moved = Arc::clone(&moved);
                loom::thread::spawn(move || moved.end_task())
            });
            moved.pending.sleep_out(&moved.parker, || ());
            // SAFETY: all tasks have been counted out, so this thread alone uses the memory; loom checks that.
            moved.memory.with_mut(|memory| unsafe { *memory = 1 });
            assert_eq!(*lock(&moved.result), 2);
            workers.into_iter().for_each(|worker| worker.join().unwrap());
        });
    }
}
