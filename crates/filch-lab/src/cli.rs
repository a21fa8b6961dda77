//! What a user may type.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use filch::Scheduler;

use crate::graph::args as graph;
use crate::shapes::args as shapes;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "filch",
    version,
    about = "Filch's lab: this machine, and Filch compared with serial code, rayon and chili",
    args_conflicts_with_subcommands = true,
    after_help = "Without a command: the machine, a real graph, and a short table (half a minute).\n\n\
                  Examples:\n  filch | less\n  filch --from cowsay\n  filch forest debian\n  filch bench fib\n\n\
                  From the sources, `filch` is `cargo run --release --`."
)]
pub struct Cli {
    /// The package of Debian from which dependencies are followed
    #[arg(long, value_name = "PACKAGE", env = "FILCH_FROM", default_value = "gnome")]
    pub from: String,

    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the machine, and what Filch measured on it
    #[command(after_help = MACHINE_HELP)]
    Machine(MachineArgs),
    /// Compare Filch with serial code and other runtimes, every result verified
    #[command(after_help = BENCH_HELP)]
    Bench(BenchArgs),
    /// Fit the overhead on the span, c∞, to synthetic trees
    #[command(after_help = KNARY_HELP)]
    Knary(KnaryArgs),
    /// Count steals on random trees, against their span
    #[command(after_help = STEALS_HELP)]
    Steals(StealsArgs),
    /// Measure how soon work is shared that comes late, all at once, or out of loops that turn dear
    #[command(after_help = shapes::HELP)]
    Shapes(shapes::ShapesArgs),
    /// Run random programs under random schedulers, every result checked
    #[command(after_help = STRESS_HELP)]
    Stress(StressArgs),
    /// Find a spanning forest of a graph
    #[command(after_help = graph::FOREST_HELP)]
    Forest(graph::ForestArgs),
    /// Find what is connected in a graph
    #[command(after_help = graph::COMPONENTS_HELP)]
    Components(graph::ComponentsArgs),
    /// Find how far everything in a graph is from one vertex
    #[command(after_help = graph::BFS_HELP)]
    Bfs(graph::BfsArgs),
    /// Generate a graph and write it to a file
    #[command(after_help = graph::GENERATE_HELP)]
    Generate(graph::GenerateArgs),
    /// Look at a graph
    #[command(subcommand, after_help = graph::GRAPH_HELP)]
    Graph(graph::GraphCommand),
    /// Print what makes a shell complete this command's options
    #[command(after_help = COMPLETIONS_HELP)]
    Completions(CompletionsArgs),
    /// Run one program once, for callgrind to watch
    #[command(hide = true)]
    CallgrindTarget(TargetArgs),
    /// Run one variant of a fork's parts once, for callgrind to watch
    #[command(hide = true)]
    CallgrindPart(PartArgs),
    /// Keep a core busy until standard input ends
    #[command(hide = true)]
    KeepBusy,
}

const MACHINE_HELP: &str = "\
Examples:
  filch machine
  filch machine --instructions                  a fork's parts in instructions, too
  filch machine --idle                          what idleness costs; some three minutes
  filch machine --idle --seconds 1 --calls 100  the same, less exactly";

/// What to find out about the machine.
#[derive(Args, Debug)]
pub struct MachineArgs {
    /// Count the instructions of a fork's parts, too (needs valgrind)
    #[arg(long)]
    pub instructions: bool,

    /// Measure what idle workers cost, and how soon they are back
    #[arg(long)]
    pub idle: bool,

    /// How long a sample of the time of the processors lasts
    #[arg(long, requires = "idle", value_name = "S", default_value = "5", value_parser = positive_seconds)]
    pub seconds: Duration,

    /// How many such samples
    #[arg(long, requires = "idle", value_name = "K", default_value_t = 7, value_parser = at_least_one)]
    pub samples: usize,

    /// How many samples of the time of an empty run
    #[arg(long, requires = "idle", value_name = "K", default_value_t = 1000, value_parser = at_least_one)]
    pub calls: usize,

    /// How many samples of the time that a first fork takes to be noticed
    #[arg(long, requires = "idle", value_name = "K", default_value_t = 200, value_parser = at_least_one)]
    pub forks: usize,

    /// How long workers have nothing to do before they count as asleep
    #[arg(long, requires = "idle", value_name = "S", default_value = "0.05", value_parser = positive_seconds)]
    pub pause: Duration,
}

