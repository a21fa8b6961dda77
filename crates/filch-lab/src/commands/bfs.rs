//! `filch bfs`: the distance of every vertex from one vertex.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_bench::show::table::{plain_table, with_words};
use filch_graph::bfs::{self, Bfs, BfsTree, Direction, Level, UNREACHED};
use filch_graph::verify::verify_bfs;
use filch_graph::{Csr, Graph, Vertex, Watch};

use crate::graphs::args::{InputArgs, TrialArgs, graph_help};
use crate::graphs::report;
use crate::graphs::save::{self, Column};
use crate::graphs::session::{Method, Session, Task, show_graph};
use crate::graphs::source::{Loaded, load};
use crate::graphs::take::Take;
use crate::graphs::trials::{Counted, Explained, Solution};
use crate::output::Destination;

/// The end of `--help`.
pub const HELP: &str = concat!(
    "\
Examples:
  filch bfs debian --root firefox-esr --verify
  filch bfs debian --explain
  filch bfs roads.el.gz --symmetrize --root 17 --out depths.txt
  filch bfs 'kronecker(20)' --runs 21 --against serial --workers 1,2
  filch bfs web.sg --algorithm auto,top-down --runs 7 --format json > bfs.json

",
    graph_help!(),
    "
Arcs lead one way unless --symmetrize is given; of parallel arcs one is taken. The rate is the
number of arcs that leave the vertices reached, divided by the time of solving.

Exit code: 0 success, 1 a result failed its check, 2 bad usage or bad input, 124 the time of
--timeout is over."
);

/// The arguments of `filch bfs`.
#[derive(Args, Debug)]
pub struct BfsArgs {
    /// The graph.
    #[command(flatten)]
    pub input: InputArgs,

    /// First vertex, by its number in the file or its name [default: one with the most neighbours]
    #[arg(long, value_name = "VERTEX", allow_negative_numbers = true)]
    pub root: Option<String>,

    /// Take each edge in both directions
    #[arg(long)]
    pub symmetrize: bool,

    /// Algorithm: auto, top-down or bottom-up; several are compared with the first
    #[arg(long, value_delimiter = ',', value_name = "A,…", default_values_t = [Direction::Auto])]
    pub algorithm: Vec<Direction>,

    /// Write the parent of each vertex to this file, as --out writes the depths; text files of --out have both
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub parents: Option<Destination>,

    /// Show the facts by which the algorithm was chosen, the choice, and its reason
    #[arg(long)]
    pub explain: bool,

    /// How to solve it.
    #[command(flatten)]
    pub trial: TrialArgs,
}

/// The edges that count for the rate of a search.
const ARCS: &str = "arcs that leave the vertices reached";

/// The number of names shown for a level.
const SHOWN: usize = 3;

/// Of a deep search, this many levels are shown at the beginning, and as many at the end.
const ENDS: usize = 10;

/// Runs `filch bfs`.
pub fn run(args: &BfsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let parents = args.parents.as_deref().map(|path| ("--parents", path));
    let session = Session::begin(&args.trial, args.input.files(), parents)?;
    let loaded = load(&args.input, Take::Arcs.or_edges(args.symmetrize), session.pool())?;
    let graph = &loaded.graph;
    let root = match &args.root {
        Some(called) => loaded.names.find(called)?,
        None => busiest(graph).ok_or_else(|| Failure::Usage(format!("{} has no vertices", loaded.name)))?,
    };
    show_graph(&loaded, session.pool(), out)?;
    report::line(
        out,
        "root",
        &format!("{}, with {}", loaded.names.of(root), report::count(graph.degree(root), "neighbour", "neighbours")),
    )?;

    let task = Task {
        program: "bfs",
        loaded: &loaded,
        edges: &|found: &BfsTree| {
            let reached = (0..).zip(&found.depths).filter(|&(_, &depth)| depth != UNREACHED);
            reached.map(|(v, _)| graph.degree(v)).sum()
        },
        serial: &|| bfs::serial(graph, root),
        check: &|BfsTree { depths, parents, .. }: &BfsTree| {
            verify_bfs(graph, root, depths, parents).map(drop).map_err(|wrong| wrong.to_string())
        },
        found: &found,
    };
    let methods: Vec<Method<'_, BfsTree>> =
        args.algorithm.iter().map(|&direction| method(graph, root, direction)).collect();
    let outcome = session.solve(&task, &methods)?;
    session.show("arcs", &outcome, out)?;
    if args.explain {
        // Not in the method, which is timed: a deep graph has almost as many levels as vertices.
        for (name, words) in explained(&outcome.solution.answer.levels) {
            report::line(out, name, &words)?;
        }
    }
    if outcome.is_right() {
        let found = &outcome.solution.answer;
        let share = 100.0 * found.num_reached() as f64 / graph.num_vertices() as f64;
        report::line(
            out,
            "reached",
            &format!("{}, {share:.1} %", report::count(found.num_reached(), "vertex", "vertices")),
        )?;
        writeln!(out, "\n{}", levels(found, &loaded))?;
    }
    session.compare(&outcome, ARCS, out)?;
    session.finish(&outcome, |path, found| save::vertices(path, &loaded, &columns(found), session.pool()))?;
    args.parents.as_ref().map_or(Ok(()), |path| {
        let [_, parents] = columns(&outcome.solution.answer);
        save::vertices(path, &loaded, &[parents], session.pool())
    })
}

