//! `filch paper sweep heartbeat`: the time and the number of promotions against the period N, as in figure 7 of (Acar,
//! Charguéraud, Guatto, Rainey and Sieczkowski 2018).
//!
//! If N is too small, promotions cost too much; if it is too large, other workers wait too long for work. The sweet
//! spot is in between.
//!
//! - [`periods`]: the values of N
//! - [`point`]: the figures of one N, and the bounds on its promotions

pub mod periods;
pub mod point;

use std::io::Write;

use clap::Args;
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::note_on_few;
use filch_bench::measure::others::Watch;
use filch_bench::measure::runner::{Runner, SERIAL};
use filch_bench::measure::series::{Plan, Series};
use filch_bench::show::numbers::{number_of, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_bench::show::table::{plain_table, text};
use filch_lab::programs::find_program;

use super::args::SampleArgs;
use crate::chart::{self, Panel};
use filch_lab::output::FileArgs;
use filch_lab::show::picture::legend;
use periods::Periods;
use point::{Point, Role, mark_fastest};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper sweep heartbeat fib
  filch paper sweep heartbeat cilksort --periods 1us..10ms --svg figure-7.svg
  filch paper sweep heartbeat fib --size small --runs 51 --format json

The period that Filch uses here, 20 τ, takes part twice, to show the noise of the machine.

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The arguments of `filch paper sweep heartbeat`.
#[derive(Args, Debug)]
pub struct HeartbeatArgs {
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub program: String,

    /// The shortest and the longest period
    #[arg(long, value_name = "TIME..TIME", default_value = "1us..10ms")]
    pub periods: Periods,

    /// How it is measured.
    #[command(flatten)]
    pub samples: SampleArgs,

    /// The output files.
    #[command(flatten)]
    pub files: FileArgs,
}

/// Runs `filch paper sweep heartbeat`.
pub fn run(args: &HeartbeatArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let samples = &args.samples;
    args.files.check([])?;
    let program = find_program(&args.program)?;
    let (size, n) = samples.size_of(program)?;
    let (pools, workers) = samples.pools()?;

    let roles = roles(&args.periods);
    let mut runners = Vec::new();
    for role in &roles {
        runners.push(match role {
            Role::Serial => Runner::serial(SERIAL),
            Role::Own | Role::OwnAgain => Runner::filch(&pools, &Scheduler::heartbeat(), workers)?,
            Role::Period(period) => Runner::filch(&pools, &Scheduler::heartbeat().with_period(*period), workers)?,
        });
    }
    let name = format!("{} {n}", program.name);
    explain(samples, workers, &name, out)?;
    let progress = Samples::new(runners.len(), samples.runs);
    progress.begin(&name);
    let mut instance = program.prepare(n).map_err(Failure::usage)?;
    let entrants: Vec<&Runner> = runners.iter().collect();
    let watch = Watch::begin();
    let series = Series::measure(&mut *instance, &entrants, &Plan::of(samples.runs), &progress).verified(&name)?;
    let others = watch.others();
    drop(progress);
    let own = roles.iter().position(|role| *role == Role::Own).expect("it takes part");
    let mut points: Vec<Point> = (0..roles.len())
        .map(|place| Point::of(roles[place], &runners[place], &series.tracks[place], &series.tracks[own], series.calls))
        .collect();
    mark_fastest(&mut points, &series.tracks);
    show(&points, out)?;
    if let Some(others) = others {
        writeln!(out, "({others})")?;
    }
    let report = point::Report { program: program.name, size, n: n.n(), workers, runs: samples.runs, points: &points };
    let title = format!("{name}, heartbeat on {}", number_of(workers, "worker", "workers"));
    args.files.write(&report, || chart::draw(&title, &panels(&points)))
}

/// The runners: the serial program, the period that Filch uses, twice, and the periods asked for.
fn roles(periods: &Periods) -> Vec<Role> {
    let mut roles = vec![Role::Serial, Role::Own, Role::OwnAgain];
    roles.extend(periods.all().into_iter().map(Role::Period));
    roles
}

fn explain(samples: &SampleArgs, workers: usize, name: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let SampleArgs { runs, .. } = samples;
    let (workers, counted) = (number_of(workers, "worker", "workers"), number_of(*runs, "run", "runs"));
    writeln!(out, "{name} by heartbeat on {workers}: {counted}, in which the periods take turns\n")?;
    writeln!(out, "N          the period; 20 τ is the one that Filch uses here")?;
    writeln!(out, "against    own time / that of 20 τ: the median of the ratios in each run, with")?;
    writeln!(out, "           its 95 % interval; 20 τ again shows how far equal runners differ")?;
    if let Some(note) = note_on_few(*runs) {
        writeln!(out, "           {note}")?;
    }
    writeln!(out, "promotions per call; moved: those that another worker began")?;
    writeln!(out, "kept       time between beats of a worker with latent forks: longer than N if")?;
    writeln!(out, "           the system runs the thread that beats late")?;
    writeln!(out, "at most    promotions allowed: run time / N + 1 for each worker and run")?;
    writeln!(out, "at least   promotions due: 0.8 × time with latent forks / (N + longest poll)")?;
    writeln!(out, "poll       the longest time until a worker noticed a beat")?;
    Ok(())
}

fn show(points: &[Point], out: &mut dyn Write) -> Result<(), Failure> {
    let header = ["N", "time", "against 20 τ", "promotions", "moved"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for point in points {
        let mark = if point.is_sweet { " *" } else { "" };
        let counted = |value: Option<f64>| value.map_or(String::new(), point::count);
        table.add_row([
            format!("{}{mark}", point.name()),
            seconds(point.time.value),
            point.against_own.map_or(String::new(), |ratio| ratio.to_string()),
            counted(point.promotions),
            counted(point.moved),
        ]);
    }
    writeln!(out, "\n{}", text(table))?;
    let spot: Vec<String> = points.iter().filter(|point| point.is_sweet).map(Point::name).collect();
    let range = match &spot[..] {
        [first, .., last] => format!("{} periods from {first} to {last}", spot.len()),
        _ => spot.concat(),
    };
    writeln!(out, "* the sweet spot: {range}, which may be the fastest")?;

    let header = ["all runs: N", "promotions", "at most", "at least", "kept", "poll"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for point in points {
        let Some(bounds) = &point.bounds else { continue };
        table.add_row([
            point.name(),
            bounds.promotions.to_string(),
            point::count(bounds.at_most),
            point::count(bounds.at_least),
            bounds.kept_s.map_or(String::new(), seconds),
            seconds(bounds.longest_poll_s),
        ]);
        above.extend(bounds.is_above().then(|| point.name()));
        below.extend(bounds.is_below().then(|| point.name()));
    }
    writeln!(out, "\n{}", text(table))?;
    if above.is_empty() && below.is_empty() {
        writeln!(out, "All numbers of promotions are within their bounds.")?;
    }
    for name in above {
        writeln!(out, "{name}: more promotions than the period allows")?;
    }
    for name in below {
        writeln!(out, "{name}: fewer promotions than were due, because beats came late")?;
    }
    out.flush()?;
    Ok(())
}

/// Run time and promotions against the period, as in figure 7, with the sweet spot and the period that Filch uses.
fn panels(points: &[Point]) -> [Panel; 2] {
    let mut points: Vec<&Point> = points.iter().filter(|point| point.is_swept() || point.is_own()).collect();
    points.sort_by(|one, other| one.period_s.unwrap_or(0.0).total_cmp(&other.period_s.unwrap_or(0.0)));
    let names: Vec<String> = points.iter().map(|point| seconds(point.period_s.unwrap_or(0.0))).collect();
    let times = |name: &str, is_meant: fn(&Point) -> bool| {
        (name.to_owned(), points.iter().map(|point| is_meant(point).then_some(point.time.value)).collect())
    };
    [
        Panel {
            across: "period N".into(),
            names: names.clone(),
            up: "run time".into(),
            label: Some(legend::time),
            lines: vec![
                times("swept", Point::is_swept),
                times("may be the fastest", |point| point.is_sweet),
                times("20 τ", Point::is_own),
            ],
            intervals: points.iter().map(|point| [point.time.low, point.time.high]).collect(),
            ..Panel::default()
        },
        Panel {
            across: "period N".into(),
            names,
            up: "promotions".into(),
            label: Some(point::count),
            is_logarithmic: true,
            lines: vec![("promotions".into(), points.iter().map(|point| point.promotions).collect())],
            ..Panel::default()
        },
    ]
}
