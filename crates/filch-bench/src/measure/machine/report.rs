//! The machine and a pool, as shown to the user.

use std::env::consts;
use std::io::Write;

use super::facts::{cpu, system};
use super::pool::Started;
use super::{caches, sharing};
use crate::failure::Failure;
use crate::show::numbers::number_of;

/// Shows the machine and a pool.
pub fn show(Started { pool, resident_kib }: &Started, out: &mut dyn Write) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or("?".into(), |n| n.to_string());
    let mut line = |name: &str, value: String| writeln!(out, "{name:<16}{value}");
    line("processor", cpu().unwrap_or_else(|| consts::ARCH.into()))?;
    line("cores", format!("{cores} available to this process"))?;
    if let Some(caches) = caches::of_first_processor() {
        line("caches", caches)?;
    }
    line("system", system())?;
    line("capabilities", pool.capabilities().to_string())?;
    let workers = number_of(pool.num_workers(), "worker", "workers");
    line("pool", format!("{workers}, scheduler {}", pool.scheduler()))?;
    if let Some(kib) = resident_kib {
        line("its memory", format!("{kib} KiB resident before its first use"))?;
    }
    for (name, value) in sharing::rows(pool) {
        line(name, value)?;
    }
    Ok(())
}
