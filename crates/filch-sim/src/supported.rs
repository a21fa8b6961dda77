//! Which schedulers can be simulated.

use crate::costs::Costs;
use filch_policy::{Rules, Scheduler, SchedulerKind, Staff};

/// A scheduler that cannot be simulated on this many workers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It has a setting that its preset does not have.
    #[error(transparent)]
    Setting(#[from] filch_policy::SettingError),
    /// One thread plays all workers.
    #[error(
        "`{0}` cannot be simulated: one thread plays all workers; expected one of: default, cilk5, heartbeat, \
         tascell, cab, serial"
    )]
    Played(Scheduler),
    /// The simulator has no model of it.
    #[error("`{0}` cannot be simulated; expected one of: default, cilk5, heartbeat, tascell, cab, serial")]
    NotModelled(Scheduler),
    /// It has one worker.
    #[error("`{0}` has one worker, not {1}")]
    Workers(Scheduler, usize),
}

/// The rules of a pool with this scheduler and this many workers, on a machine with these costs and as many processors.
///
/// # Errors
///
/// If the scheduler cannot be simulated.
///
/// ```
/// use filch_policy::Scheduler;
/// use filch_sim::{Costs, rules};
///
/// assert!(rules(&Scheduler::heartbeat(), &Costs::ASSUMED, 64).is_ok());
/// let error = rules(&Scheduler::chaos(1), &Costs::ASSUMED, 64).unwrap_err();
/// assert!(error.to_string().contains("one thread plays all workers"));
/// assert!(rules(&Scheduler::lazy(), &Costs::ASSUMED, 64).is_err());
/// ```
pub fn rules(scheduler: &Scheduler, costs: &Costs, workers: usize) -> Result<Rules, Unsupported> {
    scheduler.check()?;
    let rules = Rules::new(scheduler, costs.for_policy(workers.try_into().unwrap_or(u32::MAX)), true);
    let staff = Staff::of(scheduler);
    if matches!(staff, Staff::Player | Staff::Recorder) {
        Err(Unsupported::Played(scheduler.clone()))
    } else if rules.kind() == SchedulerKind::Lazy {
        Err(Unsupported::NotModelled(scheduler.clone()))
    } else if staff == Staff::Caller && workers != 1 {
        Err(Unsupported::Workers(scheduler.clone(), workers))
    } else {
        Ok(rules)
    }
}
