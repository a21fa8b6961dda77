//! `filch paper shapes`: how soon other workers get work that appears after a serial stretch, in a burst, or in a loop
//! whose iterations become expensive.
//!
//! Pieces of work sleep, or keep a processor busy for some time, so that no figure depends on the number of cores. Each
//! shape is compared with the same work for rayon, or with the same work as joins.
//!
//! - `shape`: the same work done in two ways
//! - `late`: work after a serial stretch
//! - `ramp`: when the last of many pieces starts
//! - `expensive`: loops whose iterations become expensive, and loops above an older fork
//! - `asleep`: `--asleep`, the number of workers that work at the same time in each of the `constructs`

mod asleep;
mod constructs;
mod expensive;
mod late;
mod ramp;
mod shape;

use std::io::Write;

use clap::Args;
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::{number_of, seconds};
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::runs;
use serde::Serialize;

use filch_lab::output::FormatArgs;
use shape::{Both, Shape, pool};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper shapes
  filch paper shapes --scheduler cilk5 --runs 51
  filch paper shapes --asleep --runs 3 --scheduler default --scheduler heartbeat

Pieces of work sleep, or keep a processor busy for some time. Filch is compared with rayon,
which runs the same shapes, and with its own joins, down to single pieces.

--asleep runs every construct that shares, on 4, 16 and 64 workers, and counts the workers that
run pieces at the same time.

Exit code: 0 success, 2 bad usage.";

/// The arguments of `filch paper shapes`.
#[derive(Args, Debug)]
pub struct ShapesArgs {
    /// Number of runs of each shape, after one for warm-up
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = runs)]
    pub runs: usize,

    /// Count the workers that run pieces at the same time, in every construct that shares
    #[arg(long)]
    pub asleep: bool,

    /// A scheduler; can be repeated
    #[arg(long, default_values_t = [Scheduler::default()])]
    pub scheduler: Vec<Scheduler>,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// A shape under a scheduler: medians in seconds, and the ratio in each run.
#[derive(Debug, Serialize)]
struct Row {
    scheduler: String,
    shape: String,
    against: &'static str,
    ours_s: f64,
    theirs_s: f64,
    ratio: Median,
}

/// Runs `filch paper shapes`.
pub fn run(args: &ShapesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.asleep {
        return args.figures.write(&asleep::run(&args.scheduler, args.runs, out)?);
    }
    let mut rows: Vec<Row> = Vec::new();
    for scheduler in &args.scheduler {
        let (two, many) = (Both::of(scheduler, late::WORKERS)?, Both::of(scheduler, ramp::WORKERS)?);
        let (loops, forks) = (pool(scheduler, expensive::WORKERS)?, pool(scheduler, expensive::WORKERS_ABOVE)?);
        writeln!(
            out,
            "{scheduler}: medians of {}, which take turns; the ratio with its 95 % interval",
            number_of(args.runs, "run", "runs")
        )?;
        let mut table = plain_table(["shape", "filch", "against", "its time", "ratio"].map(str::to_owned).to_vec());
        let shapes = late::shapes(&two).into_iter().chain(ramp::shapes(&many)).chain(expensive::shapes(&loops, &forks));
        for shape in shapes {
            let row = measure(scheduler, &shape, args.runs);
            let [ours, theirs] = [row.ours_s, row.theirs_s].map(seconds);
            table.add_row([row.shape.clone(), ours, row.against.to_owned(), theirs, row.ratio.to_string()]);
            // In the table, shapes of a group have the name of the group once.
            let group = rows.last().filter(|_| row.shape.starts_with(' ')).and_then(|last| last.shape.split_once(": "));
            let shape = group.map_or(row.shape.clone(), |(group, _)| format!("{group}: {}", row.shape.trim()));
            rows.push(Row { shape, ..row });
        }
        let late_wakes: u64 =
            [&two.ours, &many.ours, &loops, &forks].map(|pool| pool.counters().late_wakes).iter().sum();
        writeln!(out, "{}\nsleeps that lasted although there was work (late_wakes): {late_wakes}\n", text(table))?;
        out.flush()?;
    }
    args.figures.write(&rows)
}

fn measure(scheduler: &Scheduler, shape: &Shape<'_>, runs: usize) -> Row {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..=runs {
        let (a, b) = ((shape.ours)(), (shape.theirs)());
        // The first run is for warm-up.
        if run > 0 {
            ours.push(a);
            theirs.push(b);
        }
    }
    let ratio = Median::of_paired_ratios(&ours, &theirs);
    let [ours_s, theirs_s] = [ours, theirs].map(|times| Median::of(times).value);
    let (scheduler, against) = (scheduler.to_string(), shape.against);
    Row { scheduler, shape: shape.name.clone(), against, ours_s, theirs_s, ratio }
}
