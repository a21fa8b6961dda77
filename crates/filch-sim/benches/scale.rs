//! The default scheduler on many virtual workers: how soon all have work, how busy they are, what a longer path costs,
//! and how a run ends.
//!
//! `cargo bench -p filch-sim --bench scale -- [ramp] [knary] [end] [speed]`
//!
//! `ramp`: until when nine workers of ten have begun a task, with and without leaves of 10 µs, beside 40 times what an
//! asker waits for its answer and one wake-up for each doubling. `knary`: c∞ as fitted to the trees of figure 8 of
//! Frigo, Leiserson and Randall 1998. `end`: from when workers have hardly anything to run until the end of the run,
//! with wake-ups as assumed and ten times as fast. `speed`: events per second, and the memory of this process at its
//! peak.

use filch_policy::Scheduler;
use filch_sim::program::text;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Outcome, Simulation, Timed, Timeline, fitted_overhead, rules};
use std::error::Error;
use std::time::Instant;

type Fallible = Result<(), Box<dyn Error>>;

const WORKERS: [usize; 3] = [64, 1024, 4096];

/// So many seeds for each figure; the median is printed, with the least and the most.
const SEEDS: u64 = 3;

fn main() -> Fallible {
    let parts: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let is_wanted = |part: &str| parts.is_empty() || parts.iter().any(|given| given == part);
    if is_wanted("ramp") {
        ramp()?;
    }
    if is_wanted("knary") {
        knary()?;
    }
    if is_wanted("end") {
        end()?;
    }
    if is_wanted("speed") {
        speed()?;
    }
    Ok(())
}

fn run(name: &str, workers: usize, seed: u64) -> Result<Outcome, Box<dyn Error>> {
    let program = text::parse(name)?;
    let costs = Costs::ASSUMED;
    let rules = rules(&Scheduler::default(), &costs, workers)?;
    Ok(Simulation::new(&*program, rules, costs, workers, seed).run())
}

/// The least, the median and the most.
fn spread(figures: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    [figures[0], figures[figures.len() / 2], figures[figures.len() - 1]]
}

fn ramp() -> Fallible {
    println!("{:<20} {:>7} {:>26} {:>10} {:>22}", "ramp", "workers", "90 % have work, µs", "limit, µs", "idle share");
    for name in ["fib:40,leaf=10us", "fib:40,leaf=1us", "loop:10000000,body=10us"] {
        let program = text::parse(name)?;
        let work_ns = Totals::of(&*program, 0).work_ns;
        let leaf_ns = work_ns / Totals::of(&*program, 0).leaves;
        for workers in WORKERS {
            let outcomes = (0..SEEDS).map(|seed| run(name, workers, seed)).collect::<Result<Vec<_>, _>>()?;
            let us = |outcome: &Outcome| outcome.ramp_ns.map_or(f64::INFINITY, |ns| ns as f64 / 1e3);
            let ramp = spread(outcomes.iter().map(us));
            // An asked worker is half through a leaf, attends, gives, and both look at a line of the other one.
            let Costs { poll_ns, give_ns, miss_ns, wake_ns, .. } = Costs::ASSUMED;
            let reply_ns = leaf_ns / 2 + poll_ns + give_ns + 2 * miss_ns;
            let limit_ns = 40 * reply_ns + u64::from(workers.ilog2()) * wake_ns;
            let idle = spread(outcomes.iter().map(Outcome::idle_share));
            println!(
                "{name:<20} {workers:>7} {:>8.0} ({:>6.0} to {:>6.0}) {:>10.0} {:>8.4} ({:.4} to {:.4})",
                ramp[1],
                ramp[0],
                ramp[2],
                limit_ns as f64 / 1e3,
                idle[1],
                idle[0],
                idle[2]
            );
        }
    }
    Ok(())
}

/// Trees with a parallelism from well below the number of workers to well above it.
const KNARY: [&str; 6] = [
    "knary:10,4,0,unit=10us",
    "knary:10,4,1,unit=10us",
    "knary:9,5,1,unit=10us",
    "knary:8,5,2,unit=10us",
    "knary:7,6,3,unit=10us",
    "knary:9,4,2,unit=10us",
];

