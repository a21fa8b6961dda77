//! The arguments of `filch paper figure`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::{Pools, TopologyArgs};
use filch_bench::values::{at_least_one, runs};

use super::size::Size;
use filch_lab::output::FileArgs;
use filch_lab::simulation::costs::CostArgs;

/// A figure or a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Chen et al. 2011, figure 2: what two sockets read, by which tasks they share, simulated
    #[value(name = "cab-2")]
    Cab2,
    /// Figure 4: four memory-bound programs, simulated
    #[value(name = "cab-4")]
    Cab4,
    /// Figure 5: heat and SOR on matrices of several sizes, simulated
    #[value(name = "cab-5")]
    Cab5,
    /// Figure 6: the cache misses of these, simulated
    #[value(name = "cab-6")]
    Cab6,
    /// Figure 7: heat with leaves of several sizes, simulated
    #[value(name = "cab-7")]
    Cab7,
    /// Figure 8: heat under each boundary level, simulated
    #[value(name = "cab-8")]
    Cab8,
    /// The same for mergesort, SOR and Gauss, simulated
    #[value(name = "cab-8-others")]
    Cab8Others,
    /// Figure 9: programs that are bound by the processor, at boundary level 0
    #[value(name = "cab-9")]
    Cab9,
    /// Section IV-D: the level of equation 4 beside the best one by hand, simulated
    #[value(name = "cab-manual")]
    CabManual,
    /// Table IV: the cache misses of the four programs of figure 4, simulated
    #[value(name = "cab-table-4")]
    CabTable4,
    /// Frigo et al. 1998, figure 6: work, span and speed-up of twelve programs
    #[value(name = "cilk5-6")]
    Cilk56,
    /// The same: T1/T8 of programs from the paper's T1 and T∞, simulated
    #[value(name = "cilk5-6-simulated")]
    Cilk56Simulated,
    /// Figure 8: normalised speed-up of knary trees, simulated on up to 4,096 workers
    #[value(name = "cilk5-8")]
    Cilk58,
    /// Acar et al. 2018, figure 7: time against the period N, simulated on 40 workers
    #[value(name = "heartbeat-7")]
    Heartbeat7,
    /// Figure 8: the programs of PBBS, with loops in blocks and without
    #[value(name = "heartbeat-8")]
    Heartbeat8,
    /// Yasugi et al. 2012, figure 10: time with and without a bound on the depth
    #[value(name = "tascell-10")]
    Tascell10,
    /// Figure 11: time on one worker against the serial program
    #[value(name = "tascell-11")]
    Tascell11,
    /// Figure 12: speed-up over the serial program
    #[value(name = "tascell-12")]
    Tascell12,
    /// Figure 13: two meshes with a link, where a depth limit loses parallelism
    #[value(name = "tascell-13")]
    Tascell13,
    /// Figures 11 and 12 on 1 to 128 workers, beside help-first and idempotent stealing, simulated
    #[value(name = "tascell-12-simulated")]
    Tascell12Simulated,
    /// Figure 13 on these, simulated
    #[value(name = "tascell-13-simulated")]
    Tascell13Simulated,
    /// Table 2: times of the serial programs, and stages
    #[value(name = "tascell-table-2")]
    TascellTable2,
    /// Table 3: allocations for overflowed vertices
    #[value(name = "tascell-table-3")]
    TascellTable3,
    /// Cong et al. 2008, figure 1: edges per second of XWS, Cilk and C
    #[value(name = "xws-1")]
    Xws1,
    /// The same on 1 to 32 workers, simulated
    #[value(name = "xws-1-simulated")]
    Xws1Simulated,
    /// Section 3.3: plain and predicted batches of a breadth-first search
    #[value(name = "xws-batches")]
    XwsBatches,
    /// Table 1: the largest batch; also vertices per task, swaps, and locality
    #[value(name = "xws-table-1")]
    XwsTable1,
}

/// The arguments.
#[derive(Args, Debug)]
pub struct FigureArgs {
    /// The figure or table
    #[arg(value_enum, value_name = "NAME")]
    pub name: Name,

    /// Size of graphs and programs; those of CAB's figures are always as in the paper
    #[arg(long, value_enum, default_value = "small")]
    pub size: Size,

    /// Numbers of workers; measured figures always include 1 [default: 1, and FILCH_WORKERS or one per core; for
    /// simulated figures, those of the paper]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Filch's scheduler [default: FILCH_SCHEDULER, or default; for simulated figures, default or heartbeat, and cilk5
    /// beside cab]
    #[arg(long)]
    pub scheduler: Option<Scheduler>,

    /// Number of runs, after one for warm-up; for simulated figures, number of seeds
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = runs)]
    pub runs: usize,

    /// A file for a program, instead of its generated input; for heartbeat-8
    #[arg(long, value_name = "PROGRAM=FILE", value_hint = clap::ValueHint::FilePath)]
    pub input: Vec<InputFile>,

    /// What steps of a simulation cost.
    #[command(flatten)]
    pub costs: CostArgs,

    /// The output files.
    #[command(flatten)]
    pub files: FileArgs,
}

impl FigureArgs {
    /// The number of workers of a figure that has one beside 1.
    pub fn workers_beside_one(&self, pools: &Pools) -> Result<usize, Failure> {
        match self.workers[..] {
            [] => pools.workers(None),
            [workers] => Ok(workers),
            _ => Err(Failure::Usage("--workers: this figure has one number of workers beside 1".into())),
        }
    }
}

/// A file for a program.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// The name of the program.
    pub program: String,
    /// The file.
    pub path: PathBuf,
}

impl FromStr for InputFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (program, path) = text.split_once('=').ok_or("expected PROGRAM=FILE")?;
        Ok(InputFile { program: program.to_owned(), path: path.into() })
    }
}
