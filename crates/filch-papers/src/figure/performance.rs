//! Figure 6 of Frigo, Leiserson and Randall (1998), measured: work, span and speed-up of twelve programs.

use std::io::Write;

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::measure::others::Watch;
use filch_bench::measure::runner::Runner;
use filch_bench::measure::series::{Plan, Series};
use filch_bench::show::numbers::{scaled, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_kernels::{Instance, Program};
use filch_lab::memory;
use filch_programs::find;
use filch_sim::Costs;
use filch_sim::program::recorded::{Builder, Recorded, Segment};
use filch_sim::program::totals::Totals;
use serde::Serialize;

use super::args::FigureArgs;
use super::printed::{FIGURE_6, Performance};
use super::report::{Report, on_workers, ratio};
use super::simulated::Setting;
use filch_lab::graphs::report::count;

/// The workers of the simulated column: those of the paper.
const SIMULATED: usize = 8;

/// A longer recording would take more than some hundred megabytes. Then a smaller size is recorded.
const MOST_SEGMENTS: usize = 1 << 22;

/// A program.
#[derive(Debug, Serialize)]
struct Row {
    program: &'static str,
    n: u64,
    workers: usize,
    /// Seconds by run: of the best serial program, on one worker, and on P workers.
    serial_s: Vec<f64>,
    t1_s: Vec<f64>,
    tp_s: Vec<f64>,
    /// The size of the recording, its work and its span.
    recorded_n: u64,
    recorded_work_ns: u64,
    span_ns: u64,
    /// The simulated T1/T8.
    simulated_speed_up: f64,
}

impl Row {
    fn parallelism(&self) -> f64 {
        self.recorded_work_ns as f64 / self.span_ns.max(1) as f64
    }
}

/// Measures the figure and shows it.
pub fn run(args: &FigureArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(option) = args.costs.given() {
        return Err(Failure::Usage(format!("{option}: this figure is measured, and simulated with the usual costs")));
    }
    let pools = args.topology.pools()?;
    let workers = args.workers_beside_one(&pools)?;
    let scheduler = pools.scheduler(args.scheduler.as_ref())?;
    let filch = |workers| Runner::filch(&pools, &scheduler, workers);
    let runners = [Runner::best_serial(), filch(1)?, filch(workers)?];
    let progress = Samples::new(FIGURE_6.len() * (runners.len() + 1), args.runs);
    let watch = Watch::begin();
    let mut rows = Vec::new();
    for printed in &FIGURE_6 {
        let program = find(printed.program).expect("there is a program for each row");
        let n = args.size.of_program(program.sizes);
        memory::check(program, n.into(), None)?;
        progress.begin(&format!("{} {n}", program.name));
        rows.push(measure(program, n, args, (&runners, workers, &scheduler), &progress)?);
    }
    let others = watch.others();
    drop(progress);
    let report = table(&rows, workers, &scheduler);
    report.show(&format!("medians of {}, each result verified", count(args.runs, "run", "runs")), out)?;
    if let Some(others) = others {
        writeln!(out, "\n({others})")?;
    }
    args.files.write(&rows, String::new)
}

fn measure(
    program: &'static Program,
    n: u64,
    args: &FigureArgs,
    (runners, workers, scheduler): (&[Runner; 3], usize, &Scheduler),
    progress: &Samples,
) -> Result<Row, Failure> {
    let mut instance = program.prepare(n).map_err(Failure::usage)?;
    let entrants: Vec<&Runner> = runners.iter().collect();
    let series = Series::measure(&mut *instance, &entrants, &Plan::of(args.runs), progress).verified(program.name)?;
    drop(instance);
    let [serial_s, t1_s, tp_s] = [0, 1, 2].map(|place| series.tracks[place].seconds.clone());

    let sizes = program.sizes;
    let smaller = [sizes.default, sizes.small].into_iter().filter(|&smaller| smaller < n);
    let mut recording = None;
    for n in [n].into_iter().chain(smaller) {
        let mut instance = program.prepare(n).map_err(Failure::usage)?;
        if let Some(found) = recorded(&mut *instance, program.name)? {
            recording = Some((n, found));
            break;
        }
    }
    let (recorded_n, recorded) = recording.ok_or_else(|| Failure::Failed(format!("{}: no recording", program.name)))?;
    // Of the program alone: forks cost nothing.
    let Totals { work_ns, span_ns, .. } = Totals::of(&recorded, 0);
    let setting = Setting {
        scheduler: scheduler.clone(),
        costs: Costs::ASSUMED,
        workers: Vec::new(),
        seeds: args.runs,
        size: args.size,
    };
    let simulated_speed_up = setting.simulate(&recorded, scheduler, SIMULATED, progress)?.speed_up();
    let program = program.name;
    Ok(Row {
        program,
        n,
        workers,
        serial_s,
        t1_s,
        tp_s,
        recorded_n,
        recorded_work_ns: work_ns,
        span_ns,
        simulated_speed_up,
    })
}

/// What a program does, recorded; none if that is too long.
fn recorded(instance: &mut dyn Instance, name: &str) -> Result<Option<Recorded>, Failure> {
    let (mut builder, mut segments, mut added) = (Builder::default(), 0, Ok(()));
    let is_recorded = instance.record(&mut |segment| {
        segments += 1;
        if segments <= MOST_SEGMENTS && added.is_ok() {
            added = builder.add(Segment { work_ns: segment.work_ns, forks: segment.forks });
        }
    });
    assert!(is_recorded, "all programs of the figure can be recorded");
    instance.verify().map_err(|wrong| Failure::Failed(format!("{name}, recorded: {wrong}")))?;
    if segments > MOST_SEGMENTS {
        return Ok(None);
    }
    let wrong = |error| Failure::Failed(format!("{name}, recorded: {error}"));
    added.map_err(wrong)?;
    builder.finish(name.to_owned(), 0).map(Some).map_err(wrong)
}

fn table(rows: &[Row], workers: usize, scheduler: &Scheduler) -> Report {
    let mut report = Report::new(format!("Programs {} and on 1, under {scheduler}", on_workers(workers)));
    report.note("* another serial algorithm: T_S is that of quicksort in place, and of columns in linked lists");
    report.note("† the work differs from run to run");
    report.note("T∞, P̄ = T1/T∞: of a recorded run, # of a smaller size; parts that are shorter than a look at the");
    report.note("clock are not exact");
    report.note(format!("sim T1/T8: the recorded run on {SIMULATED} simulated workers"));
    report.note("paper: on 8 processors of 167 MHz");
    let header = ["program", "n", "T1", "T∞", "P̄", "T1/T_S", "T_P", "T1/T_P", "T_S/T_P", "sim T1/T8"];
    let paper = ["paper P̄", "T1/T_S", "T1/T8", "T_S/T8"];
    let table = FIGURE_6.iter().zip(rows).map(|(printed, row)| {
        let &Performance { name, t1_s, span_s, overhead, speed_up, over_serial, .. } = printed;
        let against = |ours: &[f64], theirs: &[f64]| ratio(Some(Median::of_paired_ratios(ours, theirs).value));
        let mark = if row.recorded_n == row.n { "" } else { "#" };
        let star = match name {
            "cilksort" | "cholesky" => "*",
            "queens" | "knapsack" => "†",
            _ => "",
        };
        vec![
            format!("{star}{name}"),
            row.n.to_string(),
            seconds(Median::of(row.t1_s.clone()).value),
            format!("{}{mark}", seconds(row.span_ns as f64 / 1e9)),
            scaled(row.parallelism()),
            against(&row.t1_s, &row.serial_s),
            seconds(Median::of(row.tp_s.clone()).value),
            against(&row.t1_s, &row.tp_s),
            against(&row.serial_s, &row.tp_s),
            ratio(Some(row.simulated_speed_up)),
            scaled(t1_s / span_s),
            ratio(Some(overhead)),
            format!("{speed_up:.1}"),
            format!("{over_serial:.1}"),
        ]
    });
    report.table(header.into_iter().chain(paper).map(str::to_owned).collect(), table.collect());
    report
}
