//! Both bounds of heartbeat scheduling, on every run (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, sections
//! 2 and 3).

use filch_policy::{Rules, Scheduler};
use filch_sim::program::text::parse;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Simulation};
use std::time::Duration;

/// A step that a worker cannot interrupt is at most this long in the programs here.
const LONGEST_LEAF_NS: u64 = 10_000;

#[test]
fn promotions_are_bounded_by_the_work_and_the_span_grows_by_a_factor_at_most() {
    let costs = Costs::ASSUMED;
    let tau_ns = costs.promotion_ns;
    for seed in 0..40 {
        let text = format!("random:{},leaf=100ns..10us,seed={seed}", 200 + 97 * seed);
        let program = parse(&text).expect("a program");
        let totals = Totals::of(&*program, costs.fork_ns);
        // In the fully parallel semantics, to which the theorem compares, each fork costs τ.
        let span_ns = Totals::of(&*program, costs.fork_ns + tau_ns).span_ns;
        for period_us in [5, 40, 400] {
            for balancer in ["concurrent", "private", "mixed"] {
                for workers in [1, 2, 8, 64] {
                    let scheduler: Scheduler = format!("heartbeat,balancer={balancer}").parse().expect("a scheduler");
                    let scheduler = scheduler.with_period(Duration::from_micros(period_us));
                    let rules = Rules::new(&scheduler, costs.for_policy(workers as u32), true);
                    let outcome = Simulation::new(&*program, rules, costs, workers, seed).run();
                    let of = format!("{text} under {scheduler} on {workers}: {outcome:?}");
                    let period_ns = period_us * 1_000;

                    if workers == 1 {
                        // Each beat costs its promotion, the return that notices it, and taking the frame back.
                        let beats = outcome.time_ns / period_ns + 1;
                        let most_ns = totals.t1_ns() + beats * (tau_ns + 3 * costs.poll_ns);
                        assert!(outcome.time_ns <= most_ns, "{of}");
                    }
                    // At most t/N + 1 promotions by each worker.
                    assert!(outcome.most_promotions <= outcome.time_ns / period_ns + 1, "{of}");

                    // The thread that beats looks once per N, and the worker notices at its next return. So a frame
                    // waits for 2 N and for one leaf at most, and the work done meanwhile is on the path.
                    let late_ns = 2 * period_ns + LONGEST_LEAF_NS + outcome.longest_poll_ns;
                    let factor = 1.0 + late_ns as f64 / tau_ns as f64;
                    assert!(outcome.path_ns as f64 <= factor * span_ns as f64, "{of}");
                    assert!(outcome.counts.beats >= outcome.counts.promotions, "{of}");
                }
            }
        }
    }
}
