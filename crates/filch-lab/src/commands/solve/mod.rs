//! Problems on graphs that need nothing but the graph: one way from the arguments to the output for all of them.
//!
//! A [`Problem`] says how it is solved, checked, shown and saved; [`run`] does the rest. Its type has the options that
//! it has besides those of all commands on graphs, if any.
//!
//! - [`order`]: topological order
//! - [`greedy`]: maximal independent sets, maximal matchings, colourings
//! - [`connected`]: bipartite graphs, biconnected components
//! - [`triads`]: trusses, clustering
//! - [`central`]: betweenness, closeness
//! - [`dense`]: communities of vertices
//! - [`ways`]: distances and random walks from many vertices

pub mod central;
pub mod connected;
pub mod dense;
pub mod greedy;
pub mod order;
pub mod triads;
pub mod ways;

use std::io::Write;
use std::path::Path;

use clap::Args;
use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_graph::distances::{Matrix, UNREACHED};
use filch_graph::verify::Wrong;
use filch_graph::walks::Walks;
use filch_graph::{Csr, Graph, Vertex, Watch};
use filch_graph_io::write::{Content, Format, write_values};

use crate::graphs::args::{InputArgs, TrialArgs};
use crate::graphs::save::{self, Column};
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::{Loaded, load};
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Solution};
use crate::graphs::{report, scores};

/// The end of `--help`: examples, and what to know. A macro, because [`concat`] takes literals only.
macro_rules! help {
    ($examples:literal, $notes:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\n",
            $crate::graphs::args::graph_help!(),
            "\n",
            $notes,
            "\n\nExit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of\n\
             --timeout is over."
        )
    };
}
pub(crate) use help;

/// The arguments of a command that solves a problem.
#[derive(Args, Debug)]
pub struct SolveArgs<P: Args> {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// The problem.
    #[command(flatten)]
    pub problem: P,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// What is solved: a graph, the vertices that are given, and the seed of what is drawn.
#[derive(Clone, Copy)]
pub struct Instance<'a> {
    /// The graph.
    pub graph: &'a Csr,
    /// The [vertices](Problem::starts).
    pub starts: &'a [u32],
    /// The seed.
    pub seed: u64,
}

/// A problem on a graph.
pub trait Problem: Args + Sync {
    /// What is found.
    type Answer: Send;

    /// The command.
    const PROGRAM: &'static str;

    /// Which arcs the graph has.
    fn take(&self) -> Take {
        Take::SimpleEdges
    }

    /// The vertices from which it is solved, if it is one of some vertices only. Fails if there is no memory for them.
    fn starts(&self, loaded: &Loaded) -> Result<Vec<u32>, Failure> {
        let _ = loaded;
        Ok(Vec::new())
    }

