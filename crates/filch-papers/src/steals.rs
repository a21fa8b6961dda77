//! `filch paper steals`: the number of attempts to steal, against the span. (Frigo, Leiserson and Randall 1998, section
//! 3) expects O(P·T∞) attempts.
//!
//! Random trees have the same work and increasing spans. An attempt is a visit to a worker that has something to share,
//! whether it succeeds or not. A steal is a fork that has been given or taken. Under a period N, a thief keeps visiting
//! until the period is over, so the number of attempts depends on N and the number of steals says more.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use filch::{Pool, Scheduler};
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::show::numbers::{decimals, number_of, seconds};
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::{Choice, any_number, at_least_one, runs, schedulers, whole};
use filch_programs::random_tree::RandomTree;
use serde::Serialize;

use filch_lab::output::FormatArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper steals
  filch paper steals --workers 2,4,8 --nodes 1000000
  filch paper steals --scheduler cilk5,period=0ns --format csv

The theory of Cilk-5 expects O(P·T∞) attempts to steal. Trees of the same work T1 and of
increasing span T∞, both counted in nodes, show whether attempts/(P·T∞) is bounded. The
original Cilk-5 has no period N and is cilk5,period=0ns. With a period, a thief keeps visiting
until the period is over, so there are more attempts per steal.

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The arguments of `filch paper steals`.
#[derive(Args, Debug)]
pub struct StealsArgs {
    /// Number of nodes of a tree
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = whole::<u32>(1..=10_000_000))]
    pub nodes: u32,

    /// Numbers of workers [default: 2 and 4, or that of the topology]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// A scheduler, or all that can have these workers; can be repeated
    #[arg(long, default_values_t = schedulers_that_steal())]
    pub scheduler: Vec<Choice>,

    /// Number of runs of each tree
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = runs)]
    pub runs: usize,

    /// Seed of the trees
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number::<u64>)]
    pub seed: u64,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// The original Cilk-5, Filch's preset of that name, and Filch's default.
fn schedulers_that_steal() -> [Choice; 3] {
    [Scheduler::cilk5().with_period(Duration::ZERO), Scheduler::cilk5(), Scheduler::default()].map(Choice::One)
}

/// The default numbers of workers.
const USUAL_WORKERS: [usize; 2] = [2, 4];

/// A branch of a tree has 1/d of its nodes, for each of these d. The larger d, the longer the span.
const DIVISIONS: [u32; 4] = [1, 50, 500, 5000];

/// Runs `filch paper steals`.
pub fn run(args: &StealsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let settings = args.topology.pools()?;
    let workers = settings.several_workers(&args.workers, &USUAL_WORKERS);
    if workers.iter().all(|&workers| workers == 1) {
        let message = "one worker has no victim; expected --workers with a number from 2 up";
        return Err(Failure::Usage(message.into()));
    }
    let trees: Vec<RandomTree> =
        DIVISIONS.iter().map(|parts| RandomTree::grow(args.seed, args.nodes, (args.nodes / parts).max(1))).collect();
    let mut pools = Vec::new();
    for scheduler in schedulers(&args.scheduler, &workers) {
        for &workers in &workers {
            pools.push(settings.builder(&scheduler, workers).build().map_err(Failure::usage)?);
        }
    }
    explain(args, &trees, out)?;
    let mut all = Vec::new();
    for pool in &pools {
        let rows = trees.iter().map(|tree| Row::measure(tree, pool, args.runs)).collect::<Result<Vec<_>, _>>()?;
        show(&rows, pool, out)?;
        all.extend(rows);
    }
    args.figures.write(&all)
}

/// A tree on a pool: its work and span in nodes, and medians of the runs.
#[derive(Debug, Serialize)]
struct Row {
    scheduler: String,
    workers: usize,
    work: u64,
    span: u64,
    attempts: f64,
    steals: f64,
}

impl Row {
    fn measure(tree: &RandomTree, pool: &Pool, runs: usize) -> Result<Self, Failure> {
        let (mut attempts, mut steals) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let before = pool.counters();
            let value = pool.run(|s| tree.filch(s));
            let counted = pool.counters().since(&before);
            check(tree, value, pool)?;
            attempts.push(counted.steal_attempts as f64);
            steals.push((counted.forks_taken + counted.forks_given - counted.forks_reclaimed) as f64);
        }
        let [attempts, steals] = [attempts, steals].map(|counts| Median::of(counts).value);
        let (scheduler, workers) = (pool.scheduler().to_string(), pool.num_workers());
        Ok(Self { scheduler, workers, work: tree.work(), span: tree.span(), attempts, steals })
    }
}

fn explain(args: &StealsArgs, trees: &[RandomTree], out: &mut dyn Write) -> Result<(), Failure> {
    let serial = Pool::builder().scheduler(Scheduler::serial()).workers(1).build().map_err(Failure::usage)?;
    let tree = &trees[0];
    let begin = Instant::now();
    let value = serial.run(|s| tree.filch(s));
    let per_node = begin.elapsed().as_secs_f64() / tree.work() as f64;
    check(tree, value, &serial)?;
    writeln!(
        out,
        "T1, T∞   work and span of random trees, in nodes of {} each; seed {}",
        seconds(per_node),
        args.seed
    )?;
    writeln!(
        out,
        "attempts visits to a worker that had something to share; the median of {}",
        number_of(args.runs, "run", "runs")
    )?;
    writeln!(out, "steals   forks given or taken; the median of the same runs")?;
    Ok(())
}

/// Shows the trees on one pool.
fn show(rows: &[Row], pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    let workers = pool.num_workers();
    let header = ["T1", "T∞", "attempts", "steals", "attempts/(P·T∞)", "steals/(P·T∞)"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for &Row { work, span, attempts, steals, .. } in rows {
        let bound = workers as f64 * span as f64;
        let mut cells = vec![work.to_string(), span.to_string()];
        cells.extend([attempts, steals].map(|count| format!("{count:.0}")));
        cells.extend([attempts / bound, steals / bound].map(|quotient| format!("{quotient:.*}", decimals(quotient))));
        table.add_row(cells);
    }
    writeln!(out, "\n{} on P = {workers}\n{}", pool.scheduler(), text(table))?;
    out.flush()?;
    Ok(())
}

/// Checks that every node was visited once.
fn check(tree: &RandomTree, found: u64, pool: &Pool) -> Result<(), Failure> {
    let expected = tree.sum_by_formula();
    if found == expected {
        return Ok(());
    }
    let (nodes, span, scheduler) = (tree.work(), tree.span(), pool.scheduler());
    let workers = number_of(pool.num_workers(), "worker", "workers");
    Err(Failure::Failed(format!(
        "a tree of {nodes} nodes and span {span} by {scheduler} on {workers}: \
         found {found}, expected {expected}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_sum_is_a_failure_that_says_which_tree_and_whose() {
        let pool = Pool::builder().workers(2).build().unwrap();
        let tree = RandomTree::grow(1, 10, 1);
        let right = tree.sum_by_formula();
        assert!(check(&tree, right, &pool).is_ok());
        let failure = check(&tree, right.wrapping_add(1), &pool).unwrap_err();
        assert!(matches!(failure, Failure::Failed(_)));
        assert!(failure.to_string().starts_with("a tree of 10 nodes and span "), "{failure}");
        assert!(failure.to_string().contains("by default on 2 workers: found"), "{failure}");
    }
}
