//! What a [`Core`](super::Core) is told at its beginning, and what it says.

use crate::error::Failure;
use crate::id::Id;
use crate::message::Message;
use crate::portable::Portable;

/// What results are, and what is made of them.
pub(crate) trait Values {
    type Value: Portable;

    /// Commutative and associative.
    fn combine(&self, former: Self::Value, latter: Self::Value) -> Self::Value;

    /// At rank 0: another rank has this solution. At all ranks: this is the result.
    fn hear_better(&self, _value: &Self::Value) {}

    /// Some rank has a solution of this value.
    fn hear_bound(&self, _bound: i64) {}
}

/// What the communication thread is to do.
#[derive(Debug)]
pub(crate) enum Action {
    Send(usize, Message),
    /// Run this piece of an open part.
    Start(Id, Vec<u8>),
    /// At rank 0: another rank has counted this.
    Tally(Vec<u64>),
    /// End what runs of this part. Its result is not wanted.
    Cancel(Id),
    /// End all that runs.
    Stop,
}

/// Why a search is over without a result: the rank, and what has happened there.
pub(crate) type Fault = (usize, Failure);

/// Which ranks there are, as one of them sees it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) rank: usize,
    pub(crate) ranks: usize,
    /// The others, the nearest first.
    pub(crate) rings: Vec<Vec<usize>>,
    pub(crate) is_lost: Vec<bool>,
    /// Whether what a lost rank had is done again.
    pub(crate) survives: bool,
    pub(crate) seed: u64,
}

/// The workers of a rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    /// How many pieces run here. Workers of the same pool share each.
    pub(crate) active: usize,
    /// How many workers have some of that.
    pub(crate) busy: usize,
    /// How many have been without work for some time.
    pub(crate) lacking: usize,
}
