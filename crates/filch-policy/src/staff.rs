//! How many workers a pool has, and how many threads and seats.
//!
//! Decided from the scheduler, and from what the machine has.

use crate::scheduler::Scheduler;
use crate::settings::Preset;
use std::ops::Range;

/// How many workers chaos plays if the user does not say. The number is the same on every machine, as the schedules
/// are.
const CHAOS_WORKERS: usize = 4;

/// Which threads work for a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staff {
    /// The caller, which is the only worker.
    Caller,
    /// The caller, which plays all workers, one at a time. So there is one seat.
    Player,
    /// The caller, which runs everything in program order and records it. The pool says that it has more workers, so
    /// that programs divide their work as if they were there.
    Recorder,
    /// A thread for each worker, or for each but the caller.
    Threads,
}

impl Staff {
    /// The staff of a pool with this scheduler.
    pub fn of(scheduler: &Scheduler) -> Self {
        match scheduler.preset {
            Preset::Serial => Staff::Caller,
            Preset::Chaos { .. } => Staff::Player,
            Preset::Profile { .. } => Staff::Recorder,
            Preset::Default | Preset::Cilk5 | Preset::Heartbeat | Preset::Tascell | Preset::Cab | Preset::Lazy => {
                Staff::Threads
            }
        }
    }

    /// How many workers there are unless the user says, on a machine that runs `available` threads at once.
    pub fn workers(self, available: usize) -> usize {
        match self {
            Staff::Caller => 1,
            Staff::Player => CHAOS_WORKERS,
            Staff::Recorder | Staff::Threads => available,
        }
    }

    /// The workers for which the pool starts a thread if it has this many. The caller is worker 0, unless there is to
    /// be a thread `for_all`.
    pub fn threads(self, workers: usize, for_all: bool) -> Range<usize> {
        match self {
            Staff::Caller | Staff::Player | Staff::Recorder => 0..0,
            Staff::Threads => usize::from(!for_all)..workers,
        }
    }

    /// How many threads may work at the same time for a pool with this many workers.
    pub fn seats(self, workers: usize) -> usize {
        match self {
            Staff::Player | Staff::Recorder => 1,
            Staff::Caller | Staff::Threads => workers,
        }
    }

    /// Whether a run that forks is announced, so that other threads come. Where one thread stands for several workers
    /// no other thread would come, and that thread itself decides which work moves, if any does.
    pub fn announces_forks(self) -> bool {
        !matches!(self, Staff::Player | Staff::Recorder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_plays_four_workers_on_every_machine() {
        let staff = Staff::of(&Scheduler::chaos(7));
        for available in [1, 2, 64] {
            let workers = staff.workers(available);
            assert_eq!((workers, staff.threads(workers, true), staff.seats(workers)), (4, 0..0, 1));
        }
    }

    #[test]
    fn every_worker_beside_the_caller_has_a_thread() {
        for scheduler in [Scheduler::default(), Scheduler::cilk5(), Scheduler::serial()] {
            let staff = Staff::of(&scheduler);
            let workers = staff.workers(8);
            let (threads, all) = (staff.threads(workers, false), staff.threads(workers, true));
            assert_eq!((threads.len() + 1, staff.seats(workers)), (workers, workers), "{scheduler}");
            assert!(staff == Staff::Caller || all == (0..workers), "{scheduler}");
        }
    }
}
