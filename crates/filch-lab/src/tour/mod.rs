//! `filch` without a command: the machine, then every program, small enough for half a minute.

use std::io::Write;

use crate::bench::{Comparison, Task, compare, one_and_all};
use crate::cli::Peer;
use crate::failure::Failure;
use crate::machine;
use crate::programs::find_program;

/// The programs of the tour and their sizes: some milliseconds each in serial.
const STOPS: [(&str, u64); 5] =
    [("fib", 32), ("fib-implicit", 32), ("tree-sum", (1 << 10) - 1), ("tree-sum", (1 << 20) - 1), ("queens", 10)];

/// Enough for a 95 % interval that leaves out the five highest and the five lowest ratios.
const RUNS: usize = 21;

/// Runs the tour.
pub fn run(out: &mut dyn Write) -> Result<(), Failure> {
    let started = machine::start()?;
    machine::show(&started, out)?;
    let pool = started.pool;
    writeln!(out)?;
    let stop = |(name, n)| {
        let program = find_program(name)?;
        program.check(n).map_err(Failure::usage)?;
        Ok(Task { program, size: "custom", n, grains: None })
    };
    let tasks = STOPS.into_iter().map(stop).collect::<Result<Vec<_>, Failure>>()?;
    let comparison = Comparison {
        schedulers: vec![pool.scheduler().clone()],
        workers: one_and_all(&pool),
        against: vec![Peer::Serial, Peer::Rayon, Peer::Chili],
        grain: None,
        busy: 0,
        runs: RUNS,
        json: None,
        details: true,
        counters: false,
        instructions: false,
    };
    drop(pool); // idle as it is, it would run beside the others
    compare(&tasks, &comparison, out)?;
    writeln!(out, "\nAll results verified. The sizes that are quoted: filch bench")?;
    Ok(())
}
