//! `filch machine`: the machine, and what Filch has measured on it.
//!
//! - `caches`: the caches of a processor
//! - [`idle`]: what idle workers cost, and how long it takes until they run again
//! - `latency`: how soon work is shared
//! - [`price`]: what a fork costs, part by part
//! - `sharing`: what a pool knows about the price of sharing

mod caches;
pub mod idle;
mod latency;
pub mod price;
mod row;
mod sharing;

use std::env::consts;
use std::fs;
use std::io::Write;
use std::process::Command;

use filch::Pool;

use crate::bench::instructions;
use crate::cli::MachineArgs;
use crate::failure::Failure;

/// Runs `filch machine`.
pub fn run(args: &MachineArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.instructions {
        instructions::check_valgrind()?;
    }
    let started = start()?;
    show(&started, out)?;
    drop(started); // its threads would be measured with the others
    writeln!(out)?;
    latency::show(out)?;
    writeln!(out)?;
    price::show_times(out)?;
    if args.instructions {
        writeln!(out)?;
        price::show_instructions(out)?;
    }
    if args.idle {
        writeln!(out)?;
        idle::show(args, out)?;
    }
    Ok(())
}

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
    let workers = if pool.num_workers() == 1 { "1 worker".into() } else { format!("{} workers", pool.num_workers()) };
    line("pool", format!("{workers}, scheduler {}", pool.scheduler()))?;
    if let Some(kib) = resident_kib {
        line("its memory", format!("{kib} KiB resident before its first use"))?;
    }
    for (name, value) in sharing::rows(pool) {
        line(name, value)?;
    }
    Ok(())
}

/// The machine in one line.
pub fn in_short() -> String {
    let cores = std::thread::available_parallelism().map_or("? cores".into(), |n| match n.get() {
        1 => "1 core".into(),
        cores => format!("{cores} cores"),
    });
    format!("{}, {cores} available, {}", cpu().unwrap_or_else(|| consts::ARCH.into()), system())
}

/// The model of the processor, if the system reports it.
fn cpu() -> Option<String> {
    if cfg!(target_os = "macos") {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        return Some(String::from_utf8(output.stdout).ok()?.trim().to_owned());
    }
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The operating system, its kernel and the architecture.
fn system() -> String {
    let name = fs::read_to_string("/etc/os-release").ok().and_then(|release| {
        let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
        Some(name.trim_matches('"').to_owned())
    });
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")
        .map_or(String::new(), |release| format!(", kernel {}", release.trim()));
    format!("{}{kernel}, {}", name.unwrap_or_else(|| consts::OS.into()), consts::ARCH)
}