const BENCH_HELP: &str = "\
Examples:
  filch bench                                   all programs, default sizes
  filch bench fib tree-sum --size small --runs 51
  filch bench fib --n 40 --workers 1,2,4 --json fib.json
  filch bench --size small --html bench.html    a page with tables and a picture
  filch bench fib queens --svg ratios.svg       the picture alone
  filch bench cilksort heat --grain 1           without their cut-offs
  filch bench fib --against serial --workers 1 --instructions
  filch bench spmv-powerlaw nested --against serial,rayon,rayon-tuned
  filch bench skew --workers 3 --scheduler default --scheduler default,wait=any
  filch bench fib --workers 2 --scheduler default --scheduler cilk5 --busy 2
  FILCH_SCHEDULER=serial filch bench queens     the scheduler from the environment

Exit code: 0 done, 1 a result failed its check, 2 bad usage.";

/// What to compare, how often, and where the figures go.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The programs; without any, all of them
    #[arg(value_name = "PROGRAM")]
    pub programs: Vec<String>,

    /// Which of a program's sizes
    #[arg(long, value_enum, default_value_t = Size::Default)]
    pub size: Size,

    /// Any other size
    #[arg(long, value_name = "N", conflicts_with = "size")]
    pub n: Option<u64>,

    /// Another cut-off, for programs that have one; 1 is none
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u64).range(1..))]
    pub grain: Option<u64>,

    /// Numbers of workers [default: 1 and FILCH_WORKERS, or one per core]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one)]
    pub workers: Vec<usize>,

    /// Filch's scheduler; of several, each is compared with the last [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Vec<Scheduler>,

    /// Keep so many other processes busy meanwhile
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = not_too_many)]
    pub busy: usize,

    /// Whom to compare with
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHOM,…",
          default_values_t = [Peer::Serial, Peer::Rayon, Peer::RayonTuned, Peer::Chili])]
    pub against: Vec<Peer>,

    /// Samples per runner, after one that is not counted
    #[arg(long, default_value_t = 21, value_parser = at_least_one)]
    pub runs: usize,

    /// Write all figures to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Draw speed-up and overhead of all programs into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write a page with picture, tables and machine to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Show the runtime's counters
    #[arg(long)]
    pub counters: bool,

    /// Count instructions per fork (needs valgrind)
    #[arg(long)]
    pub instructions: bool,
}

const KNARY_HELP: &str = "\
Examples:
  filch knary
  filch knary --workers 2,4,8 --scheduler cilk5 --svg figure-8.svg

T_P ≤ T1/P + c∞·T∞, with Cilk-5's knary trees, of which T1 and T∞ are known.

Exit code: 0 done, 1 a result failed its check, 2 bad usage.";

/// Which trees, and who runs them.
#[derive(Args, Debug)]
pub struct KnaryArgs {
    /// About how many nodes a tree has
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub nodes: u32,

    /// Numbers of workers, beside 1
    #[arg(long, value_name = "W,…", value_delimiter = ',', default_values_t = [2, 4], value_parser = at_least_one)]
    pub workers: Vec<usize>,

    /// Filch's scheduler [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Option<Scheduler>,

    /// How many times each tree is run, after one that is not counted
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = at_least_one)]
    pub runs: usize,

    /// Draw the normalised speed-up, as the paper's figure 8, into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

const STEALS_HELP: &str = "\
Examples:
  filch steals
  filch steals --scheduler cilk5,period=0ns --workers 2,4,8 --nodes 1000000

Cilk-5 expects O(P·T∞) attempts to steal. Trees of the same work T1 and longer and longer
span T∞, both counted in nodes, show whether attempts/(P·T∞) stays bounded. Cilk-5 has no
period N: it is cilk5,period=0ns. With a period a thief goes on visiting until it is over,
so there are more attempts to a steal, but only as many as visits fit into N.

Exit code: 0 done, 1 a result failed its check, 2 bad usage.";

/// Which trees, and who runs them.
#[derive(Args, Debug)]
pub struct StealsArgs {
    /// How many nodes a tree has
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub nodes: u32,

    /// Numbers of workers
    #[arg(long, value_name = "W,…", value_delimiter = ',', default_values_t = [2, 4], value_parser = at_least_one)]
    pub workers: Vec<usize>,

