//! `filch components`: the connected components of a graph.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::any_number;
use filch_graph::components::{self, Algorithm, Components};
use filch_graph::verify::verify_components;
use filch_graph::{Csr, Watch};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::labels;
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
use crate::graphs::trials::Solution;

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch components debian --verify
  filch components debian --explain
  filch components roads.el.gz --labels names.txt --largest 20
  filch components 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch components web.sg --out labels.npy --format json > components.json

",
    graph_help!(),
    "
Edges connect vertices regardless of direction; parallel edges make no difference. The rate is the
number of undirected edges of the input divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch components`.
#[derive(Args, Debug)]
pub struct ComponentsArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Algorithm: auto, afforest, search, sweep or serial; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Algorithm::Auto])]
    pub algorithm: Vec<Algorithm>,

    /// Number of largest components to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub largest: usize,

    /// Show the facts by which the algorithm was chosen, the choice, and its reason
    #[arg(long)]
    pub explain: bool,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of labelling all components.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch components`.
pub fn run(args: &ComponentsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, Take::Edges, session.pool())?;
    show_graph(&loaded, session.pool(), out)?;

    let graph = &loaded.graph;
    let task = Task {
        program: "components",
        loaded: &loaded,
        edges: &|_| session.pool().run(|_| graph.num_edges()),
        serial: &|| components::serial(graph),
        check: &|labels: &Vec<u32>| verify_components(graph, labels).map(drop).map_err(|wrong| wrong.to_string()),
        found: &|labels| labels::counts(labels),
    };
    let methods: Vec<Method<'_, Vec<u32>>> = args.algorithm.iter().map(|&algorithm| method(graph, algorithm)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
    if args.explain {
        session.explain(&outcome, out)?;
    }
    if outcome.is_right() {
        let sizes = labels::show_count(out, &outcome.solution.answer)?;
        labels::largest(out, "components", &sizes, args.largest, &loaded.names)?;
    }
    session.compare(&outcome, EDGES, out)?;
    session.finish(&outcome, |path, labels| labels::save(path, &loaded, labels, session.pool()))
}

fn method(graph: &Csr, algorithm: Algorithm) -> Method<'_, Vec<u32>> {
    let solve = move |_: &dyn Watch| {
        let found = Components::new().algorithm(algorithm).run(graph);
        let algorithm = found.algorithm();
        let explained = vec![
            ("facts", found.facts().to_string()),
            ("plan", algorithm.to_string()),
            ("reason", found.reason().to_owned()),
        ];
        let (method, serial) = (Some(algorithm.to_string()), algorithm == Algorithm::Serial);
        Ok(Solution { answer: found.into_labels(), method, counted: Vec::new(), serial, explained })
    };
    (algorithm.to_string(), Box::new(solve))
}
