//! What sharing costs on this machine: measured once (`give_cost.rs`, `scheduler/calibrate.rs`), and kept in a file
//! (`cost_file.rs`).

use super::{Capabilities, cost_file, give_cost};
use crate::scheduler::{Costs, calibrate};
use crate::sync::{Mutex, lock, process::PerProcess};
use std::time::Duration;

/// Where nothing is shared.
pub(super) const NONE: Costs = Costs { give: Duration::ZERO, take: Duration::ZERO };

/// What is assumed while no measurement has succeeded: the paper's 1.5 µs, and the usual price of interrupting a
/// processor.
const UNMEASURED: Costs = Costs { give: Duration::from_nanos(1_500), take: Duration::from_micros(15) };

/// How often this process tries to measure. A machine that is too busy twice, or has no second processor, stays so.
const TRIES: u32 = 2;

/// What this process knows.
#[derive(Default)]
struct Known {
    costs: Option<Costs>,
    failed: u32,
}

/// Held while measuring, so that of pools that are built at the same time one measures and does so undisturbed.
static KNOWN: PerProcess<Mutex<Known>> = PerProcess::new(Mutex::new(Known { costs: None, failed: 0 }));

/// The costs, from this process, from the file, or measured.
pub(super) fn of_this_machine(capabilities: Capabilities) -> Costs {
    let mut known = lock(KNOWN.get());
    if known.costs.is_none() && known.failed < TRIES {
        known.costs = kept_or_measured(capabilities);
        known.failed += u32::from(known.costs.is_none());
    }
    known.costs.unwrap_or(UNMEASURED)
}

fn kept_or_measured(capabilities: Capabilities) -> Option<Costs> {
    let file = cost_file::path(capabilities);
    if let Some(costs) = file.as_deref().and_then(cost_file::read) {
        return Some(costs);
    }
    let take = if capabilities.taking() { calibrate::take_cost() } else { Some(Duration::ZERO) };
    let (give, take) = give_cost::measure().zip(take)?;
    let costs = Costs { give, take };
    if let Some(file) = &file {
        // Another process may do the same at the same time: either's figures will do. One that cannot be written is done
        // without.
        let _ = cost_file::write(file, costs);
    }
    Some(costs)
}
