//! `filch msf`: a minimum spanning forest.

use std::io::Write;
use std::path::Path;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_graph::msf::{self, MinimumForest, Msf};
use filch_graph::verify::verify_msf;
use filch_graph::{Graph, Watch, WeightedCsr};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::report;
use crate::graphs::save;
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::take::Take;
use crate::graphs::trials::Solution;
use crate::graphs::weights::{WeightArgs, load_weighted};

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch msf roads.gr --verify --out forest.txt
  filch msf 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch msf matrix.mtx --weights unit --format json > msf.json

",
    graph_help!(),
    "
Edges connect vertices regardless of direction; of parallel edges the lightest is taken. A graph
without weights gets whole ones from 1 to 255, drawn by --seed. The serial algorithm is Kruskal's.
With --out, the edges of the forest and their weights are written as text. The rate is the number
of undirected edges of the input divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch msf`.
#[derive(Args, Debug)]
pub struct MsfArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Its weights.
    #[command(flatten)]
    pub weights: WeightArgs,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch msf`.
pub fn run(args: &MsfArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let is_array = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    if args.trial.out.as_deref().is_some_and(is_array) {
        return Err(Failure::Usage("a forest of edges is not an array: --out needs .txt or .tsv".into()));
    }
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let (loaded, weights) = load_weighted(&args.input, &args.weights, Take::Edges, session.pool())?;
    show_graph(&loaded, session.pool(), out)?;
    report::line(out, "weights", &weights)?;

    let graph: &WeightedCsr = &loaded.graph;
    let task = Task {
        program: "msf",
        loaded: &loaded,
        edges: &|_| session.pool().run(|_| graph.num_edges()),
        serial: &|| msf::serial(graph),
        check: &|found: &MinimumForest| check(graph, found),
        found: &|found| vec![("trees", found.num_trees() as u64), ("edges", found.edges.len() as u64)],
    };
    let solve = |watch: &dyn Watch| {
        let found = Msf::new().watch(watch).run(graph);
        let method = match found.rounds {
            0 => "the serial algorithm, because the graph is small".into(),
            rounds => format!("{} of Borůvka's algorithm", report::count(rounds, "round", "rounds")),
        };
        let serial = found.rounds == 0;
        Ok(Solution { answer: found, method: Some(method), counted: Vec::new(), serial, explained: Vec::new() })
    };
    let methods: [Method<'_, MinimumForest>; 1] = [("filter-boruvka".into(), Box::new(solve))];
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
    if outcome.is_right() {
        let found = &outcome.solution.answer;
        let trees = report::count(found.num_trees(), "tree", "trees");
        let edges = report::count(found.edges.len(), "edge", "edges");
        let is_exact = found.weight.fract() == 0.0 && found.weight.abs() < EXACT;
        let weight = if is_exact { grouped_signed(found.weight) } else { found.weight.to_string() };
        report::line(out, "forest", &format!("{trees} with {edges} of weight {weight}"))?;
    }
    session.compare(&outcome, EDGES, out)?;
    session.finish(&outcome, |path, found| save::weighted_edges(path, &loaded, &found.edges, session.pool()))
}

fn check(graph: &WeightedCsr, found: &MinimumForest) -> Result<(), String> {
    let summary = verify_msf(graph, &found.edges).map_err(|wrong| wrong.to_string())?;
    let (own, expected) = ((found.num_trees(), found.weight), (summary.trees, summary.weight));
    // Sums of fractions depend on the order in which they are added.
    let tolerance =
        1e-9 * graph.num_vertices() as f64 * found.edges.iter().fold(1.0, |most, edge| edge.2.abs().max(most)) as f64;
    if own.0 == expected.0 && (own.1 - expected.1).abs() <= tolerance {
        return Ok(());
    }
    Err(format!(
        "{} trees of weight {} were reported, but there are {} of weight {}",
        own.0, own.1, expected.0, expected.1
    ))
}

/// Sums of whole numbers are exact below this, 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn grouped_signed(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}", grouped(number.abs() as u64))
}
