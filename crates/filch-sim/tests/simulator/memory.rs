//! Caches on each socket, and memory.

use crate::rules;
use filch_sim::program::text::parse;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Outcome, Simulation, Sockets};

const PROGRAMS: [&str; 5] = [
    "heat:256,512,rows=8,steps=4",
    "sor:200,300,rows=16,steps=2",
    "gauss:60,512,rows=4",
    "mergesort:100000,leaf=3000",
    "phases:2,(heat:64,512,rows=8,steps=2),(mergesort:50000,leaf=3000)",
];

/// Lines in a block of memory.
const LINES: u64 = 64;

fn run(program: &str, scheduler: &str, sockets: usize, cache_bytes: u64, seed: u64) -> Outcome {
    let (program, costs) = (parse(program).expect("a program"), Costs::ASSUMED);
    let on = Sockets::even(16, sockets).expect("a multiple");
    let simulation = Simulation::new(&*program, rules(scheduler, costs, 16), costs, 16, seed).on(&on);
    simulation.with_boundary(3).with_caches(cache_bytes).run()
}

#[test]
fn leaves_that_touch_memory_are_run_once_and_take_their_misses_besides() {
    let costs = Costs::ASSUMED;
    for scheduler in ["default", "cilk5", "tascell", "heartbeat", "heartbeat,balancer=private", "cab"] {
        for sockets in [1, 4] {
            let mut misses_far = 0;
            for name in PROGRAMS {
                let totals = Totals::of(&*parse(name).expect("a program"), costs.fork_ns);
                let outcome = run(name, scheduler, sockets, 64 << 10, 1);
                let of = format!("{name} under {scheduler} on {sockets} sockets: {outcome:?}");
                assert_eq!((outcome.run.leaves, outcome.run.work_ns), (totals.leaves, totals.work_ns), "{of}");
                assert_eq!(outcome.open_claims, 0, "{of}");
                let counts = outcome.counts;
                let misses_ns = counts.misses_near * costs.line_ns + counts.misses_far * costs.far_line_ns;
                assert!(outcome.busy_ns >= totals.t1_ns() + misses_ns, "{of}");
                assert!(outcome.time_ns >= (totals.t1_ns() + misses_ns).div_ceil(16).max(totals.span_ns), "{of}");
                assert!(outcome.path_ns <= outcome.time_ns, "{of}");
                assert_eq!(outcome, run(name, scheduler, sockets, 64 << 10, 1), "{of}");
                misses_far += counts.misses_far;
            }
            // A single program may be so short that all of it runs on one socket.
            assert_eq!(misses_far > 0, sockets > 1, "{scheduler} on {sockets} sockets");
        }
    }
}

#[test]
fn a_cache_for_everything_on_one_socket_misses_each_block_once() {
    let program = parse(PROGRAMS[0]).expect("a program");
    for scheduler in ["default", "cilk5", "heartbeat"] {
        let counts = run(PROGRAMS[0], scheduler, 1, 1 << 30, 1).counts;
        assert_eq!(counts.misses_near, 2 * program.data_bytes() / 4096 * LINES, "two matrices, under {scheduler}");
    }
}

#[test]
fn without_caches_every_touch_is_a_miss_under_every_scheduler() {
    let misses = |scheduler| {
        let counts = run(PROGRAMS[1], scheduler, 4, 0, 1).counts;
        counts.misses_near + counts.misses_far
    };
    assert_eq!(misses("cilk5"), misses("default"));
    assert_eq!(misses("cilk5"), misses("cab"));
}
