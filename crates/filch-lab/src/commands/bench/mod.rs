//! `filch bench`: compares Filch with serial code and other runtimes.
//!
//! - `args`: the command line, and the tasks that it asks for
//! - `by_ranks`: programs on all ranks that `mpirun` has started
//! - `record`: the tree of forks of a program
//! - [`zoo`]: the algorithms for graphs, on graphs of all shapes

mod args;
mod by_ranks;
mod record;
pub mod zoo;

pub use args::{BenchArgs, BenchCommand, HELP};
use filch_bench::comparison::plan::{Comparison, Peer, one_and_all};
use filch_bench::comparison::run::compare;
use filch_bench::failure::Failure;
use filch_bench::ranks;
use filch_bench::values::{self, Choice, once_each};

use std::io::Write;

use filch::Scheduler;

use self::args::tasks;
use crate::comparison::baseline::Baseline;
use crate::comparison::figure;

/// Runs `filch bench`.
pub fn run(args: BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if ranks::several().is_some() {
        return by_ranks::run(args, out);
    }
    if let Some(BenchCommand::Zoo(args)) = &args.command {
        return zoo::run(args, out);
    }
    let tasks = tasks(&args)?;
    if let Some(path) = &args.record {
        return record::run(&tasks, path, out);
    }
    if args.files.svg.is_some() && !args.against.contains(&Peer::Serial) {
        let message = "--svg shows times relative to the serial program: add serial to --against";
        return Err(Failure::Usage(message.into()));
    }
    args.files.check(args.baseline.as_deref().map(|path| ("--baseline", path)))?;
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let pools = args.topology.pools()?;
    let (scheduler, workers) = match args.scheduler.first() {
        Some(Choice::One(scheduler)) => pools.defaults(Some(scheduler))?,
        Some(Choice::All) => pools.defaults(Some(&Scheduler::default()))?,
        None => pools.defaults(None)?,
    };
    let mut against = args.against;
    if tasks.iter().all(|task| task.program.loops.is_empty()) {
        against.retain(|peer| *peer != Peer::RayonTuned);
    }
    let comparison = Comparison {
        pools,
        schedulers: if args.scheduler.is_empty() {
            vec![scheduler]
        } else {
            // One worker, because the serial scheduler has no more, whatever --workers says.
            values::schedulers(&args.scheduler, &[1])
        },
        workers: once_each(if args.workers.is_empty() { one_and_all(workers) } else { args.workers }),
        against,
        grain: args.grain,
        busy: args.busy,
        runs: args.runs,
        details: !args.summary,
        counters: args.counters || args.scheduler.contains(&Choice::All),
        instructions: args.instructions,
    };
    let measured = compare(&tasks, &comparison, out)?;
    if let Some(baseline) = baseline {
        writeln!(out, "\n{}", baseline.compared(&measured.rows))?;
    }
    args.files.write(&measured.rows, || figure::draw(&comparison, &measured.rows))?;
    measured.verified()
}
