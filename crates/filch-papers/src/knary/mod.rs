//! `filch paper knary`: how much a scheduler adds to the span (Frigo, Leiserson and Randall 1998, section 6 and figure
//! 8).
//!
//! The work T1 and the span T∞ of Cilk's synthetic trees are known exactly, and there are trees with any average
//! parallelism T1/T∞. Each tree runs on one worker, which gives its work in seconds, and on P workers. Then c∞ is the
//! factor for which T_P = T1/P + c∞·T∞.

pub mod figure;
pub mod fit;

use std::io::Write;

use clap::Args;
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::note_on_few;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::measure::runner::Runner;
use filch_bench::measure::series::{Plan, Series, Track};
use filch_bench::show::numbers::{decimals, grouped, number_of, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::{at_least_one, runs, whole};
use filch_programs::knary::Knary;

use filch_lab::output::{self, Destination, FormatArgs};
use fit::Point;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper knary
  filch paper knary --runs 51 --format csv
  filch paper knary --workers 2,4,8 --scheduler cilk5 --svg figure-8.svg

Finds c∞ in T_P = T1/P + c∞·T∞, by Cilk-5's knary trees, whose T1 and T∞ are known.

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The arguments of `filch paper knary`.
#[derive(Args, Debug)]
pub struct KnaryArgs {
    /// Approximate number of nodes of a tree
    #[arg(long, value_name = "N", default_value_t = 200_000,
          value_parser = whole::<u32>(1..=100_000_000))]
    pub nodes: u32,

    /// Numbers of workers, besides 1 [default: 2 and 4, or that of the topology]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// Filch's scheduler [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Option<Scheduler>,

    /// Number of runs of each tree, after one for warm-up
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = runs)]
    pub runs: usize,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,

    /// Draw the normalised speed-up, as in figure 8 of the Cilk-5 paper, to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub svg: Option<Destination>,
}

/// The default numbers of workers, besides 1.
const USUAL_WORKERS: [usize; 2] = [2, 4];

/// The degree and the number of serial children of the trees, from large parallelism to hardly any. The average
/// parallelism of a tree is about (degree / (serial + 1))^height.
pub const SHAPES: [(u64, u64); 9] = [(2, 0), (4, 1), (5, 2), (4, 2), (5, 3), (6, 4), (7, 5), (8, 6), (10, 8)];

/// Runs `filch paper knary`.
pub fn run(args: &KnaryArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(path) = &args.svg {
        output::check_writable(path)?;
    }
    let pools = args.topology.pools()?;
    let scheduler = pools.scheduler(args.scheduler.as_ref())?;
    let workers = with_one(&pools.several_workers(&args.workers, &USUAL_WORKERS));
    if workers == [1] {
        let message = "one worker shows no overhead on the span; expected --workers with a number from 2 up";
        return Err(Failure::Usage(message.into()));
    }
    let runners =
        workers.iter().map(|&workers| Runner::filch(&pools, &scheduler, workers)).collect::<Result<Vec<_>, _>>()?;
    let trees: Vec<Knary> = SHAPES.iter().map(|&(degree, serial)| tallest(degree, serial, args.nodes.into())).collect();

    explain(args, &scheduler, out)?;
    let progress = Samples::new(trees.len() * runners.len(), args.runs);
    let mut points = Vec::new();
    for &tree in &trees {
        points.extend(measure(tree, &runners, args.runs, &progress)?);
    }
    drop(progress);
    show(&points, out)?;
    conclude(&points, out)?;
    args.figures.write(&points.iter().map(Point::row).collect::<Vec<_>>())?;
    if let Some(path) = &args.svg {
        output::write_whole(path, figure::draw(&points, &scheduler).as_bytes())?;
    }
    Ok(())
}

/// The numbers of workers in ascending order, with 1 among them, since the time on one worker is the work.
fn with_one(workers: &[usize]) -> Vec<usize> {
    let mut workers = workers.to_vec();
    workers.push(1);
    workers.sort_unstable();
    workers.dedup();
    workers
}

/// The tallest tree of this shape with at most `nodes` nodes; at least a root.
pub fn tallest(degree: u64, serial: u64, nodes: u64) -> Knary {
    let of = |height| Knary { height, degree, serial };
    (2..).map(of).take_while(|tree| tree.work() <= nodes).last().unwrap_or(of(1))
}

