//! Affinity: parts go to the workers that had them last.

use crate::rules;
use filch_sim::program::text::parse;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Outcome, Simulation, Sockets};

/// The four programs of figure 4 of Chen, Huang, Guo and Zhou 2011, with an eighth of the data.
const PROGRAMS: [&str; 4] =
    ["heat:512,256,rows=64", "mergesort:131072", "sor:512,256,rows=64", "gauss:256,512,rows=32"];

/// An eighth of the paper's.
const CACHE_BYTES: u64 = 768 << 10;

fn run(program: &str, scheduler: &str, sockets: usize, affinity: bool, seed: u64) -> Outcome {
    let (program, costs) = (parse(program).expect("a program"), Costs::ASSUMED);
    let on = Sockets::even(16, sockets).expect("a multiple");
    let simulation = Simulation::new(&*program, rules(scheduler, costs, 16), costs, 16, seed).on(&on);
    let simulation = simulation.with_boundary(3).with_caches(CACHE_BYTES);
    if affinity { simulation.with_affinity() } else { simulation }.run()
}

#[test]
fn with_affinity_each_leaf_is_run_once_and_equal_seeds_give_equal_runs() {
    for name in PROGRAMS {
        let totals = Totals::of(&*parse(name).expect("a program"), Costs::ASSUMED.fork_ns);
        for scheduler in ["default", "cilk5", "tascell", "heartbeat", "cab", "cab,wait=any"] {
            for sockets in [1, 4] {
                let outcome = run(name, scheduler, sockets, true, 1);
                let of = format!("{name} under {scheduler} on {sockets}: {outcome:?}");
                assert_eq!((outcome.run.leaves, outcome.run.work_ns), (totals.leaves, totals.work_ns), "{of}");
                assert_eq!((outcome.run.forks, outcome.open_claims), (totals.forks, 0), "{of}");
                assert!((totals.span_ns..=outcome.time_ns).contains(&outcome.path_ns), "{of}");
                assert_eq!(outcome, run(name, scheduler, sockets, true, 1), "{of}");
            }
        }
    }
}

#[test]
fn affinity_saves_two_misses_in_five_or_more() {
    for name in PROGRAMS {
        for (affine, flat) in [("cab", "cilk5"), ("cab", "default"), ("cilk5", "cilk5"), ("default", "default")] {
            let misses = |scheduler, affinity| {
                let counts = [1, 2].map(|seed| run(name, scheduler, 4, affinity, seed).counts);
                counts.map(|counts| counts.misses_near + counts.misses_far).iter().sum::<u64>() as f64
            };
            let share = misses(affine, true) / misses(flat, false);
            assert!(share <= 0.6, "{name}: {share:.2} with affinity under {affine} beside {flat}");
        }
    }
}
