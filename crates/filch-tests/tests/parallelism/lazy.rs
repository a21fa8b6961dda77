//! Under the lazy scheduler no worker asks twice: what a worker does not offer now, it must offer later.

use filch::{Pool, Scheduler};
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Far longer than it takes.
const FOREVER: Duration = Duration::from_secs(100);

fn spin(micros: u64) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_micros(micros) {
        std::hint::spin_loop();
    }
}

/// Short loops that are signalled when nothing is left to be split, and joins afterwards.
#[test]
fn a_worker_that_had_nothing_to_split_offers_its_next_fork() {
    let pool = Pool::builder().workers(2).scheduler(Scheduler::lazy()).build().expect("a small pool");
    let rounds_of_both = Mutex::new(HashSet::new());
    pool.run(|mut s| {
        let owner = filch::current_worker();
        let see = |round: u64| {
            if filch::current_worker() != owner {
                rounds_of_both.lock().expect("not poisoned").insert(round);
            }
        };
        let begin = Instant::now();
        // A pool that has gone silent does so within the first few thousand rounds.
        for round in 0_u64.. {
            s.for_each(0..1 + round * 7919 % 60, |_, _| spin(2));
            s.join(|_| spin(20), |_| (see(round), spin(20)));
            let seen = rounds_of_both.lock().expect("not poisoned");
            if round > 5000 && seen.iter().filter(|&&seen| seen > 5000).count() > 20 {
                break;
            }
            assert!(begin.elapsed() < FOREVER, "last shared in round {:?} of {round}", seen.iter().max());
        }
    });
}