/// Runs one tree on all workers in turn.
fn measure(tree: Knary, runners: &[Runner], runs: usize, progress: &Samples) -> Result<Vec<Point>, Failure> {
    let Knary { height, degree, serial } = tree;
    let name = format!("knary({height}, {degree}, {serial})");
    progress.begin(&name);
    let mut instance = tree.instance().map_err(Failure::usage)?;
    let runners: Vec<&Runner> = runners.iter().collect();
    let series = Series::measure(&mut *instance, &runners, &Plan::of(runs), progress).verified(&name)?;
    let work = &series.tracks[0].seconds;
    let point =
        |(runner, track): (&Runner, &Track)| Point::new(tree, runner.workers, work.clone(), track.seconds.clone());
    Ok(runners.into_iter().zip(&series.tracks).skip(1).map(point).collect())
}

fn explain(args: &KnaryArgs, scheduler: &Scheduler, out: &mut dyn Write) -> Result<(), Failure> {
    let KnaryArgs { runs, nodes, .. } = args;
    writeln!(
        out,
        "Trees of about {} units of work on {scheduler}, {} each",
        grouped((*nodes).into()),
        number_of(*runs, "run", "runs")
    )?;
    writeln!(out)?;
    writeln!(out, "tree     knary(height, children, children that run one after another)")?;
    writeln!(out, "T1/T∞    average parallelism; T1 is the time on one worker")?;
    writeln!(out, "T1/T_P   speed-up: the median of the ratios in each run, with its 95 % interval")?;
    writeln!(out, "c∞       the factor for which T_P = T1/P + c∞·T∞, with its 95 % interval")?;
    if let Some(note) = note_on_few(*runs) {
        writeln!(out, "         {note}")?;
    }
    Ok(())
}

fn show(points: &[Point], out: &mut dyn Write) -> Result<(), Failure> {
    let header = ["tree", "T1/T∞", "P", "T_P", "T1/T_P", "c∞"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    let mut last = None;
    for point in points {
        let Knary { height, degree, serial } = point.tree;
        if last.replace(point.tree) != Some(point.tree) {
            let name = format!("knary({height}, {degree}, {serial})");
            let average = point.average_parallelism();
            let average = format!("{average:.*}", decimals(average));
            table.add_row([name, average, "1".into(), seconds(point.time_on_one()), String::new(), String::new()]);
        }
        let mark = if point.is_oversubscribed() { "*" } else { "" };
        table.add_row([
            String::new(),
            String::new(),
            format!("{}{mark}", point.workers),
            seconds(point.time()),
            point.speed_up().to_string(),
            point.overhead().to_string(),
        ]);
    }
    writeln!(out, "\n{}", text(table))?;
    if points.iter().any(Point::is_oversubscribed) {
        writeln!(out, "* more workers than cores: left out of the fit")?;
    }
    Ok(())
}

fn conclude(points: &[Point], out: &mut dyn Write) -> Result<(), Failure> {
    let fitted: Vec<&Point> = points.iter().filter(|point| !point.is_oversubscribed()).collect();
    let Some(overhead) = fit::overhead(&fitted) else {
        writeln!(out, "\nNothing to fit: --workers has no number from 2 to the number of cores.")?;
        return Ok(());
    };
    let (within, all) = fit::within(&fitted, 1.0);
    writeln!(out, "\nfitted to all trees: c∞ = {overhead}")?;
    writeln!(out, "T_P ≤ T1/P + 1.0·T∞ in {within} of {all} runs")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_as_tall_as_the_number_of_nodes_allows() {
        for (degree, serial) in SHAPES {
            let tree = tallest(degree, serial, 1000);
            assert!(tree.work() <= 1000, "{tree:?}");
            assert!(Knary { height: tree.height + 1, ..tree }.work() > 1000, "{tree:?}");
        }
        assert_eq!(tallest(4, 1, 1).height, 1);
    }

    #[test]
    fn one_worker_is_always_among_them() {
        assert_eq!(with_one(&[4, 2, 4]), [1, 2, 4]);
        assert_eq!(with_one(&[1]), [1]);
    }
}
