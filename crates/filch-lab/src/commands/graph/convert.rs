//! `filch graph convert`: writes a graph in another form.

use std::io::Write;

use clap::{Args, ValueEnum};
use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::TopologyArgs;
use filch_graph::Csr;
use filch_graph_io::FileWeight;
use filch_graph_io::read::Kept;
use filch_graph_io::write::{Format, WriteError, check_graph};

use crate::graphs::args::InputArgs;
use crate::graphs::report;
use crate::graphs::save;
use crate::graphs::session::show_graph;
use crate::graphs::source::{Loaded, load};
use crate::graphs::take::Take;
use crate::graphs::weights::{self, Weights};
use crate::output::{self, Destination};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch graph convert roads.el.gz --symmetrize --out roads.sg
  filch graph convert web.sg --out web.el.zst
  filch graph convert roads.gr.gz --out roads.wsg
  filch graph convert matrix.mtx --weights none --out matrix.graph
  filch graph convert users.txt --renumber --out users.sg --write-labels names.txt

What is read is recognized by its content. The name of the file decides what is written:
  .sg, .wsg        the binary forms of GAPBS, without and with weights
  .el, .txt, .wel  an edge list, which has each edge of an undirected graph in both directions;
                   with weights if there are any, and .wel only with weights
  .mtx             Matrix Market; general if the graph is directed, symmetric if it is not
  .gr              DIMACS, for shortest paths: weights are whole numbers
  .graph           METIS: undirected, no self-loops, weights are whole numbers above 0
  .adj             Ligra, with weights if there are any
Text is compressed if .gz or .zst is appended. Nothing is dropped or made up unless --weights
says so: parallel arcs and self-loops stay. An edge list does not have the number of vertices; if
the last one has no edges, --vertices reads it again. With --symmetrize, each arc is an edge, and of
parallel edges one stays. The first vertex becomes number 1 in .mtx, .gr and .graph, and 0 elsewhere.

Exit code: 0 success, 2 bad usage or bad input, or a file that cannot be written; 124 the time
of --timeout is over, and no file is written.";

/// The arguments of `filch graph convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Write the names of the vertices to this file, one a line, as --labels reads them; --renumber needs it
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub write_labels: Option<Destination>,

    /// Other weights than those of the file, if it has any
    #[arg(long, value_enum, value_name = "WEIGHTS", default_value_t = Keep::File)]
    pub weights: Keep,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// The file to write
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub out: Destination,
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
    let mut written = vec![("--out", &*args.out)];
    if let Some(path) = &args.write_labels {
        save::check_lines_name(path)?;
        output::check_writable(path)?;
        written.push(("--write-labels", path));
    }
    output::check_distinct(args.input.files(), &written)?;
    if args.input.renumber && args.write_labels.is_none() {
        return Err(Failure::Usage(
            "--renumber would lose the names of the vertices: --write-labels saves them".into(),
        ));
    }
    let pool = args.topology.pools()?.default_pool()?;
    if args.weights != Keep::File {
        save::check_weights(&args.out, args.weights != Keep::None, &pool)?;
    }
    let take = Take::All.or_edges(args.symmetrize);
    let weights = match args.weights {
        Keep::File => {
            let (graph, rest) = load::<Kept>(&args.input, take, &pool)?.split();
            return match graph {
                Kept::Plain(graph) => save_as(args, &rest.with(graph), &pool, out),
                Kept::Weighted(graph) => save_as(args, &rest.with(graph), &pool, out),
            };
        }
        Keep::None => None,
        Keep::Unit => Some(Weights::Unit),
        Keep::Uniform => Some(Weights::Uniform),
    };
    // Weights that are left out need not be exact.
    let loaded = load::<Csr>(&args.input, take, &pool)?;
    let Some(weights) = weights else { return save_as(args, &loaded, &pool, out) };
    let (graph, rest) = loaded.split();
    let graph = pool.run(|_| weights::with(graph, weights, args.input.seed));
    save_as(args, &rest.with(graph), &pool, out)
}

fn save_as<W: FileWeight>(
    args: &ConvertArgs,
    loaded: &Loaded<Csr<u32, W>>,
    pool: &Pool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Standard output gets an edge list, which can hold any graph.
    if !output::is_standard(&args.out) {
        pool.run(|_| check_graph(&args.out, &loaded.graph)).map_err(|error| match error {
            WriteError::SelfLoop { path, vertex } => {
                Failure::usage(WriteError::SelfLoop { path, vertex: vertex + loaded.names.first() })
            }
            error => Failure::usage(error),
        })?;
    }
    show_graph(loaded, pool, out)?;
    let first = Format::of_name(&args.out).map_or(0, |format| format.content.first_vertex());
    if first != loaded.names.first() {
        report::line(out, "renumbered", &format!("from {first} on, as the format of the new file has it"))?;
    }
    if let Some(path) = &args.write_labels {
        save::names(path, loaded, pool)?;
    }
    save::graph(&args.out, &loaded.graph, pool, out)
}
