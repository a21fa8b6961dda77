//! The default pool.

use std::fs;

use filch::Pool;

use crate::failure::Failure;

/// A pool that has just been started, and what that took.
#[derive(Debug)]
pub struct Started {
    /// The pool, which has not been used yet.
    pub pool: Pool,
    /// The growth of the process's resident memory by the start, in KiB, if the system reports it.
    pub resident_kib: Option<u64>,
}

/// Starts a pool with default settings.
pub fn start() -> Result<Started, Failure> {
    let before = resident_kib();
    let pool = default_pool()?;
    let resident_kib = resident_kib().zip(before).map(|(after, before)| after.saturating_sub(before));
    Ok(Started { pool, resident_kib })
}

/// The resident memory of this process, counted page by page; the figure in `/proc/self/status` is an estimate.
fn resident_kib() -> Option<u64> {
    let map = fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = map.lines().find_map(|line| line.strip_prefix("Rss:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A pool with the default settings of the environment and the machine.
pub fn default_pool() -> Result<Pool, Failure> {
    Pool::builder().build().map_err(Failure::usage)
}
