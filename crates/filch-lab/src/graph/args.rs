//! What a user may type after the commands on graphs.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use filch::{Batches, Scheduler};
use filch_graph::bfs::Direction;
use filch_graph::{components, forest};

use crate::cli::at_least_one;

/// What GRAPH may be, for `--help`.
macro_rules! graph_help {
    () => {
        "\
GRAPH is one of
  FILE                      an edge list, two vertices a line (also .gz, .zst), or a .sg of GAPBS
  debian                    the packages of Debian 12 and what they depend on, built in
  random(N,M), torus(N), …  a generator: see filch generate --help
"
    };
}

/// `--help` of `filch forest`.
pub const FOREST_HELP: &str = concat!(
    "\
Examples:
  filch forest debian --verify
  filch forest roads.el.gz --out parents.npy
  filch forest 'random(4000000,2)' --runs 21 --against serial --workers 1,2
  filch forest 'torus(2000),shuffled' --algorithm pseudo-dfs --batches adaptive,1,64 --runs 21
  filch forest web.sg --algorithm auto,pseudo-dfs,union-find --runs 7 --json forest.json

",
    graph_help!(),
    "
Edges are undirected here, and edges per second are those of the input by the time of solving.

Exit code: 0 done, 1 a result failed its check, 2 bad usage or bad input."
);

/// `--help` of `filch components`.
pub const COMPONENTS_HELP: &str = concat!(
    "\
Examples:
  filch components debian --verify
  filch components roads.el.gz --labels names.txt --largest 20
  filch components 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch components web.sg --out labels.npy --json components.json

",
    graph_help!(),
    "
Connected is what edges connect, in this or that direction. Edges per second are undirected
edges of the input by the time of solving.

Exit code: 0 done, 1 a result failed its check, 2 bad usage or bad input."
);

/// `--help` of `filch bfs`.
pub const BFS_HELP: &str = concat!(
    "\
Examples:
  filch bfs debian --root firefox-esr --verify
  filch bfs roads.el.gz --symmetrize --root 17 --out depths.txt
  filch bfs 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch bfs web.sg --algorithm auto,top-down --runs 7 --json bfs.json

",
    graph_help!(),
    "
An edge list is directed here, unless --symmetrize is given. Arcs per second are those that
leave the vertices reached, by the time of solving.

Exit code: 0 done, 1 a result failed its check, 2 bad usage or bad input."
);

/// Which graph.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// The graph: a file, a generator or debian
    #[arg(value_name = "GRAPH")]
    pub graph: String,

    /// Vertices in the file are numbered from 1; so are they in what is printed and written as text
    #[arg(long)]
    pub one_based: bool,

    /// How many vertices the file has [default: up to the highest number in it]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub vertices: Option<usize>,

    /// Ignore further columns of numbers in the file, such as weights
    #[arg(long)]
    pub extra_columns: bool,

    /// Names of the vertices, one a line
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,

    /// The seed of a generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
}

impl InputArgs {
    /// The files that are read, by how the user names them.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let graph = Some(Path::new(&self.graph)).filter(|path| path.is_file());
        graph.map(|path| ("GRAPH", path)).into_iter().chain(self.labels.as_deref().map(|path| ("--labels", path)))
    }

    /// The first option given that is about edge lists, if any is.
    pub fn of_edge_lists(&self) -> Option<&'static str> {
        let options = [
            ("--one-based", self.one_based),
            ("--vertices", self.vertices.is_some()),
            ("--extra-columns", self.extra_columns),
        ];
        options.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

/// Who solves it how often, and where results go.
#[derive(Args, Debug)]
pub struct TrialArgs {
    /// Check every result by other means
    #[arg(long)]
    pub verify: bool,

    /// How many times to solve it; of several, after once that is not counted
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = at_least_one)]
    pub runs: usize,

    /// Numbers of workers [default: FILCH_WORKERS, or one per core]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one)]
    pub workers: Vec<usize>,

    /// Filch's scheduler; may be given repeatedly [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Vec<Scheduler>,

    /// Whom to compare with, in turn with it
    #[arg(long, value_enum, value_name = "WHOM")]
    pub against: Option<Rival>,

    /// Write the result to this file: for each vertex what was found, as text or, by the extension .npy, as an array
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Write all figures to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `filch forest`.
#[derive(Args, Debug)]
pub struct ForestArgs {
    /// Which graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// From which vertex its tree grows, by number or name [default: any]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// The algorithm: auto, pseudo-dfs, phased-bfs, pull, descend, islands, search, union-find or serial; several are
    /// compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [forest::Algorithm::Auto])]
    pub algorithm: Vec<forest::Algorithm>,

