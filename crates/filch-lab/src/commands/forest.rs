//! `filch forest`: a spanning forest, which is a tree for each component.

use std::io::Write;

use clap::Args;
use filch::Batches;
use filch_graph::forest::{self, Algorithm, Counts, Forest, Options, spanning_forest};
use filch_graph::verify::verify_forest;
use filch_graph::{Csr, Watch};

use crate::failure::Failure;
use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::labels;
use crate::graphs::report;
use crate::graphs::save::{self, Column};
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::trials::{Counted, Solution};
use crate::values::at_least_one;

/// The end of `--help`.
pub const HELP: &str = concat!(
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
Edges are taken as undirected. The rate is the number of edges of the input divided by the time
of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input."
);

/// The arguments of `filch forest`.
#[derive(Args, Debug)]
pub struct ForestArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Root of its tree, by number or name [default: any vertex]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// Algorithm: auto, pseudo-dfs, phased-bfs, pull, descend, islands, search, union-find or serial; several are
    /// compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Algorithm::Auto])]
    pub algorithm: Vec<Algorithm>,

    /// Number of vertices that pseudo-dfs and phased-bfs share at once: adaptive, N or up-to-N; several are compared
    /// with the first
    #[arg(long, value_delimiter = ',', value_name = "N,…", value_parser = batches)]
    pub batches: Vec<Batches>,

    /// Number of largest trees to show
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub largest: usize,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
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

/// The edges that count for the rate of finding a forest.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch forest`.
pub fn run(args: &ForestArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let algorithms = algorithms(args)?;
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, true, session.pool())?;
    let root = args.root.as_ref().map(|called| loaded.names.find(called)).transpose()?;
    show_graph(&loaded, out)?;

    let graph = &loaded.graph;
    let task = Task {
        program: "forest",
        loaded: &loaded,
        edges: &|_| graph.num_edges(),
        serial: &|| forest::serial(graph),
        check: &|parents: &Vec<u32>| verify_forest(graph, parents).map(drop).map_err(|wrong| wrong.to_string()),
        found: &|parents| found(parents),
    };
    let methods: Vec<Method<'_, Vec<u32>>> =
        algorithms.iter().map(|&algorithm| method(graph, Options { algorithm, root, ..Options::default() })).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
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

/// The algorithms to run: those that traverse in batches, once with each kind of batches.
fn algorithms(args: &ForestArgs) -> Result<Vec<Algorithm>, Failure> {
    if args.batches.is_empty() {
        return Ok(args.algorithm.clone());
    }
    let with = |algorithm: Algorithm, batches: Batches| match algorithm {
        Algorithm::PseudoDfs(_) => Some(Algorithm::PseudoDfs(batches)),
        Algorithm::PhasedBfs(_) => Some(Algorithm::PhasedBfs(batches)),
        _ => None,
    };
    let mut all = Vec::new();
    for &algorithm in &args.algorithm {
        let sized = args.batches.iter().filter_map(|&batches| with(algorithm, batches));
        let before = all.len();
        all.extend(sized);
        if all.len() == before {
            all.push(algorithm);
        }
    }
    if all == args.algorithm && !args.algorithm.iter().any(|&algorithm| with(algorithm, Batches::Adaptive).is_some()) {
        let message = "--batches applies to traversals only: add pseudo-dfs or phased-bfs to --algorithm";
        return Err(Failure::Usage(message.into()));
    }
    Ok(all)
}

fn method(graph: &Csr, options: Options) -> Method<'_, Vec<u32>> {
    let solve = move |_: &dyn Watch| {
        let Forest { parents, algorithm, reason, counts, .. } =
            spanning_forest(graph, options).map_err(Failure::usage)?;
        let method = Some(format!("{algorithm}: {reason}"));
        Ok(Solution { answer: parents, method, counted: counted(&counts) })
    };
    (options.algorithm.to_string(), Box::new(solve))
}

/// The runtime's counts that are not zero.
fn counted(counts: &Counts) -> Counted {
    let traversal = &counts.traversal;
    let all = [
        ("visited", traversal.items),
        ("tasks", traversal.tasks),
        ("batches", traversal.batches),
        ("swaps", traversal.swaps),
        ("steals", traversal.steals),
        ("phases", traversal.phases),
        ("largest_batch", traversal.largest_batch as u64),
        ("idle_us", traversal.idle.as_micros() as u64),
        ("passes", counts.passes as u64),
        ("pulled", counts.pulled as u64),
        ("links", counts.links as u64),
        ("islands", counts.islands as u64),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).collect()
}

fn found(parents: &[u32]) -> Counted {
    let trees = parents.iter().zip(0..).filter(|&(&parent, v)| parent == v).count();
    vec![("trees", trees as u64), ("edges", (parents.len() - trees) as u64)]
}
