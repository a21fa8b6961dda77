//! Whom a call reaches where there are squads, so that not every thread may run what there is (Chen, Huang, Guo and
//! Zhou 2011, algorithm I).
//!
//! Decided from what has happened. One sentinel cannot look for all squads. So all threads look when a run begins, and
//! after that one of each squad when there may be something for another squad.

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A run has forked for the first time.
    RunBegins,
    /// A thread is about to run something.
    WorkFound,
    /// There is, or soon will be, something that any worker may run.
    MoreToShare,
}

/// Who is called so that somebody looks for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// Nobody.
    Nobody,
    /// The [sentinel](crate::Sentinel), or a sleeper that becomes it.
    Sentinel,
    /// A sleeper of each squad.
    OneOfEachSquad,
    /// All sleepers.
    Everyone,
}

/// Who is called at this moment.
pub fn called_at(moment: Moment, has_squads: bool) -> Called {
    match (moment, has_squads) {
        (_, false) => Called::Sentinel,
        (Moment::RunBegins, true) => Called::Everyone,
        (Moment::WorkFound, true) => Called::Nobody,
        (Moment::MoreToShare, true) => Called::OneOfEachSquad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_squads_one_thread_looks_for_all_and_with_them_one_of_each() {
        let moments = [Moment::RunBegins, Moment::WorkFound, Moment::MoreToShare];
        assert!(moments.into_iter().all(|moment| called_at(moment, false) == Called::Sentinel));
        let called = moments.map(|moment| called_at(moment, true));
        assert_eq!(called, [Called::Everyone, Called::Nobody, Called::OneOfEachSquad]);
    }
}
