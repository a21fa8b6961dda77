//! `filch` without a command: the machine, a real graph, jobs on its data, and a table against the peers, in half a
//! minute.
//!
//! - [`packages`]: the graph and its properties
//! - [`jobs`]: jobs on its data
//! - [`answers`]: what the jobs find

pub mod answers;
pub mod jobs;
pub mod packages;

use std::io::Write;

use filch_programs::Program;

use crate::comparison::plan::{Comparison, Peer, Task, one_and_all};
use crate::comparison::run::compare;
use crate::failure::Failure;
use crate::measure::machine::pool::start;
use crate::measure::machine::report;
use crate::measure::pools::TopologyArgs;
use crate::measure::programs::find_program;
use crate::output::FileArgs;
use packages::Packages;

/// The end of `--help`.
pub const HELP: &str = "\
Without a command: the machine, a real graph, and a short table (half a minute).
Examples: filch --from cowsay; filch components debian; filch bench fib";

/// The programs that follow the jobs, which have no cut-off, and their sizes: some milliseconds each in serial.
const PROGRAMS: [(&str, u64); 4] = [("fib", 32), ("fib-implicit", 32), ("tree-sum", (1 << 20) - 1), ("queens", 10)];

/// Enough for a 95 % interval that leaves out the five highest and the five lowest ratios.
const RUNS: usize = 21;

/// Runs the tour. Dependencies are followed from the package called `from`.
pub fn run(from: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let packages = Packages::with(from)?;
    let pools = TopologyArgs::default().pools()?;
    let started = start(&pools)?;
    report::show(&started, out)?;
    let pool = started.pool;
    writeln!(out)?;
    packages.show(&pool, out)?;
    answers::show(&pool, out)?;
    writeln!(out)?;

    let mut tasks: Vec<Task> = jobs::JOBS.iter().map(|job| task(job, job.sizes.default)).collect();
    for (name, n) in PROGRAMS {
        tasks.push(task(find_program(name)?, n));
    }
    let comparison = Comparison {
        pools,
        schedulers: vec![pool.scheduler().clone()],
        workers: one_and_all(pool.num_workers()),
        against: vec![Peer::Serial, Peer::Rayon, Peer::Chili],
        grain: None,
        busy: 0,
        runs: RUNS,
        files: FileArgs::default(),
        details: false,
        counters: false,
        instructions: false,
    };
    drop(pool); // its threads would compete with those measured
    compare(&tasks, &comparison, None, out)?;
    writeln!(out, "\nAll results verified. The figures that are quoted: cargo run --profile measured -- bench")?;
    Ok(())
}

fn task(program: &'static Program, n: u64) -> Task {
    Task { program, size: "custom", n: n.into(), grains: None, input: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stop_has_its_size() {
        let programs = PROGRAMS.map(|(name, n)| (find_program(name).unwrap(), n));
        for (program, n) in programs.into_iter().chain(jobs::JOBS.iter().map(|job| (job, job.sizes.default))) {
            assert_eq!(program.check(n), Ok(()));
        }
    }
}