/// The first of the vertices that most arcs leave.
fn busiest(graph: &Csr) -> Option<u32> {
    (0..graph.num_vertices() as u32).rev().max_by_key(|&v| graph.degree(v))
}

fn method(graph: &Csr, root: u32, direction: Direction) -> Method<'_, BfsTree> {
    let solve = move |_: &dyn Watch| {
        let found = Bfs::new().direction(direction).run(graph, root);
        let bottom_up = found.levels.iter().filter(|level| level.direction == Direction::BottomUp).count();
        let top_down = found.levels.len() - bottom_up;
        let counted = vec![("arcs_looked_at", found.num_arcs() as u64), ("levels_bottom_up", bottom_up as u64)];
        let levels = report::count(top_down, "level", "levels");
        let method = format!("{levels} top-down, {bottom_up} bottom-up");
        Ok(Solution { answer: found, method: Some(method), counted, serial: false, explained: Vec::new() })
    };
    (direction.to_string(), Box::new(solve))
}

/// How levels were searched, and why: one plan for all levels of the same reason, in the order of the first of them.
fn explained(levels: &[Level]) -> Explained {
    let mut plans: Vec<(usize, Level)> = Vec::new();
    for level in levels {
        match plans.iter_mut().find(|(_, of)| (of.direction, of.reason) == (level.direction, level.reason)) {
            Some((count, of)) => {
                *count += 1;
                of.vertices += level.vertices;
                of.arcs += level.arcs;
            }
            None => plans.push((1, *level)),
        }
    }
    let shown = plans.into_iter().flat_map(|(count, Level { vertices, arcs, direction, reason, .. })| {
        let facts = [(vertices, "vertex", "vertices"), (arcs, "arc read", "arcs read")];
        let facts = facts.map(|(count, one, many)| report::count(count, one, many)).join(", ");
        let plan = format!("{} {direction}", report::count(count, "level", "levels"));
        [("facts", facts), ("plan", plan), ("reason", reason.to_string())]
    });
    shown.collect()
}

fn found(found: &BfsTree) -> Counted {
    vec![("reached", found.num_reached() as u64), ("levels", found.levels.len() as u64)]
}

fn columns(found: &BfsTree) -> [Column<'_>; 2] {
    let depth = |v: u32| Some(found.depths[v as usize]).filter(|&depth| depth != UNREACHED);
    let parent = |v: u32| Some(found.parents[v as usize]).filter(|&parent| parent != u32::NONE);
    [Column::number(depth), Column::vertex(parent)]
}

/// The number of vertices at each depth, and the names of some of them.
pub fn levels(found: &BfsTree, loaded: &Loaded) -> String {
    let mut some: Vec<Vec<u32>> = vec![Vec::new(); found.levels.len()];
    for (v, &depth) in (0..).zip(&found.depths) {
        if let Some(some) = some.get_mut(depth as usize).filter(|some| some.len() < SHOWN) {
            some.push(v);
        }
    }
    let mut table = plain_table(vec!["depth".into(), "vertices".into(), "such as".into()]);
    for (depth, (level, some)) in found.levels.iter().zip(&some).enumerate() {
        if depth >= ENDS && depth + ENDS < found.levels.len() {
            if depth == ENDS {
                table.add_row(["...".into(), String::new(), String::new()]);
            }
            continue;
        }
        let names: Vec<_> = some.iter().map(|&v| loaded.names.of(v)).collect();
        table.add_row([depth.to_string(), grouped(level.vertices as u64), names.join(", ")]);
    }
    with_words(table)
}
