//! The runtime and the simulator under the same changes of the policy: both must change their counts alike. The changes
//! are settings of the scheduler, so that the same functions of `filch-policy` make both decide otherwise.

use filch::{Pool, Strand};
use filch_sim::program::text::parse;
use filch_sim::program::{Node, Program, Shape};
use filch_sim::{Costs, Simulation};
use std::time::{Duration, Instant};

/// With forks that are nested much deeper than a worker may give in a row.
const DEEP: &str = "skew:90,step=45,leaf=50us";

const WORKERS: usize = 2;
const RUNS: u64 = 20;

/// What is compared.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    asks: u64,
    gifts: u64,
    takes: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.asks += other.asks;
        self.gifts += other.gifts;
        self.takes += other.takes;
    }
}

pub(crate) fn spin(work_ns: u64) {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_nanos(work_ns) {
        std::hint::spin_loop();
    }
}

pub(crate) fn walk(mut s: Strand<'_>, program: &(dyn Program + Sync), node: Node) {
    match program.open(node) {
        Shape::Leaf { work_ns } => spin(work_ns),
        Shape::Tail { work_ns, next } => {
            spin(work_ns);
            walk(s, program, next);
        }
        Shape::Fork { work_ns, first, second } => {
            spin(work_ns);
            s.join(|s| walk(s, program, first), |s| walk(s, program, second));
        }
        Shape::Then { work_ns, first, then } => {
            spin(work_ns);
            walk(s.reborrow(), program, first);
            walk(s, program, then);
        }
    }
}

/// The sums over several runs: of one pool of the runtime, and in the simulator, where each begins with full credits.
fn counts(scheduler: &str) -> [Counts; 2] {
    let program = parse(DEEP).expect("a program");
    let mut simulated = Counts::default();
    let pool = scheduler.parse().map(|scheduler| Pool::builder().workers(WORKERS).scheduler(scheduler).build());
    let pool = pool.expect("a scheduler").expect("a pool");
    for seed in 0..RUNS {
        pool.run(|s| walk(s, &*program, program.root()));
        let rules = crate::rules(scheduler, Costs::ASSUMED, WORKERS);
        let counted = Simulation::new(&*program, rules, Costs::ASSUMED, WORKERS, seed).run().counts;
        simulated += Counts { asks: counted.asks, gifts: counted.gifts, takes: counted.takes };
    }
    let counted = pool.counters();
    let measured = Counts { asks: counted.asks, gifts: counted.forks_given, takes: counted.forks_taken };
    [measured, simulated]
}

/// How often in a row a worker may give.
const BURST: u64 = 8;

#[test]
fn without_a_period_both_give_more_and_with_a_long_one_each_worker_gives_a_burst() {
    let long = counts("default,period=1000s");
    let none = counts("default,period=0ns");
    // The credits of the pool are not full again before its next run.
    let mosts = [1, RUNS].map(|fillings| fillings * WORKERS as u64 * BURST);
    for ((long, none), most) in long.into_iter().zip(none).zip(mosts) {
        assert!((1..=most).contains(&long.gifts), "{long:?}, without a period {none:?}");
        assert!(none.gifts > 2 * long.gifts, "{long:?}, without a period {none:?}");
    }
}

#[test]
fn a_thief_that_never_loses_patience_takes_nothing_and_one_that_only_takes_never_asks_in_both() {
    for patient in counts("default,patience=never") {
        assert!(patient.gifts > 0 && patient.takes == 0, "{patient:?}");
    }
    for taker in counts("cilk5") {
        assert!((taker.asks, taker.gifts) == (0, 0) && taker.takes > 0, "{taker:?}");
    }
}
