//! How long sharing took lately.

use crate::engine::team::Team;
use std::time::Duration;

/// How long the latest asks and takes of a pool's workers took, some thousand per worker; in no particular order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Latencies {
    /// From asking to having the fork in hand, of asks that were granted.
    pub asks: Vec<Duration>,
    /// From the decision to take to having the fork, of takes that succeeded.
    pub takes: Vec<Duration>,
}

impl Latencies {
    pub(super) fn of(team: &Team) -> Self {
        let mut latencies = Latencies::default();
        team.add_times_to(&mut latencies.asks, &mut latencies.takes);
        latencies
    }
}
