//! `filch scc`: the strongly connected components of a directed graph.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::any_number;
use filch_graph::scc::{self, Algorithm, Counts, Scc};
use filch_graph::verify::verify_strong_components;
use filch_graph::{Csr, Graph, Watch};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::labels;
use crate::graphs::report;
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch scc debian --verify
  filch scc links.el.gz --labels pages.txt --largest 20
  filch scc web.sg --runs 21 --against serial --workers 1,2
  filch scc web.sg --algorithm auto,color,tarjan --runs 7 --out labels.npy

",
    graph_help!(),
    "
Of parallel arcs one is taken. In an undirected graph, such as those of generators, strongly
connected components are those of filch components. The rate is the number of arcs divided by the
time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch scc`.
#[derive(Args, Debug)]
pub struct SccArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Algorithm: auto, color or tarjan; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Algorithm::Auto])]
    pub algorithm: Vec<Algorithm>,

    /// Number of largest components to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub largest: usize,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of labelling all components.
const ARCS: &str = "arcs of the graph";

/// Runs `filch scc`.
pub fn run(args: &SccArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, Take::Arcs, session.pool())?;
    show_graph(&loaded, session.pool(), out)?;

    let graph = &loaded.graph;
    let task = Task {
        program: "scc",
        loaded: &loaded,
        edges: &|_| graph.num_arcs(),
        serial: &|| scc::serial(graph),
        check: &|labels: &Vec<u32>| {
            verify_strong_components(graph, labels).map(drop).map_err(|wrong| wrong.to_string())
        },
        found: &|labels| labels::counts(labels),
    };
    let methods: Vec<Method<'_, Vec<u32>>> = args.algorithm.iter().map(|&algorithm| method(graph, algorithm)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("arcs", &outcome, out)?;
    if outcome.is_right() {
        let sizes = labels::show_count(out, &outcome.solution.answer)?;
        report::counted(out, &outcome.solution.counted)?;
        labels::largest(out, "components", &sizes, args.largest, &loaded.names)?;
    }
    session.compare(&outcome, ARCS, out)?;
    session.finish(&outcome, |path, labels| labels::save(path, &loaded, labels, session.pool()))
}

fn method(graph: &Csr, algorithm: Algorithm) -> Method<'_, Vec<u32>> {
    let solve = move |watch: &dyn Watch| {
        let found = Scc::new().algorithm(algorithm).watch(watch).run(graph);
        let counted = counted(&found.counts());
        Ok(Solution { answer: found.into_labels(), method: None, counted, serial: false, explained: Vec::new() })
    };
    (algorithm.to_string(), Box::new(solve))
}

/// The counts that are not zero.
fn counted(counts: &Counts) -> Counted {
    let Counts { searched, trimmed, colored, rounds, serial } = *counts;
    let all = [
        ("found_by_searches", searched),
        ("trimmed", trimmed),
        ("colored", colored),
        ("rounds", rounds),
        ("left_to_one_worker", serial),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).map(|(name, count)| (name, count as u64)).collect()
}
