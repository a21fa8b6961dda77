//! How long asks and takes took.

use crate::engine::team::Team;
use std::time::Duration;

/// How long the latest asks and takes of the workers of a pool took: up to some thousand for each worker, in no
/// particular order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Latencies {
    /// For asks that were granted, the time from the ask until the asker has the fork.
    pub asks: Vec<Duration>,
    /// For takes that succeeded, the time from the decision to take until the thief has the fork.
    pub takes: Vec<Duration>,
    /// For beats of heartbeat scheduling, the time until the worker has noticed the beat.
    pub polls: Vec<Duration>,
}

impl Latencies {
    pub(super) fn of(team: &Team) -> Self {
        let mut latencies = Latencies::default();
        team.add_times_to(&mut latencies.asks, &mut latencies.takes, &mut latencies.polls);
        latencies
    }
}
