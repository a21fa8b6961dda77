//! Messages between workers: asks, answers, frames and results. Each is an access to a line that the other worker has
//! just written, and costs more if that worker is on another socket.

use super::Simulation;
use crate::decisions::Decisions;

impl<D: Decisions> Simulation<'_, D> {
    /// Sends a message from one worker to another. Returns how long it takes.
    pub(super) fn message(&mut self, one: usize, other: usize) -> u64 {
        self.note_message(one, other);
        self.miss_ns(one, other)
    }

    /// Counts a message that has arrived.
    pub(super) fn note_message(&mut self, one: usize, other: usize) {
        self.counts.messages_far += u64::from(!self.sockets.are_near(one, other));
    }

    /// The cost of an access to a line that another worker has just written.
    pub(super) fn miss_ns(&self, one: usize, other: usize) -> u64 {
        if self.sockets.are_near(one, other) { self.costs.miss_ns } else { self.costs.far_ns }
    }

    /// The cost of a step between two workers that takes this long on one socket.
    pub(super) fn between(&self, one: usize, other: usize, ns: u64) -> u64 {
        if self.sockets.are_near(one, other) { ns } else { ns + self.costs.far_ns.saturating_sub(self.costs.miss_ns) }
    }
}
