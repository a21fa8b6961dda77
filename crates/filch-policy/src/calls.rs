//! Which sleeping threads are called when there is something to do, and how a thread sleeps.
//!
//! Decided from who has the role of the sentinel, the one idle thread that always looks for work again while a run is
//! active, and from what there is to do. A fork does not look for sleepers. So it is the worker that gets something
//! that calls the next one, and the number of workers that are awake grows like a tree.

use crate::rest::Plan;

/// The sentinel, as a thread that calls sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sentinel {
    /// No thread has the role.
    Nobody,
    /// It naps, or looks for work: it looks soon by itself.
    Looks,
    /// It sleeps until it is called.
    Watches,
}

/// Whom to call so that a thread looks for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Nobody: a thread looks anyway.
    Nobody,
    /// The sentinel.
    Sentinel,
    /// A sleeper, which then takes the role.
    Sleeper,
}

impl Sentinel {
    /// Whom to call so that at least one thread looks for work.
    pub fn call(self) -> Call {
        match self {
            Sentinel::Nobody => Call::Sleeper,
            Sentinel::Looks => Call::Nobody,
            Sentinel::Watches => Call::Sentinel,
        }
    }
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A run has forked for the first time, a scope has got a task, a thread is about to run something, or a seat has
    /// become free.
    Change,
    /// There is more to share than what the caller has just taken, or a ladder has something to share, or soon will.
    More,
    /// There is something to run that no thread of the team knows of.
    Foreign,
}

impl Occasion {
    /// Whether the caller makes sure that at least one thread [looks](Sentinel::call).
    pub fn calls_sentinel(self) -> bool {
        matches!(self, Occasion::Change | Occasion::More)
    }

    /// How many sleepers are called besides.
    pub fn sleepers(self) -> usize {
        match self {
            Occasion::Change => 0,
            Occasion::More | Occasion::Foreign => 1,
        }
    }
}

/// How a thread that has announced itself as a sleeper sleeps. Returns the plan, or `None` if it sleeps until it is
/// called. `has_role` says that it is the sentinel. `lingers` says that a sentinel keeps its role for a moment although
/// no run is active. With squads, not every thread may run what there is, so every thread naps while a run is active.
pub fn sleeps(
    plan: Plan,
    has_role: bool,
    has_squads: bool,
    lingers: bool,
    is_active: impl FnOnce() -> bool,
) -> Option<Plan> {
    let is_timed = has_role && lingers || (has_role || has_squads) && is_active();
    is_timed.then(|| if has_squads { plan.brief() } else { plan })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_sentinel_that_looks_by_itself_is_not_called() {
        assert_eq!(Sentinel::Looks.call(), Call::Nobody);
        assert_eq!((Sentinel::Nobody.call(), Sentinel::Watches.call()), (Call::Sleeper, Call::Sentinel));
    }

    #[test]
    fn more_work_calls_one_more_than_a_change_does() {
        let calls = |occasion: Occasion| (occasion.calls_sentinel(), occasion.sleepers());
        assert_eq!((calls(Occasion::Change), calls(Occasion::More)), ((true, 0), (true, 1)));
        assert_eq!(calls(Occasion::Foreign), (false, 1), "whoever comes looks by itself");
    }

    #[test]
    fn only_the_sentinel_wakes_by_itself_unless_there_are_squads() {
        let plan = Plan::Watch(Duration::from_secs(1));
        assert_eq!(sleeps(plan, true, false, false, || true), Some(plan));
        assert_eq!(sleeps(plan, true, false, true, || unreachable!("it lingers")), Some(plan));
        assert_eq!(sleeps(plan, true, false, false, || false), None, "nothing is active");
        assert_eq!(sleeps(plan, false, false, true, || true), None);
        assert_eq!(sleeps(plan, false, true, false, || true), Some(plan.brief()));
        assert_eq!(sleeps(plan, false, true, true, || false), None);
    }
}