    /// Solves it.
    fn solve(&self, of: Instance<'_>, watch: &dyn Watch) -> Result<Solution<Self::Answer>, Failure>;

    /// Solves it by the serial rival.
    fn serial(&self, of: Instance<'_>) -> Self::Answer;

    /// Checks an answer.
    fn check(&self, of: Instance<'_>, answer: &Self::Answer) -> Result<(), Wrong>;

    /// The figures of an answer, by name.
    fn found(&self, answer: &Self::Answer) -> Counted;

    /// What the rate counts, if not the edges of the graph: a name in the plural, and how many there are.
    fn rate(&self, answer: &Self::Answer) -> Option<(&'static str, usize)> {
        let _ = answer;
        None
    }

    /// Shows what there is besides these figures.
    fn show(&self, answer: &Self::Answer, loaded: &Loaded, out: &mut dyn Write) -> Result<(), Failure> {
        let _ = (answer, loaded, out);
        Ok(())
    }

    /// What is saved.
    fn results<'a>(&self, of: Instance<'a>, answer: &'a Self::Answer) -> Results<'a>;
}

/// What is written to a file.
pub enum Results<'a> {
    /// A number or a vertex for each vertex.
    Vertices(Column<'a>),
    /// A score for each vertex.
    Scores(Vec<f64>),
    /// A number for each edge, by its ends.
    Edges(Vec<(u32, u32)>, &'a [u32]),
    /// The distances of each vertex.
    Distances(&'a Matrix<u32>),
    /// The vertices of each walk.
    Walks(&'a Walks),
}

/// Runs a command that solves a problem.
pub fn run<P: Problem>(args: &SolveArgs<P>, out: &mut dyn Write) -> Result<(), Failure> {
    let SolveArgs { input, problem, trial } = args;
    let session = Session::begin(trial, input.files(), None)?;
    let loaded = load(input, problem.take(), session.pool())?;
    let starts = problem.starts(&loaded)?;
    show_graph(&loaded, session.pool(), out)?;

    let of = Instance { graph: &loaded.graph, starts: &starts, seed: input.seed };
    let num_edges = || session.pool().run(|_| of.graph.num_edges());
    let task = Task {
        program: P::PROGRAM,
        loaded: &loaded,
        edges: &|answer| problem.rate(answer).map_or_else(num_edges, |(_, count)| count),
        serial: &|| problem.serial(of),
        check: &|answer: &P::Answer| problem.check(of, answer).map_err(|wrong| wrong.to_string()),
        found: &|answer| problem.found(answer),
    };
    let methods: [Method<'_, P::Answer>; 1] =
        [(P::PROGRAM.into(), Box::new(|watch: &dyn Watch| problem.solve(of, watch)))];
    let outcome = session.solve(&task, &methods)?;
    let edges = if loaded.graph.is_symmetric() { "edges" } else { "arcs" };
    let rate = problem.rate(&outcome.solution.answer).map(|(name, _)| name);
    session.show(rate.unwrap_or(edges), &outcome, out)?;
    if outcome.is_right() {
        for (name, number) in problem.found(&outcome.solution.answer) {
            report::line(out, &name.replace('_', " "), &grouped(number))?;
        }
        report::counted(out, &outcome.solution.counted)?;
        problem.show(&outcome.solution.answer, &loaded, out)?;
    }
    session.compare(&outcome, &rate.map_or_else(|| format!("{edges} of the graph"), str::to_owned), out)?;
    session.finish(&outcome, |path, answer| save(path, &loaded, problem.results(of, answer), session.pool()))
}

fn save(path: &Path, loaded: &Loaded, results: Results<'_>, pool: &Pool) -> Result<(), Failure> {
    let is_array = Format::of_name(path).is_some_and(|format| format.content == Content::Npy);
    let array = |values: &[i64]| save::whole(path, |on_progress| pool.run(|_| write_values(path, values, on_progress)));
    match results {
        Results::Vertices(column) => save::vertices(path, loaded, &[column], pool),
        Results::Scores(values) => {
            save::whole(path, |on_progress| pool.run(|_| scores::write(path, loaded, &values, on_progress)))
        }
        Results::Edges(_, values) if is_array => {
            save::whole(path, |on_progress| pool.run(|_| write_values(path, values, on_progress)))
        }
        Results::Edges(edges, values) => {
            let line = |edge: usize, buffer: &mut Vec<u8>| {
                let ((u, v), value) = (edges[edge], values[edge]);
                let written = writeln!(buffer, "{}\t{}\t{value}", loaded.names.of(u), loaded.names.of(v));
                written.expect("writing into memory does not fail");
            };
            save::whole(path, |on_progress| pool.run(|_| save::lines(path, edges.len(), line, on_progress)))
        }
        Results::Distances(found) if is_array => array(&or_nothing(found.values(), UNREACHED)),
        Results::Distances(found) => {
            let distance = |row: &'_ [u32], v: u32| Some(row[v as usize]).filter(|&distance| distance != UNREACHED);
            let rows = found.values().chunks(loaded.graph.num_vertices().max(1));
            let columns: Vec<_> = rows.map(|row| Column::number(move |v| distance(row, v))).collect();
            save::vertices(path, loaded, &columns, pool)
        }
        Results::Walks(found) if is_array => array(&or_nothing(found.steps(), u32::NONE)),
        Results::Walks(found) => {
            let line = |walk: usize, buffer: &mut Vec<u8>| {
                for (at, &v) in found.walk(walk).iter().enumerate() {
                    let gap = if at == 0 { "" } else { "\t" };
                    write!(buffer, "{gap}{}", loaded.names.of(v)).expect("writing into memory does not fail");
                }
                buffer.push(b'\n');
            };
            save::whole(path, |on_progress| pool.run(|_| save::lines(path, found.count(), line, on_progress)))
        }
    }
}

/// The numbers, [`save::NOTHING`] for those that stand for nothing.
fn or_nothing(numbers: &[u32], nothing: u32) -> Vec<i64> {
    numbers.iter().map(|&number| if number == nothing { save::NOTHING } else { number.into() }).collect()
}
