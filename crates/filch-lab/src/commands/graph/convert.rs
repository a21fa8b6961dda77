//! `filch graph convert`: writes a graph in another form.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use filch::Pool;
use filch_graph::read::Kept;
use filch_graph::write::check_graph;
use filch_graph::{Csr, Weight};

use crate::failure::Failure;
use crate::graphs::args::InputArgs;
use crate::graphs::save;
use crate::graphs::session::show_graph;
use crate::graphs::source::{Loaded, load};
use crate::graphs::weights::{self, Weights};
use crate::measure::pools::TopologyArgs;
use crate::output;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch graph convert roads.el.gz --symmetrize --out roads.sg
  filch graph convert web.sg --out web.el.zst
  filch graph convert roads.gr.gz --out roads.wsg
  filch graph convert matrix.mtx --weights none --out matrix.graph

What is read is recognized by its content. The name of the file decides what is written:
  .sg, .wsg        the binary forms of GAPBS, without and with weights
  .el, .txt, .wel  an edge list, which has each edge of an undirected graph once; with weights if
                   there are any, and .wel only with weights
  .mtx             Matrix Market; general if the graph is directed, symmetric if it is not
  .gr              DIMACS, for shortest paths: weights are whole numbers
  .graph           METIS: undirected, no self-loops, weights are whole numbers above 0
  .adj             Ligra, with weights if there are any
Text is compressed if .gz or .zst is appended. Nothing is dropped or made up unless --weights
says so.

Exit code: 0 success, 2 bad usage or bad input, or a file that cannot be written.";

/// The arguments of `filch graph convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Other weights than those of the file, if it has any
    #[arg(long, value_enum, value_name = "WEIGHTS", default_value_t = Keep::File)]
    pub weights: Keep,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Which weights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Keep {
    /// Those of the file, if it has any
    File,
    /// None
    None,
    /// 1 for every arc
    Unit,
    /// Drawn from 1 to 255 by --seed, as GAPBS does
    Uniform,
}

/// Runs `filch graph convert`.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), Failure> {
    save::check_graph_name(&args.out)?;
    output::check_writable(&args.out)?;
    output::check_distinct(args.input.files(), &[("--out", args.out.as_path())])?;
    let pool = args.topology.pools()?.default_pool()?;
    let Loaded { name, graph, names, read, build_s } = load::<Kept>(&args.input, args.symmetrize, &pool)?;
    let graph = match args.weights {
        Keep::File => graph,
        Keep::None => Kept::Plain(weights::plain(graph)),
        Keep::Unit => {
            Kept::Weighted(pool.run(|_| weights::with(weights::plain(graph), Weights::Unit, args.input.seed)))
        }
        Keep::Uniform => {
            Kept::Weighted(pool.run(|_| weights::with(weights::plain(graph), Weights::Uniform, args.input.seed)))
        }
    };
    match graph {
        Kept::Plain(graph) => save_as(args, &Loaded { name, graph, names, read, build_s }, &pool, out),
        Kept::Weighted(graph) => save_as(args, &Loaded { name, graph, names, read, build_s }, &pool, out),
    }
}

fn save_as<W: Weight>(
    args: &ConvertArgs,
    loaded: &Loaded<Csr<u32, W>>,
    pool: &Pool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    pool.run(|_| check_graph(&args.out, &loaded.graph)).map_err(Failure::usage)?;
    show_graph(loaded, pool, out)?;
    save::graph(&args.out, &loaded.graph, pool, out)
}
