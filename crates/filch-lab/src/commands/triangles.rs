//! `filch triangles`: the number of triangles of a graph.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_graph::triangles::{self, Order, Triangles};
use filch_graph::verify::verify_triangles;
use filch_graph::{Csr, Watch};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::report;
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
use crate::graphs::trials::Solution;

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch triangles debian --verify
  filch triangles friends.el.gz --format json
  filch triangles 'kronecker(18)' --runs 21 --against serial --workers 1,2
  filch triangles web.sg --order auto,number,degree --runs 7

",
    graph_help!(),
    "
Edges are taken as undirected; parallel edges count once, and self-loops not at all. The rate is the
number of edges of the input divided by the time of solving, which includes renumbering.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch triangles`.
#[derive(Args, Debug)]
pub struct TrianglesArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Order of the vertices: auto, number or degree; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "O,…", default_values_t = [Order::Auto])]
    pub order: Vec<Order>,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of counting triangles.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch triangles`.
pub fn run(args: &TrianglesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.trial.out.is_some() {
        let message = "--out writes a result for each vertex, and triangles has only one; expected --format";
        return Err(Failure::Usage(message.into()));
    }
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, Take::Edges, session.pool())?;
    show_graph(&loaded, session.pool(), out)?;

    let graph = &loaded.graph;
    let task = Task {
        program: "triangles",
        loaded: &loaded,
        edges: &|_| session.pool().run(|_| graph.num_edges()),
        serial: &|| triangles::serial(graph),
        check: &|&count: &u64| verify_triangles(graph, count).map_err(|wrong| wrong.to_string()),
        found: &|&count| vec![("triangles", count)],
    };
    let methods: Vec<Method<'_, u64>> = args.order.iter().map(|&order| method(graph, order)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
    if outcome.is_right() {
        report::line(out, "triangles", &grouped(outcome.solution.answer))?;
        report::counted(out, &outcome.solution.counted)?;
    }
    session.compare(&outcome, EDGES, out)?;
    session.finish(&outcome, |_, _| Ok(()))
}

fn method(graph: &Csr, order: Order) -> Method<'_, u64> {
    let solve = move |watch: &dyn Watch| {
        let found = Triangles::new().order(order).watch(watch).run(graph).map_err(Failure::usage)?;
        let method = match found.order {
            Order::Degree => "vertices renumbered by degree",
            _ => "vertices in the order of their numbers",
        };
        let counted = vec![("lookups", found.lookups)];
        Ok(Solution { answer: found.count, method: Some(method.into()), counted, serial: false, explained: Vec::new() })
    };
    (order.to_string(), Box::new(solve))
}
