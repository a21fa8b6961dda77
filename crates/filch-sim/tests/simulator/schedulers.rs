//! What tells the schedulers apart.

use crate::run;

const PROGRAM: &str = "fib:22,leaf=3us";

#[test]
fn each_scheduler_shares_in_its_own_way() {
    let counts = |scheduler: &str| run(PROGRAM, scheduler, 16, 1).counts;
    let default = counts("default");
    assert!(default.gifts > 0 && default.promotions == 0, "{default:?}");
    let cilk5 = counts("cilk5");
    assert!(cilk5.takes > 0 && (cilk5.asks, cilk5.gifts) == (0, 0), "{cilk5:?}");
    assert_eq!(cilk5.moved, cilk5.takes);
    let tascell = counts("tascell");
    assert!(tascell.asks > 0 && tascell.gifts > 0 && tascell.takes == 0, "{tascell:?}");
    let heartbeat = counts("heartbeat");
    assert!(heartbeat.promotions > 0 && heartbeat.takes == 0, "{heartbeat:?}");
    assert_eq!((heartbeat.promotions, heartbeat.asks), (heartbeat.gifts, 0));
    assert!(counts("heartbeat,balancer=private").asks > 0);
}

#[test]
fn frames_that_move_were_given_or_taken_and_given_ones_move_or_come_back() {
    for scheduler in ["default", "cilk5", "tascell", "heartbeat", "heartbeat,balancer=private"] {
        for seed in 0..10 {
            let counts = run(PROGRAM, scheduler, 16, seed).counts;
            assert_eq!(counts.moved + counts.reclaimed, counts.gifts + counts.takes, "{scheduler}: {counts:?}");
            // Others are offered without an ask. `tascell` offers none, and its workers take back frames that no asker
            // has collected.
            assert!(replies(&counts) <= counts.gifts, "{scheduler}: {counts:?}");
            if scheduler == "tascell" {
                assert_eq!(replies(&counts), counts.gifts - counts.reclaimed, "{counts:?}");
            }
        }
    }
}

/// Asks that were answered with a frame.
fn replies(counts: &filch_sim::Counts) -> u64 {
    counts.asks - counts.refusals - counts.withdrawals
}

#[test]
fn gifts_are_bounded_by_the_period_and_a_burst() {
    for workers in [2, 16, 100] {
        for seed in 0..5 {
            let outcome = run(PROGRAM, "default,period=20us", workers, seed);
            assert!(outcome.most_gifts <= outcome.time_ns / 20_000 + 8, "{outcome:?}");
        }
    }
}

#[test]
fn with_much_parallelism_all_workers_are_busy_most_of_the_time() {
    for scheduler in ["default", "cilk5", "tascell", "heartbeat"] {
        let outcome = run("fib:26,leaf=10us", scheduler, 16, 1);
        assert!(outcome.idle_share() < 0.2, "{scheduler}: {outcome:?}");
        assert!(outcome.ramp_ns.is_some(), "{scheduler}: {outcome:?}");
    }
}
