//! The records of the page. They are made of atomic integers only: any bytes are a valid record, and zeros a free one.

use crate::engine::meters::activity::ActivityCell;
use crate::engine::meters::counters::CounterCells;
use crate::sync::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::fmt::{Display, Write};

/// How much of the name of a scheduler is shown.
pub(super) const SCHEDULER_BYTES: usize = 232;

/// What the pool as a whole shows.
#[repr(C, align(128))]
pub(crate) struct PoolRecord {
    /// 0 if the record is free.
    pub(super) number: AtomicU64,
    /// How many workers and seats the pool has, without spare workers.
    pub(super) workers: AtomicU32,
    pub(super) seats: AtomicU32,
    /// How many runs wait for a seat.
    pub(super) waiting: AtomicU32,
    /// Text, with zeros behind it.
    pub(super) scheduler: [AtomicU8; SCHEDULER_BYTES],
}

/// What a worker writes. It has cache lines to itself, as other workers write to theirs.
#[repr(C, align(128))]
pub(crate) struct WorkerRecord {
    /// The number of the pool; 0 if the record is free.
    pub(super) pool: AtomicU64,
    pub(super) index: AtomicU32,
    /// The seat that the occupant is on.
    pub(super) seat: AtomicU32,
    /// What the occupant is doing.
    pub(crate) activity: ActivityCell,
    /// Whether the thread sleeps that has the same name as the worker. It occupies no worker then, and another thread
    /// may be the occupant. The thread writes this: 0 or 1.
    pub(super) sleeps: AtomicU8,
    /// What the worker has done.
    pub(crate) counters: CounterCells,
}

impl Default for PoolRecord {
    fn default() -> Self {
        PoolRecord {
            number: AtomicU64::new(0),
            workers: AtomicU32::new(0),
            seats: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            scheduler: [const { AtomicU8::new(0) }; SCHEDULER_BYTES],
        }
    }
}

impl PoolRecord {
    /// Begins the record of this pool. It must be free.
    pub(super) fn begin(&self, number: u64, workers: usize, seats: usize, scheduler: &dyn Display) {
        self.workers.store(narrow(workers), Ordering::Relaxed);
        self.seats.store(narrow(seats), Ordering::Relaxed);
        self.waiting.store(0, Ordering::Relaxed);
        let mut text = Text { bytes: &self.scheduler, next: 0 };
        // It fails where there is no more room.
        let _ = write!(text, "{scheduler}");
        self.scheduler[text.next..].iter().for_each(|byte| byte.store(0, Ordering::Relaxed));
        self.number.store(number, Ordering::Release);
    }

    /// The record is free.
    pub(super) fn end(&self) {
        self.number.store(0, Ordering::Release);
    }
}

impl Default for WorkerRecord {
    fn default() -> Self {
        WorkerRecord {
            pool: AtomicU64::new(0),
            index: AtomicU32::new(0),
            seat: AtomicU32::new(0),
            activity: ActivityCell::new(),
            sleeps: AtomicU8::new(0),
            counters: CounterCells::default(),
        }
    }
}

impl WorkerRecord {
    /// Begins the record of this worker. It must be free.
    pub(super) fn begin(&self, pool: u64, index: usize, seat: usize) {
        self.index.store(narrow(index), Ordering::Relaxed);
        self.sit_on(seat);
        self.activity.reset();
        self.set_asleep(false);
        self.counters.reset();
        self.pool.store(pool, Ordering::Release);
    }

    /// The record is free.
    pub(super) fn end(&self) {
        self.pool.store(0, Ordering::Release);
    }

    /// The occupant is on this seat.
    pub(crate) fn sit_on(&self, seat: usize) {
        self.seat.store(narrow(seat), Ordering::Relaxed);
    }

    /// The thread that has the same name as the worker falls asleep, or wakes up.
    pub(crate) fn set_asleep(&self, sleeps: bool) {
        self.sleeps.store(sleeps.into(), Ordering::Relaxed);
    }

    #[cfg(test)]
    pub(super) fn pool(&self) -> u64 {
        self.pool.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(super) fn index(&self) -> usize {
        self.index.load(Ordering::Relaxed) as usize
    }
}

/// Numbers of workers are small.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Text that is written into atomic bytes, as much as there is room for.
pub(super) struct Text<'b> {
    pub(super) bytes: &'b [AtomicU8],
    pub(super) next: usize,
}

impl Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.bytes.get(self.next).ok_or(std::fmt::Error)?.store(byte, Ordering::Relaxed);
            self.next += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_scheduler_is_cut_off_where_there_is_no_more_room() {
        let record = PoolRecord::default();
        let shown =
            || -> String { record.scheduler.iter().map(|byte| char::from(byte.load(Ordering::Relaxed))).collect() };
        record.begin(1, 2, 2, &"default,".repeat(100));
        assert_eq!(shown(), "default,".repeat(SCHEDULER_BYTES / 8));
        record.begin(2, 2, 2, &"cilk5");
        assert_eq!(shown().trim_end_matches('\0'), "cilk5");
    }
}