    /// How many vertices pseudo-dfs and phased-bfs share at once: adaptive, N or up-to-N; several are compared with
    /// the first
    #[arg(long, value_delimiter = ',', value_name = "N,…", value_parser = batches)]
    pub batches: Vec<Batches>,

    /// How many of the largest trees to show
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub largest: usize,

    /// How it is solved.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// `filch components`.
#[derive(Args, Debug)]
pub struct ComponentsArgs {
    /// Which graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// The algorithm: auto, afforest or search; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [components::Algorithm::Auto])]
    pub algorithm: Vec<components::Algorithm>,

    /// How many of the largest components to show
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub largest: usize,

    /// How it is solved.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// `filch bfs`.
#[derive(Args, Debug)]
pub struct BfsArgs {
    /// Which graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// From which vertex, by number or name [default: one with the most neighbours]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// The algorithm: auto, top-down or bottom-up; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Direction::Auto])]
    pub algorithm: Vec<Direction>,

    /// Write to this file from where each vertex was reached, as --out the depths; text has both anyway
    #[arg(long, value_name = "FILE")]
    pub parents: Option<PathBuf>,

    /// How it is solved.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// With whom Filch is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rival {
    /// A plain serial traversal, with a stack or a queue
    Serial,
}

/// Batches from text: `adaptive`, `N` or `up-to-N`.
fn batches(text: &str) -> Result<Batches, String> {
    let size = |text: &str| at_least_one(text).ok();
    let read = match text.strip_prefix("up-to-") {
        _ if text == "adaptive" => Some(Batches::Adaptive),
        Some(most) => size(most).map(Batches::UpTo),
        None => size(text).map(Batches::Fixed),
    };
    read.ok_or_else(|| "must be adaptive, a number from 1 up, or up-to- and such a number".into())
}

/// `--help` of `filch generate`.
pub const GENERATE_HELP: &str = "\
Examples:
  filch generate 'random(4000000,2)' --out random.sg
  filch generate 'torus(2000),shuffled' --seed 7 --out torus.el.zst
  filch generate 'kronecker(21)' --out kronecker.el

SPEC is one of these, and with ,shuffled behind it the numbers of vertices are in random order:
  random(N,M)     N vertices, each of which picks M neighbours
  uniform(S,D)    2^S vertices, D times as many edges, 16 if not said
  kronecker(S,D)  likewise, by the rules of Graph500: a few vertices have most edges
  torus(N)        N times N vertices, four neighbours each
  hypercube(D)    2^D vertices, D neighbours each
  meshes(A,B)     two square meshes, joined by one edge
  islands(C,S,A)  C paths of S vertices, and a torus of A times A vertices before them if said
  stars(C,L)      C centres in a line, L leaves each
  path(N), regular(N,K), bintree(L)

The file is an edge list, by the ending .gz or .zst compressed, or by .sg the binary form of
GAPBS, which is read several times faster.

Exit code: 0 done, 2 bad usage, or a file that cannot be written.";

/// `filch generate`.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// What to generate
    #[arg(value_name = "SPEC")]
    pub spec: String,

    /// Its seed
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,

    /// Where it goes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `--help` of `filch graph`.
pub const GRAPH_HELP: &str = "\
Examples:
  filch graph info debian
  filch graph convert roads.el.gz --symmetrize --out roads.sg";

/// `--help` of `filch graph info`.
pub const INFO_HELP: &str = concat!(
    "\
Examples:
  filch graph info debian
  filch graph info roads.el.gz --symmetrize
  filch graph info 'kronecker(16)' --json info.json

",
    graph_help!(),
    "
Exit code: 0 done, 2 bad usage or bad input."
);

/// `filch graph`.
#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Show how many vertices, edges and components a graph has, and its degrees
    #[command(after_help = INFO_HELP)]
    Info(InfoArgs),
    /// Write a graph in another form
    #[command(after_help = CONVERT_HELP)]
    Convert(ConvertArgs),
}

/// `--help` of `filch graph convert`.
pub const CONVERT_HELP: &str = "\
Examples:
  filch graph convert roads.el.gz --symmetrize --out roads.sg
  filch graph convert web.sg --out web.el.zst

The ending says what is written: .sg the binary form of GAPBS, .el or .txt an edge list, which
has each edge of an undirected graph once, and with .gz or .zst behind it is compressed.

Exit code: 0 done, 2 bad usage or bad input, or a file that cannot be written.";

/// `filch graph convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// Which graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Where it goes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `filch graph info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// Which graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Write all figures to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
