//! `filch stress`: runs random programs under random schedulers and checks every result against a serial oracle.
//!
//! - [`args`]: the arguments
//! - [`goal`]: when to stop
//! - [`watch`]: cases that do not end

pub mod args;
pub mod goal;
pub mod watch;

use std::fmt::Write as _;
use std::io::Write;
use std::process;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::stress::case::{self, Judge};
use crate::stress::hook;
use crate::stress::plan::{Choice, Plan};
use crate::stress::totals::Totals;
use args::StressArgs;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::Pools;
use filch_bench::show::progress::cases::Cases;
use goal::Goal;
use watch::Watch;

/// Seeds from the clock are below this, so that they are short enough to be typed.
const SEEDS: u64 = 1_000_000_000;

/// Runs `filch stress`.
pub fn run(args: &StressArgs, out: &mut dyn Write) -> Result<(), Failure> {
    stress(args, &Judge::default(), out)
}

/// Runs cases until the goal is reached or a case fails.
fn stress(args: &StressArgs, judge: &Judge, out: &mut dyn Write) -> Result<(), Failure> {
    let pools = args.topology.pools()?;
    let choice = Choice::new(&args.scheduler, &args.workers, &pools)?;
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    hook::silence_the_programs_panics();
    let watch = Watch::start(Duration::from_secs(args.limit), {
        let limit = args.limit;
        move |case| {
            eprintln!("error: not ended within {limit} s: {case}");
            process::exit(1);
        }
    })?;
    writeln!(out, "from seed {seed}")?;
    out.flush()?;

    let begin = Instant::now();
    let goal = Goal::of(args);
    let mut progress = Cases::new(goal.size());
    let (mut cases, mut totals) = (0, Totals::default());
    while goal.reached(begin, cases, &totals) < goal.size() {
        let seed = seed.wrapping_add(cases);
        let plan = Plan::new(seed, &choice);
        let again = format!("to run it again:\n  {}", again(seed, args, &pools));
        hook::now_running(&again);
        if args.plans {
            writeln!(out, "case {seed}: {plan}")?;
            out.flush()?;
        }
        for _ in 0..args.repeat {
            watch.begin(&format!("case {seed} ({plan})\n{again}"));
            let done = case::run(&plan, judge);
            watch.end();
            totals =
                totals.plus(done.map_err(|wrong| Failure::Failed(format!("case {seed} ({plan}): {wrong}\n{again}")))?);
        }
        cases += 1;
        progress.reach(goal.reached(begin, cases, &totals), cases);
    }
    drop(progress);
    let summary = totals.over(cases, begin.elapsed());
    summary.show(out)?;
    args.figures.write(&summary)
}

/// The command line that runs a case again, with all that the case depends on.
fn again(seed: u64, args: &StressArgs, pools: &Pools) -> String {
    let mut line = format!("filch stress --seed {seed} --cases 1");
    for scheduler in &args.scheduler {
        // Writing into a string cannot fail.
        let _ = write!(line, " --scheduler {scheduler}");
    }
    if !args.workers.is_empty() {
        let workers: Vec<String> = args.workers.iter().map(ToString::to_string).collect();
        let _ = write!(line, " --workers {}", workers.join(","));
    }
    if let Some(placement) = pools.placement() {
        let _ = write!(line, " --topology {placement}");
    }
    line
}

fn seed_from_clock() -> u64 {
    // With a clock before 1970, every run has the same seed.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64 % SEEDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::program::combine;
    use clap::Parser;

    /// A command line with the arguments of `filch stress` only.
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: StressArgs,
    }

    fn args(line: &str) -> StressArgs {
        Line::parse_from(["stress"].into_iter().chain(line.split_whitespace())).args
    }

    #[test]
    fn tasks_are_counted_until_there_are_enough() {
        let mut out = Vec::new();
        let line = "--seed 1 --tasks 200 --scheduler cilk5,period=0ns --workers 3";
        stress(&args(line), &Judge::default(), &mut out).unwrap();
        let shown = String::from_utf8(out).unwrap();
        let count = |name: &str| -> u64 {
            shown.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).expect("it is shown")
        };
        assert!(count("forks_given") + count("forks_taken") >= 200, "{shown}");
        assert!(count("cases") > 1, "one is not enough: {shown}");
    }

    #[test]
    fn a_failure_names_the_command_that_reproduces_it() {
        let broken = Judge { combine: |a, b| combine(b, a), ..Judge::default() };
        let line = "--seed 7 --cases 30 --scheduler cilk5,period=0ns --scheduler serial --workers 2,3";
        let message = stress(&args(line), &broken, &mut Vec::new()).unwrap_err().to_string();
        let again = message.lines().last().unwrap().trim().strip_prefix("filch stress ").unwrap();
        assert!(again.contains("--cases 1 --scheduler cilk5,period=0ns --scheduler serial --workers 2,3"), "{message}");
        // And it does.
        let second = stress(&args(again), &broken, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(second.lines().last(), message.lines().last());
        assert!(stress(&args(again), &Judge::default(), &mut Vec::new()).is_ok(), "the runtime is not to blame");
        let line = "--seed 7 --cases 30 --scheduler cab,boundary=3 --topology 2+1";
        let message = stress(&args(line), &broken, &mut Vec::new()).unwrap_err().to_string();
        assert!(message.ends_with("--cases 1 --scheduler cab,boundary=3 --topology 2+1"), "{message}");
        assert!(message.contains("3 workers"), "{message}");
    }
}
