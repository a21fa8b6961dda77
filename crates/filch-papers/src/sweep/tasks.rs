//! `filch paper sweep tasks`: the number of threads created and the idle time of heartbeat scheduling against eager
//! creation, as in columns 8 and 9 of figure 8 of (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018).
//!
//! There, eager creation is Cilk Plus, which makes a thread at every spawn. No scheduler of Filch does, so these
//! threads are counted in a run in order: every fork, and the blocks of a loop as Cilk Plus divides it. A thread of
//! heartbeat scheduling is a promotion. Idle time is compared with [`cilk5`](Scheduler::cilk5), under which every fork
//! can be taken from the moment when it is made.

use std::io::Write;

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::counts::tasks;
use filch_bench::measure::median::{Median, note_on_few};
use filch_bench::measure::pools::Pools;
use filch_bench::measure::runner::Runner;
use filch_bench::show::numbers::{grouped, number_of, scaled};
use filch_bench::show::table::{plain_table, text};
use serde::Serialize;

use super::programs::{ProgramsArgs, Turn};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper sweep tasks
  filch paper sweep tasks fib queens spmv-random --workers 2
  filch paper sweep tasks --format json > tasks.json

Eager creation makes a thread at each fork, and one for each block of a loop but one, of which
there are min(8 P, 2048). Heartbeat scheduling makes one at each promotion.

Exit code: 0 success, 1 a result failed its check, 2 bad usage.";

/// The places of the runners: eager creation, heartbeat scheduling, and heartbeat scheduling again, to show the noise.
const EAGER: usize = 0;
const HEARTBEAT: usize = 1;
const AGAIN: usize = 2;

/// The figures of one program. Counts are those of one call.
#[derive(Debug, Serialize)]
struct Row {
    program: &'static str,
    n: u64,
    workers: usize,
    runs: usize,
    /// Threads that eager creation makes.
    eager_threads: Option<u64>,
    /// Promotions.
    promotions: f64,
    /// Forks that another worker began, under `cilk5` and under `heartbeat`.
    moved: [f64; 2],
    /// Idle time as a share of workers × run time: `cilk5`, `heartbeat`, and `heartbeat` again.
    idle: [Option<Median>; 3],
    /// Time of `heartbeat` divided by that of `cilk5`.
    time: Median,
    /// Time of `heartbeat` divided by that of `heartbeat` again.
    noise: Median,
}

/// Runs `filch paper sweep tasks`.
pub fn run(args: &ProgramsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let runs = args.samples.runs;
    let runners = |pools: &Pools, workers| {
        let schedulers = [Scheduler::cilk5(), Scheduler::heartbeat(), Scheduler::heartbeat()];
        schedulers.iter().map(|scheduler| Runner::filch(pools, scheduler, workers)).collect()
    };
    args.sweep(runners, measure, |workers, rows, out| show(runs, workers, rows, out), out)?;
    Ok(())
}

fn measure(turn: &mut Turn<'_>) -> Result<Row, Failure> {
    let workers = turn.runners[HEARTBEAT].workers;
    let eager_threads = turn.instance.count_threads(workers);
    turn.instance.verify().map_err(|wrong| Failure::Failed(format!("{} in order: {wrong}", turn.name)))?;
    let series = turn.series()?;
    let tracks = &series.tracks;
    let per_call = |place: usize, count: fn(&filch::Counters) -> u64| {
        let counted = tracks[place].counts.by_sample.iter();
        Median::of(counted.map(|counters| count(counters) as f64 / series.calls as f64).collect()).value
    };
    let ratio = |ours: usize, theirs: usize| Median::of_paired_ratios(&tracks[ours].seconds, &tracks[theirs].seconds);
    Ok(Row {
        program: turn.program.name,
        n: turn.n.n(),
        workers,
        runs: turn.runs,
        eager_threads,
        promotions: per_call(HEARTBEAT, |counters| counters.promotions),
        moved: [EAGER, HEARTBEAT].map(|place| per_call(place, tasks)),
        idle: [EAGER, HEARTBEAT, AGAIN].map(|place| tracks[place].idle_share(workers, series.calls)),
        time: ratio(HEARTBEAT, EAGER),
        noise: ratio(HEARTBEAT, AGAIN),
    })
}

fn show(runs: usize, workers: usize, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    let (workers, samples) = (number_of(workers, "worker", "workers"), number_of(runs, "run", "runs"));
    writeln!(out, "heartbeat against eager creation on {workers}, {samples}, which take turns\n")?;
    writeln!(out, "eager      threads of eager creation: one for each fork and block of a loop")?;
    writeln!(out, "promotions threads of heartbeat, and their number against eager creation")?;
    writeln!(out, "moved      forks that another worker began: cilk5, then heartbeat")?;
    writeln!(out, "idle       share of the workers' time without work, with its 95 % interval")?;
    writeln!(out, "time       of heartbeat / that of cilk5; noise: of heartbeat / heartbeat again")?;
    if let Some(note) = note_on_few(runs) {
        writeln!(out, "           {note}")?;
    }

    let header = ["threads of a call", "eager", "promotions", "against", "moved", "moved"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for row in rows {
        let against = row.eager_threads.filter(|&threads| threads > 0);
        let against = against.map(|threads| format!("{:+.1} %", 100.0 * (row.promotions / threads as f64 - 1.0)));
        table.add_row([
            row.program.to_owned(),
            row.eager_threads.map_or(String::new(), grouped),
            mean(row.promotions),
            against.unwrap_or_default(),
            mean(row.moved[0]),
            mean(row.moved[1]),
        ]);
    }
    writeln!(out, "\n{}", text(table))?;

    let header = ["idle", "cilk5", "heartbeat", "time", "noise"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for row in rows {
        let [eager, heartbeat, _] = row.idle.map(percent);
        table.add_row([row.program.to_owned(), eager, heartbeat, row.time.to_string(), row.noise.to_string()]);
    }
    writeln!(out, "\n{}", text(table))?;
    out.flush()?;
    Ok(())
}

fn percent(share: Option<Median>) -> String {
    let Some(Median { value, low, high }) = share else { return String::new() };
    let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
    format!("{value:.0} [{low:.0}, {high:.0}] %")
}

fn mean(number: f64) -> String {
    if number < 1000.0 { format!("{number:.0}") } else { scaled(number) }
}
