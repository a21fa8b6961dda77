//! Figure 8 of Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018), measured: heartbeat scheduling beside loops in
//! blocks, on the programs of the Problem Based Benchmark Suite.

use std::io::Write;
use std::path::Path;

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::measure::others::Watch;
use filch_bench::measure::runner::{Runner, SERIAL};
use filch_bench::measure::series::{Plan, Series};
use filch_bench::show::numbers::{scaled, seconds};
use filch_bench::show::progress::samples::Samples;
use filch_kernels::{Extent, Instance};
use filch_lab::memory;
use filch_lab::programs::read_input;
use filch_programs::find;
use serde::Serialize;

use super::args::FigureArgs;
use super::printed::{FIGURE_8, Overheads};
use super::report::{Report, on_workers};
use filch_lab::graphs::report::count;

/// What PBBS does by hand: loops over blocks of 2,048 items, others in min(8 P, 2048) blocks, all created eagerly.
const BLOCKS: &str = "cilk5,grain=auto";

/// The runners: the best serial program, the elision, and blocks and heartbeat on one worker and on P.
const RUNNERS: usize = 6;

/// A program on an input. Times are in seconds, by run, for each runner.
#[derive(Debug, Serialize)]
struct Row {
    program: &'static str,
    /// The file that the input is from.
    file: Option<String>,
    n: String,
    workers: usize,
    /// Whether the first runner is another program than the second.
    has_best_serial: bool,
    seconds: [Vec<f64>; RUNNERS],
    /// The seconds that all workers together were without work, of all runs with blocks and with heartbeat.
    idle_s: [f64; 2],
    /// The threads of a run with blocks, and with heartbeat.
    threads: [f64; 2],
}

/// What is run: a row of the figure, and a file if its input comes from one.
struct Task {
    printed: &'static Overheads,
    file: Option<String>,
    n: Extent,
    instance: Box<dyn Fn() -> Result<Box<dyn Instance>, Failure>>,
}

/// Measures the figure and shows it.
pub fn run(args: &FigureArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(option) = args.costs.given() {
        return Err(Failure::Usage(format!("{option}: this figure is measured, not simulated")));
    }
    let pools = args.topology.pools()?;
    let workers = args.workers_beside_one(&pools)?;
    let heartbeat = args.scheduler.clone().unwrap_or_else(Scheduler::heartbeat);
    let blocks: Scheduler = BLOCKS.parse().expect("a scheduler");
    let runners = [
        Runner::best_serial(),
        Runner::serial(SERIAL),
        Runner::filch(&pools, &blocks, 1)?,
        Runner::filch(&pools, &heartbeat, 1)?,
        Runner::filch(&pools, &blocks, workers)?,
        Runner::filch(&pools, &heartbeat, workers)?,
    ];
    if let Some(input) = args.input.iter().find(|input| FIGURE_8.iter().all(|row| row.program != input.program)) {
        let names: Vec<&str> = FIGURE_8.iter().map(|row| row.program).collect();
        let message = format!("--input: no program `{}`; expected one of {}", input.program, names.join(", "));
        return Err(Failure::Usage(message));
    }
    let tasks = FIGURE_8.iter().map(|printed| tasks(printed, args)).collect::<Result<Vec<_>, _>>()?;
    let tasks: Vec<Task> = tasks.into_iter().flatten().collect();
    let progress = Samples::new(tasks.len() * RUNNERS, args.runs);
    let watch = Watch::begin();
    let rows = tasks.iter().map(|task| measure(task, args, (&runners, workers), &progress));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let others = watch.others();
    drop(progress);
    let report = table(&tasks, &rows, workers, &heartbeat);
    report.show(&format!("medians of {}, each result verified", count(args.runs, "run", "runs")), out)?;
    if let Some(others) = others {
        writeln!(out, "\n({others})")?;
    }
    args.files.write(&rows, String::new)
}

