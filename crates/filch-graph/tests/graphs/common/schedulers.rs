//! Pools of every scheduler.

use super::lists::pools;
use filch::{Pool, Scheduler};
use std::time::Duration;

/// The pools of [`pools`], and one for each preset, which shares as often as it can.
pub(crate) fn all_pools() -> Vec<Pool> {
    let presets = Scheduler::presets().map(|scheduler| {
        let eager = scheduler.clone().with_period(Duration::ZERO);
        let scheduler = if eager.check().is_ok() { eager } else { scheduler };
        let workers = if scheduler == Scheduler::serial() { 1 } else { 3 };
        Pool::builder().workers(workers).scheduler(scheduler).build().expect("threads start")
    });
    pools().into_iter().chain(presets).collect()
}
