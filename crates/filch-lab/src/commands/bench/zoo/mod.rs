//! `filch bench zoo`: the default algorithms on graphs of all shapes, in all orders, against serial code.
//!
//! - `graphs`: the graphs of the zoo
//! - `problems`: the problems that are solved on each graph

mod graphs;
mod problems;

use std::io::Write;

use clap::Args;
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::note_on_few;
use filch_bench::measure::others::Watch;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::show::numbers::{number_of, seconds};
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::{any_number, at_least_one, once_each, runs};
use filch_graph::{Graph, GraphSpec};

use crate::graphs::row::{Row, SERIAL};
use crate::graphs::source::{generate, specification};
use crate::output::FormatArgs;
use problems::{Method, Problem};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch bench zoo                             all shapes, the ten worst
  filch bench zoo --vertices 2000000 --problem bfs --worst 30
  filch bench zoo 'path(2000000)' 'galaxy(15000,130),reversed' --runs 21
  filch bench zoo --format csv > zoo.csv      every figure

Without SPEC, there are paths, grids, trees, cycles, cliques, stars, random graphs and others,
most of them numbered by rows, shuffled and reversed. Every answer is verified.

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The arguments of `filch bench zoo`.
#[derive(Args, Debug)]
pub struct ZooArgs {
    /// Graphs, as for filch generate [default: the whole zoo]
    #[arg(value_name = "SPEC")]
    pub specs: Vec<String>,

    /// About how many vertices each graph of the zoo has
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = at_least_one::<usize>,
          default_values_t = [100_000, 1_000_000], conflicts_with = "specs")]
    pub vertices: Vec<usize>,

    /// The problems
    #[arg(long, value_enum, value_name = "P,…", value_delimiter = ',',
          default_values_t = [Problem::Forest, Problem::Components, Problem::Bfs])]
    pub problem: Vec<Problem>,

    /// Numbers of workers
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>,
          default_values_t = [1, 2])]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Filch's scheduler [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Option<Scheduler>,

    /// Number of runs of each entrant, after one for warm-up
    #[arg(long, value_name = "K", default_value_t = 7, value_parser = runs)]
    pub runs: usize,

    /// Seed of the generators
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number::<u64>)]
    pub seed: u64,

    /// Number of rows to show of those that are farthest behind serial code
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = any_number::<usize>)]
    pub worst: usize,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// Runs `filch bench zoo`.
pub fn run(args: &ZooArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let specs = specs(args)?;
    let settings = args.topology.pools()?;
    let scheduler = settings.scheduler(args.scheduler.as_ref())?;
    let pool = |&workers: &usize| settings.builder(&scheduler, workers).build().map_err(Failure::usage);
    let pools = once_each(args.workers.clone()).iter().map(pool).collect::<Result<Vec<_>, Failure>>()?;
    let builder = pools.iter().max_by_key(|pool| pool.num_workers()).expect("there is a number of workers");
    let method = Method { pools: &pools, runs: args.runs };

    if cfg!(debug_assertions) {
        writeln!(out, "This is a debug build: its times are meaningless.\n")?;
    }
    let watch = Watch::begin();
    let mut rows = Vec::new();
    for spec in &specs {
        let (graph, _) = generate(spec, args.seed, builder)?;
        for problem in once_each(args.problem.clone()) {
            let name = format!("{spec}, {} vertices", graph.num_vertices());
            rows.extend(problem.solve(&name, &graph, &method)?);
        }
    }
    show(&specs, &rows, args, out)?;
    if let Some(others) = watch.others() {
        writeln!(out, "({others})")?;
    }
    args.figures.write(&rows)
}

fn specs(args: &ZooArgs) -> Result<Vec<GraphSpec>, Failure> {
    if args.specs.is_empty() {
        return Ok(args.vertices.iter().flat_map(|&n| graphs::of_about(n)).collect());
    }
    args.specs.iter().map(|text| specification(text)).collect()
}

/// Shows the rows that are farthest behind serial code, for each number of workers.
fn show(specs: &[GraphSpec], rows: &[Row], args: &ZooArgs, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}; every answer is verified", number_of(specs.len(), "graph", "graphs"))?;
    writeln!(out, "against  own time / serial time, so less than 1 is faster: the median of the")?;
    writeln!(out, "         ratios in each of {}, in which all take turns", number_of(args.runs, "run", "runs"))?;
    if let Some(note) = note_on_few(args.runs) {
        writeln!(out, "         {note}")?;
    }
    for workers in once_each(args.workers.clone()) {
        let ratio = |row: &Row| row.ratio(SERIAL).map(|ratio| ratio.median);
        let mut own: Vec<(&Row, f64)> = rows
            .iter()
            .filter(|row| row.workers == workers)
            .filter_map(|row| ratio(row).map(|ratio| (row, ratio)))
            .collect();
        own.sort_by(|a, b| b.1.total_cmp(&a.1));
        let above = |limit: f64| own.iter().filter(|(_, ratio)| *ratio > limit).count();
        writeln!(
            out,
            "\nP = {workers}: {}, {} above 1.0 and {} above 1.25; the worst:\n",
            number_of(own.len(), "row", "rows"),
            above(1.0),
            above(1.25)
        )?;
        let mut table = plain_table(["graph", "problem", "time", "serial", "against"].map(str::to_owned).to_vec());
        for (row, _) in own.iter().take(args.worst) {
            let against = row.ratio(SERIAL).map(ToString::to_string).unwrap_or_default();
            let serial = rows.iter().find(|other| {
                other.runner == SERIAL
                    && other.problem.graph == row.problem.graph
                    && other.problem.program == row.problem.program
            });
            let serial = serial.map(|row| seconds(row.median_s)).unwrap_or_default();
            let name = row.problem.graph.split(", ").next().unwrap_or_default();
            table.add_row([name.to_owned(), row.problem.program.into(), seconds(row.median_s), serial, against]);
        }
        writeln!(out, "{}", text(table))?;
    }
    Ok(())
}
