//! Steps are told to whoever wants them.

use super::{QUIET_NS, Simulation};
use crate::claims::ClaimId;
use crate::decisions::Decisions;
use crate::steps::{Activity, Step, StepKind, Teller};
use crate::worker::Does;

impl<'p, D: Decisions> Simulation<'p, D> {
    /// The same, and calls `tell` with each step of each worker. A step is one call, so long runs have many.
    #[must_use]
    pub fn with_steps(mut self, tell: impl FnMut(Step) + 'p) -> Self {
        self.teller = Some(Teller::new(tell, self.workers.len(), QUIET_NS));
        self
    }

    pub(super) fn tell(&mut self, who: usize, at_ns: u64, kind: StepKind) {
        if let Some(teller) = &mut self.teller {
            teller.tell(who, at_ns, kind);
        }
    }

    /// The run begins: all workers but the caller sleep.
    pub(super) fn tell_begin(&mut self) {
        (1..self.workers.len()).for_each(|who| self.tell(who, QUIET_NS, StepKind::Begins(Activity::Sleep, None)));
    }

    /// A worker begins a task. The first one of the caller is its run.
    pub(super) fn tell_task(&mut self, me: usize, claim: ClaimId, at_ns: u64) {
        self.tell_rest(me, at_ns);
        let is_run = me == 0 && self.workers[me].tasks.is_empty();
        let (activity, moved) = if is_run { (Activity::Run, None) } else { (Activity::Task, Some(claim.number())) };
        self.tell(me, at_ns, StepKind::Begins(activity, moved));
    }

    /// What a worker does has changed that runs nothing.
    pub(super) fn tell_rest(&mut self, me: usize, at_ns: u64) {
        let Some(teller) = &mut self.teller else { return };
        let (worker, search) = (&self.workers[me], &[Activity::Search, Activity::Ask]);
        let now = match (worker.does, worker.waits.is_some()) {
            (Does::Works, _) | (Does::Looks | Does::Visits { .. } | Does::Takes { .. }, true) => &[],
            (Does::Looks | Does::Visits { .. } | Does::Takes { .. }, false) => &search[..1],
            (Does::Asks { .. }, true) => &search[1..],
            (Does::Asks { .. }, false) => &search[..],
            (Does::Sleeps { .. } | Does::Wakes { .. }, _) => &[Activity::Sleep],
        };
        teller.rests(me, at_ns, now);
    }

    /// A sleep is over. What the worker does next may be another one.
    pub(super) fn tell_woken(&mut self, me: usize) {
        if let Some(teller) = &mut self.teller {
            teller.rests(me, self.now_ns, &[]);
        }
    }

    pub(super) fn tell_end(&mut self, at_ns: u64) {
        if let Some(teller) = &mut self.teller {
            teller.end(at_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text;
    use crate::{Costs, rules};
    use filch_policy::Scheduler;
    use std::collections::HashMap;

    #[test]
    fn steps_nest_and_are_as_many_as_the_counts_say() {
        let fib = text::parse("fib:18,leaf=5us").expect("a program");
        for scheduler in ["default", "cilk5", "heartbeat", "lazy", "tascell"] {
            let scheduler: Scheduler = scheduler.parse().expect("a scheduler");
            let Ok(rules) = rules(&scheduler, &Costs::ASSUMED, 8) else { continue };
            let (mut steps, mut open, mut last_ns) = (Vec::new(), vec![0_usize; 8], vec![0; 8]);
            let simulation = Simulation::new(&*fib, rules, Costs::ASSUMED, 8, 1);
            let outcome = simulation.with_steps(|step| steps.push(step)).run();
            let mut left = HashMap::new();
            let (mut asks, mut gives, mut takes, mut back) = (0, 0, 0, 0);
            for Step { at_ns, worker, kind } in steps {
                assert!(last_ns[worker] <= at_ns);
                last_ns[worker] = at_ns;
                match kind {
                    StepKind::Begins(activity, moved) => {
                        open[worker] += 1;
                        asks += u64::from(activity == Activity::Ask);
                        let has_left = |frame| left.remove(&frame).is_some_and(|left_ns| left_ns <= at_ns);
                        assert!(moved.is_none_or(has_left), "what arrives has left before");
                    }
                    StepKind::Ends => open[worker] = open[worker].checked_sub(1).expect("it has begun something"),
                    StepKind::Gives(frame) | StepKind::Loses(frame) => {
                        assert!(left.insert(frame, at_ns).is_none(), "once");
                        let is_taken = matches!(kind, StepKind::Loses(_));
                        (gives, takes) = (gives + u64::from(!is_taken), takes + u64::from(is_taken));
                    }
                    StepKind::TakesBack(frame) => {
                        assert!(left.remove(&frame).is_some());
                        back += 1;
                    }
                }
            }
            let counts = outcome.counts;
            let expected = (counts.asks, counts.gifts, counts.takes, counts.reclaimed);
            assert_eq!((asks, gives, takes, back), expected, "{scheduler}");
            assert!(open.iter().all(|&open| open == 0) && left.is_empty());
        }
    }
}
