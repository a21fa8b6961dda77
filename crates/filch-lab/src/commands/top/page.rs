//! The page of a process, as it is at one moment.
//!
//! It is read like a file and not mapped: a mapped page that becomes shorter would end this command by a signal. Each
//! value is right, but not all are of the same moment.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::head::{Head, HeadError, Table};

/// Why a page cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The system does not allow it, or it is gone.
    #[error("its page cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is not a page as this command knows it.
    #[error(transparent)]
    Head(#[from] HeadError),
}

/// An open page.
#[derive(Debug)]
pub struct Page {
    file: File,
    head: Head,
}

/// A pool at one moment.
#[derive(Clone, Debug)]
pub struct PoolNow {
    /// Its number in the process.
    pub number: u64,
    /// Its scheduler, as text.
    pub scheduler: String,
    /// Its workers, without spare ones.
    pub workers: u64,
    /// Its seats.
    pub seats: u64,
    /// The runs that wait for one.
    pub waiting: u64,
    /// Its workers, with spare ones, by their indices.
    pub rows: Vec<WorkerNow>,
}

/// A worker at one moment.
#[derive(Clone, Debug)]
pub struct WorkerNow {
    /// Its index in the pool.
    pub index: u64,
    /// The seat of its occupant.
    pub seat: u64,
    /// What it does, in one word.
    pub state: String,
    /// Whether a thread works there.
    pub is_occupied: bool,
    /// What it has counted, in the order of [`Page::counters`].
    pub counters: Vec<u64>,
}

impl WorkerNow {
    /// Whether it runs something.
    pub fn is_busy(&self) -> bool {
        self.state == BUSY
    }
}

const BUSY: &str = "busy";
const AWAY: &str = "away";
const ASLEEP: &str = "asleep";
const BLOCKED: &str = "blocked";

/// The word for an activity.
fn word(activity: &str) -> &str {
    match activity {
        "run" | "task" => BUSY,
        "search" | "ask" => "searching",
        "wait" => "waiting",
        "sleep" => ASLEEP,
        "block" => BLOCKED,
        other => other,
    }
}

impl PoolNow {
    /// How many seats are taken: those of workers that have an occupant which has not left its seat to others.
    pub fn taken(&self) -> usize {
        let sits = |row: &&WorkerNow| row.is_occupied && row.state != BLOCKED;
        let mut seats: Vec<u64> = self.rows.iter().filter(sits).map(|row| row.seat).collect();
        seats.sort_unstable();
        seats.dedup();
        // Under some schedulers one thread plays several workers, on one seat.
        seats.len().min(usize::try_from(self.seats).unwrap_or(usize::MAX))
    }
}

impl Page {
    /// Opens the page at this path.
    ///
    /// # Errors
    ///
    /// If it is no page that this command can read.
    pub fn open(path: &Path) -> Result<Page, PageError> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut head = Vec::new();
        file.by_ref().take(Head::BYTES as u64).read_to_end(&mut head)?;
        Ok(Page { head: Head::parse(&head, bytes)?, file })
    }

    /// The process whose page it is, as that knows itself.
    pub fn process(&self) -> u32 {
        self.head.process
    }

    /// The names of the counters.
    pub fn counters(&self) -> impl Iterator<Item = &str> {
        self.head.counters.iter().map(|(name, _)| &**name)
    }

    /// The pools of the process, by their numbers.
    ///
    /// # Errors
    ///
    /// If the page has become shorter.
    pub fn now(&self) -> Result<Vec<PoolNow>, PageError> {
        let head = &self.head;
        let start = self.read(0, Head::BYTES)?;
        let records = |table: Table, used| -> Result<Vec<u8>, PageError> {
            let used = usize::try_from(used).unwrap_or(usize::MAX).min(table.count);
            Ok(self.read(table.at, used * table.stride)?)
        };
        let [used_pools, used_workers] = head.used.map(|used| used.integer(&start));
        let [number, workers, seats, waiting, scheduler] = head.pool;
        let mut pools: Vec<PoolNow> = Vec::new();
        for record in records(head.pools, used_pools)?.chunks_exact(head.pools.stride) {
            if number.integer(record) != 0 {
                pools.push(PoolNow {
                    number: number.integer(record),
                    scheduler: scheduler.text(record),
                    workers: workers.integer(record),
                    seats: seats.integer(record),
                    waiting: waiting.integer(record),
                    rows: Vec::new(),
                });
            }
        }
        pools.sort_by_key(|pool| pool.number);
        pools.dedup_by_key(|pool| pool.number);
        let places: HashMap<u64, usize> = pools.iter().enumerate().map(|(place, pool)| (pool.number, place)).collect();
        let [pool, ..] = head.worker;
        for record in records(head.workers, used_workers)?.chunks_exact(head.workers.stride) {
            if let Some(&place) = places.get(&pool.integer(record)) {
                pools[place].rows.push(self.worker(record));
            }
        }
        pools.iter_mut().for_each(|pool| pool.rows.sort_by_key(|row| row.index));
        Ok(pools)
    }

    fn worker(&self, record: &[u8]) -> WorkerNow {
        let head = &self.head;
        let [_, index, seat, activity, sleeps] = head.worker;
        let activity = activity.integer(record);
        let name = head.activities.get(&activity).map_or_else(|| format!("({activity})"), |name| word(name).to_owned());
        let is_occupied = name != AWAY;
        // Away, because the thread that would work there sleeps.
        let state = if !is_occupied && sleeps.integer(record) != 0 { ASLEEP.to_owned() } else { name };
        WorkerNow {
            index: index.integer(record),
            seat: seat.integer(record),
            state,
            is_occupied,
            counters: head.counters.iter().map(|(_, field)| field.integer(record)).collect(),
        }
    }

    fn read(&self, at: u64, bytes: usize) -> io::Result<Vec<u8>> {
        let mut file = &self.file;
        let mut read = vec![0; bytes];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut read)?;
        Ok(read)
    }
}
