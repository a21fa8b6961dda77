//! The arguments that all sweeps over programs share.

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::{Pools, TopologyArgs};
use filch_bench::values::{at_least_one, runs};
use filch_kernels::{Extent, Program};
use filch_lab::memory;
use filch_lab::programs::SizeArgs;

/// How a program is measured.
#[derive(Args, Debug)]
pub struct SampleArgs {
    #[command(flatten)]
    size: SizeArgs,

    /// Number of workers [default: FILCH_WORKERS, or one per core]
    #[arg(long, value_name = "W", value_parser = at_least_one::<usize>)]
    workers: Option<usize>,

    #[command(flatten)]
    topology: TopologyArgs,

    /// Number of samples of each, after one for warm-up
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = runs)]
    pub runs: usize,
}

impl SampleArgs {
    /// The size of a program, and its name. Fails if the program does not have it, or if there is no memory for it.
    pub fn size_of(&self, program: &Program) -> Result<(&'static str, Extent), Failure> {
        let (size, n) = self.size.of(program)?;
        memory::check(program, n, None)?;
        Ok((size, n))
    }

    /// The settings of the pools, and their number of workers.
    pub fn pools(&self) -> Result<(Pools, usize), Failure> {
        let pools = self.topology.pools()?;
        let workers = pools.workers(self.workers)?;
        Ok((pools, workers))
    }
}
