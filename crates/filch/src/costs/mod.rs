//! What sharing costs on this machine: measured ([`give`], [`take`], [`beat`]), and kept in a [file](mod@file).
//!
//! - [`comparison`], [`programs`]: how a cost is measured by programs
//! - [`measured`]: figures, and how far their estimates lie apart
//!
//! A measurement takes tens of milliseconds and two processors, so no caller waits for one unless it asks to. Until
//! there is one, costs are assumed; it is made when a pool is idle (`pool/background.rs`).
//!
//! May import: `constructs` and below.

mod beat;
mod capabilities;
mod comparison;
mod file;
mod give;
mod measured;
mod programs;
mod take;

pub use capabilities::Capabilities;
pub use measured::{Measured, MeasuredCosts};

use crate::sync::process::PerProcess;
use crate::sync::{Mutex, lock};
use filch_policy::Costs;

/// How often this process tries to measure. A machine that was too busy twice, or has only one processor, is likely to
/// fail again.
const TRIES: u32 = 2;

/// What this process knows of the costs.
#[derive(Default)]
struct Known {
    costs: MeasuredCosts,
    has_read: bool,
    failed: u32,
}

const NOTHING: Known =
    Known { costs: MeasuredCosts { give: None, take: None, promotion: None, beat: None }, has_read: false, failed: 0 };

static KNOWN: PerProcess<Mutex<Known>> = PerProcess::new(Mutex::new(NOTHING));

/// Held during a measurement, so that there is only one at a time.
static MEASURING: PerProcess<Mutex<()>> = PerProcess::new(Mutex::new(()));

/// The costs that this process or the file has, and the assumed ones where these are not known.
pub(crate) fn of_this_machine(capabilities: Capabilities) -> Costs {
    known(capabilities).costs()
}

/// What has been measured on this machine, by this process or another one.
pub(crate) fn known(capabilities: Capabilities) -> MeasuredCosts {
    let mut known = lock(KNOWN.get());
    if !known.has_read {
        known.has_read = true;
        known.costs = file::path(capabilities).as_deref().map_or_else(MeasuredCosts::default, file::read);
    }
    known.costs
}

/// Whether to measure without being asked: some cost is not known, and there is a place to store it.
pub(crate) fn is_worth_measuring(capabilities: Capabilities) -> bool {
    file::path(capabilities).is_some() && !known(capabilities).are_complete(capabilities.taking())
}

/// Measures what is not known. False if that fails because no second processor is available.
pub(crate) fn measure(capabilities: Capabilities) -> bool {
    let _measuring = lock(MEASURING.get());
    let (before, can_take) = (known(capabilities), capabilities.taking());
    if before.are_complete(can_take) {
        return true;
    }
    if lock(KNOWN.get()).failed >= TRIES {
        return false;
    }
    let costs = before.completed(can_take);
    let is_complete = costs.are_complete(can_take);
    {
        let mut known = lock(KNOWN.get());
        known.costs = costs;
        known.failed += u32::from(!is_complete);
    }
    if costs != before
        && let Some(file) = file::path(capabilities)
    {
        // Another process may write the file at the same time. The figures of either are good enough, and a file that
        // cannot be written is not essential.
        let _ = file::write(&file, costs);
    }
    is_complete
}

impl MeasuredCosts {
    /// These, and where they miss something, what is measured.
    pub(super) fn completed(self, can_take: bool) -> Self {
        let bounded = |measured: Option<Measured>, assumed| Some(measured?.within_bounds(assumed));
        let assumed = Costs::ASSUMED;
        MeasuredCosts {
            give: self.give.or_else(|| bounded(give::measure(), assumed.give)),
            take: self.take.or_else(|| if can_take { bounded(take::measure(), assumed.take) } else { None }),
            promotion: self.promotion.or_else(|| bounded(beat::promotion(), assumed.promotion)),
            beat: self.beat.or_else(|| bounded(beat::sleep(), assumed.beat)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Also where the figures of this machine are kept already. A machine may be too busy for some of them.
    #[test]
    #[cfg_attr(miri, ignore = "times mean nothing there")]
    fn each_cost_can_be_measured() {
        let take = Capabilities::detect().taking().then(take::measure).flatten();
        let costs = [give::measure(), take, beat::promotion(), beat::sleep()];
        for Measured { cost, least, most } in costs.into_iter().flatten() {
            assert!(Duration::ZERO < least && least <= cost && cost <= most, "{costs:?}");
        }
    }
}
