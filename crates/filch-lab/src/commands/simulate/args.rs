//! The command line of `filch simulate`.

use std::ffi::OsString;

use clap::Args;
use filch::{Scheduler, Topology};
use filch_bench::values::{Choice, at_least_one, whole};
use filch_sim::MAX_WORKERS;

use crate::output::{Destination, FormatArgs};
use crate::simulation::costs::CostArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch simulate fib:30,leaf=10us
  filch simulate knary:9,5,2 --workers 64,1024 --scheduler all
  filch simulate random:100000,leaf=1us..20us --seeds 20 --svg speed-up.svg
  filch bench cilksort --record sort.filch && filch simulate sort.filch --normalised n.svg
  filch bench heat --record heat.filch && filch simulate heat.filch --sockets 4 --cache 6MiB
  filch simulate fib:30,leaf=10us --workers 64 --sockets 1,4,16 --cost far=500ns
  filch simulate heat:3072,2048 --workers 16 --sockets 4 --cache 6MiB --scheduler cab
  filch simulate fib:25,leaf=10us --workers 64 --timeline workers.svg --trace steps.pftrace
  filch simulate cluster:geometric,ranks=256,workers=16,link=10us --seeds 3
  filch machine --format json > m.json && filch simulate fib:30 --machine m.json --cost wake=50us

Programs are described by `filch simulate list`. docs/scale.md says what the model leaves out.

Exit code: 0 success, 1 a run broke a bound that holds for all runs, 2 bad usage.";

/// The arguments of `filch simulate`.
#[derive(Args, Debug)]
pub struct SimulateArgs {
    /// The program, such as fib:30,leaf=10us; a file of `filch bench --record`; or `list`
    #[arg(value_name = "PROGRAM")]
    pub program: OsString,

    /// Numbers of workers
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = workers,
          default_values_t = [1, 2, 64, 1024])]
    pub workers: Vec<usize>,

    /// Numbers of sockets, over which the workers are spread evenly
    #[arg(long, value_name = "M,…", value_delimiter = ',', value_parser = at_least_one::<usize>,
          default_values_t = [1])]
    pub sockets: Vec<usize>,

    /// Size of the cache of each socket, such as 6MiB; work that misses it takes longer
    #[arg(long, value_name = "BYTES", value_parser = cache)]
    pub cache: Option<u64>,

    /// Size of the cache of each worker, such as 512KiB, whose misses are counted; needs --cache
    #[arg(long, value_name = "BYTES", value_parser = cache, requires = "cache")]
    pub private_cache: Option<u64>,

    /// Hand each part of an array that is divided repeatedly to the workers that had it last; needs --cache
    #[arg(long, requires = "cache")]
    pub affinity: bool,

    /// A scheduler, or all that can be simulated; can be repeated
    #[arg(long, default_values_t = [Choice::One(Scheduler::default())])]
    pub scheduler: Vec<Choice>,

    /// Number of runs, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one::<usize>)]
    pub seeds: usize,

    /// Refuse simulations of more events than this, in all runs together; a million take about half a second
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = at_least_one::<u64>)]
    pub most_events: u64,

    /// The costs.
    #[command(flatten)]
    pub costs: CostArgs,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,

    /// Draw the speed-up to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub svg: Option<Destination>,

    /// Draw the normalised speed-up, as in figure 8 of the Cilk-5 paper, to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub normalised: Option<Destination>,

    /// Draw the activity of each worker over time, in the run with the first seed, to this file; needs one scheduler,
    /// one number of workers and one of sockets
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub timeline: Option<Destination>,

    /// Write the steps of each worker in that run to this file, as FILCH_TRACE does for real runs: NAME.pftrace for
    /// Perfetto, NAME.json for Chrome; needs one setting, too
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub trace: Option<Destination>,
}

fn workers(value: &str) -> Result<usize, String> {
    whole(1..=MAX_WORKERS as u64)(value)
}

/// A size of a cache, in the notation of topologies.
fn cache(value: &str) -> Result<u64, String> {
    let topology: Topology = format!("1x1,cache={value}").parse().map_err(|_| "expected a size such as 6MiB")?;
    Ok(topology.squads().smallest_cache_bytes().unwrap_or(0))
}
