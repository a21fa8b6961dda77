//! What is recorded of a run: the outcome's own times, each once, and nothing that changes the run.

use crate::{PROGRAMS, rules};
use filch_policy::Rules;
use filch_sim::program::text::parse;
use filch_sim::{Costs, Simulation, Sockets, Spent, Timeline};
use std::ops::Range;

const SCHEDULERS: [&str; 7] = [
    "default",
    "default,patience=1us,wait=any",
    "cilk5,period=0ns,wait=any",
    "tascell",
    "heartbeat,period=5us,balancer=concurrent",
    "heartbeat,period=20us,balancer=private",
    "cab",
];

/// Costs of zero move the end of a look and the wake-up that follows it closest together.
const COSTS: [Costs; 2] = [Costs::ASSUMED, Costs { wake_ns: 0, miss_ns: 0, far_ns: 0, ..Costs::ASSUMED }];

fn simulations(check: impl for<'p> Fn(&str, &dyn Fn() -> Simulation<'p, Rules>)) {
    for name in PROGRAMS {
        let program = parse(name).expect("a program");
        for scheduler in SCHEDULERS {
            for (costs, (workers, sockets)) in COSTS.into_iter().zip([(6, 2), (33, 1)]) {
                let rules = rules(scheduler, costs, workers);
                let on = Sockets::even(workers, sockets).expect("a multiple");
                let simulation = || Simulation::new(&*program, rules, costs, workers, 4).on(&on).with_boundary(2);
                check(&format!("{name} under {scheduler} on {workers} workers"), &simulation);
            }
        }
    }
}

fn columns(timeline: &Timeline, worker: usize) -> impl Iterator<Item = (Range<u64>, Spent)> {
    (0..timeline.columns()).map(move |column| (timeline.column(column), timeline.spent(worker..worker + 1, column)))
}

#[test]
fn the_busy_time_of_all_workers_is_that_of_the_outcome() {
    simulations(|of, simulation| {
        let (outcome, timeline) = simulation().run_recorded();
        assert_eq!((timeline.time_ns(), timeline.workers()), (outcome.time_ns, outcome.workers), "{of}");
        let busy = |worker| columns(&timeline, worker).map(|(_, spent)| spent.runs_ns).sum::<u64>();
        assert_eq!((0..outcome.workers).map(busy).sum::<u64>(), outcome.busy_ns, "{of}");
        let all = |column| timeline.spent(0..outcome.workers, column).runs_ns;
        assert_eq!((0..timeline.columns()).map(all).sum::<u64>(), outcome.busy_ns, "{of}");
        // The caller begins the run, and ends it.
        assert_eq!(timeline.spent(0..1, 0).sleeps_ns, 0, "{of}");
    });
}

#[test]
fn what_a_worker_does_fills_the_run_and_does_not_overlap() {
    simulations(|of, simulation| {
        let (outcome, timeline) = simulation().run_recorded();
        for worker in 0..outcome.workers {
            let mut until_ns = 0;
            for (time, Spent { runs_ns, looks_ns, sleeps_ns }) in columns(&timeline, worker) {
                assert_eq!(time.start, until_ns, "{of}, worker {worker}");
                assert_eq!(runs_ns + looks_ns + sleeps_ns, time.end - time.start, "{of}, worker {worker}: {time:?}");
                until_ns = time.end;
            }
            assert_eq!(until_ns, outcome.time_ns, "{of}, worker {worker}");
        }
    });
}

#[test]
fn a_recorded_run_is_the_same_run_and_equal_seeds_give_equal_timelines() {
    simulations(|of, simulation| {
        let recorded = simulation().run_recorded();
        assert_eq!(recorded, simulation().run_recorded(), "{of}");
        assert_eq!(recorded.0, simulation().run(), "{of}");
    });
}

#[test]
fn workers_sleep_until_they_are_woken_and_then_begin() {
    let program = parse("fib:20,leaf=10us").expect("a program");
    let costs = Costs::ASSUMED;
    let (outcome, timeline) = Simulation::new(&*program, rules("default", costs, 8), costs, 8, 1).run_recorded();
    for worker in 1..8 {
        let asleep = columns(&timeline, worker).take_while(|(time, _)| time.end <= costs.wake_ns);
        asleep.for_each(|(time, spent)| assert_eq!(spent.sleeps_ns, time.end - time.start, "worker {worker}"));
        assert!(columns(&timeline, worker).any(|(_, spent)| spent.runs_ns > 0), "worker {worker}");
        assert!(columns(&timeline, worker).any(|(_, spent)| spent.looks_ns > 0), "worker {worker}");
    }
    assert!(outcome.ramp_ns.is_some_and(|ramp_ns| ramp_ns >= costs.wake_ns));
}
