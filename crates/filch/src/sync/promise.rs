//! Whether a task with a handle has begun and is done, and who waits for it.
//!
//! One party holds the handle, and another one may find the task in a queue. Whoever claims the task runs it, or drops
//! it, and completes it. The holder may leave a *waiter* in a cell, which the runner gets when it completes the task.
//!
//! | bit | set | cleared |
//! |---|---|---|
//! | `BEGUN` | by whoever claims the task, once | |
//! | `DONE` | by the runner, once: its last access, unless it has got the waiter | |
//! | `AWAITED` | by the holder, when a waiter is in the cell | by the holder, before it replaces the waiter |
//! | `LEFT` | by the holder, once: its last access; the runner disposes of the result | |
//!
//! The cell belongs to the holder while neither `AWAITED` nor `DONE` is set. If both are, it is the runner's. All of
//! these are read-modify-writes of one word, so one of the two always sees the other: no waiter is lost or taken twice.
//! `models/handle.pml` checks this.

use super::cell::UnsafeCell;
use super::{AtomicU8, Ordering};

const BEGUN: u8 = 1;
const DONE: u8 = 2;
const AWAITED: u8 = 4;
const LEFT: u8 = 8;

pub(crate) struct Promise<W> {
    state: AtomicU8,
    waiter: UnsafeCell<Option<W>>,
}

// SAFETY: the cell is accessed by one thread at a time, and the waiter in it may move to the runner.
unsafe impl<W: Send> Sync for Promise<W> {}

/// What the runner learns when it completes a task.
pub(crate) struct Completed<W> {
    /// To be woken.
    pub(crate) waiter: Option<W>,
    /// Whether nobody will fetch the result.
    pub(crate) is_left: bool,
}

impl<W> Promise<W> {
    pub(crate) fn new() -> Self {
        Promise { state: AtomicU8::new(0), waiter: UnsafeCell::new(None) }
    }

    /// Returns true to the first caller, who may run the task.
    pub(crate) fn claim(&self) -> bool {
        // Acquire: the task may have been written by a thread that has only handed its handle on.
        self.state.load(Ordering::Relaxed) & BEGUN == 0 && self.state.fetch_or(BEGUN, Ordering::Acquire) & BEGUN == 0
            || mutant!("handle_claims_twice")
    }

    /// Whether somebody has claimed the task.
    pub(crate) fn has_begun(&self) -> bool {
        self.state.load(Ordering::Relaxed) & BEGUN != 0
    }

    /// Whether the task is done. Acquires what was written before [`complete`](Self::complete).
    pub(crate) fn is_done(&self) -> bool {
        self.state.load(Ordering::Acquire) & DONE != 0
    }

    /// Marks the task as done. For whoever has claimed it, once.
    pub(crate) fn complete(&self) -> Completed<W> {
        let order = if mutant!("handle_done_relaxed") { Ordering::Relaxed } else { Ordering::AcqRel };
        let before = self.state.fetch_or(DONE, order);
        let is_awaited = before & AWAITED != 0;
        // SAFETY: the holder has left a waiter in the cell, and does not withdraw it any more.
        let waiter = is_awaited.then(|| self.waiter.with_mut(|waiter| unsafe { (*waiter).take() })).flatten();
        Completed { waiter, is_left: before & LEFT != 0 }
    }

    /// Leaves a waiter, in the place of an earlier one. Returns false if the task is done; then nobody will be woken.
    /// For the holder.
    pub(crate) fn leave_waiter(&self, waiter: W) -> bool {
        // The runner may be in the cell, although the announcement has been withdrawn.
        if self.is_done() && !mutant!("handle_no_first_look") {
            return false;
        }
        if self.state.load(Ordering::Relaxed) & AWAITED != 0
            && !mutant!("handle_no_withdrawal")
            && self.state.fetch_and(!AWAITED, Ordering::AcqRel) & DONE != 0
        {
            return false;
        }
        // SAFETY: no waiter is announced, so the cell is the holder's.
        let earlier = self.waiter.with_mut(|place| unsafe { (*place).replace(waiter) });
        let is_done = self.state.fetch_or(AWAITED, Ordering::AcqRel) & DONE != 0;
        drop(earlier);
        !is_done || mutant!("handle_no_second_look")
    }

    /// Nobody will fetch the result. Returns whether the task is done. For the holder, once and last.
    pub(crate) fn leave(&self) -> bool {
        self.state.fetch_or(LEFT, Ordering::AcqRel) & DONE != 0
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::super::cell::Plain;
    use super::super::parker::Parker;
    use super::*;
    use loom::sync::Arc;

    struct Shared {
        promise: Promise<Arc<Parker>>,
        task: Plain<u32>,
    }

    impl Shared {
        fn new() -> Arc<Self> {
            Arc::new(Shared { promise: Promise::new(), task: Plain::new(0) })
        }

        fn run_elsewhere(shared: &Arc<Self>) -> loom::thread::JoinHandle<bool> {
            let shared = Arc::clone(shared);
            loom::thread::spawn(move || shared.run())
        }

        /// Whether this thread has run the task.
        fn run(&self) -> bool {
            self.promise.claim() && {
                self.task.update(|runs| *runs += 1);
                if let Some(waiter) = self.promise.complete().waiter {
                    waiter.unpark();
                }
                true
            }
        }
    }

    #[test]
    fn a_holder_that_waits_is_woken_and_sees_the_result() {
        loom::model(|| {
            let shared = Shared::new();
            let runner = Shared::run_elsewhere(&shared);
            // The last waiter replaces the others, unless the task is done.
            let parkers = [0, 1, 2].map(|_| Arc::new(Parker::new()));
            let are_left = parkers.each_ref().map(|parker| shared.promise.leave_waiter(Arc::clone(parker)));
            if are_left[2] {
                parkers[2].park();
            }
            assert!(shared.promise.is_done());
            assert_eq!(shared.task.get(), 1);
            runner.join().unwrap();
        });
    }

    #[test]
    fn a_task_that_both_want_runs_once() {
        loom::model(|| {
            let shared = Shared::new();
            let runner = Shared::run_elsewhere(&shared);
            let has_run = shared.run();
            assert!(has_run != runner.join().unwrap());
            assert_eq!(shared.task.get(), 1);
        });
    }

    #[test]
    fn what_nobody_fetches_is_disposed_of_by_one_of_the_two() {
        loom::model(|| {
            let shared = Shared::new();
            let runner = loom::thread::spawn({
                let shared = Arc::clone(&shared);
                move || {
                    assert!(shared.promise.claim());
                    shared.promise.complete().is_left
                }
            });
            let is_done = shared.promise.leave();
            assert!(is_done != runner.join().unwrap());
        });
    }
}
