//! Sharing a barrier: of many thieves that need one, few issue it.
//!
//! A barrier serves every thread that stored before the barrier *began*. So when thieves arrive while one is under way,
//! one of them issues the next barrier and the others share it. `begun` counts the barriers that have begun. A thread
//! that has read `s` from `begun` is served by every barrier with a number above `s`, because that barrier's store to
//! `begun` comes after the read, and hence after the thread's fence.
//!
//! | variable | written by | read by |
//! |---|---|---|
//! | `begun` | the issuer of a barrier, under the lock, before it begins | any thread, after its store and a fence |
//! | `completed` | the same thread, under the lock, which it holds until the barrier is over | holders of the lock |
//!
//! The model is `models/barrier.pml`.

use super::{AtomicU64, Mutex, Ordering, full_fence, lock};

pub(super) struct SharedBarrier {
    begun: AtomicU64,
    /// The number of the last barrier that has completed.
    completed: Mutex<u64>,
}

impl SharedBarrier {
    #[cfg(not(loom))]
    pub(super) const fn new() -> Self {
        SharedBarrier { begun: AtomicU64::new(0), completed: Mutex::new(0) }
    }

    #[cfg(loom)]
    pub(super) fn new() -> Self {
        SharedBarrier { begun: AtomicU64::new(0), completed: Mutex::new(0) }
    }

    /// Issues a barrier, or waits for one that another thread began after the start of this call. Returns false if the
    /// barrier was refused.
    ///
    /// The caller has executed a full fence between the stores that the barrier is for and this call. `issue` issues a
    /// barrier and returns whether the system granted it. It is called at most once.
    pub(super) fn pass(&self, issue: impl FnOnce() -> bool) -> bool {
        let seen = self.begun.load(Ordering::SeqCst);
        let mut completed = lock(&self.completed);
        if *completed > seen || (mutant!("barrier_current") && *completed == seen && seen > 0) {
            return true;
        }
        let number = self.begun.load(Ordering::Relaxed) + 1;
        if !mutant!("barrier_begun_late") {
            self.begun.store(number, Ordering::SeqCst);
        }
        full_fence();
        let is_granted = issue();
        if mutant!("barrier_begun_late") {
            self.begun.store(number, Ordering::SeqCst);
        }
        // A barrier that has been refused keeps its number, and serves no thread.
        if is_granted || mutant!("barrier_refused_counts") {
            *completed = number;
        }
        is_granted
    }
}

#[cfg(not(loom))]
impl Default for SharedBarrier {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::*;
    use crate::sync::{AtomicBool, memory_fence};
    use loom::sync::Arc;
    use loom::thread;

    struct Shared {
        barrier: SharedBarrier,
        /// Stored by each thread; the barrier is for this store.
        stored: [AtomicBool; 3],
        /// The threads that a granted barrier has served.
        served: [AtomicBool; 3],
    }

    impl Shared {
        /// Stores, then issues or shares a barrier, which must serve this thread.
        fn pass(&self, me: usize, is_granted: bool) {
            self.stored[me].store(true, Ordering::Relaxed);
            memory_fence();
            let passed = self.barrier.pass(|| {
                // Like the system's barrier, this one serves the threads whose stores are visible when it begins.
                let seen = self.stored.each_ref().map(|stored| stored.load(Ordering::Relaxed));
                // A barrier takes some time.
                thread::yield_now();
                for (served, seen) in self.served.iter().zip(seen) {
                    if seen && is_granted {
                        served.store(true, Ordering::Relaxed);
                    }
                }
                is_granted
            });
            assert!(!passed || self.served[me].load(Ordering::Relaxed), "a barrier that began too early was shared");
        }
    }

    /// Runs so many threads. All barriers are granted, except that of the first thread if `is_first_granted` is false.
    fn check(threads: usize, is_first_granted: bool) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let shared = Arc::new(Shared {
                barrier: SharedBarrier::new(),
                stored: std::array::from_fn(|_| AtomicBool::new(false)),
                served: std::array::from_fn(|_| AtomicBool::new(false)),
            });
            let others: Vec<_> = (1..threads)
                .map(|me| {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || shared.pass(me, true))
                })
                .collect();
            shared.pass(0, is_first_granted);
            others.into_iter().for_each(|other| other.join().unwrap());
        });
    }

    #[test]
    fn a_barrier_is_shared_by_those_who_came_before_it_began() {
        check(2, true);
        check(3, true);
    }

    #[test]
    fn a_barrier_that_is_refused_serves_nobody() {
        check(2, false);
    }
}
