//! What the workers of a team have done, together.

use super::counters::Counters;
use super::team::Team;
use std::time::Duration;

impl Team {
    /// Adds how long recent asks and takes have taken, and how long recent beats have waited.
    pub(crate) fn add_times_to(&self, asks: &mut Vec<Duration>, takes: &mut Vec<Duration>, polls: &mut Vec<Duration>) {
        for ladder in self.all_ladders() {
            ladder.owner().ask_times.add_to(asks);
            ladder.owner().take_times.add_to(takes);
            ladder.owner().poll_times.add_to(polls);
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.all_ladders().for_each(|ladder| ladder.owner().counters.add_to(&mut sum));
        sum
    }
}
