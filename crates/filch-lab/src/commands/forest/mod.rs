//! `filch forest`: a spanning forest, which is a tree for each component.
//!
//! - [`build`]: the algorithms, with their options

pub mod build;

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::any_number;
use filch_graph::verify::verify_forest;
use filch_graph::{Csr, forest};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::labels;
use crate::graphs::report;
use crate::graphs::save::{self, Column};
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
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
  filch forest web.sg --algorithm auto,pseudo-dfs,sweep --runs 7 --format json > forest.json

",
    graph_help!(),
    "
Edges are taken as undirected; of parallel edges one is taken. The rate is the number of edges of
the input divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch forest`.
#[derive(Args, Debug)]
pub struct ForestArgs {
    /// What is common to all commands that find a forest.
    #[command(flatten)]
    pub common: CommonArgs,

    /// The algorithms.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// The arguments of a command that finds a spanning forest, except those about its algorithms.
#[derive(Args, Debug)]
pub struct CommonArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Root of its tree, by its number in the file or its name [default: any vertex]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// Number of largest trees to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub largest: usize,

    /// Show the facts by which the algorithm was chosen, the choice, and its reason
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
    let methods: Methods<'_> = Box::new(|graph, root| {
        Ok(args.build.chosen(root)?.into_iter().map(|chosen| build::method(chosen, graph)).collect())
    });
    args.common.find_forest(|_| Ok(()), methods, out)
}

/// The methods for a graph and the root of the first tree.
pub type Methods<'a> = Box<dyn for<'g> FnOnce(&'g Csr, Option<u32>) -> Result<Vec<Method<'g, Vec<u32>>>, Failure> + 'a>;

impl CommonArgs {
    /// Finds a forest by each of the methods, checks it, and shows and saves it. `check` gets the number of workers
    /// before the graph is built.
    pub fn find_forest(
        &self,
        check: impl FnOnce(usize) -> Result<(), Failure>,
        methods: Methods<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let session = Session::begin(&self.trial, self.input.files(), None)?;
        check(session.pool().num_workers())?;
        let loaded = load(&self.input, Take::Edges, session.pool())?;
        let root = self.root.as_ref().map(|called| loaded.names.find(called)).transpose()?;
        show_graph(&loaded, session.pool(), out)?;

        let graph = &loaded.graph;
        let task = Task {
            program: "forest",
            loaded: &loaded,
            edges: &|_| session.pool().run(|_| graph.num_edges()),
            serial: &|| forest::serial(graph),
            check: &|parents: &Vec<u32>| verify_forest(graph, parents).map(drop).map_err(|wrong| wrong.to_string()),
            found: &|parents| {
                let trees = parents.iter().zip(0..).filter(|&(&parent, v)| parent == v).count();
                vec![("trees", trees as u64), ("edges", (parents.len() - trees) as u64)]
            },
        };
        let outcome = session.solve(&task, &methods(graph, root)?)?;
        session.show("edges", &outcome, out)?;
        if self.explain {
            session.explain(&outcome, out)?;
        }
        if outcome.is_right() {
            let parents = &outcome.solution.answer;
            let sizes = labels::sizes(&labels::roots(parents));
            let edges = report::count(parents.len() - sizes.len(), "edge", "edges");
            report::line(out, "forest", &format!("{} with {edges}", report::count(sizes.len(), "tree", "trees")))?;
            report::counted(out, &outcome.solution.counted)?;
            labels::largest(out, "trees", &sizes, self.largest, &loaded.names)?;
        }
        session.compare(&outcome, EDGES, out)?;
        session.finish(&outcome, |path, parents| {
            let parent = Column::vertex(|v| Some(parents[v as usize]));
            save::vertices(path, &loaded, &[parent], session.pool())
        })
    }
}
