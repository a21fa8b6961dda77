//! What sharing costs on this machine: measured ([`give`], [`take`], [`beat`]), and kept in a [file](mod@file).
//!
//! A measurement takes tens of milliseconds and two processors, so no caller waits for one unless it asks to. Until
//! there is one, costs are assumed; it is made when a pool is idle (`pool/background.rs`).
//!
//! May import: `constructs` and below.

mod beat;
mod capabilities;
mod file;
mod give;
mod program;
mod take;

pub use capabilities::Capabilities;

use crate::sync::process::PerProcess;
use crate::sync::{Mutex, lock};
use filch_policy::Costs;
use std::time::Duration;

/// How often this process tries to measure. A machine that was too busy twice, or has only one processor, is likely to
/// fail again.
const TRIES: u32 = 2;

/// What this process knows of the costs.
#[derive(Default)]
struct Known {
    costs: Option<Costs>,
    has_read: bool,
    failed: u32,
}

static KNOWN: PerProcess<Mutex<Known>> = PerProcess::new(Mutex::new(Known { costs: None, has_read: false, failed: 0 }));

/// Held during a measurement, so that there is only one at a time.
static MEASURING: PerProcess<Mutex<()>> = PerProcess::new(Mutex::new(()));

/// The costs that this process or the file has, or the assumed ones.
pub(crate) fn of_this_machine(capabilities: Capabilities) -> Costs {
    known(capabilities).unwrap_or(Costs::ASSUMED)
}

fn known(capabilities: Capabilities) -> Option<Costs> {
    let mut known = lock(KNOWN.get());
    if !known.has_read {
        known.has_read = true;
        known.costs = file::path(capabilities).as_deref().and_then(file::read);
    }
    known.costs
}

/// Whether to measure without being asked: the costs are not known, and there is a place to store them.
pub(crate) fn is_worth_measuring(capabilities: Capabilities) -> bool {
    file::path(capabilities).is_some() && known(capabilities).is_none()
}

/// Measures, unless the costs are known. False if that fails because no second processor is available.
pub(crate) fn measure(capabilities: Capabilities) -> bool {
    let _measuring = lock(MEASURING.get());
    if known(capabilities).is_some() {
        return true;
    }
    if lock(KNOWN.get()).failed >= TRIES {
        return false;
    }
    let take = if capabilities.taking() { take::take_cost() } else { Some(Duration::ZERO) };
    let costs = give::measure().zip(take).map(|(give, take)| {
        // Timers may be too coarse for enough beats. The other two figures matter to every pool.
        let (promotion, beat) = beat::measure().unwrap_or((Costs::ASSUMED.promotion, Costs::ASSUMED.beat));
        Costs { give, take, promotion, beat }
    });
    match costs {
        Some(costs) => {
            lock(KNOWN.get()).costs = Some(costs);
            if let Some(file) = file::path(capabilities) {
                // Another process may write the file at the same time. The figures of either are good enough, and a
                // file that cannot be written is not essential.
                let _ = file::write(&file, costs);
            }
        }
        None => lock(KNOWN.get()).failed += 1,
    }
    costs.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where the figures of this machine are kept already. A machine may be too busy for some of them.
    #[test]
    #[cfg_attr(miri, ignore = "times mean nothing there")]
    fn each_cost_can_be_measured() {
        let take = Capabilities::detect().taking().then(take::take_cost).flatten();
        let costs = [give::measure(), take, beat::measure().map(|(promotion, _)| promotion)];
        assert!(costs.iter().flatten().all(|cost| !cost.is_zero()), "{costs:?}");
    }
}
