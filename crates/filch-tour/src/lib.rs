//! The tour: the machine, a real graph, jobs on its data, and a table against the peers, in half a minute.
//!
//! It is the first thing that a newcomer runs, so it is a crate of its own that is built in little time. `filch`
//! without a command is the same.
//!
//! - [`packages`]: the graph and its properties
//! - [`jobs`]: jobs on its data
//! - [`answers`]: what the jobs find

pub mod answers;
pub mod jobs;
pub mod packages;

use std::io::Write;

use clap::Args;
use filch_bench::comparison::plan::{Comparison, Peer, Task, one_and_all};
use filch_bench::comparison::run::compare;
use filch_bench::debian::DEBIAN;
use filch_bench::failure::Failure;
use filch_bench::measure::machine::pool::start;
use filch_bench::measure::machine::report;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::values::not_empty;
use filch_kernels::{Program, fib, fib_implicit, queens, tree_sum};

/// The arguments.
#[derive(Args, Debug)]
pub struct TourArgs {
    /// The Debian package whose dependencies are followed
    #[arg(long, value_name = "PACKAGE", env = VARIABLE, default_value = "gnome",
          value_parser = not_empty("the name of a package of Debian, such as gnome"))]
    pub from: String,
}

/// The variable in place of `--from`.
const VARIABLE: &str = "FILCH_FROM";

/// A command line with [`TourArgs`], for which a variable that is empty is not set.
pub fn with_variable(line: clap::Command) -> clap::Command {
    let is_empty = std::env::var_os(VARIABLE).is_some_and(|value| value.to_string_lossy().trim().is_empty());
    if is_empty { line.mut_arg("from", |from| from.env(None)) } else { line }
}

/// The programs that follow the jobs, which have no cut-off, and their sizes: some milliseconds each in serial.
pub static PROGRAMS: [(Program, u64); 4] =
    [(fib::PROGRAM, 32), (fib_implicit::PROGRAM, 32), (tree_sum::PROGRAM, (1 << 20) - 1), (queens::PROGRAM, 10)];

/// Enough for a 95 % interval that leaves out the three highest and the three lowest ratios, while a newcomer waits.
const RUNS: usize = 15;

/// Runs the tour.
pub fn run(args: &TourArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let from = DEBIAN.find(&args.from)?;
    let pools = TopologyArgs::default().pools()?;
    let started = start(&pools)?;
    report::show(&started, out)?;
    let pool = started.pool;
    writeln!(out)?;
    packages::show(from, &pool, out)?;
    answers::show(&pool, out)?;
    writeln!(out)?;

    let tasks: Vec<Task> = stops().map(|(program, n)| task(program, n)).collect();
    let comparison = Comparison {
        pools,
        schedulers: vec![pool.scheduler().clone()],
        workers: one_and_all(pool.num_workers()),
        against: vec![Peer::Serial, Peer::Rayon, Peer::Chili],
        grain: None,
        busy: 0,
        runs: RUNS,
        details: false,
        counters: false,
        instructions: false,
    };
    drop(pool); // its threads would compete with those measured
    compare(&tasks, &comparison, out)?.verified()?;
    writeln!(out, "\nAll results verified. The figures that are quoted: cargo run --profile measured -- bench")?;
    Ok(())
}

/// What is compared: the jobs, then the programs.
fn stops() -> impl Iterator<Item = (&'static Program, u64)> {
    let jobs = jobs::JOBS.iter().map(|job| (job, job.sizes.default));
    jobs.chain(PROGRAMS.iter().map(|(program, n)| (program, *n)))
}

fn task(program: &'static Program, n: u64) -> Task {
    Task { program, size: "custom", n: n.into(), grains: None, input: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stop_has_its_size() {
        for (program, n) in stops() {
            assert_eq!(program.check(n), Ok(()));
        }
    }
}
