//! What sharing costs on this machine: measured (`give_cost.rs`, `scheduler/calibrate.rs`), and kept in a file
//! (`cost_file.rs`).
//!
//! A measurement takes tens of milliseconds and two processors, so nobody waits for one who has not asked for it: what
//! is not known is assumed, and measured once a pool has nothing to do (`background.rs`).

use super::{Capabilities, cost_file, give_cost};
use crate::scheduler::{Costs, calibrate};
use crate::sync::{Mutex, lock, process::PerProcess};
use std::time::Duration;

/// What is assumed as long as nothing has been measured: the usual prices of a few cache misses and of interrupting a
/// processor.
const ASSUMED: Costs = Costs { give: Duration::from_nanos(700), take: Duration::from_micros(15) };

/// How often this process tries to measure. A machine that is too busy twice, or has no second processor, stays so.
const TRIES: u32 = 2;

/// What this process knows.
#[derive(Default)]
struct Known {
    costs: Option<Costs>,
    has_read: bool,
    failed: u32,
}

static KNOWN: PerProcess<Mutex<Known>> = PerProcess::new(Mutex::new(Known { costs: None, has_read: false, failed: 0 }));

/// Held while measuring, so that nobody else does.
static MEASURING: PerProcess<Mutex<()>> = PerProcess::new(Mutex::new(()));

/// The costs, from this process or from the file, or else assumed.
pub(super) fn of_this_machine(capabilities: Capabilities) -> Costs {
    known(capabilities).unwrap_or(ASSUMED)
}

fn known(capabilities: Capabilities) -> Option<Costs> {
    let mut known = lock(KNOWN.get());
    if !known.has_read {
        known.has_read = true;
        known.costs = cost_file::path(capabilities).as_deref().and_then(cost_file::read);
    }
    known.costs
}

/// Whether to measure unasked: nothing is known, and there is a place to keep it at.
pub(super) fn is_worth_measuring(capabilities: Capabilities) -> bool {
    cost_file::path(capabilities).is_some() && known(capabilities).is_none()
}

/// Measures, unless the costs are known. False if that fails: there is no second processor to be had.
pub(super) fn measure(capabilities: Capabilities) -> bool {
    let _measuring = lock(MEASURING.get());
    if known(capabilities).is_some() {
        return true;
    }
    if lock(KNOWN.get()).failed >= TRIES {
        return false;
    }
    let take = if capabilities.taking() { calibrate::take_cost() } else { Some(Duration::ZERO) };
    let costs = give_cost::measure().zip(take).map(|(give, take)| Costs { give, take });
    match costs {
        Some(costs) => {
            lock(KNOWN.get()).costs = Some(costs);
            if let Some(file) = cost_file::path(capabilities) {
                // Another process may do the same at the same time: either's figures will do. One that cannot be
                // written is done without.
                let _ = cost_file::write(&file, costs);
            }
        }
        None => lock(KNOWN.get()).failed += 1,
    }
    costs.is_some()
}
