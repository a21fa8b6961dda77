//! Properties of simulated runs.

mod affinity;
mod conservation;
mod heartbeat;
mod memory;
mod messages;
mod mutants;
mod runtime;
mod schedulers;
mod sockets;
mod squads;
#[cfg(filch_decisions = "tested")]
mod tested;
mod timeline;

use filch_policy::{Rules, Scheduler};
use filch_sim::program::text::{Boxed, parse};
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Outcome, Simulation};

/// Programs of all kinds: even and skewed, with known and unknown sizes, much parallelism and none.
const PROGRAMS: [&str; 15] = [
    "fib:0",
    "fib:18,leaf=2us",
    "fib:16,leaf=50us,node=1us",
    "skew:60,step=11,leaf=20us",
    "knary:6,4,1,unit=3us",
    "knary:5,5,3,unit=10us",
    "knary:12,1,1,unit=10us",
    "random:3000,leaf=1us..20us,seed=7",
    "random:500,leaf=5us|2ms/50",
    "uts:200,children=4,parts=200000,node=3us,seed=3",
    "loop:2000,body=4us",
    "loop:1000,body=1us..50us",
    "loop:500,body=last(3us,200us,9)",
    "phases:6,(loop:150,body=exp(8us)),(knary:4,3,1,unit=5us)",
    "phases:20,(loop:64,body=ramp(1us,20us))",
];

fn rules(scheduler: &str, costs: Costs, workers: usize) -> Rules {
    let scheduler: Scheduler = scheduler.parse().expect("a scheduler");
    Rules::new(&scheduler, costs.for_policy(workers as u32), true)
}

fn run(program: &str, scheduler: &str, workers: usize, seed: u64) -> Outcome {
    let program = parse(program).expect("a program");
    let costs = Costs::ASSUMED;
    Simulation::new(&*program, rules(scheduler, costs, workers), costs, workers, seed).run()
}

fn totals(program: &str) -> (Boxed, Totals) {
    let program = parse(program).expect("a program");
    let totals = Totals::of(&*program, Costs::ASSUMED.fork_ns);
    (program, totals)
}
