//! Programs by all ranks that `mpirun` has started, against one of them, and against serial code.
//!
//! Rank 0 measures. While it runs the program alone, the others wait in the search that comes next.

use std::io::Write;
use std::time::{Duration, Instant};

use filch_bench::comparison::plan::Task;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::ranks;
use filch_bench::show::numbers::{decimals, number_of, seconds};
use filch_bench::values::Choice;
use filch_cluster::Cluster;
use filch_kernels::Instance;
use filch_programs::all;
use serde::Serialize;

use super::args::{BenchArgs, tasks};

/// One object of the JSON array.
#[derive(Debug, Serialize)]
struct Row {
    program: &'static str,
    n: String,
    ranks: usize,
    /// Of each rank.
    workers: usize,
    serial_s: Median,
    one_rank_s: Median,
    all_ranks_s: Median,
    /// The ratio of the times of a round.
    speed_up_over_one_rank: Median,
    speed_up_over_serial: Median,
}

/// Runs `filch bench` on several ranks.
pub(super) fn run(mut args: BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.programs.is_empty() {
        let able = all().iter().filter(|program| program.is_for_ranks);
        args.programs = able.map(|program| program.name.to_owned()).collect();
    }
    let tasks = tasks(&args)?;
    let cluster = begin(&args, &tasks)?;
    let done = measure_all(&args, &tasks, &cluster, out);
    if let Err(failure) = &done {
        cluster.give_up(&failure.to_string());
    }
    done
}

/// Refuses what needs one rank, and starts the ranks.
fn begin(args: &BenchArgs, tasks: &[Task]) -> Result<Cluster, Failure> {
    let able: Vec<&str> = all().iter().filter(|program| program.is_for_ranks).map(|program| program.name).collect();
    for Task { program, .. } in tasks {
        Failure::of_ranks(!program.is_for_ranks, &format!("{} runs", program.name), &able.join(", "))?;
    }
    let options = [
        (args.command.is_some(), "zoo"),
        (args.record.is_some(), "--record"),
        (args.busy > 0, "--busy"),
        (args.files.svg.is_some(), "--svg"),
        (args.baseline.is_some(), "--baseline"),
        (args.summary, "--summary"),
        (args.counters, "--counters"),
        (args.instructions, "--instructions"),
        (args.workers.len() > 1, "several numbers of --workers"),
        (args.scheduler.len() > 1 || args.scheduler.contains(&Choice::All), "several schedulers"),
    ];
    for (is_there, what) in options {
        Failure::of_ranks(is_there, &format!("filch bench has {what}"), "programs, sizes, --runs, --format")?;
    }
    let pools = args.topology.pools()?;
    let asked = match args.scheduler.first() {
        Some(Choice::One(scheduler)) => Some(scheduler),
        _ => None,
    };
    let pool = pools.pool_of_rank(&pools.scheduler(asked)?, args.workers.first().copied())?;
    Ok(Cluster::from_env_with(pool)?)
}

fn measure_all(args: &BenchArgs, tasks: &[Task], cluster: &Cluster, out: &mut dyn Write) -> Result<(), Failure> {
    if ranks::speaks() {
        args.files.check([])?;
    }
    let mut rows = Vec::new();
    for task in tasks {
        let mut instance = task.prepare()?;
        let rounds = (0..=args.runs).map(|_| round(&mut *instance, cluster)).collect::<Result<Vec<_>, _>>()?;
        if ranks::speaks() {
            // The first round is for warm-up.
            let row = row(task, cluster, &rounds[1..]);
            show(&row, out)?;
            rows.push(row);
        }
    }
    if ranks::speaks() { args.files.write(&rows, String::new) } else { Ok(()) }
}

/// The times of the serial elision, of this rank alone, and of all ranks. Every result is checked.
fn round(instance: &mut dyn Instance, cluster: &Cluster) -> Result<[Duration; 3], Failure> {
    let mut time = |run: &mut dyn FnMut(&mut dyn Instance) -> Result<(), Failure>| {
        let begun = Instant::now();
        run(instance)?;
        let time = begun.elapsed();
        instance.verify().map_err(|mismatch| Failure::Failed(mismatch.to_string()))?;
        Ok::<_, Failure>(time)
    };
    let mut alone = [Duration::ZERO; 2];
    if ranks::speaks() {
        alone[0] = time(&mut |instance| {
            instance.serial();
            Ok(())
        })?;
        alone[1] = time(&mut |instance| {
            cluster.pool().run(|s| instance.filch(s));
            Ok(())
        })?;
    }
    let together = time(&mut |instance| Ok(instance.on_ranks(cluster)?))?;
    Ok([alone[0], alone[1], together])
}

fn row(task: &Task, cluster: &Cluster, rounds: &[[Duration; 3]]) -> Row {
    let [serial, one, all] = [0, 1, 2].map(|place| rounds.iter().map(|round| round[place].as_secs_f64()).collect());
    let (serial, one, all): (Vec<f64>, Vec<f64>, Vec<f64>) = (serial, one, all);
    Row {
        program: task.program.name,
        n: task.n.to_string(),
        ranks: cluster.size(),
        workers: cluster.pool().num_workers(),
        speed_up_over_one_rank: Median::of_paired_ratios(&one, &all),
        speed_up_over_serial: Median::of_paired_ratios(&serial, &all),
        serial_s: Median::of(serial),
        one_rank_s: Median::of(one),
        all_ranks_s: Median::of(all),
    }
}

fn show(row: &Row, out: &mut dyn Write) -> Result<(), Failure> {
    let ratio = |Median { value, low, high }: Median| {
        let [value, low, high] = [value, low, high].map(|it| format!("{it:.*}", decimals(it)));
        format!("{value} ({low} to {high})")
    };
    let workers = number_of(row.workers, "worker", "workers");
    writeln!(
        out,
        "{} {} on {} ranks with {workers} each; medians, every result checked",
        row.program, row.n, row.ranks
    )?;
    for (what, time) in [("serial", row.serial_s), ("one rank", row.one_rank_s), ("all ranks", row.all_ranks_s)] {
        writeln!(out, "  {what:<10} {}", seconds(time.value))?;
    }
    let (one, serial) = (ratio(row.speed_up_over_one_rank), ratio(row.speed_up_over_serial));
    writeln!(out, "  speed-up   {one} over one rank, {serial} over serial code\n")?;
    Ok(out.flush()?)
}
