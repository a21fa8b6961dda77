//! `filch paper sweep sequentialise`: an irrevocable decision to run code serially loses parallelism, and heartbeat
//! scheduling does not (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 6).
//!
//! The example is the one of that section. There are as many tasks as workers. One is large and has much parallelism
//! inside; the others are short. When the large one starts, all workers are busy. A rival in the manner of lazy
//! scheduling looks at the load at that moment, finds no idle worker, and runs the large task serially, without leaving
//! anything that another worker could begin. Soon all other workers are idle, and there is nothing for them to take.
//! Heartbeat scheduling, like each of Filch's schedulers, leaves latent forks whatever the load is, and shares them
//! when others have become idle.

use std::hint::spin_loop;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use filch::{Pool, PoolBuilder, Scheduler, Strand};
use filch_bench::failure::Failure;
use filch_bench::measure::clock::spin;
use filch_bench::measure::counts::{Counts, tasks};
use filch_bench::measure::median::{Median, note_on_few};
use filch_bench::measure::order::order;
use filch_bench::measure::others::Watch;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::show::numbers::{number_of, seconds};
use filch_bench::show::table::{plain_table, text};
use filch_bench::values::{Choice, at_least_one, at_least_two, runs, schedulers};
use serde::Serialize;

use filch_lab::output::FormatArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper sweep sequentialise
  filch paper sweep sequentialise --workers 4 --scheduler all
  filch paper sweep sequentialise --leaves 4096 --runs 51

As many tasks as workers: one large with many leaves, the others short. The rival sees that all
workers are busy when the large task starts, and runs it serially to its end.

Exit code: 0 success, 1 a leaf did not run exactly once, 2 bad usage.";

/// The arguments of `filch paper sweep sequentialise`.
#[derive(Args, Debug)]
pub struct SequentialiseArgs {
    /// Number of workers [default: FILCH_WORKERS, or one per core, but at least 2]
    #[arg(long, value_name = "W", value_parser = at_least_two)]
    pub workers: Option<usize>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// A scheduler, or all that can have these workers; can be repeated
    #[arg(long, default_values_t = [Scheduler::heartbeat(), Scheduler::cilk5(), Scheduler::default()].map(Choice::One))]
    pub scheduler: Vec<Choice>,

    /// Number of runs of each, after one for warm-up
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = runs)]
    pub runs: usize,

    /// Number of leaves of the large task
    #[arg(long, value_name = "L", default_value_t = 512, value_parser = at_least_one::<usize>)]
    pub leaves: usize,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// The work of a leaf of the large task.
const LEAF: Duration = Duration::from_micros(40);

/// The length of a short task.
const SHORT: Duration = Duration::from_millis(1);

/// How the large task decides whether to fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Every fork is left for others.
    AlwaysForks,
    /// If all workers are busy when the task starts, it runs serially to its end.
    ByLoad,
}

/// What the tasks of one run share.
struct Load {
    workers: usize,
    rule: Rule,
    /// Workers that are busy with one of the tasks.
    busy: AtomicUsize,
    /// The worker that runs the large task.
    owner: AtomicUsize,
    /// When the large task decided, and whether all workers were busy then.
    decided: OnceLock<(Instant, bool)>,
    /// Leaves that ran, and those that another worker ran.
    leaves: AtomicUsize,
    elsewhere: AtomicUsize,
}

impl Load {
    fn new(workers: usize, rule: Rule) -> Self {
        let zero = || AtomicUsize::new(0);
        let decided = OnceLock::new();
        Self { workers, rule, busy: zero(), owner: zero(), decided, leaves: zero(), elsewhere: zero() }
    }

    fn is_high(&self) -> bool {
        self.busy.load(Ordering::Relaxed) >= self.workers
    }

    /// All tasks, of which the first is the large one.
    fn all(&self, mut s: Strand<'_>, tasks: usize, leaves: usize) {
        if tasks == 1 {
            return self.large(s, leaves);
        }
        // The short tasks are further out, so they are shared first.
        s.join(|s| self.all(s, tasks - 1, leaves), |_| self.short());
    }

