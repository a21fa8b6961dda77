//! `filch cores`: the coreness of every vertex.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_bench::show::table::{plain_table, with_words};
use filch_bench::values::any_number;
use filch_graph::cores::{self, Coreness, Cores};
use filch_graph::verify::verify_cores;
use filch_graph::{Csr, Watch};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::report;
use crate::graphs::save::{self, Column};
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch cores debian --verify
  filch cores friends.el.gz --labels names.txt --out coreness.txt
  filch cores 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch cores web.sg --innermost 20 --out coreness.npy --format json > cores.json

",
    graph_help!(),
    "
The coreness of a vertex is the largest k for which it is in a subgraph where each vertex has at
least k neighbors. Edges are taken as undirected; parallel edges count once, and self-loops not at
all. The rate is the number of undirected edges of the input divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch cores`.
#[derive(Args, Debug)]
pub struct CoresArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Number of innermost cores to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub innermost: usize,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of peeling.
const EDGES: &str = "undirected edges of the graph";

/// Runs `filch cores`.
pub fn run(args: &CoresArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, Take::Edges, session.pool())?;
    show_graph(&loaded, session.pool(), out)?;

    let graph = &loaded.graph;
    let task = Task {
        program: "cores",
        loaded: &loaded,
        edges: &|_| session.pool().run(|_| graph.num_edges()),
        serial: &|| cores::serial(graph),
        check: &|coreness: &Vec<u32>| verify_cores(graph, coreness).map(drop).map_err(|wrong| wrong.to_string()),
        found: &|coreness| found(coreness),
    };
    let methods: [Method<'_, Vec<u32>>; 1] = [method(graph)];
    let outcome = session.solve(&task, &methods)?;
    session.show("edges", &outcome, out)?;
    if outcome.is_right() {
        let coreness = &outcome.solution.answer;
        if let Some(degeneracy) = coreness.iter().max() {
            report::line(out, "degeneracy", &grouped(u64::from(*degeneracy)))?;
        }
        innermost(coreness, args.innermost, |v| loaded.names.of(v).into_owned(), out)?;
    }
    session.compare(&outcome, EDGES, out)?;
    session.finish(&outcome, |path, coreness| {
        let value = Column::number(|v| Some(coreness[v as usize]));
        save::vertices(path, &loaded, &[value], session.pool())
    })
}

fn method(graph: &Csr) -> Method<'_, Vec<u32>> {
    let solve = move |watch: &dyn Watch| {
        let Coreness { coreness, levels } = Cores::new().watch(watch).run(graph).map_err(Failure::usage)?;
        let method = Some(format!("peeling, {}", report::count(levels, "level", "levels")));
        Ok(Solution { answer: coreness, method, counted: Vec::new(), serial: false, explained: Vec::new() })
    };
    ("peeling".into(), Box::new(solve))
}

fn found(coreness: &[u32]) -> Counted {
    let degeneracy = coreness.iter().copied().max().unwrap_or(0);
    let innermost = coreness.iter().filter(|&&value| value == degeneracy).count();
    vec![("degeneracy", u64::from(degeneracy)), ("innermost", innermost as u64)]
}

/// Shows the sizes of the cores with the highest k that differ from each other, and a vertex that is in no smaller one.
fn innermost(coreness: &[u32], count: usize, name: impl Fn(u32) -> String, out: &mut dyn Write) -> Result<(), Failure> {
    let mut order: Vec<u32> = (0..coreness.len() as u32).collect();
    order.sort_by_key(|&v| std::cmp::Reverse(coreness[v as usize]));
    if count == 0 || order.is_empty() {
        return Ok(());
    }
    let mut table = plain_table(vec!["k".into(), "vertices in the k-core".into(), "such as".into()]);
    let mut inside = 0;
    for same in order.chunk_by(|&v, &w| coreness[v as usize] == coreness[w as usize]).take(count) {
        inside += same.len();
        table.add_row([coreness[same[0] as usize].to_string(), grouped(inside as u64), name(same[0])]);
    }
    Ok(writeln!(out, "\n{}", with_words(table))?)
}
