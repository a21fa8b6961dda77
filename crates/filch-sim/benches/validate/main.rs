//! Simulated runs beside runs of the runtime on this machine: forks, T_1, T_2, and what is shared per second.
//!
//! `cargo bench -p filch-sim --bench validate -- [--cost NAME=NANOSECONDS]...`
//!
//! Both run the same trees. The runtime's workers spin for as long as a node works, so what is compared is what the
//! scheduler adds, and not memory. A thread that the system suspends does not spin longer for that, unless it is
//! suspended longer than a node works. The costs `give` and `take` are those that the pool has measured; `call`,
//! `wake`, `look`, `miss` and `turn` are measured here (`measure.rs`); `fork` and the time for opening a node come
//! from this program's own T_1. The others are assumed, or given.

mod measure;

use filch::{Pool, Strand};
use filch_policy::Scheduler;
use filch_sim::program::totals::Totals;
use filch_sim::program::{Node, Program, Shape, text};
use filch_sim::{Costs, Counts, Outcome, Simulation, rules};
use std::error::Error;
use std::time::{Duration, Instant};

/// Trees of 4 to 7 ms on one worker.
const PROGRAMS: [&str; 10] = [
    "fib:14,leaf=10us",
    "fib:16,leaf=3us",
    "skew:36,step=9,leaf=10us",
    "knary:5,4,0,unit=20us",
    "knary:5,4,1,unit=20us",
    "knary:5,4,2,unit=20us",
    "random:500,leaf=1us..20us",
    "random:50,leaf=100us",
    "uts:100,node=10us",
    "loop:250,body=20us",
];

/// How often each is run, one time after the other, in what is measured. A tree has few steals, so that a run of one
/// large tree would count some ten.
const ROUNDS: u64 = 100;

/// What a rate may differ by.
const TOLERANCE: f64 = 0.2;

/// A program that several workers can run at the same time.
type Tree = dyn Program + Send + Sync;

/// So many runs of each, of the runtime and of the simulator. Printed are the medians of times and the means of counts.
const RUNS: usize = 7;

/// How long the pool rests before each run. A simulated run begins with threads that sleep and with full credits. A
/// thread of the runtime lingers for a millisecond after a run, and the credit for barriers is full again after 5 ms.
const REST: Duration = Duration::from_millis(10);

/// What comes of a run, simulated or not.
#[derive(Clone, Copy)]
struct Run {
    time_ns: f64,
    forks: u64,
    /// How often there was what [`COUNTS`] names.
    counts: [f64; COUNTS.len()],
}

/// Unasked gifts are frames that were left for others; reclaimed ones are gifts that their owner took back.
const COUNTS: [&str; 7] = ["asks", "gifts", "takes", "asked", "unasked", "reclaimed", "parks"];

fn main() -> Result<(), Box<dyn Error>> {
    let given = given_costs()?;
    let pools = [pool(1)?, pool(2)?];
    let machine = measure::measured(Costs::ASSUMED);
    println!("costs, ns: {}", machine.all().map(|(name, ns)| format!("{name} {ns}")).collect::<Vec<_>>().join(", "));
    print!("{:<29} {:>6} {:>20} {:>20} ", "simulated/measured", "forks", "T1 ms", "T2 ms");
    println!("{}  steals", COUNTS.map(|count| format!("{:>14}", format!("{count}/s"))).concat());
    for name in PROGRAMS {
        let program = text::parse(&format!("phases:{ROUNDS},({name})"))?;
        let serial_ns = median((0..RUNS).map(|_| serial(&*program) as f64));
        let measured = pools.each_ref().map(|pool| median_run(|_| measure(pool, &*program)));
        let costs = costs_of(machine, &pools[1], &*program, serial_ns, measured[0].time_ns, &given)?;
        // What opening nodes and reading the clock takes is no cost of the scheduler. It is in the serial time.
        let stretch = serial_ns / Totals::of(&*program, 0).work_ns as f64;
        let simulated = [1, 2].map(|workers| {
            let rules = rules(&Scheduler::default(), &costs, workers);
            rules.map(|rules| {
                median_run(|seed| {
                    of_outcome(&Simulation::new(&*program, rules, costs, workers, seed as u64).run(), stretch)
                })
            })
        });
        let [one, two] = simulated;
        print_row(name, &measured, &[one?, two?]);
    }
    Ok(())
}

/// The costs that the command line gives.
fn given_costs() -> Result<Vec<(String, u64)>, Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let mut given = Vec::new();
    while let Some(flag) = args.next() {
        let (name, ns) = match (flag.as_str(), args.next().as_deref().and_then(|cost| cost.split_once('='))) {
            ("--cost", Some((name, ns))) => (name.to_owned(), ns.parse()?),
            _ => return Err(format!("`{flag}`: expected --cost NAME=NANOSECONDS").into()),
        };
        given.push((name, ns));
    }
    Ok(given)
}

/// A pool that knows what this machine costs.
fn pool(workers: usize) -> Result<Pool, filch::PoolError> {
    Pool::measure_costs();
    Pool::builder().workers(workers).build()
}

