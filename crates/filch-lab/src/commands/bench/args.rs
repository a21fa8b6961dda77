//! The arguments of `filch bench`, and the tasks that follow from them.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::memory;
use crate::programs::{SizeArgs, find_programs, read_input};
use clap::{Args, Subcommand};
use filch_bench::comparison::plan::{Peer, Task};
use filch_bench::failure::Failure;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::measure::runner::Grains;
use filch_bench::values::{Choice, at_least_one, once_each, runs, whole};
use filch_kernels::{Grain, Program};
use filch_programs::all;

use super::zoo;
use crate::output::{self, Destination, FileArgs};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch bench                                   all programs, default sizes
  filch bench fib tree-sum --size small --runs 51
  filch bench fib --n 40 --workers 1,2,4 --format json > fib.json
  filch bench heat sor --n 3000x2000            rows and columns
  filch bench fib --baseline fib.json           what changed beyond noise since then
  filch bench fib queens --svg ratios.svg       a picture of speed-up and overhead
  filch bench cilksort heat --grain 1           without cut-offs
  filch bench fib --against serial --workers 1 --instructions
  filch bench spmv-powerlaw nested --against serial,rayon,rayon-tuned
  filch bench skew --workers 3 --scheduler default --scheduler default,wait=any
  filch bench fib --workers 2 --scheduler default --scheduler cilk5 --busy 2
  filch bench fib queens --scheduler all        every preset, with its counters
  filch bench heat --topology 2x2 --scheduler cab,data=48MiB
  FILCH_SCHEDULER=serial filch bench queens     the scheduler from the environment
  filch bench sparse-cholesky --input bcsstk32.rsa.gz
  filch bench cilksort --record sort.filch      for filch simulate sort.filch
  filch bench zoo                               graphs of all shapes against serial code
  mpirun -n 2 filch bench uts queens-search     all ranks against one (docs/cluster.md)

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The arguments of `filch bench`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    /// What to compare instead of programs.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// The programs [default: all]
    #[arg(value_name = "PROGRAM")]
    pub programs: Vec<String>,

    /// The sizes of the programs.
    #[command(flatten)]
    pub size: SizeArgs,

    /// The input of one program: for sparse-cholesky a matrix in the format of Harwell-Boeing or Matrix Market, for
    /// suffixarray a text, for raycast a mesh, for programs on points a list of points
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
          conflicts_with_all = ["size", "n", "grain"])]
    pub input: Option<PathBuf>,

    /// Another cut-off, for programs that have one; 1 means none
    #[arg(long, value_name = "G", value_parser = at_least_one::<u64>)]
    pub grain: Option<u64>,

    /// Numbers of workers [default: 1 and FILCH_WORKERS, or one per core]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Filch's scheduler, or all; if there are several, each is compared with the last [default: FILCH_SCHEDULER, or
    /// default]
    #[arg(long)]
    pub scheduler: Vec<Choice>,

    /// Number of other processes to keep busy during the measurement
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole::<usize>(0..=MOST_BUSY))]
    pub busy: usize,

    /// What to compare with
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PEER,…",
          default_values_t = [Peer::Serial, Peer::Rayon, Peer::RayonTuned, Peer::Chili])]
    pub against: Vec<Peer>,

    /// Number of samples per runner, after one for warm-up
    #[arg(long, default_value_t = 21, value_parser = runs)]
    pub runs: usize,

    /// The output files.
    #[command(flatten)]
    pub files: FileArgs,

    /// Compare the figures with earlier ones, as --format json has them
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,

    /// Show only the table of all programs
    #[arg(long, conflicts_with = "counters")]
    pub summary: bool,

    /// Show the runtime's counters; with --scheduler all, always
    #[arg(long)]
    pub counters: bool,

    /// Write the tree of forks of one program, with the times of its parts in a serial run and the memory that they
    /// touch, to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
          conflicts_with_all = ["workers", "topology", "scheduler", "busy", "against", "runs", "format", "svg",
                                "baseline", "summary", "counters", "instructions"])]
    pub record: Option<Destination>,

    /// Count instructions per fork (needs valgrind)
    #[arg(long)]
    pub instructions: bool,
}

/// What is compared, other than programs.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// The algorithms for graphs, on graphs of all shapes, against serial code
    #[command(after_help = zoo::HELP)]
    Zoo(Box<zoo::ZooArgs>),
}

/// The largest number of busy processes. More of them would take minutes to start and would stall the machine.
const MOST_BUSY: u64 = 256;

/// The tasks that a command line asks for. All of them are checked before the first one starts.
pub(super) fn tasks(args: &BenchArgs) -> Result<Vec<Task>, Failure> {
    let is_about_loops = args.against == [Peer::RayonTuned];
    let mut programs = find_programs(&once_each(args.programs.clone()))?;
    if let Some(file) = &args.input {
        return Ok(vec![of_file(file, args, &programs)?]);
    }
    if args.programs.is_empty() {
        // A request for a cut-off, or for tuned loops only, without program names, means the programs that have one.
        programs.retain(|program| {
            (args.grain.is_none() || program.grain.is_some()) && (!is_about_loops || !program.loops.is_empty())
        });
    }
    let tasks = programs.into_iter().map(|program| {
        let (size, n) = args.size.of(program)?;
        if is_about_loops && program.loops.is_empty() {
            let name = program.name;
            return Err(Failure::Usage(format!("{name} has no loops: --against rayon-tuned does not apply")));
        }
        let grains = args.grain.map(|asked| grains(program, asked)).transpose()?;
        memory::check(program, n, args.grain)?;
        Ok(Task { program, size, n, grains, input: None })
    });
    tasks.collect()
}

/// The task of a file.
fn of_file(file: &Path, args: &BenchArgs, programs: &[&'static Program]) -> Result<Task, Failure> {
    args.files.check([("--input", file)])?;
    let record = args.record.as_deref().map(|path| ("--record", path));
    output::check_distinct([("--input", file)], record.as_slice())?;
    let only = if let [program] = *programs { Some(program) } else { None };
    let program = only.filter(|program| program.input.is_some()).ok_or_else(|| {
        let able = all().iter().filter(|program| program.input.is_some()).map(|program| program.name);
        let able: Vec<&str> = able.collect();
        Failure::Usage(format!("--input {}: expected one program of these: {}", file.display(), able.join(", ")))
    })?;
    let input = read_input(program, file)?;
    Ok(Task { program, size: "file", n: input.n, grains: None, input: Some(Rc::new(input)) })
}

fn grains(program: &Program, asked: u64) -> Result<Grains, Failure> {
    let name = program.name;
    let Some(grain) = program.grain else {
        return Err(Failure::Usage(format!("{name} has no cut-off: --grain does not apply")));
    };
    if asked > grain.max {
        let Grain { counts, max, .. } = grain;
        return Err(Failure::Usage(format!(
            "{name} cannot have a cut-off of {asked}: it is {counts}, from 1 to {max}"
        )));
    }
    Ok(Grains { asked, own: grain.default })
}
