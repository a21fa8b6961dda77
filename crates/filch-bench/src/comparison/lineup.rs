//! The runners that take part in a comparison.

use filch::Scheduler;

use super::plan::{Comparison, Peer};
use crate::failure::Failure;
use crate::measure::runner::{Runner, SERIAL, SERIAL_AGAIN, SERIAL_WITH_CUT_OFF};

/// The runners of a comparison. The serial elision takes part twice, to show the noise.
pub fn line_up(comparison: &Comparison) -> Result<Vec<Runner>, Failure> {
    let mut runners = Vec::new();
    if comparison.against.contains(&Peer::Serial) {
        runners.push(Runner::serial(SERIAL));
        runners.push(Runner::serial(SERIAL_AGAIN));
        if comparison.grain.is_some() {
            runners.push(Runner::serial(SERIAL_WITH_CUT_OFF));
        }
    }
    for scheduler in &comparison.schedulers {
        // The serial scheduler always has one worker.
        let only_one = *scheduler == Scheduler::serial();
        let workers = if only_one { &[1] } else { &comparison.workers[..] };
        for &workers in workers {
            runners.push(Runner::filch(&comparison.pools, scheduler, workers)?);
        }
    }
    if comparison.against.contains(&Peer::Rayon) {
        for &workers in &comparison.workers {
            runners.push(Runner::rayon(workers)?);
        }
    }
    if comparison.against.contains(&Peer::RayonTuned) {
        for &workers in &comparison.workers {
            runners.push(Runner::rayon_tuned(workers)?);
        }
    }
    if comparison.against.contains(&Peer::Chili) {
        runners.extend(comparison.workers.iter().map(|&w| Runner::chili(w)));
    }
    Ok(runners)
}
