//! What ranks do together, other than searches, as one of them sees it: messages of this operation, and how it fails.

use crate::error::{ClusterError, Failure};
use crate::message::{Envelope, Message, OUT_OF_ORDER};
use crate::portable::{Corrupt, Unportable};
use crate::ranks::State;
use filch_policy::cluster::pause_ns;
use std::time::{Duration, Instant};

/// An operation that has begun. Ranks begin operations and searches in the same order, so its number tells its messages
/// from those of the next, which a faster rank may have begun. It fails on all ranks if it fails on one.
pub(crate) struct Operation<'s> {
    pub(crate) state: &'s mut State,
    pub(crate) rank: usize,
    /// When something has happened last.
    stirred: Instant,
    /// Whether it has begun while the thread was unwinding.
    began_unwinding: bool,
}

impl<'s> Operation<'s> {
    /// Begins the next operation. None goes on without the ranks that are lost.
    pub(crate) fn begin(state: &'s mut State) -> Result<Self, ClusterError> {
        let rank = state.begin()?.rank;
        let mut operation =
            Operation { state, rank, stirred: Instant::now(), began_unwinding: std::thread::panicking() };
        match operation.state.is_lost.iter().position(|&is_lost| is_lost) {
            Some(lost) => Err(operation.fail(lost, Failure::Lost)),
            None => Ok(operation),
        }
    }

    /// How many ranks there are.
    pub(crate) fn ranks(&self) -> usize {
        self.state.is_lost.len()
    }

    /// Sends a message. Fails if it cannot be encoded.
    pub(crate) fn send(&mut self, to: usize, message: Message) -> Result<(), ClusterError> {
        let about = message.about();
        match (Envelope { search: self.state.search, message }).to_bytes() {
            Ok(bytes) => {
                self.state.counters.messages += 1;
                self.state.transport.send(to, &bytes);
                Ok(())
            }
            Err(Unportable(text)) => Err(self.fail(self.rank, Failure::Unportable { about, text })),
        }
    }

    /// Sends a message to all others.
    pub(crate) fn send_all(&mut self, message: &Message) -> Result<(), ClusterError> {
        self.others().try_for_each(|to| self.send(to, message.clone()))
    }

    /// The other ranks, those that follow this one first, so that not all begin with the same.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let (rank, ranks) = (self.rank, self.ranks());
        (rank + 1..ranks).chain(0..rank)
    }

    /// What has come of this operation. Fails also if what is around it has been cancelled.
    pub(crate) fn hear(&mut self) -> Result<Vec<(usize, Message)>, ClusterError> {
        if filch::is_cancelled() {
            return Err(self.fail(self.rank, Failure::Cancelled));
        }
        let mut heard = std::mem::take(&mut self.state.early).into_iter().collect::<Vec<_>>();
        while let Some((from, bytes)) = self.state.transport.try_receive() {
            match Envelope::from_bytes(&bytes) {
                Ok(envelope) => heard.push((from, envelope)),
                Err(Corrupt(text)) => {
                    return Err(self.corrupt(from, format!("message of {} bytes", bytes.len()), text));
                }
            }
        }
        let (mut messages, mut heard) = (Vec::new(), heard.into_iter());
        while let Some((from, envelope)) = heard.next() {
            let Envelope { search, message } = envelope;
            if let Message::Failed { rank, failure } = message {
                self.state.early.extend(heard);
                // A rank that is lost may have told some and not all.
                if self.state.survives {
                    self.state.tell_failure(rank as usize, &failure);
                }
                return Err(self.give_up(ClusterError::Failed { rank: rank as usize, failure }));
            } else if matches!(message, Message::Left) && search < self.state.search {
                self.state.dismiss(from);
                return Err(self.fail(from, Failure::Lost));
            } else if search == self.state.search && !matches!(message, Message::Left) {
                messages.push((from, message));
            } else if search >= self.state.search {
                self.state.early.push_back((from, Envelope { search, message }));
            }
            // Nothing is under way of an operation that is over.
        }
        let lost = self.state.transport.lost();
        lost.iter().for_each(|&rank| self.state.is_lost[rank] = true);
        if let Some(&lost) = lost.first() {
            return Err(self.fail(lost, Failure::Lost));
        }
        if !messages.is_empty() {
            self.stirs();
        }
        Ok(messages)
    }

    /// Something has happened.
    pub(crate) fn stirs(&mut self) {
        self.stirred = Instant::now();
    }

    /// Waits until something may have come.
    pub(crate) fn pause(&mut self) {
        let pause = pause_ns(true, self.stirred.elapsed().as_nanos() as u64);
        self.state.transport.pause(Duration::from_nanos(pause));
        self.state.counters.looks += 1;
    }

    /// A message does not belong here.
    pub(crate) fn out_of_order(&mut self, from: usize, message: &Message) -> ClusterError {
        self.corrupt(from, message.about(), OUT_OF_ORDER.into())
    }

    pub(crate) fn corrupt(&mut self, from: usize, about: String, text: String) -> ClusterError {
        self.fail(self.rank, Failure::Corrupt { from, about, text })
    }

    /// The operation fails at `rank`, as this one has noticed. Tells the others.
    pub(crate) fn fail(&mut self, rank: usize, failure: Failure) -> ClusterError {
        self.state.tell_failure(rank, &failure);
        self.give_up(ClusterError::Failed { rank, failure })
    }

    fn give_up(&mut self, error: ClusterError) -> ClusterError {
        self.state.fail(error.clone());
        error
    }
}

impl Drop for Operation<'_> {
    /// A panic or a cancellation passes through the operation. The others do not wait for this rank.
    fn drop(&mut self) {
        if std::thread::panicking() && !self.began_unwinding && self.state.failed.is_none() {
            let panicked = || Failure::Panicked("in what all ranks do together".into());
            let failure = if filch::is_cancelled() { Failure::Cancelled } else { panicked() };
            self.fail(self.rank, failure);
        }
    }
}
