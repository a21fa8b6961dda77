//! `filch paper sweep overhead`: what promotions cost at the period that Filch uses, N = 20 τ, and how busy the workers
//! are then. The work grows by at most τ/N, which is 5 % (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018,
//! sections 2 and 5.2).

use std::io::Write;
use std::time::Duration;

use clap::Args;
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::{Median, note_on_few};
use filch_bench::measure::pools::Pools;
use filch_bench::measure::runner::Runner;
use filch_bench::measure::series::Series;
use filch_bench::show::numbers::number_of;
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::whole;
use serde::Serialize;

use super::programs::{ProgramsArgs, Turn};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper sweep overhead
  filch paper sweep overhead fib queens spmv-random --at-most 5
  filch paper sweep overhead --format json > overhead.json

With --at-most, the command fails if the whole interval of some program lies above.

Exit code: 0 success, 1 a result failed its check or an overhead is too large, 2 bad usage.";

/// The arguments of `filch paper sweep overhead`.
#[derive(Args, Debug)]
pub struct OverheadArgs {
    /// The programs.
    #[command(flatten)]
    pub programs: ProgramsArgs,

    /// Fail if promotions cost a program more than so many per cent
    #[arg(long, value_name = "PERCENT", value_parser = whole::<u32>(0..=1000))]
    pub at_most: Option<u32>,
}

/// Longer than any run, so that nothing is promoted.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// The places of the runners: without promotions and with them on one worker, and with them on all.
const WITHOUT: usize = 0;
const WITH: usize = 1;
const ON_ALL: usize = 2;

/// The figures of one program.
#[derive(Debug, Serialize)]
struct Row {
    program: &'static str,
    n: u64,
    runs: usize,
    /// The time on one worker with promotions divided by that without.
    time: Median,
    /// Promotions of a call on one worker.
    promotions: f64,
    workers: usize,
    /// The share of the workers' time in which they had work.
    utilisation: Option<Median>,
}

/// Runs `filch paper sweep overhead`.
pub fn run(args: &OverheadArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let runs = args.programs.samples.runs;
    let (never, own) = (Scheduler::heartbeat().with_period(NEVER), Scheduler::heartbeat());
    let runners = |pools: &Pools, workers| {
        let runners = [(&never, 1), (&own, 1), (&own, workers)];
        runners.into_iter().map(|(scheduler, workers)| Runner::filch(pools, scheduler, workers)).collect()
    };
    let show = |workers, rows: &[Row], out: &mut dyn Write| show(runs, workers, rows, out);
    let rows = args.programs.sweep(runners, measure, show, out)?;
    args.at_most.map_or(Ok(()), |most| check(&rows, most))
}

fn measure(turn: &mut Turn<'_>) -> Result<Row, Failure> {
    let Series { tracks, calls } = turn.series()?;
    let promotions = tracks[WITH].counts.by_sample.iter().map(|counters| counters.promotions as f64 / calls as f64);
    let workers = turn.runners[ON_ALL].workers;
    let busy = |Median { value, low, high }| Median { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low };
    Ok(Row {
        program: turn.program.name,
        n: turn.n.n(),
        runs: turn.runs,
        time: Median::of_paired_ratios(&tracks[WITH].seconds, &tracks[WITHOUT].seconds),
        promotions: Median::of(promotions.collect()).value,
        workers,
        utilisation: tracks[ON_ALL].idle_share(workers, calls).map(busy),
    })
}

fn show(runs: usize, workers: usize, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "heartbeat at N = 20 τ, {}, which take turns\n", number_of(runs, "run", "runs"))?;
    writeln!(out, "overhead     of the time on one worker, with promotions against without")?;
    writeln!(out, "promotions   of a call on one worker")?;
    writeln!(out, "utilisation  the share of their time in which {workers} have work")?;
    if let Some(note) = note_on_few(runs) {
        writeln!(out, "             {note}")?;
    }
    let mut table = plain_table(["", "overhead", "promotions", "utilisation"].map(str::to_owned).to_vec());
    for row in rows {
        let Median { value, low, high } = row.time;
        let [value, low, high] = [value, low, high].map(|ratio| 100.0 * (ratio - 1.0));
        let utilisation = row.utilisation.map_or(String::new(), |Median { value, low, high }| {
            let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
            format!("{value:.0} [{low:.0}, {high:.0}] %")
        });
        let overhead = format!("{value:+.1} [{low:+.1}, {high:+.1}] %");
        table.add_row([row.program.to_owned(), overhead, format!("{:.0}", row.promotions), utilisation]);
    }
    writeln!(out, "\n{}", text(table))?;
    Ok(out.flush()?)
}

/// Fails if the whole interval of some program lies above.
fn check(rows: &[Row], most: u32) -> Result<(), Failure> {
    let is_above = |row: &&Row| 100.0 * (row.time.low - 1.0) > f64::from(most);
    let above: Vec<&str> = rows.iter().filter(is_above).map(|row| row.program).collect();
    if above.is_empty() {
        return Ok(());
    }
    Err(Failure::Failed(format!("promotions cost more than {most} %: {}", above.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_fails_only_if_its_whole_interval_lies_above() {
        let row = |program, low, high| {
            let time = Median { value: f64::midpoint(low, high), low, high };
            Row { program, n: 1, runs: 9, time, promotions: 0.0, workers: 2, utilisation: None }
        };
        let rows = [row("fib", 1.04, 1.2), row("queens", 1.055, 1.1), row("heat", 0.9, 1.0)];
        let failure = check(&rows, 5).unwrap_err();
        assert!(matches!(failure, Failure::Failed(_)));
        assert_eq!(failure.to_string(), "promotions cost more than 5 %: queens");
        assert!(check(&rows, 6).is_ok());
    }
}
