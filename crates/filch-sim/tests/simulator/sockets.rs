//! Workers on several sockets.

use crate::{PROGRAMS, rules, totals};
use filch_sim::{Costs, Outcome, Simulation, Sockets};

fn run(program: &str, scheduler: &str, costs: Costs, sockets: usize, seed: u64) -> Outcome {
    let (program, _) = totals(program);
    let on = Sockets::even(16, sockets).expect("16 is a multiple");
    Simulation::new(&*program, rules(scheduler, costs, 16), costs, 16, seed).on(&on).run()
}

#[test]
fn on_one_socket_a_run_is_what_it_is_where_nothing_is_known_of_sockets_whatever_far_costs() {
    let dear = Costs { far_ns: 1_000_000, ..Costs::ASSUMED };
    for name in PROGRAMS {
        for scheduler in ["default", "cilk5", "tascell", "heartbeat"] {
            let (program, _) = totals(name);
            let plain = Simulation::new(&*program, rules(scheduler, dear, 16), Costs::ASSUMED, 16, 3).run();
            assert_eq!(run(name, scheduler, dear, 1, 3), plain, "{name} under {scheduler}");
            assert_eq!((plain.counts.messages_far, plain.counts.moved_far), (0, 0));
        }
    }
}

#[test]
fn most_of_what_moves_stays_on_its_socket_and_a_message_to_another_one_costs_what_is_said() {
    let name = "fib:20,leaf=5us";
    for scheduler in ["default", "cilk5", "tascell", "heartbeat"] {
        let counts = || (0..10).map(|seed| run(name, scheduler, Costs::ASSUMED, 4, seed).counts);
        let (moved, far) = counts().fold((0, 0), |(moved, far), it| (moved + it.moved, far + it.moved_far));
        // Of the 15 others 3 are near, and they are visited first.
        assert!(0 < far && far * 15 < moved * 12, "{scheduler}: {far} of {moved}");
        let time_ns = |far_ns| -> u64 {
            (0..10).map(|seed| run(name, scheduler, Costs { far_ns, ..Costs::ASSUMED }, 4, seed).time_ns).sum()
        };
        assert!(time_ns(500_000) > time_ns(100), "{scheduler}");
    }
}

#[test]
fn each_leaf_is_run_once_on_any_number_of_sockets() {
    for name in PROGRAMS {
        let (_, totals) = totals(name);
        for scheduler in ["default", "cilk5", "tascell", "heartbeat,balancer=private"] {
            for sockets in [2, 4, 16] {
                let outcome = run(name, scheduler, Costs::ASSUMED, sockets, 1);
                assert_eq!((outcome.run.leaves, outcome.open_claims), (totals.leaves, 0), "{name} under {scheduler}");
                assert!(outcome.time_ns >= totals.span_ns.max(totals.t1_ns().div_ceil(16)), "{name}: {outcome:?}");
                assert_eq!(outcome, run(name, scheduler, Costs::ASSUMED, sockets, 1));
            }
        }
    }
}