/// The costs of the simulated machine: measured ones as far as there are any, then the given ones.
fn costs_of(
    machine: Costs,
    pool: &Pool,
    program: &Tree,
    serial_ns: f64,
    one_worker_ns: f64,
    given: &[(String, u64)],
) -> Result<Costs, filch_sim::UnknownCost> {
    let forks = Totals::of(program, 0).forks.max(1) as f64;
    let mut costs = Costs {
        give_ns: pool.give_cost().as_nanos() as u64,
        take_ns: pool.take_cost().as_nanos() as u64,
        fork_ns: ((one_worker_ns - serial_ns) / forks).max(0.0) as u64,
        ..machine
    };
    // T_1 above the serial time is noise if it is more than a fork is known to take at most.
    costs.fork_ns = costs.fork_ns.min(Costs::ASSUMED.fork_ns);
    given.iter().try_for_each(|(name, ns)| costs.set(name, *ns))?;
    Ok(costs)
}

/// The program without the runtime. Returns its time in nanoseconds.
fn serial(program: &Tree) -> u64 {
    fn walk(program: &Tree, node: Node) {
        match program.open(node) {
            Shape::Leaf { work_ns } => spin(work_ns),
            Shape::Tail { work_ns, next } => {
                spin(work_ns);
                walk(program, next);
            }
            Shape::Fork { work_ns, first, second } | Shape::Then { work_ns, first, then: second } => {
                spin(work_ns);
                walk(program, first);
                walk(program, second);
            }
        }
    }
    let begun = Instant::now();
    walk(program, program.root());
    begun.elapsed().as_nanos() as u64
}

/// Runs the tree below `node`. Returns how many forks there were.
fn walk(mut s: Strand<'_>, program: &Tree, node: Node) -> u64 {
    match program.open(node) {
        Shape::Leaf { work_ns } => {
            spin(work_ns);
            0
        }
        Shape::Tail { work_ns, next } => {
            spin(work_ns);
            walk(s, program, next)
        }
        Shape::Fork { work_ns, first, second } => {
            spin(work_ns);
            let (a, b) = s.join(|s| walk(s, program, first), |s| walk(s, program, second));
            1 + a + b
        }
        Shape::Then { work_ns, first, then } => {
            spin(work_ns);
            walk(s.reborrow(), program, first) + walk(s, program, then)
        }
    }
}

/// Works for so long.
fn spin(work_ns: u64) {
    if work_ns > 0 {
        let (begun, time) = (Instant::now(), Duration::from_nanos(work_ns));
        while begun.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

fn measure(pool: &Pool, program: &Tree) -> Run {
    std::thread::sleep(REST);
    let (before, begun) = (pool.counters(), Instant::now());
    let forks = pool.run(|s| walk(s, program, program.root()));
    let time_ns = begun.elapsed().as_nanos() as f64;
    let counters = pool.counters().since(&before);
    let answered = counters.asks - counters.refusals - counters.withdrawals;
    let counts = [
        counters.asks,
        counters.forks_given,
        counters.forks_taken,
        answered,
        counters.forks_given - answered,
        counters.forks_reclaimed,
        counters.parks,
    ];
    Run { time_ns, forks, counts: counts.map(|count| count as f64) }
}

fn of_outcome(outcome: &Outcome, stretch: f64) -> Run {
    let Counts { asks, refusals, withdrawals, gifts, takes, reclaimed, parks, .. } = outcome.counts;
    let answered = asks - refusals - withdrawals;
    let counts = [asks, gifts, takes, answered, gifts - answered, reclaimed, parks].map(|count| count as f64);
    Run { time_ns: outcome.time_ns as f64 * stretch, forks: outcome.run.forks, counts }
}

/// The median time of several runs, and their mean counts.
fn median_run(run: impl FnMut(usize) -> Run) -> Run {
    let runs: Vec<Run> = (0..RUNS).map(run).collect();
    assert!(runs.iter().all(|run| run.forks == runs[0].forks), "a program has the same forks in every run");
    Run {
        time_ns: median(runs.iter().map(|run| run.time_ns)),
        forks: runs[0].forks,
        counts: std::array::from_fn(|place| runs.iter().map(|run| run.counts[place]).sum::<f64>() / RUNS as f64),
    }
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Simulated and measured figures, and by how many percent the simulated times are more. An exclamation mark: the rates
/// differ by more than [`TOLERANCE`].
fn print_row(name: &str, measured: &[Run; 2], simulated: &[Run; 2]) {
    let forks = if measured[1].forks == simulated[1].forks { "same" } else { "DIFFER" };
    let times = [0, 1].map(|place| {
        let (sim, real) = (simulated[place].time_ns, measured[place].time_ns);
        format!("{:.1}/{:.1} {:+.1}%", sim / 1e6, real / 1e6, 100.0 * (sim / real - 1.0))
    });
    let per_second = |run: &Run, place: usize| run.counts[place] / run.time_ns * 1e9;
    let rates = (0..COUNTS.len()).map(|place| {
        let both = [simulated, measured].map(|runs| per_second(&runs[1], place));
        let mark = if (both[0] - both[1]).abs() > TOLERANCE * both[1] { "!" } else { "" };
        format!("{:>14}", format!("{:.0}/{:.0}{mark}", both[0], both[1]))
    });
    // Gifts that were not taken back, and takes.
    let steals = [1, 2].map(|place| measured[1].counts[place]).iter().sum::<f64>() - measured[1].counts[5];
    let [t1, t2] = times;
    println!("{name:<29} {forks:>6} {t1:>20} {t2:>20} {}  {steals:.0}", rates.collect::<String>());
}
