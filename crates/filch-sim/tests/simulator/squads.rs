//! Squads, and the two tiers of CAB.

use crate::{PROGRAMS, rules, totals};
use filch_sim::{Costs, Outcome, Simulation, Sockets};

fn run(program: &str, scheduler: &str, workers: usize, sockets: usize, boundary: u32, seed: u64) -> Outcome {
    let (program, _) = totals(program);
    let (on, costs) = (Sockets::even(workers, sockets).expect("a multiple"), Costs::ASSUMED);
    let simulation = Simulation::new(&*program, rules(scheduler, costs, workers), costs, workers, seed);
    simulation.on(&on).with_boundary(boundary).run()
}

/// A scheduler, the numbers of workers and of sockets, and boundary levels: without squads, with one or two of them
/// busy, on the level of equation 4, below all forks.
const SETTINGS: [(&str, usize, usize, &[u32]); 5] = [
    ("cab", 4, 2, &[1, 3]),
    ("cab", 4, 4, &[2]),
    ("cab", 16, 4, &[0, 1, 2, 3, 6, 30]),
    ("cab,wait=any", 16, 4, &[2, 3, 30]),
    ("cab", 100, 5, &[3, 6]),
];

#[test]
fn under_squads_each_leaf_is_run_once_and_equal_seeds_give_equal_runs() {
    for name in PROGRAMS {
        let (_, totals) = totals(name);
        for (scheduler, workers, sockets, boundaries) in SETTINGS {
            for &boundary in boundaries {
                let outcome = run(name, scheduler, workers, sockets, boundary, 1);
                let of = format!("{name}, {scheduler}, {workers} on {sockets}, boundary {boundary}: {outcome:?}");
                assert_eq!((outcome.run.leaves, outcome.run.forks), (totals.leaves, totals.forks), "{of}");
                assert_eq!((outcome.run.work_ns, outcome.open_claims), (totals.work_ns, 0), "{of}");
                assert!(outcome.time_ns >= totals.t1_ns().div_ceil(workers as u64), "{of}");
                assert!((totals.span_ns..=outcome.time_ns).contains(&outcome.path_ns), "{of}");
                assert_eq!(outcome, run(name, scheduler, workers, sockets, boundary, 1), "{of}");
            }
        }
    }
}

#[test]
fn only_inter_socket_tasks_move_between_sockets_and_only_above_the_boundary() {
    for name in PROGRAMS {
        for boundary in [1, 2, 3, 5] {
            for seed in 0..3 {
                let counts = run(name, "cab", 16, 4, boundary, seed).counts;
                let of = format!("{name}, boundary {boundary}: {counts:?}");
                assert_eq!(counts.moved_far, counts.stolen_across, "{of}");
                assert!(counts.stolen_across <= counts.tasks_across && counts.tasks_across <= counts.moved, "{of}");
                assert!(counts.tasks_across <= counts.inter_tasks / 2, "of two branches one is left: {of}");
                let shared = counts.tasks_across + counts.reclaimed;
                assert!(shared >= counts.inter_tasks / 2, "what was left was begun: {of}");
                let all = counts.gifts + counts.takes + counts.inter_tasks / 2;
                assert_eq!(counts.moved + counts.reclaimed, all, "each frame that was shared is run once: {of}");
            }
        }
    }
}

/// Loops are halved, so a level has twice as many tasks as the one above.
#[test]
fn there_are_as_many_tasks_on_the_boundary_as_equation_4_says() {
    for boundary in [2, 3, 4, 6] {
        let counts = run("loop:4096,body=4us", "cab", 16, 4, boundary, 1).counts;
        assert_eq!(counts.leaf_tasks, 1 << (boundary - 1), "B^(BL - 1): {counts:?}");
        assert_eq!(counts.inter_tasks, (1 << boundary) - 2, "without the first task: {counts:?}");
    }
}

#[test]
fn with_a_boundary_level_of_0_or_on_one_socket_this_is_ordinary_work_stealing() {
    for name in ["fib:18,leaf=2us", "loop:2000,body=4us"] {
        for (sockets, boundary) in [(4, 0), (1, 3)] {
            let counts = run(name, "cab", 16, sockets, boundary, 1).counts;
            assert_eq!((counts.inter_tasks, counts.tasks_across), (0, 0), "{counts:?}");
        }
        let (one, plain) = (run(name, "cab", 16, 1, 3, 1), run(name, "default", 16, 1, 0, 1));
        assert_eq!(one, plain, "{name}");
    }
}

/// Chen, Huang, Guo and Zhou 2011, section V-C: with BL = 1 one squad has all, and with BL = 2 two of them have.
#[test]
fn too_low_a_boundary_level_starves_squads() {
    let program = "loop:4096,body=20us";
    let speed_up = |boundary| {
        let outcome = run(program, "cab", 16, 4, boundary, 1);
        totals(program).1.t1_ns() as f64 / outcome.time_ns as f64
    };
    let speed_ups = [1, 2, 3].map(speed_up);
    for (speed_up, squads) in speed_ups.into_iter().zip([1.0, 2.0, 4.0]) {
        assert!((0.85 * 4.0 * squads..=4.0 * squads).contains(&speed_up), "{speed_ups:?}");
    }
}
