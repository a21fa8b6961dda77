//! Sharing a barrier: of many thieves that need one, few issue it.
//!
//! A barrier serves everybody who stored before it *began*, so of many thieves that arrive while one is under way, one
//! issues the next and the others share it. `begun` counts barriers begun; whoever read `s` from it is served by any
//! barrier numbered above `s`: that barrier's store to `begun` comes after the read, hence after the caller's fence.
//!
//! | variable | who writes | who reads |
//! |---|---|---|
//! | `begun` | who issues a barrier, under the lock, before it begins | anybody, after its own store and a full fence |
//! | `completed` | the same, when it is over; the lock is held meanwhile | under the lock |
//!
//! The model is `models/barrier.pml`.

use super::{AtomicU64, Mutex, Ordering, full_fence, lock};

pub(super) struct SharedBarrier {
    begun: AtomicU64,
    /// Number of the last barrier that has completed.
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

    /// Issues a barrier, or waits for one that another thread began after this call did. False where it was refused.
    ///
    /// The caller's stores that it is for come before a full fence, and this after that. `issue` issues one, and says
    /// whether that was granted; it is called at most once.
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
        // One that has been refused has its number, and serves nobody.
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
        /// Stored by each thread, for the barrier.
        stored: [AtomicBool; 3],
        /// What a barrier that was granted has served.
        served: [AtomicBool; 3],
    }

    impl Shared {
        /// Each of these is to be served by the barrier that it issues or shares.
        fn pass(&self, me: usize, is_granted: bool) {
            self.stored[me].store(true, Ordering::Relaxed);
            memory_fence();
            let passed = self.barrier.pass(|| {
                // As the system's: what can be seen when it begins is ordered by it.
                let seen = self.stored.each_ref().map(|stored| stored.load(Ordering::Relaxed));
                // It takes its time.
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

    /// Threads, of whose barriers all are granted but the first one's if need be.
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
