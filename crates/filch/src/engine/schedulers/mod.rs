//! The schedulers: one file each, behind the seam [`Sharing`].
//!
//! - [`ask_take`]: `default`, `cilk5`, `tascell` and `serial`, and `cab` within a squad; what makes them different from
//!   each other are rules of `filch-policy`
//! - [`heartbeat`]: a frame leaves at each beat
//! - [`lazy`]: a frame leaves when the worker offers none
//! - [`chaos`]: one thread plays all workers

mod ask_take;
mod chaos;
pub(crate) mod heartbeat;
mod lazy;
#[cfg(test)]
mod prepare_tests;

use crate::engine::team::Sharing;
use filch_policy::{Rules, SchedulerKind};

/// The scheduler of a team with these rules.
pub(crate) fn of(rules: &Rules) -> &'static dyn Sharing {
    match rules.kind() {
        SchedulerKind::AskTake => &ask_take::AskTake,
        SchedulerKind::Heartbeat => &heartbeat::Heartbeat,
        SchedulerKind::Lazy => &lazy::Lazy,
        SchedulerKind::Chaos => &chaos::Play,
        // Nothing leaves a ladder that is shut, nor one to whose worker nobody else comes.
        SchedulerKind::Profile => &ask_take::AskTake,
    }
}