    /// A scheduler; may be given repeatedly
    #[arg(long, default_values_t = schedulers_that_steal())]
    pub scheduler: Vec<Scheduler>,

    /// How many times each tree is run
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = at_least_one)]
    pub runs: usize,

    /// The seed of the trees
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

const STRESS_HELP: &str = "\
Examples:
  filch stress                                  ten seconds, from a seed of the clock
  filch stress --seconds 600 --scheduler cilk5,period=0ns --workers 2,4
  filch stress --seed 42 --cases 1 --repeat 100 one case, again and again

Cases are made of joins, loops, spawn loops, traversals, scopes, reducers, nested runs and
panics; the summary says how many of each there were. Each case checks results, that every
branch and task runs once, that every value is dropped once, that reducers hold what was
put into them in its order, and that a waiting worker runs only parts of what it waits for.
A case that fails is named with the command that runs it again.

Exit code: 0 done, 1 a case failed or did not end, 2 bad usage.";

/// Which cases, and how many.
#[derive(Args, Debug)]
pub struct StressArgs {
    /// How long to go on
    #[arg(long, default_value_t = 10, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: u64,

    /// How many cases to run, instead of for how long
    #[arg(long, value_name = "K", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub cases: Option<u64>,

    /// How many tasks to go on for, given or taken by all pools together, instead of for how long
    #[arg(long, value_name = "N", conflicts_with_all = ["seconds", "cases"], value_parser = clap::value_parser!(u64).range(1..))]
    pub tasks: Option<u64>,

    /// The seed of the first case; the next one's is one more [default: from the clock]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How many times to run each case
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub repeat: u64,

    /// A scheduler to draw from; may be given repeatedly [default: all kinds]
    #[arg(long)]
    pub scheduler: Vec<Scheduler>,

    /// Numbers of workers to draw from [default: 1 to 8]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one)]
    pub workers: Vec<usize>,

    /// How many seconds a case may take before it is taken to hang
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,

    /// Say what each case consists of
    #[arg(long)]
    pub plans: bool,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  filch completions bash > ~/.local/share/bash-completion/completions/filch
  filch completions zsh > _filch                into a folder of $fpath
  filch completions fish > ~/.config/fish/completions/filch.fish
  filch completions powershell | Out-String | Invoke-Expression";

/// Whose completions.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A program run once on one worker.
#[derive(Args, Debug)]
pub struct TargetArgs {
    /// The program
    pub program: String,
    /// Its size
    #[arg(long)]
    pub n: u64,
    /// Who runs it
    #[arg(long, value_enum)]
    pub runner: Target,
    /// Filch's scheduler
    #[arg(long, default_value_t = Scheduler::default())]
    pub scheduler: Scheduler,
}

/// A variant of a fork's parts, run once on one worker.
#[derive(Args, Debug)]
pub struct PartArgs {
    /// Its place in the list
    pub part: usize,
    /// Its size
    #[arg(long)]
    pub n: u64,
}

/// The named sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// For the cost of small runs
    Small,
    /// What figures are quoted for
    Default,
    /// As in the paper the program comes from
    Paper,
}

/// Whom Filch is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Peer {
    /// The serial elision
    Serial,
    /// The library rayon
    Rayon,
    /// The library rayon with its loops tuned by hand; only programs with loops have it
    RayonTuned,
    /// The library chili
    Chili,
}

/// Who can be watched by callgrind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// The serial elision
    Serial,
    /// Filch
    Filch,
    /// The library rayon
    Rayon,
    /// The library chili
    Chili,
}

/// Cilk-5's as in the paper, as it is here, and ours.
fn schedulers_that_steal() -> [Scheduler; 3] {
    [Scheduler::cilk5().with_period(Duration::ZERO), Scheduler::cilk5(), Scheduler::default()]
}

pub(crate) fn at_least_one(value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be a number".into()),
    }
}

/// More processes than this are no measurement but an accident: one that takes minutes to start and the machine with
/// it.
const MOST_BUSY: usize = 256;

fn not_too_many(value: &str) -> Result<usize, String> {
    let number = value.parse().ok().filter(|&number| number <= MOST_BUSY);
    number.ok_or_else(|| format!("must be a number from 0 to {MOST_BUSY}"))
}

fn positive_seconds(value: &str) -> Result<Duration, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "must be a number of seconds, more than 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
