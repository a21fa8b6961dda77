//! The arguments of `filch stress`.

use clap::Args;
use filch::Scheduler;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::values::{any_number, at_least_one};

use crate::output::FormatArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch stress                                   ten seconds, any seed
  filch stress --seconds 600 --scheduler cilk5,period=0ns --workers 2,4
  filch stress --seed 42 --cases 1 --repeat 100   one case repeatedly

A case consists of joins, loops, spawn loops, traversals, scopes, reducers, nested runs and
panics; the summary counts them. Each case checks that results are right, that every branch
and task runs once, that every value is dropped once, that reducers hold their values in
order, and that a waiting worker runs only parts of what it waits for. For a case that fails,
the command that runs it again is shown.

Exit code: 0 success, 1 a case failed or did not end, 2 bad usage.";

/// The arguments of `filch stress`.
#[derive(Args, Debug)]
pub struct StressArgs {
    /// Time in seconds
    #[arg(long, default_value_t = 10, value_name = "S", value_parser = at_least_one::<u64>)]
    pub seconds: u64,

    /// Number of cases, instead of a time
    #[arg(long, value_name = "K", conflicts_with = "seconds", value_parser = at_least_one::<u64>)]
    pub cases: Option<u64>,

    /// Number of tasks given or taken by all pools together, instead of a time
    #[arg(long, value_name = "N", conflicts_with_all = ["seconds", "cases"],
          value_parser = at_least_one::<u64>)]
    pub tasks: Option<u64>,

    /// Seed of the first case; seeds of later cases are consecutive [default: from the clock]
    #[arg(long, value_name = "N", value_parser = any_number::<u64>)]
    pub seed: Option<u64>,

    /// Number of runs of each case
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = at_least_one::<u64>)]
    pub repeat: u64,

    /// A scheduler to choose from; can be repeated [default: all kinds]
    #[arg(long)]
    pub scheduler: Vec<Scheduler>,

    /// Numbers of workers to choose from [default: 1 to 8, or that of the topology]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Time in seconds after which a case counts as hanging
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = at_least_one::<u64>)]
    pub limit: u64,

    /// Show the contents of each case
    #[arg(long)]
    pub plans: bool,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}
