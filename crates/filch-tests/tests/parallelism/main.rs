//! Parallelism: no worker is idle beside work that it may run, whatever the shape of the program.
//!
//! No time is measured, but a test that would never end fails. In most shapes each piece of work waits until as many
//! others have begun as there are workers, so a worker that sleeps while a piece is left to begin shows. Where calls
//! are the subject (`calls`), the cause is counted, too: sleeps that lasted until their time was over although there
//! was work ([`filch::Counters::late_wakes`]).
#![allow(missing_docs)]
// Shapes need many threads that block, which takes Miri for ever, and the sanitizer long enough for threads to
// oversleep.
#![cfg(not(any(miri, filch_sanitizer = "thread")))]

mod at_once;
mod calls;
#[path = "../common/mod.rs"]
mod common;
mod drawn;
mod helping;
mod lazy;
mod loops;
mod meeting;
mod shapes;
mod traversals;

use common::{eager_pool, takes};
use filch::Pool;

/// Workers of the pools that shapes are tried on: few, and far more than there are cores. All of them sleep at the same
/// time.
const WORKERS: [usize; 3] = [3, 8, 64];

/// Runs `shape` several times on pools of all sizes, under schedulers by which another worker begins work while
/// its owner blocks.
fn on_all_pools(shape: impl Fn(&Pool)) {
    on_pools(&WORKERS, shape);
}

fn on_pools(workers: &[usize], shape: impl Fn(&Pool)) {
    if !takes() {
        return;
    }
    for &workers in workers {
        let pool = eager_pool(workers);
        for round in 0..6 {
            // Awake, asleep for a little, and for long.
            std::thread::sleep(std::time::Duration::from_millis([0, 2, 30][round % 3]));
            shape(&pool);
        }
    }
}

/// Sleepers have been called for work. On a busy machine, the time of a sleep may end just before the call.
fn assert_no_worker_was_late(pool: &Pool) {
    let counters = pool.counters();
    let workers = pool.num_workers();
    assert!(
        counters.late_wakes <= 2 + counters.parks / 200,
        "of {workers} workers, some slept on beside work: {counters}"
    );
}

#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
