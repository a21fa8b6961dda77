//! How bytes get from rank to rank.
//!
//! - [`loopback`]: ranks that are threads of one process, for tests
//! - `mpi`: ranks that are processes, with the feature `mpi`

pub(crate) mod loopback;
#[cfg(feature = "mpi")]
pub(crate) mod mpi;

use std::time::Duration;

/// What a rank needs of a network. Only the thread that has made it uses it.
///
/// Each message arrives once, whole, and in the order in which its sender has sent messages to this receiver.
pub trait Transport {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Sends a message. Does not wait for the receiver to do anything but to receive.
    fn send(&mut self, to: usize, bytes: &[u8]);

    /// A message that has come, and its sender. Does not wait for one.
    fn try_receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// The ranks that have been found to be lost since the last call, if the network tells. This rank may be one of
    /// them.
    fn lost(&mut self) -> Vec<usize> {
        Vec::new()
    }

    /// The other ranks, the nearest first.
    fn rings(&self) -> Vec<Vec<usize>> {
        vec![(0..self.size()).filter(|&rank| rank != self.rank()).collect()]
    }

    /// Waits until something may have come, or until this thread is unparked, but not for longer than `most`.
    fn pause(&mut self, most: Duration) {
        std::thread::park_timeout(most);
    }

    /// A search has failed. Messages may be under way that nobody receives, and the end of this must not wait for any
    /// rank.
    fn abandon(&mut self) {}
}

/// No network: one rank.
pub(crate) struct Alone;

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn send(&mut self, _: usize, _: &[u8]) {}

    fn try_receive(&mut self) -> Option<(usize, Vec<u8>)> {
        None
    }
}
