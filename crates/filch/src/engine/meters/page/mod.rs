//! The page: where the meters of all workers of this process are, so that other processes of the same user can read
//! them while it runs, as `filch top` does.
//!
//! On Linux it is a memory file, which nobody but this process can write to, and which lists itself: it begins with a
//! [text](layout) that says where everything is. There is one for all pools of a process, since each keeps a descriptor
//! open, by which others find it in `/proc`. A pool has a record in it, and each worker another one ([`records`]).
//! Where the system refuses the file, or has none, and when the file is full, records are on the heap, and only this
//! process can read them. Spare workers have records as others do.
//!
//! * A record belongs to one pool or worker at a time. Its number says which; it is 0 while the record is free. Whoever
//!   claims a record resets it first, and stores its number last.
//! * Records are never freed, so that a reference to one is valid for ever. What is given back is used again.
//! * A child of fork(2) has a page of its own, which it makes when it needs one. From its beginning, that of its parent
//!   is a private copy there ([`memory_file`]), and records of a parent are not given back.
//!
//! All that is here is written on slow paths. Readers conclude nothing from it about other memory, so all accesses
//! but those to numbers are relaxed. May import: `sync`.

#[cfg(all(target_os = "linux", target_has_atomic = "64", not(any(miri, loom))))]
mod layout;
#[cfg(all(target_os = "linux", target_has_atomic = "64", not(any(miri, loom))))]
mod memory_file;
mod records;
mod slots;

pub(crate) use records::{PoolRecord, WorkerRecord};

use crate::sync::process::{self, PerProcess};
use crate::sync::{AtomicU64, Mutex, Ordering, lock};
use slots::Slots;
use std::fmt::Display;

/// The records of this process.
static RECORDS: PerProcess<Mutex<Records>> = PerProcess::new(Mutex::new(Records::NONE));

struct Records {
    pools: Slots<PoolRecord>,
    workers: Slots<WorkerRecord>,
    /// Whether the system has been asked for the file.
    has_asked: bool,
}

impl Records {
    const NONE: Records = Records { pools: Slots::NONE, workers: Slots::NONE, has_asked: false };

    /// Asks the system for the file, once.
    fn ask(&mut self) {
        #[cfg(all(target_os = "linux", target_has_atomic = "64", not(any(miri, loom))))]
        if !self.has_asked
            && let Some(layout) = memory_file::make()
        {
            self.pools.share(&layout.pools, &layout.head.pools_used);
            self.workers.share(&layout.workers, &layout.head.workers_used);
        }
        self.has_asked = true;
    }
}

impl Default for Records {
    fn default() -> Self {
        Records::NONE
    }
}

/// The record of a pool, for as long as its team lives.
pub(crate) struct PoolMeters {
    record: &'static PoolRecord,
    number: u64,
    generation: usize,
}

impl PoolMeters {
    /// The meters of a new pool.
    pub(crate) fn new(workers: usize, seats: usize, scheduler: &dyn Display) -> Self {
        /// How many pools there have been in this process and those that it comes from.
        static POOLS: AtomicU64 = AtomicU64::new(0);
        let number = POOLS.fetch_add(1, Ordering::Relaxed) + 1;
        let record = {
            let mut records = lock(RECORDS.get());
            records.ask();
            records.pools.claim()
        };
        record.begin(number, workers, seats, scheduler);
        PoolMeters { record, number, generation: process::generation() }
    }

    /// The number of the pool: the first one of a process is 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// A run waits for a seat until the result is dropped.
    #[must_use]
    pub(crate) fn await_seat(&self) -> impl Drop + use<> {
        struct Waiting(&'static PoolRecord);
        impl Drop for Waiting {
            fn drop(&mut self) {
                self.0.waiting.fetch_sub(1, Ordering::Relaxed);
            }
        }
        self.record.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(self.record)
    }
}

impl Drop for PoolMeters {
    fn drop(&mut self) {
        self.record.end();
        if self.generation == process::generation() {
            lock(RECORDS.get()).pools.give_back(self.record);
        }
    }
}

/// The record of a worker, for as long as the worker lives.
pub(crate) struct WorkerMeters {
    record: &'static WorkerRecord,
    generation: usize,
}

impl WorkerMeters {
    /// The meters of a new worker of the pool with this number.
    pub(crate) fn new(pool: u64, index: usize, seat: usize) -> Self {
        let record = lock(RECORDS.get()).workers.claim();
        record.begin(pool, index, seat);
        WorkerMeters { record, generation: process::generation() }
    }

    /// What the worker writes. Belongs to another one once this has been dropped.
    pub(crate) fn record(&self) -> &'static WorkerRecord {
        self.record
    }
}

impl Drop for WorkerMeters {
    fn drop(&mut self) {
        self.record.end();
        if self.generation == process::generation() {
            lock(RECORDS.get()).workers.give_back(self.record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_begins_with_nothing_counted_whoever_had_its_record() {
        // More than there may be free records, so that some are used again.
        for index in 0..20 {
            let meters = WorkerMeters::new(u64::MAX, index, 1);
            let record = meters.record();
            assert_eq!((record.counters.parks.get(), record.index(), record.pool()), (0, index, u64::MAX));
            record.counters.parks.bump();
        }
    }

    #[test]
    fn a_run_waits_for_a_seat_until_it_has_one() {
        let pool = PoolMeters::new(2, 2, &"default");
        let waiting = pool.await_seat();
        assert_eq!(pool.record.waiting.load(Ordering::Relaxed), 1);
        drop(waiting);
        assert_eq!(pool.record.waiting.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn pools_have_different_numbers() {
        let [a, b] = [(); 2].map(|()| PoolMeters::new(1, 1, &"serial"));
        assert!(a.number() != b.number() && a.number() > 0 && b.number() > 0);
    }
}
