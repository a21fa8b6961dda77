//! `filch forest`: a spanning forest, which is a tree for each component.
//!
//! - [`build`]: the algorithms, with their options

pub mod build;

use std::io::Write;

use clap::Args;
use filch_graph::forest;
use filch_graph::verify::verify_forest;

use crate::failure::Failure;
use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::labels;
use crate::graphs::report;
use crate::graphs::save::{self, Column};
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
use crate::graphs::trees::{self, Arranged};
use crate::values::any_number;
use build::BuildArgs;

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch forest debian --verify
  filch forest roads.el.gz --out parents.npy
  filch forest 'random(4000000,2)' --explain
  filch forest 'random(4000000,2)' --runs 21 --against serial --workers 1,2
  filch forest 'torus(2000),shuffled' --algorithm pseudo-dfs --batches adaptive,1,64 --runs 21
  filch forest web.sg --algorithm auto,pseudo-dfs,sweep --runs 7 --json forest.json
  filch forest 'torus(1000)' --algorithm stack,short-term,long-term --rows linked --runs 7
  filch forest 'torus(1000)' --algorithm long-term --claims exchange,fence --verify

Algorithms as two papers build them, to be compared; filch figure repeats the measurements:
  stack             serial, with a stack of vertices
  staged            serial recursion of bounded depth; deeper vertices wait for the next stage
  short-term        the same in parallel, with a list of these in each call
  long-term         the same in parallel, with a list in each part that has moved
  long-term-halves  the same, where what moves is half of a row, not the rest of it
  unbounded         parallel recursion without a bound; fails before a stack overflows
  depth-limited     parallel recursion near the root, serial below it
  stub-tree         threads with stacks, which steal half of another one
  spmd-bfs          breadth-first search, each level shared out, with barriers
  cilk-bfs          breadth-first search, each level divided in halves again and again
  stashed-dfs, stashed-bfs  shared worklists in batches, depth-first and in phases

",
    graph_help!(),
    "
Edges are taken as undirected; of parallel edges one is taken. The rate is the number of edges of
the input divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input."
);

/// The arguments of `filch forest`.
#[derive(Args, Debug)]
pub struct ForestArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Root of its tree, by its number in the file or its name [default: any vertex]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// How it is built.
    #[command(flatten)]
    pub build: BuildArgs,

    /// Number of largest trees to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub largest: usize,

    /// Show what the algorithm was chosen by, the choice and its reason
    #[arg(long)]
    pub explain: bool,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of finding a forest.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch forest`.
pub fn run(args: &ForestArgs, out: &mut dyn Write) -> Result<(), Failure> {
    args.build.chosen(None)?;
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    args.build.check_workers(session.pool().num_workers())?;
    let loaded = load(&args.input, Take::Edges, session.pool())?;
    let root = args.root.as_ref().map(|called| loaded.names.find(called)).transpose()?;
    show_graph(&loaded, session.pool(), out)?;

    let graph = &loaded.graph;
    let rows = Arranged::new(graph, args.build.rows, args.input.seed)?;
    let task = Task {
        program: "forest",
        loaded: &loaded,
        edges: &|_| session.pool().run(|_| graph.num_edges()),
        serial: &|| forest::serial(graph),
        check: &|parents: &Vec<u32>| verify_forest(graph, parents).map(drop).map_err(|wrong| wrong.to_string()),
        found: &|parents| trees::found(parents),
    };
    let methods: Vec<Method<'_, Vec<u32>>> =
        args.build.chosen(root)?.into_iter().map(|chosen| chosen.method(graph, &rows)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
    if args.explain {
        session.explain(&outcome, out)?;
    }
    if outcome.is_right() {
        let parents = &outcome.solution.answer;
        let sizes = labels::sizes(&labels::roots(parents));
        let edges = report::count(parents.len() - sizes.len(), "edge", "edges");
        report::line(out, "forest", &format!("{} with {edges}", report::count(sizes.len(), "tree", "trees")))?;
        report::counted(out, &outcome.solution.counted)?;
        labels::largest(out, "trees", &sizes, args.largest, &loaded.names)?;
    }
    session.compare(&outcome, EDGES, out)?;
    session.finish(&outcome, |path, parents| {
        let parent = Column::vertex(|v| Some(parents[v as usize]));
        save::vertices(path, &loaded, &[parent], session.pool())
    })
}
