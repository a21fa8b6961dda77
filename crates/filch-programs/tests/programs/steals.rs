//! The number of attempts to steal, against P·T∞.

use filch::{Pool, Scheduler};
use filch_programs::knary::Knary;
use std::time::Duration;

/// For the randomised scheduler of Cilk-5, the expected number of attempts is O(P·T∞), whatever the work is (Frigo,
/// Leiserson and Randall 1998, section 3). These trees have the same span within a factor of 30, and the work of one of
/// them is 50 times that of another. The attempts stay below the same multiple of P·T∞ for all, and it is a small one:
/// one node takes part in as many attempts as workers can make while it is the oldest.
#[test]
fn attempts_to_steal_are_bounded_by_workers_times_span() {
    /// Attempts per worker and unit of span. `filch paper steals` finds 0.1 to 0.3.
    const ENOUGH: u64 = 8;
    let trees = [(12, 2, 0), (7, 4, 1), (6, 5, 2), (5, 8, 6), (8, 4, 1)];
    for workers in [2, 4] {
        let scheduler = Scheduler::cilk5().with_period(Duration::ZERO);
        let Ok(pool) = Pool::builder().workers(workers).scheduler(scheduler).build() else {
            return; // this system has no barrier for takes
        };
        for (height, degree, serial) in trees {
            let tree = Knary { height, degree, serial };
            let mut instance = tree.instance().unwrap();
            for _ in 0..5 {
                let before = pool.counters();
                pool.run(|s| instance.filch(s));
                let attempts = pool.counters().since(&before).steal_attempts;
                let most = ENOUGH * workers as u64 * tree.span();
                assert!(attempts <= most, "{tree:?} on {workers}: {attempts} attempts, P·T∞ allows {most}");
                assert_eq!(instance.verify(), Ok(()));
            }
        }
    }
}
