//! What the start of the default pool takes.

use std::fs;

use filch::Pool;

use crate::failure::Failure;
use crate::measure::pools::Pools;

/// A pool that has just been started, and what that took.
#[derive(Debug)]
pub struct Started {
    /// The pool, which has not been used yet.
    pub pool: Pool,
    /// The growth of the process's resident memory by the start, in KiB, if the system reports it.
    pub resident_kib: Option<u64>,
}

/// Starts a pool with default settings.
pub fn start(pools: &Pools) -> Result<Started, Failure> {
    let before = resident_kib();
    let pool = pools.default_pool()?;
    let resident_kib = resident_kib().zip(before).map(|(after, before)| after.saturating_sub(before));
    Ok(Started { pool, resident_kib })
}

/// The resident memory of this process, counted page by page; the figure in `/proc/self/status` is an estimate.
fn resident_kib() -> Option<u64> {
    let map = fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = map.lines().find_map(|line| line.strip_prefix("Rss:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
