//! `filch pagerank`: the PageRank of every vertex.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::values::{any_number, at_least_one, number};
use filch_graph::pagerank::{self, PageRank, Ranks, Update};
use filch_graph::verify::verify_pagerank;
use filch_graph::{Csr, Graph, Watch};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::report;
use crate::graphs::save;
use crate::graphs::scores;
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::load;
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch pagerank debian --verify
  filch pagerank links.el.gz --labels pages.txt --top 20 --out scores.txt
  filch pagerank 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch pagerank web.sg --tolerance 1e-6 --iterations 200 --update in-place,synchronous --runs 7

",
    graph_help!(),
    "
Arcs lead one way unless --symmetrize is given. The definition, damping, tolerance and number of
iterations are those of the GAP Benchmark Suite: the graph is simple, so parallel arcs count once
and self-loops not at all, and the score of a vertex that no arc leaves is lost. The rate is the
number of arcs times the number of iterations, divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch pagerank`.
#[derive(Args, Debug)]
pub struct PageRankArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Share of a score that follows the arcs, from 0 to less than 1
    #[arg(long, value_name = "D", default_value_t = PageRank::DAMPING, value_parser = damping())]
    pub damping: f64,

    /// Stop when an iteration changes the scores by less than this in total
    #[arg(long, value_name = "T", default_value_t = PageRank::TOLERANCE, value_parser = tolerance())]
    pub tolerance: f64,

    /// Largest number of iterations
    #[arg(long, value_name = "N", default_value_t = PageRank::MAX_ITERATIONS,
          value_parser = at_least_one::<usize>)]
    pub iterations: usize,

    /// When a new score is used: in-place, in the same iteration, or synchronous, in the next one; several are
    /// compared with the first
    #[arg(long, value_delimiter = ',', value_name = "U,…", default_values_t = [Update::InPlace])]
    pub update: Vec<Update>,

    /// Number of vertices with the highest scores to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = any_number::<usize>)]
    pub top: usize,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

fn damping() -> impl Fn(&str) -> Result<f64, String> + Clone {
    number("a number from 0 to less than 1", |number| (0.0..1.0).contains(&number))
}

fn tolerance() -> impl Fn(&str) -> Result<f64, String> + Clone {
    number("a number from 0 up", |number| number >= 0.0)
}

/// The edges that count for the rate.
const ARCS: &str = "arcs of the graph times iterations";

/// Runs `filch pagerank`.
pub fn run(args: &PageRankArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = Session::begin(&args.trial, args.input.files(), None)?;
    let loaded = load(&args.input, Take::Simple.or_edges(args.symmetrize), session.pool())?;
    show_graph(&loaded, session.pool(), out)?;

    let graph = &loaded.graph;
    let options = PageRank::new().damping(args.damping).tolerance(args.tolerance).max_iterations(args.iterations);
    let task = Task {
        program: "pagerank",
        loaded: &loaded,
        edges: &|found: &Ranks| graph.num_arcs().saturating_mul(found.iterations),
        serial: &|| pagerank::serial(graph, options.update(args.update[0])),
        check: &|found| check(graph, args, found),
        found: &counted,
    };
    let methods: Vec<Method<'_, Ranks>> = args.update.iter().map(|&update| method(graph, options, update)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("arcs", &outcome, out)?;
    if outcome.is_right() {
        let found = &outcome.solution.answer;
        if !found.has_converged {
            let limit = report::count(args.iterations, "iteration", "iterations");
            report::line(out, "not converged", &format!("in {limit}: --iterations allows more"))?;
        }
        let sum: f64 = found.scores.iter().copied().map(f64::from).sum();
        report::line(out, "sum", &format!("{sum:.4} of all scores"))?;
        let highest = found.top(args.top).into_iter().map(|(v, score)| (v as u32, f64::from(score)));
        scores::show(out, highest, &loaded.names)?;
    }
    session.compare(&outcome, ARCS, out)?;
    session.finish(&outcome, |path, found| {
        save::whole(path, |on_progress| {
            session.pool().run(|_| scores::write(path, &loaded, &found.scores, on_progress))
        })
    })
}

/// Scores that have converged must solve the equation up to the tolerance, and others up to their last change.
fn check(graph: &Csr, args: &PageRankArgs, found: &Ranks) -> Result<(), String> {
    let last = Ranks { change: if found.has_converged { args.tolerance } else { found.change }, ..found.clone() };
    let checked = verify_pagerank(graph, &found.scores, args.damping, last.residual_bound());
    checked.map(drop).map_err(|wrong| wrong.to_string())
}

fn method<'g>(graph: &'g Csr, options: PageRank<'static>, update: Update) -> Method<'g, Ranks> {
    let solve = move |watch: &dyn Watch| {
        let found = options.update(update).watch(watch).run(graph);
        let iterations = report::count(found.iterations, "iteration", "iterations");
        let method = format!("{iterations}, {}; the last one changed the scores by {:.1e}", update, found.change);
        Ok(Solution { answer: found, method: Some(method), counted: Vec::new(), serial: false, explained: Vec::new() })
    };
    (update.to_string(), Box::new(solve))
}

fn counted(found: &Ranks) -> Counted {
    vec![("iterations", found.iterations as u64)]
}
