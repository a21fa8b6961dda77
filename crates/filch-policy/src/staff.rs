//! How many workers a pool has, and how many threads and seats.
//!
//! Decided from the scheduler, and from what the machine has.

use crate::scheduler::{Preset, Scheduler};

/// Workers that chaos plays where the user sets none: the same on every machine, as its schedules are.
const CHAOS_WORKERS: usize = 4;

/// Who works for a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staff {
    /// The caller, who is the only worker.
    Caller,
    /// The caller, who plays all workers: one at a time, so there is one seat.
    Player,
    /// The caller, and a thread for every other worker.
    Threads,
}

impl Staff {
    /// Of a pool with this scheduler.
    pub fn of(scheduler: &Scheduler) -> Self {
        match scheduler.preset {
            Preset::Serial => Staff::Caller,
            Preset::Chaos { .. } => Staff::Player,
            Preset::Default | Preset::Cilk5 => Staff::Threads,
        }
    }

    /// How many workers there are if nobody says, on a machine that runs `available` threads at once.
    pub fn workers(self, available: usize) -> usize {
        match self {
            Staff::Caller => 1,
            Staff::Player => CHAOS_WORKERS,
            Staff::Threads => available,
        }
    }

    /// How many threads the pool starts for so many workers.
    pub fn threads(self, workers: usize) -> usize {
        match self {
            Staff::Caller | Staff::Player => 0,
            Staff::Threads => workers - 1,
        }
    }

    /// How many threads may work at once as so many workers.
    pub fn seats(self, workers: usize) -> usize {
        match self {
            Staff::Player => 1,
            Staff::Caller | Staff::Threads => workers,
        }
    }

    /// Whether a run that forks is announced, so that others come. Where one thread plays all workers nobody would,
    /// and that thread decides itself what runs elsewhere.
    pub fn announces_forks(self) -> bool {
        self != Staff::Player
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
            assert_eq!((workers, staff.threads(workers), staff.seats(workers)), (4, 0, 1));
        }
    }

    #[test]
    fn every_worker_beside_the_caller_has_a_thread() {
        for scheduler in [Scheduler::default(), Scheduler::cilk5(), Scheduler::serial()] {
            let staff = Staff::of(&scheduler);
            let workers = staff.workers(8);
            assert_eq!((staff.threads(workers) + 1, staff.seats(workers)), (workers, workers), "{scheduler}");
        }
    }
}
