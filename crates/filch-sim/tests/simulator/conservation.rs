//! What holds of every run, whatever is decided: all of the program is run, each part once, and no faster than can be.

use crate::{PROGRAMS, rules, run, totals};
use filch_sim::{Costs, Simulation};

const SCHEDULERS: [&str; 12] = [
    "default",
    "default,period=0ns",
    "default,patience=never",
    "default,patience=1us,wait=any",
    "cilk5",
    "cilk5,period=0ns,wait=any",
    "tascell",
    "heartbeat",
    "heartbeat,period=5us,balancer=concurrent",
    "heartbeat,period=20us,balancer=private",
    "heartbeat,period=20us,balancer=mixed,wait=any",
    "heartbeat,period=20us,balancer=private,wait=any",
];

#[test]
fn every_leaf_is_run_once_and_no_run_is_shorter_than_its_work_and_its_span_allow() {
    for name in PROGRAMS {
        let (program, totals) = totals(name);
        for scheduler in SCHEDULERS {
            for workers in [1, 2, 3, 16, 100] {
                for seed in 0..3 {
                    let rules = rules(scheduler, Costs::ASSUMED, workers);
                    let outcome = Simulation::new(&*program, rules, Costs::ASSUMED, workers, seed).run();
                    let of = format!("{name} under {scheduler} on {workers} workers, seed {seed}: {outcome:?}");
                    assert_eq!(outcome.run.leaves, totals.leaves, "{of}");
                    assert_eq!(outcome.run.forks, totals.forks, "{of}");
                    assert_eq!(outcome.run.work_ns, totals.work_ns, "{of}");
                    assert_eq!(outcome.open_claims, 0, "{of}");
                    assert!(outcome.time_ns >= totals.t1_ns().div_ceil(workers as u64), "{of}");
                    assert!(outcome.time_ns >= totals.span_ns, "{of}");
                    assert!((totals.span_ns..=outcome.time_ns).contains(&outcome.path_ns), "{of}");
                    assert!(outcome.busy_ns >= totals.t1_ns() && outcome.idle_share() >= 0.0, "{of}");
                }
            }
        }
    }
}

#[test]
fn equal_seeds_give_equal_runs_and_others_do_not() {
    for scheduler in SCHEDULERS {
        let name = "random:3000,leaf=1us..20us,seed=7";
        assert_eq!(run(name, scheduler, 16, 5), run(name, scheduler, 16, 5), "{scheduler}");
        assert_ne!(run(name, scheduler, 16, 5), run(name, scheduler, 16, 6), "{scheduler}");
    }
}

#[test]
fn one_worker_takes_the_work_and_its_forks_and_no_longer_unless_it_promotes() {
    for name in PROGRAMS {
        let (_, totals) = totals(name);
        for scheduler in ["serial", "default", "cilk5", "tascell"] {
            let outcome = run(name, scheduler, 1, 1);
            let forks_cold = if totals.forks > 0 { Costs::ASSUMED.poll_ns } else { 0 };
            assert_eq!(outcome.time_ns, totals.t1_ns() + forks_cold, "{name} under {scheduler}");
        }
        assert!(run(name, "heartbeat", 1, 1).time_ns >= totals.t1_ns());
    }
}
