//! Whether something that a thread waits for is done, and whether that thread sleeps.
//!
//! The thread that completes it stores `DONE` with a release. That is the last thing that it does to the memory around,
//! because the waiter may go on at once and free that memory, with this flag in it. The waiter announces itself before
//! it sleeps, and sleeps only if the announcement comes before `DONE`. A thread that finds the announcement when it
//! stores `DONE` leaves a token in the waiter's parker, which outlives both.

use super::{AtomicU8, Ordering};

pub(crate) struct Done(AtomicU8);

const PENDING: u8 = 0;
const AWAITED: u8 = 1;
const DONE: u8 = 2;

impl Done {
    pub(crate) fn new() -> Self {
        Done(AtomicU8::new(PENDING))
    }

    /// Whether it is done. Acquires what was written before [`set`](Self::set).
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire) == DONE
    }

    /// Marks it as done. Returns true if the waiter must be woken. The caller must do that without this memory, which
    /// may be gone.
    pub(crate) fn set(&self) -> bool {
        let order = if mutant!("done_relaxed") { Ordering::Relaxed } else { Ordering::AcqRel };
        self.0.swap(DONE, order) == AWAITED
    }

    /// Announces that the waiter is about to sleep. Returns false if there is nothing left to wait for.
    pub(crate) fn announce(&self) -> bool {
        match self.0.compare_exchange(PENDING, AWAITED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(found) => found != DONE || mutant!("no_second_look"),
        }
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::*;
    use crate::sync::parker::Parker;
    use loom::sync::Arc;
    use std::time::Duration;

    /// Under loom a sleep never times out, so a lost wake-up is a deadlock, which loom reports.
    #[test]
    fn a_waiter_that_sleeps_is_woken() {
        loom::model(|| {
            let shared = Arc::new((Done::new(), Parker::new()));
            let worker = loom::thread::spawn({
                let shared = Arc::clone(&shared);
                move || {
                    if shared.0.set() {
                        shared.1.unpark();
                    }
                }
            });
            while !shared.0.is_set() {
                if shared.0.announce() {
                    shared.1.park_timeout(Duration::MAX);
                }
            }
            worker.join().unwrap();
        });
    }
}
