//! The page as other processes find it: a head, the records of pools, and those of workers.
//!
//! The head is text, which says where each thing is, so that a reader of another version finds what it knows:
//!
//! ```text
//! filch-pool 1                the version: raised when a reader of the one before would be misled
//! process 4711                as the process knows itself
//! pools 4096 256 1024         records begin at 4096, every 256 bytes, at most 1024
//! workers 266240 384 8192
//! used pools 4088 4           how many of them have been in use: an integer at 4088, of 4 bytes
//! used workers 4092 4
//! pool number 0 8             in each record of a pool: an integer at 0, of 8 bytes
//! worker pool 0 8
//! counter parks 200 8         in each record of a worker
//! activity 0 away             the name of a value of `worker activity`
//! end
//! ```

use super::records::{PoolRecord, SCHEDULER_BYTES, Text, WorkerRecord};
use crate::engine::meters::activity::Activity;
use crate::engine::meters::counters::CounterCells;
use crate::sync::{AtomicU8, AtomicU32};
use std::fmt::{self, Write};
use std::mem::offset_of;

/// How many bytes the head has: a page of memory.
const HEAD_BYTES: usize = 4096;

/// How many pools and workers others can see at a time. Memory is used only for those that there are.
const POOLS: usize = 1024;
const WORKERS: usize = 8192;

#[repr(C)]
pub(super) struct Layout {
    pub(super) head: Head,
    pub(super) pools: [PoolRecord; POOLS],
    pub(super) workers: [WorkerRecord; WORKERS],
}

#[repr(C)]
pub(super) struct Head {
    pub(super) text: [AtomicU8; HEAD_BYTES - 8],
    pub(super) pools_used: AtomicU32,
    pub(super) workers_used: AtomicU32,
}

const _: () = assert!(size_of::<Head>() == HEAD_BYTES);

impl Layout {
    /// How many bytes of the page have been in use, when there have been so many pools and workers.
    pub(super) fn used([pools, workers]: [usize; 2]) -> [std::ops::Range<usize>; 3] {
        let (first_pool, first_worker) = (offset_of!(Layout, pools), offset_of!(Layout, workers));
        [
            0..HEAD_BYTES,
            first_pool..first_pool + pools.min(POOLS) * size_of::<PoolRecord>(),
            first_worker..first_worker + workers.min(WORKERS) * size_of::<WorkerRecord>(),
        ]
    }

    /// Writes the head.
    pub(super) fn write_head(&self) -> fmt::Result {
        Layout::describe(&mut Text { bytes: &self.head.text, next: 0 })
    }

    fn describe(text: &mut dyn Write) -> fmt::Result {
        let (pools, workers) = (offset_of!(Layout, pools), offset_of!(Layout, workers));
        let counters = offset_of!(WorkerRecord, counters);
        writeln!(text, "filch-pool 1\nprocess {}", std::process::id())?;
        writeln!(text, "pools {pools} {} {POOLS}", size_of::<PoolRecord>())?;
        writeln!(text, "workers {workers} {} {WORKERS}", size_of::<WorkerRecord>())?;
        writeln!(text, "used pools {} 4", offset_of!(Layout, head.pools_used))?;
        writeln!(text, "used workers {} 4", offset_of!(Layout, head.workers_used))?;
        writeln!(text, "pool number {} 8", offset_of!(PoolRecord, number))?;
        writeln!(text, "pool workers {} 4", offset_of!(PoolRecord, workers))?;
        writeln!(text, "pool seats {} 4", offset_of!(PoolRecord, seats))?;
        writeln!(text, "pool waiting {} 4", offset_of!(PoolRecord, waiting))?;
        writeln!(text, "pool scheduler {} {SCHEDULER_BYTES}", offset_of!(PoolRecord, scheduler))?;
        writeln!(text, "worker pool {} 8", offset_of!(WorkerRecord, pool))?;
        writeln!(text, "worker index {} 4", offset_of!(WorkerRecord, index))?;
        writeln!(text, "worker seat {} 4", offset_of!(WorkerRecord, seat))?;
        writeln!(text, "worker activity {} 1", offset_of!(WorkerRecord, activity))?;
        writeln!(text, "worker sleeps {} 1", offset_of!(WorkerRecord, sleeps))?;
        for (name, offset) in CounterCells::OFFSETS {
            writeln!(text, "counter {name} {} 8", counters + offset)?;
        }
        for activity in Activity::ALL {
            writeln!(text, "activity {} {activity}", activity as u8)?;
        }
        writeln!(text, "end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::meters::counters::Counters;

    #[test]
    fn the_head_has_room_for_its_text_and_names_every_counter() {
        let mut text = String::new();
        Layout::describe(&mut text).expect("memory");
        // One byte is left for the zero behind it.
        assert!(text.len() < size_of::<Head>() - 8 && text.is_ascii() && text.ends_with("\nend\n"), "{text}");
        for (name, _) in Counters::default().iter() {
            assert!(text.contains(&format!("\ncounter {name} ")), "{name}: {text}");
        }
        assert!(text.contains("\nactivity 0 away\n"), "{text}");
    }
}
