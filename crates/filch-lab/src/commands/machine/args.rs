//! The arguments of `filch machine`.

use std::time::Duration;

use clap::Args;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::values::at_least_one;

use crate::output::FormatArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch machine
  filch machine --topology 4x4,cache=6MiB   the squads of four sockets
  filch machine --idle                      what idle workers cost (3 minutes)
  filch machine --idle --seconds 1 --calls 100
  filch machine --instructions              also count the instructions of a fork's parts

A topology is the number of squads and of the workers of each, as in 2x2, or the sizes of the
squads, as in 2+3. The workers of a squad share a cache, whose size can follow: 2x2,cache=6MiB.";

/// The arguments of `filch machine`.
#[derive(Args, Debug)]
pub struct MachineArgs {
    /// The topology, instead of that of this machine.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,

    /// Also count the instructions of a fork's parts (needs valgrind)
    #[arg(long)]
    pub instructions: bool,

    /// Measure what idle workers cost, and how long it takes until they run again
    #[arg(long)]
    pub idle: bool,

    /// Length of a sample of the processor time
    #[arg(long, requires = "idle", value_name = "S", default_value = "5", value_parser = positive_seconds)]
    pub seconds: Duration,

    /// Number of samples of the processor time
    #[arg(long, requires = "idle", value_name = "K", default_value_t = 7, value_parser = at_least_one::<usize>)]
    pub samples: usize,

    /// Number of samples of the time of an empty run
    #[arg(long, requires = "idle", value_name = "K", default_value_t = 1000, value_parser = at_least_one::<usize>)]
    pub calls: usize,

    /// Number of samples of the time until a first fork is noticed
    #[arg(long, requires = "idle", value_name = "K", default_value_t = 200, value_parser = at_least_one::<usize>)]
    pub forks: usize,

    /// Time without work after which workers count as asleep
    #[arg(long, requires = "idle", value_name = "S", default_value = "0.05", value_parser = positive_seconds)]
    pub pause: Duration,
}

fn positive_seconds(value: &str) -> Result<Duration, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds, more than 0".into())
}