fn knary() -> Fallible {
    println!("{:<26} {:>9} {:>7} {:>8} {:>26}", "knary", "T1/T∞", "workers", "speed-up", "c∞ of this tree");
    for workers in WORKERS {
        let mut runs = Vec::new();
        for name in KNARY {
            let program = text::parse(name)?;
            let totals = Totals::of(&*program, Costs::ASSUMED.fork_ns);
            let outcomes = (0..SEEDS).map(|seed| run(name, workers, seed)).collect::<Result<Vec<_>, _>>()?;
            let (share, span) = (totals.t1_ns() as f64 / workers as f64, totals.span_ns as f64);
            let timed = |outcome: &Outcome| Timed { time: outcome.time_ns as f64, share, span };
            runs.extend(outcomes.iter().map(timed));
            let overhead = spread(outcomes.iter().map(|outcome| timed(outcome).overhead()));
            let times = spread(outcomes.iter().map(|outcome| outcome.time_ns as f64));
            println!(
                "{name:<26} {:>9.0} {workers:>7} {:>8.1} {:>8.2} ({:>6.2} to {:>6.2})",
                totals.parallelism(),
                totals.t1_ns() as f64 / times[1],
                overhead[1],
                overhead[0],
                overhead[2]
            );
        }
        let all = fitted_overhead(runs).expect("there are trees");
        println!("{:<26} {:>9} {workers:>7} {:>8} {all:>8.2}", "all", "", "");
    }
    Ok(())
}

/// What a timeline shows after the last column in which workers run tasks for this share of their time.
const HARDLY: f64 = 0.01;

fn end() -> Fallible {
    println!("{:<22} {:>7} {:>8} {:>24} {:>8}", "end", "workers", "wake, µs", "the end, µs", "T_P, µs");
    for name in ["fib:33,leaf=1us", "fib:33,leaf=10us", "loop:1000000,body=10us"] {
        let program = text::parse(name)?;
        for workers in WORKERS {
            for wake_ns in [Costs::ASSUMED.wake_ns, Costs::ASSUMED.wake_ns / 10] {
                let costs = Costs { wake_ns, ..Costs::ASSUMED };
                let rules = rules(&Scheduler::default(), &costs, workers)?;
                let run = |seed| Simulation::new(&*program, rules, costs, workers, seed).run_recorded().1;
                let timelines: Vec<Timeline> = (0..SEEDS).map(run).collect();
                let end = spread(timelines.iter().map(|timeline| end_ns(timeline) as f64 / 1e3));
                let times = spread(timelines.iter().map(|timeline| timeline.time_ns() as f64 / 1e3));
                println!(
                    "{name:<22} {workers:>7} {:>8.0} {:>8.0} ({:>4.0} to {:>4.0}) {:>8.0}",
                    wake_ns as f64 / 1e3,
                    end[1],
                    end[0],
                    end[2],
                    times[1]
                );
            }
        }
    }
    Ok(())
}

fn end_ns(timeline: &Timeline) -> u64 {
    let workers = timeline.workers();
    let is_busy = |&column: &usize| {
        let runs_ns = timeline.spent(0..workers, column).runs_ns as f64;
        runs_ns > HARDLY * (workers as u64 * timeline.column_ns()) as f64
    };
    let last = (0..timeline.columns()).rev().find(is_busy);
    timeline.time_ns() - last.map_or(0, |column| timeline.column(column).end)
}

fn speed() -> Fallible {
    println!("{:<26} {:>7} {:>12} {:>12} {:>12}", "speed", "workers", "leaves", "events", "events/s");
    for (name, workers) in [("fib:43,leaf=1us", 64), ("fib:43,leaf=1us", 4096), ("random:3000000,leaf=1us..20us", 4096)]
    {
        let begun = Instant::now();
        let outcome = run(name, workers, 1)?;
        let rate = outcome.counts.events as f64 / begun.elapsed().as_secs_f64();
        println!("{name:<26} {workers:>7} {:>12} {:>12} {rate:>12.3e}", outcome.run.leaves, outcome.counts.events);
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(peak) = status.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{peak}");
    }
    Ok(())
}