/// The inputs of a row: the files that are given for its program, or else the one that is generated.
fn tasks(printed: &'static Overheads, args: &FigureArgs) -> Result<Vec<Task>, Failure> {
    let program = find(printed.program).expect("there is a program for each row");
    let files: Vec<_> = args.input.iter().filter(|input| input.program == program.name).collect();
    if files.is_empty() {
        let n = args.size.of_program(program.sizes);
        memory::check(program, n.into(), None)?;
        let instance = Box::new(move || program.prepare(n).map_err(Failure::usage));
        return Ok(vec![Task { printed, file: None, n: n.into(), instance }]);
    }
    let of_file = |path: &Path| {
        let input = read_input(program, path)?;
        let n = input.n;
        let instance = Box::new(move || (input.build)().map_err(|error| Failure::Usage(error.to_string())));
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Task { printed, file: Some(name), n, instance })
    };
    files.into_iter().map(|input| of_file(&input.path)).collect()
}

fn measure(
    task: &Task,
    args: &FigureArgs,
    (runners, workers): (&[Runner; RUNNERS], usize),
    progress: &Samples,
) -> Result<Row, Failure> {
    let program = task.printed.program;
    progress.begin(&format!("{program} {}", task.n));
    let mut instance = (task.instance)()?;
    let has_best_serial = instance.rival();
    // It has been run to know whether there is one.
    _ = instance.verify();
    let entrants: Vec<&Runner> = runners.iter().collect();
    let series = Series::measure(&mut *instance, &entrants, &Plan::of(args.runs), progress).verified(program)?;
    let [blocks, heartbeat] = [RUNNERS - 2, RUNNERS - 1].map(|place| &series.tracks[place]);
    let in_blocks = instance.count_threads(workers).unwrap_or(0);
    instance.verify().map_err(|wrong| Failure::Failed(format!("{program}, counted: {wrong}")))?;
    let promotions: u64 = heartbeat.counts.by_sample.iter().map(|counters| counters.promotions).sum();
    let calls = series.calls * heartbeat.counts.by_sample.len() as u64;
    Ok(Row {
        program,
        file: task.file.clone(),
        has_best_serial,
        n: task.n.to_string(),
        workers,
        seconds: std::array::from_fn(|place| series.tracks[place].seconds.clone()),
        idle_s: [blocks, heartbeat].map(|track| track.counts.idle.iter().sum()),
        threads: [in_blocks as f64, promotions as f64 / calls.max(1) as f64],
    })
}

fn table(tasks: &[Task], rows: &[Row], workers: usize, heartbeat: &Scheduler) -> Report {
    let mut report = Report::new(format!("{heartbeat} and {BLOCKS}, {}", on_workers(workers)));
    report.note("2: the serial elision; 3: the elision against the best serial program, where there is one");
    report.note("4, 5: blocks and heartbeat on one worker against the elision");
    report.note("6: blocks; 7: heartbeat against 6; 8, 9: idle time and threads of heartbeat against those of blocks");
    report.note("paper: on 40 cores; there 3 is an interpreter against the elision of PBBS");
    let mut header = vec!["program".to_owned(), "n".to_owned()];
    let columns = (2..=9).map(|column| column.to_string());
    header.extend(columns.clone());
    header.extend(columns.map(|column| format!("paper {column}")));
    let cells = tasks.iter().zip(rows).map(|(task, row)| {
        let [best, elision, blocks_1, heartbeat_1, blocks, heartbeat] = &row.seconds;
        let median = |times: &Vec<f64>| seconds(Median::of(times.clone()).value);
        let against = |ours: &[f64], theirs: &[f64]| {
            let ratio = Median::of_paired_ratios(ours, theirs);
            format!("{} [{}, {}]", difference(ratio.value), difference(ratio.low), difference(ratio.high))
        };
        let of = |[theirs, ours]: [f64; 2]| if theirs > 0.0 { difference(ours / theirs) } else { String::new() };
        let printed = &task.printed.columns;
        let mut cells = vec![
            task.file.as_ref().map_or(task.printed.name.to_owned(), |file| format!("{} {file}", row.program)),
            row.n.clone(),
            median(elision),
            if row.has_best_serial { against(elision, best) } else { String::new() },
            against(blocks_1, elision),
            against(heartbeat_1, elision),
            median(blocks),
            against(heartbeat, blocks),
            of(row.idle_s),
            format!("{} of {}", of(row.threads), scaled(row.threads[0])),
        ];
        cells.extend(printed.iter().enumerate().map(|(place, &value)| match place {
            _ if task.file.is_some() => String::new(),
            0 | 4 => seconds(value),
            _ => format!("{value:+.1} %"),
        }));
        cells
    });
    report.table(header, cells.collect());
    report
}

/// A ratio as a difference in per cent.
fn difference(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}
