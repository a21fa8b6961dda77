//! Helpers shared by several tests.

#![allow(dead_code)] // Each test uses a part of it.

use filch::{Pool, Scheduler};

pub(crate) mod files;
pub(crate) mod sg;

/// Pools with one to five workers, and pools with the chaos scheduler, which makes random decisions.
pub(crate) fn pools() -> Vec<Pool> {
    let threads = [1, 2, 3, 5].into_iter().map(|workers| Pool::builder().workers(workers));
    let chaos = (0..4).map(|seed| Pool::builder().workers(3).scheduler(Scheduler::chaos(seed)));
    threads.chain(chaos).map(|pool| pool.build().expect("threads start")).collect()
}
