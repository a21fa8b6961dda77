//! What the workers of a team have done, together.

#[cfg(filch_decisions = "tested")]
use crate::decisions::Decision;
use crate::engine::frame::Unbegun;
use crate::engine::meters::activity::Activity;
use crate::engine::meters::counters::Counters;
use crate::engine::team::{Team, Worker};
use crate::engine::trace::{self, flusher::Counted};
use std::time::Duration;

impl Worker {
    /// Counts that the occupant has given this away, or leaves it for others; before they can find it.
    pub(crate) fn note_given(&self, frame: &Unbegun) {
        self.counters.forks_given.bump();
        trace::given(frame.addr() as u64);
    }

    /// Counts that the occupant has taken this from the worker that waits for it.
    pub(crate) fn note_taken(&self, frame: &Unbegun) {
        self.counters.forks_taken.bump();
        let from = || self.team().worker(frame.claim().waiter.into()).activity.name();
        trace::taken(frame.addr() as u64, from);
    }
}

/// What a trace shows of a pool over time.
impl Counted for Team {
    fn counts(&self) -> Vec<(&'static str, u64)> {
        let counters = self.counters();
        let doing =
            |is: fn(Activity) -> bool| (0..self.count()).filter(|&index| is(self.activity_of(index))).count() as u64;
        vec![
            ("asks", counters.asks),
            ("gives", counters.forks_given),
            ("takes", counters.forks_taken),
            ("workers that run", doing(|activity| matches!(activity, Activity::Run | Activity::Task))),
            ("workers that sleep", doing(|activity| activity == Activity::Sleep)),
        ]
    }
}

impl Team {
    /// Adds how long recent asks and takes have taken, and how long recent beats have waited.
    pub(crate) fn add_times_to(&self, asks: &mut Vec<Duration>, takes: &mut Vec<Duration>, polls: &mut Vec<Duration>) {
        for ladder in self.all_ladders() {
            ladder.owner().ask_times.add_to(asks);
            ladder.owner().take_times.add_to(takes);
            ladder.owner().poll_times.add_to(polls);
        }
    }

    /// What the team has decided: about each worker, and about all of them.
    #[cfg(filch_decisions = "tested")]
    pub(crate) fn decisions(&self) -> (Vec<Vec<Decision>>, Vec<Decision>) {
        let of = |worker: &Worker| [worker.record.to_vec(), worker.beat.record.to_vec()].concat();
        let of_squads = self.squads.as_ref().map_or(Vec::new(), |squads| squads.record.to_vec());
        (
            self.all_ladders().map(|ladder| of(ladder.owner())).collect(),
            [self.sleepers.record.to_vec(), of_squads].concat(),
        )
    }

    /// What worker `index` is doing: its occupant, or the thread of the team that would be its occupant. A hint.
    pub(crate) fn activity_of(&self, index: usize) -> Activity {
        match self.worker(index).activity.now() {
            Activity::Away if index < self.ladders().len() && self.sleepers.is_asleep(index) => Activity::Sleep,
            activity => activity,
        }
    }

    /// Of each worker, including spare ones: its name, its seat, what it is doing, and what it has counted.
    pub(crate) fn worker_meters(&self) -> impl Iterator<Item = (usize, usize, Activity, Counters)> {
        (0..self.count()).map(|index| {
            let worker = self.worker(index);
            let mut counters = Counters::default();
            worker.counters.add_to(&mut counters);
            (index, worker.seat(), self.activity_of(index), counters)
        })
    }

    pub(crate) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.all_ladders().for_each(|ladder| ladder.owner().counters.add_to(&mut sum));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::team::lifetime::small_team;

    #[test]
    fn a_worker_is_away_until_somebody_does_something_there() {
        let team = small_team(2);
        assert_eq!([0, 1].map(|index| team.activity_of(index)), [Activity::Away; 2]);
        let doing = team.worker(1).activity.begin(Activity::Task);
        assert_eq!([0, 1].map(|index| team.activity_of(index)), [Activity::Away, Activity::Task]);
        drop(doing);
        assert_eq!(team.activity_of(1), Activity::Away);
    }
}
