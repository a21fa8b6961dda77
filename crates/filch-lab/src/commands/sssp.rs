//! `filch sssp`: the distance of every vertex from one vertex, by weights.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::number;
use filch_graph::sssp::{self, ShortestPaths, Sssp, SsspError};
use filch_graph::verify::verify_sssp;
use filch_graph::{Graph, Watch, WeightedCsr};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::report;
use crate::graphs::save;
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};
use crate::graphs::weights::{WeightArgs, load_weighted};

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch sssp roads.gr --root 17 --verify --out distances.txt
  filch sssp 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch sssp web.wsg --delta 16 --runs 7 --format json > sssp.json

",
    graph_help!(),
    "
A graph without weights gets whole ones from 1 to 255, drawn by --seed. Weights must not be
negative. The serial algorithm is Dijkstra's. Arcs lead one way unless --symmetrize is given; of
parallel arcs the lightest is taken. The rate is the number of arcs that leave the vertices
reached, divided by the time.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch sssp`.
#[derive(Args, Debug)]
pub struct SsspArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Its weights.
    #[command(flatten)]
    pub weights: WeightArgs,

    /// First vertex, by its number in the file or its name [default: one with the most neighbours]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Widths of a bucket; several are compared with the first [default: from the weights and degrees]
    #[arg(long, value_delimiter = ',', value_name = "D,…", value_parser = above_zero())]
    pub delta: Vec<f64>,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of a search.
const ARCS: &str = "arcs that leave the vertices reached";

fn above_zero() -> impl Fn(&str) -> Result<f64, String> + Clone {
    number("a number above 0", |number| number > 0.0)
}

/// Runs `filch sssp`.
pub fn run(args: &SsspArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let (loaded, weights) =
        load_weighted(&args.input, &args.weights, Take::Arcs.or_edges(args.symmetrize), session.pool())?;
    let graph = &loaded.graph;
    let root = match &args.root {
        Some(called) => loaded.names.find(called)?,
        None => busiest(graph).ok_or_else(|| Failure::Usage(format!("{} has no vertices", loaded.name)))?,
    };
    // Now, and not after the first runs.
    let refused = |error: SsspError| {
        let SsspError::NegativeWeight { from, to, weight } = error else { return Failure::usage(error) };
        let [from, to] = [from, to].map(|v| loaded.names.of(v as u32));
        let arc = format!("{}: the arc from vertex {from} to {to} has the weight {weight}", loaded.name);
        Failure::Usage(format!("{arc}, but shortest paths need weights of at least 0"))
    };
    let first = sssp::serial(graph, root).map_err(refused)?;
    show_graph(&loaded, session.pool(), out)?;
    report::line(out, "weights", &weights)?;
    let neighbours = report::count(graph.degree(root), "neighbour", "neighbours");
    report::line(out, "root", &format!("{}, with {neighbours}", loaded.names.of(root)))?;

    let task = Task {
        program: "sssp",
        loaded: &loaded,
        edges: &|found: &ShortestPaths| {
            let reached = (0..).zip(&found.distances).filter(|(_, distance)| distance.is_finite());
            reached.map(|(v, _)| graph.degree(v)).sum()
        },
        serial: &|| sssp::serial(graph, root).unwrap_or_else(|_| first.clone()),
        check: &|found: &ShortestPaths| {
            verify_sssp(graph, root, &found.distances).map(drop).map_err(|wrong| wrong.to_string())
        },
        found: &|found| vec![("reached", found.num_reached() as u64)],
    };
    let deltas: Vec<Option<f64>> =
        if args.delta.is_empty() { vec![None] } else { args.delta.iter().copied().map(Some).collect() };
    let methods: Vec<Method<'_, ShortestPaths>> = deltas.into_iter().map(|delta| method(graph, root, delta)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("arcs", &outcome, out)?;
    if outcome.is_right() {
        let Solution { answer: found, counted, .. } = &outcome.solution;
        let share = 100.0 * found.num_reached() as f64 / graph.num_vertices() as f64;
        let reached = report::count(found.num_reached(), "vertex", "vertices");
        let farthest = found.distances.iter().copied().filter(|distance| distance.is_finite()).fold(0.0, f64::max);
        report::line(out, "reached", &format!("{reached}, {share:.1} %, the farthest at distance {farthest}"))?;
        report::counted(out, counted)?;
    }
    session.compare(&outcome, ARCS, out)?;
    session.finish(&outcome, |path, found| save::distances(path, &loaded, &found.distances, session.pool()))
}

/// The first of the vertices that most arcs leave.
fn busiest(graph: &WeightedCsr) -> Option<u32> {
    (0..graph.num_vertices() as u32).rev().max_by_key(|&v| graph.degree(v))
}

fn method(graph: &WeightedCsr, root: u32, delta: Option<f64>) -> Method<'_, ShortestPaths> {
    let solve = move |watch: &dyn Watch| {
        let search = delta.map_or(Sssp::new(), |delta| Sssp::new().delta(delta));
        let found = search.watch(watch).run(graph, root).map_err(Failure::usage)?;
        let counted: Counted = vec![("arcs_relaxed", found.relaxed as u64), ("steps", found.steps as u64)];
        let method = match found.steps {
            0 => "the serial algorithm, because the graph is small".into(),
            _ => format!("delta-stepping with buckets of {}", found.delta),
        };
        let serial = found.steps == 0;
        Ok(Solution { answer: found, method: Some(method), counted, serial, explained: Vec::new() })
    };
    (delta.map_or("auto".into(), |delta| format!("delta={delta}")), Box::new(solve))
}
