//! What goes from one worker to another: asks, answers, frames and results. Each is an access to a line that the other
//! one has just written, and costs more if that is on another socket.

use super::Simulation;
use crate::decisions::Decisions;

impl<D: Decisions> Simulation<'_, D> {
    /// Something goes from one worker to another. Returns how long that takes.
    pub(super) fn message(&mut self, one: usize, other: usize) -> u64 {
        self.note_message(one, other);
        self.miss_ns(one, other)
    }

    /// Counts a message that has arrived.
    pub(super) fn note_message(&mut self, one: usize, other: usize) {
        self.counts.messages_far += u64::from(!self.sockets.are_near(one, other));
    }

    /// What an access of one worker costs to what another one has just written.
    pub(super) fn miss_ns(&self, one: usize, other: usize) -> u64 {
        if self.sockets.are_near(one, other) { self.costs.miss_ns } else { self.costs.far_ns }
    }

    /// What a step between two workers costs that takes this long on one socket.
    pub(super) fn between(&self, one: usize, other: usize, ns: u64) -> u64 {
        if self.sockets.are_near(one, other) { ns } else { ns + self.costs.far_ns.saturating_sub(self.costs.miss_ns) }
    }
}