    fn short(&self) {
        self.busy.fetch_add(1, Ordering::Relaxed);
        // Until the large one has seen that all are busy.
        let begin = Instant::now();
        while self.decided.get().is_none() && begin.elapsed() < PATIENCE {
            spin_loop();
        }
        spin(SHORT);
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    fn large(&self, mut s: Strand<'_>, leaves: usize) {
        self.owner.store(filch::current_worker().unwrap_or_default(), Ordering::Relaxed);
        self.busy.fetch_add(1, Ordering::Relaxed);
        let begin = Instant::now();
        while !self.is_high() && begin.elapsed() < PATIENCE {
            // A return, where a scheduler that asks or beats gets an answer.
            s.join(|_| (), |_| ());
        }
        // The decision, for the whole task.
        let &(_, is_high) = self.decided.get_or_init(|| (Instant::now(), self.is_high()));
        if self.rule == Rule::ByLoad && is_high {
            (0..leaves).for_each(|_| self.leaf());
        } else {
            self.tree(s, leaves);
        }
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    fn tree(&self, mut s: Strand<'_>, leaves: usize) {
        if leaves == 1 {
            return self.leaf();
        }
        s.join(|s| self.tree(s, leaves / 2), |s| self.tree(s, leaves - leaves / 2));
    }

    fn leaf(&self) {
        spin(LEAF);
        self.leaves.fetch_add(1, Ordering::Relaxed);
        if filch::current_worker().unwrap_or_default() != self.owner.load(Ordering::Relaxed) {
            self.elsewhere.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// How long a task waits for all workers to be busy. On a busy machine some may not get a core for a while.
const PATIENCE: Duration = Duration::from_millis(200);

/// How often a run in which they were not is repeated.
const TRIES: usize = 10;

/// A scheduler, and how the large task decides.
struct Entrant {
    name: String,
    pool: Pool,
    rule: Rule,
    /// Its workers were not all busy when the large task started, however often that was tried.
    is_unfit: bool,
    /// From the decision to the end.
    seconds: Vec<f64>,
    /// From the start of the run.
    whole: Vec<f64>,
    elsewhere: Vec<f64>,
    counts: Counts,
}

impl Entrant {
    fn new(name: String, builder: PoolBuilder, rule: Rule) -> Result<Self, Failure> {
        let pool = builder.build().map_err(Failure::usage)?;
        Ok(Self {
            name,
            pool,
            rule,
            is_unfit: false,
            seconds: Vec::new(),
            whole: Vec::new(),
            elsewhere: Vec::new(),
            counts: Counts::default(),
        })
    }

    fn turn(&mut self, leaves: usize) -> Result<(), Failure> {
        for _ in 0..TRIES {
            if self.is_unfit || self.attempt(leaves)? {
                return Ok(());
            }
        }
        self.is_unfit = true;
        Ok(())
    }

    /// Whether the run shows the example: all workers were busy when the large task started.
    fn attempt(&mut self, leaves: usize) -> Result<bool, Failure> {
        let workers = self.pool.num_workers();
        let load = Load::new(workers, self.rule);
        let counted = Counts::begin(&self.pool);
        let begin = Instant::now();
        self.pool.run(|s| load.all(s, workers, leaves));
        let end = Instant::now();
        self.counts.end(&self.pool, &counted);
        self.counts.rest(&self.pool);
        let ran = load.leaves.into_inner();
        if ran != leaves {
            return Err(Failure::Failed(format!("{}: {ran} leaves ran, expected {leaves}", self.name)));
        }
        let Some(&(decided, true)) = load.decided.get() else {
            self.counts.by_sample.pop();
            self.counts.idle.pop();
            return Ok(false);
        };
        self.whole.push(end.duration_since(begin).as_secs_f64());
        self.seconds.push(end.duration_since(decided).as_secs_f64());
        self.elsewhere.push(load.elsewhere.into_inner() as f64 / leaves as f64);
        Ok(true)
    }

    fn forget(&mut self) {
        self.seconds.clear();
        self.whole.clear();
        self.elsewhere.clear();
        self.counts.truncate((0, 0));
    }
}

/// Runs `filch paper sweep sequentialise`.
pub fn run(args: &SequentialiseArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let pools = args.topology.pools()?;
    let workers = pools.workers(args.workers)?.max(2);
    let mut entrants = Vec::new();
    for (name, rule) in [("by load, for good", Rule::ByLoad), ("the same again", Rule::ByLoad)] {
        entrants.push(Entrant::new(name.into(), pools.builder(&Scheduler::heartbeat(), workers), rule)?);
    }
    for scheduler in schedulers(&args.scheduler, &[workers]) {
        entrants.push(Entrant::new(scheduler.to_string(), pools.builder(&scheduler, workers), Rule::AlwaysForks)?);
    }
    let watch = Watch::begin();
    for round in 0..=args.runs {
        for place in order(round, entrants.len()) {
            entrants[place].turn(args.leaves)?;
        }
        if round == 0 {
            // The first round is for warm-up.
            entrants.iter_mut().for_each(Entrant::forget);
        }
    }
    let rows: Vec<Row> = entrants.iter().map(|entrant| Row::of(entrant, &entrants[0], workers)).collect();
    show(args, workers, &rows, out)?;
    if let Some(others) = watch.others() {
        writeln!(out, "({others})")?;
    }
    args.figures.write(&rows)
}

/// The figures of an entrant, as medians; none if its workers were never all busy when the large task started: its
/// scheduler has one thread that plays all workers, or the machine is too busy.
#[derive(Debug, Default, Serialize)]
struct Row {
    scheduler: String,
    workers: usize,
    time_s: Option<f64>,
    against_rival: Option<Median>,
    /// Shares from 0 to 1.
    elsewhere: Option<f64>,
    idle: Option<f64>,
    moved: Option<f64>,
}

impl Row {
    fn of(entrant: &Entrant, rival: &Entrant, workers: usize) -> Self {
        let row = Self { scheduler: entrant.name.clone(), workers, ..Self::default() };
        if entrant.is_unfit {
            return row;
        }
        let median = |values: &[f64]| Some(Median::of(values.to_vec()).value);
        let moved: Vec<f64> = entrant.counts.by_sample.iter().map(|counters| tasks(counters) as f64).collect();
        Self {
            time_s: median(&entrant.seconds),
            against_rival: (!std::ptr::eq(entrant, rival) && !rival.is_unfit)
                .then(|| Median::of_paired_ratios(&entrant.seconds, &rival.seconds)),
            elsewhere: median(&entrant.elsewhere),
            idle: entrant.counts.idle_share(entrant.whole.iter().copied(), workers).map(|idle| idle.value),
            moved: median(&moved),
            ..row
        }
    }
}

fn show(args: &SequentialiseArgs, workers: usize, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    let SequentialiseArgs { runs, leaves, .. } = args;
    let whole = seconds(LEAF.as_secs_f64() * *leaves as f64);
    writeln!(
        out,
        "{} workers, {}, which take turns. A task of {}, {whole} in all, starts",
        workers,
        number_of(*runs, "run", "runs"),
        number_of(*leaves, "leaf", "leaves")
    )?;
    writeln!(
        out,
        "while {} short ones keep the other workers busy for {}.\n",
        workers - 1,
        seconds(SHORT.as_secs_f64())
    )?;
    writeln!(out, "time       from the start of the large task")?;
    writeln!(out, "by load    the rival: all workers are busy, so the large task runs serially")?;
    writeln!(out, "against    own time / that of the rival, with its 95 % interval")?;
    writeln!(out, "elsewhere  share of the leaves that other workers ran")?;
    writeln!(out, "idle       share of the workers' time without work")?;
    if let Some(note) = note_on_few(*runs) {
        writeln!(out, "           {note}")?;
    }
    let header = ["scheduler", "time", "against the rival", "elsewhere", "moved", "idle"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    for row in rows {
        table.add_row([
            row.scheduler.clone(),
            row.time_s.map_or("never all busy".into(), seconds),
            row.against_rival.map_or(String::new(), |ratio| ratio.to_string()),
            row.elsewhere.map_or(String::new(), percent),
            row.moved.map_or(String::new(), |moved| format!("{moved:.0}")),
            row.idle.map_or(String::new(), percent),
        ]);
    }
    writeln!(out, "\n{}", text(table))?;
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This holds on any machine: other workers cannot run what is not offered to them.
    #[test]
    fn a_serial_decision_leaves_all_leaves_to_one_worker() {
        let pool = Pool::builder().workers(2).scheduler(Scheduler::heartbeat()).build().unwrap();
        for _ in 0..5 {
            let load = Load::new(2, Rule::ByLoad);
            // All workers are busy when the task starts.
            load.busy.store(2, Ordering::Relaxed);
            pool.run(|s| load.large(s, 20));
            assert_eq!((load.leaves.into_inner(), load.elsewhere.into_inner()), (20, 0));
        }
    }

    /// Tries until it happens, because the other worker may not get a core for a while.
    #[test]
    fn heartbeat_shares_a_task_that_started_when_all_were_busy() {
        let pool = Pool::builder().workers(2).scheduler(Scheduler::heartbeat()).build().unwrap();
        loop {
            let load = Load::new(2, Rule::AlwaysForks);
            pool.run(|s| load.all(s, 2, 200));
            assert_eq!(load.leaves.into_inner(), 200);
            if load.elsewhere.into_inner() > 0 {
                break;
            }
        }
        assert!(pool.counters().promotions > 0);
    }
}
