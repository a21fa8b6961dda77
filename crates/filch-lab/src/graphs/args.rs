//! Arguments that several commands on graphs have.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser, ValueParser, ValueParserFactory};
use clap::{Args, ValueEnum};
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::timeout::TimeoutArgs;
use filch_bench::values::{Choice, any_number, at_least_one, runs};

use crate::output::{Destination, FormatArgs};

/// The part of `--help` on the argument GRAPH. A macro, because [`concat`] takes literals only.
macro_rules! graph_help {
    () => {
        "\
GRAPH is one of
  FILE                      an edge list with two vertices per line, and possibly a weight;
                            Matrix Market, DIMACS .gr, METIS, an adjacency graph of Ligra,
                            or a BvGraph of WebGraph (NAME.graph with NAME.properties);
                            all of these also .gz, .zst, .bz2 and .xz; or a .sg or .wsg file of
                            GAPBS; - is standard input
  debian                    the packages of Debian 12 and their dependencies, built in
  random(N,M), torus(N), …  a generator: see filch generate --help
Vertices have the numbers of the file: from 1 in Matrix Market, DIMACS and METIS, from 0 elsewhere.
A graph is undirected if the reverse of each arc is there, as often and with the same weight.
"
    };
}
pub(crate) use graph_help;

/// The argument GRAPH. The name of a file need not be in UTF-8.
#[derive(Clone, Debug)]
pub struct GraphName {
    name: OsString,
    /// As messages and tables show it.
    shown: String,
}

impl From<OsString> for GraphName {
    fn from(name: OsString) -> Self {
        let shown = filch_text::named(Path::new(&name)).display().to_string();
        Self { name, shown }
    }
}

impl ValueParserFactory for GraphName {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        let not_empty = |name: OsString| {
            let expected = "expected a file, a generator such as torus(100), or debian";
            if name.to_string_lossy().trim().is_empty() { Err(expected) } else { Ok(Self::from(name)) }
        };
        OsStringValueParser::new().try_map(not_empty).into()
    }
}

impl AsRef<OsStr> for GraphName {
    fn as_ref(&self) -> &OsStr {
        &self.name
    }
}

impl Deref for GraphName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.shown
    }
}

impl fmt::Display for GraphName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

/// The arguments that describe a graph.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// The graph: a file, a generator or debian
    #[arg(value_name = "GRAPH")]
    pub graph: GraphName,

    /// The edge list, or the input of which the serialized graph was made, numbers vertices from 1
    #[arg(long)]
    pub one_based: bool,

    /// Vertices of an edge list are names: words, or numbers of any size with any gaps; results and --root have them
    #[arg(long, conflicts_with_all = ["one_based", "vertices", "labels"])]
    pub renumber: bool,

    /// Number of vertices [default: up to the highest number in an edge list; that of the header elsewhere]
    #[arg(long, value_name = "N", value_parser = at_least_one::<usize>)]
    pub vertices: Option<usize>,

    /// Ignore further columns of numbers in the file, such as weights
    #[arg(long)]
    pub extra_columns: bool,

    /// Names of the vertices, one per line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,

    /// The limit.
    #[command(flatten)]
    pub timeout: TimeoutArgs,

    /// Seed of a generator, and of weights that are drawn
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = any_number::<u64>)]
    pub seed: u64,
}

impl InputArgs {
    /// The files that are read, with the names of their arguments.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let graph = Some(Path::new(&self.graph)).filter(|path| path.is_file());
        graph.map(|path| ("GRAPH", path)).into_iter().chain(self.labels.as_deref().map(|path| ("--labels", path)))
    }

    /// The first option given that applies to files only.
    pub fn of_files(&self) -> Option<&'static str> {
        self.of_edge_lists().or(self.vertices.is_some().then_some("--vertices"))
    }

    /// The first option given that applies to edge lists only.
    pub fn of_edge_lists(&self) -> Option<&'static str> {
        let options =
            [("--one-based", self.one_based), ("--renumber", self.renumber), ("--extra-columns", self.extra_columns)];
        options.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

/// The arguments on how to solve a problem, and on output files.
#[derive(Args, Debug)]
pub struct TrialArgs {
    /// Check every result independently of the algorithm
    #[arg(long)]
    pub verify: bool,

    /// Number of runs; several runs follow one for warm-up
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = runs)]
    pub runs: usize,

    /// Numbers of workers [default: FILCH_WORKERS, or one per core]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Filch's scheduler, or all; can be repeated [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Vec<Choice>,

    /// Also run this algorithm, in turn with Filch
    #[arg(long, value_enum, value_name = "PEER")]
    pub against: Option<Baseline>,

    /// Write the result for each vertex to this file, as text or, with the extension .npy, as an array, which numbers
    /// vertices from 0
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub out: Option<Destination>,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// An algorithm with which Filch is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Baseline {
    /// A plain serial traversal, with a stack or a queue
    Serial,
}
