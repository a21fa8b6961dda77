//! What all ranks do together in one step: each gives something to each other one, and waits until it has something
//! from each.
//!
//! All steps are made of one, the exchange: a message to each other rank, in pieces if it is large. No rank is ahead of
//! another by more than one exchange, because it needs what the other one sends in it.

use crate::cluster::Cluster;
use crate::error::{ClusterError, Failure};
use crate::message::{Bytes, Message};
use crate::operation::Operation;
use crate::portable::{Portable, decoded, encoded};

/// The longest message of an exchange. The network copies messages, so this bounds what it needs beside the data. MPI
/// counts bytes in 31 bits.
const PIECE_BYTES: usize = 1 << 20;

impl Cluster {
    /// Gives `outgoing[r]` to each rank r, and returns what each rank has given to this one. All ranks must call this.
    ///
    /// ```
    /// use filch_cluster::Cluster;
    ///
    /// let got = Cluster::loopback(3, |c| {
    ///     let here = c.rank() as u8;
    ///     c.exchange((0..3).map(|to| vec![here, to]).collect())
    /// })?;
    /// assert_eq!(got[1], Ok(vec![vec![0, 1], vec![1, 1], vec![2, 1]]));
    /// # Ok::<(), filch_cluster::ClusterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As searches: if a rank is lost, panics, is cancelled or gets a corrupt message, all ranks return an error that
    /// names it.
    ///
    /// # Panics
    ///
    /// If there is not one item for each rank.
    pub fn exchange(&self, mut outgoing: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut state = self.ranks.state();
        let mut operation = Operation::begin(&mut state)?;
        let (rank, ranks) = (operation.rank, operation.ranks());
        assert!(outgoing.len() == ranks, "an exchange of {} items, expected one for each of {ranks}", outgoing.len());
        let mut incoming = vec![Vec::new(); ranks];
        incoming[rank] = std::mem::take(&mut outgoing[rank]);
        for to in operation.others() {
            // Freed when it is sent.
            let bytes = std::mem::take(&mut outgoing[to]);
            let mut rest = bytes.len();
            let mut pieces = bytes.chunks(PIECE_BYTES);
            loop {
                let piece = pieces.next().unwrap_or_default();
                rest -= piece.len();
                operation.send(to, Message::Data { rest: rest as u64, bytes: Bytes(piece.to_vec()) })?;
                if rest == 0 {
                    break;
                }
            }
        }
        let mut missing = ranks - 1;
        // What each rank has still to send, once that is known.
        let mut left = vec![None; ranks];
        while missing > 0 {
            let heard = operation.hear()?;
            if heard.is_empty() {
                operation.pause();
            }
            for (from, message) in heard {
                let Message::Data { rest, bytes: Bytes(bytes) } = message else {
                    return Err(operation.out_of_order(from, &message));
                };
                let whole = rest.saturating_add(bytes.len() as u64);
                let room = if left[from].is_none() { usize::try_from(whole).unwrap_or(usize::MAX) } else { 0 };
                let is_next = left[from].is_none_or(|left| left == whole && left > 0);
                if !is_next || incoming[from].try_reserve_exact(room).is_err() {
                    let text = format!("{rest} bytes are said to follow");
                    return Err(operation.corrupt(from, "a piece of an exchange".into(), text));
                }
                incoming[from].extend_from_slice(&bytes);
                left[from] = Some(rest);
                missing -= usize::from(rest == 0);
            }
        }
        Ok(incoming)
    }

    /// The values of all ranks, in the order of ranks. All ranks must call this.
    ///
    /// # Errors
    ///
    /// As [`exchange`](Self::exchange); and if a value cannot be encoded.
    pub fn all_gather<T: Portable>(&self, value: &T) -> Result<Vec<T>, ClusterError> {
        let bytes = encoded(value).map_err(|error| {
            self.failed(Failure::Unportable { about: "a value for all ranks".into(), text: error.0 })
        })?;
        let incoming = self.exchange(vec![bytes; self.size()])?;
        let decode = |(from, bytes): (usize, Vec<u8>)| {
            let about = || "a value for all ranks".into();
            decoded(&bytes).map_err(|error| self.failed(Failure::Corrupt { from, about: about(), text: error.0 }))
        };
        incoming.into_iter().enumerate().map(decode).collect()
    }

    /// The values of all ranks, combined in the order of ranks: the same on all ranks. All ranks must call this.
    ///
    /// ```
    /// use filch_cluster::Cluster;
    ///
    /// let sums = Cluster::loopback(4, |c| c.all_reduce(&c.rank(), |a, b| a + b))?;
    /// assert_eq!(sums, [Ok(6), Ok(6), Ok(6), Ok(6)]);
    /// # Ok::<(), filch_cluster::ClusterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`all_gather`](Self::all_gather).
    pub fn all_reduce<T: Portable + Clone>(&self, value: &T, combine: impl Fn(T, T) -> T) -> Result<T, ClusterError> {
        let values = self.all_gather(value)?;
        Ok(values.into_iter().reduce(combine).unwrap_or_else(|| value.clone()))
    }

    /// What all ranks give to rank 0, at rank 0; nothing at the others. All ranks must call this.
    ///
    /// # Errors
    ///
    /// As [`exchange`](Self::exchange).
    pub fn gather(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut outgoing = vec![Vec::new(); self.size()];
        outgoing[0] = bytes;
        let incoming = self.exchange(outgoing)?;
        Ok(if self.rank() == 0 { incoming } else { Vec::new() })
    }

    /// Fails what the ranks do together, on all of them: what this rank has received or would send is not what it
    /// should be.
    ///
    /// Returns the error. The others return it from what they ask for next.
    pub fn failed(&self, failure: Failure) -> ClusterError {
        let mut state = self.ranks.state();
        match Operation::begin(&mut state) {
            Ok(mut operation) => operation.fail(operation.rank, failure),
            Err(error) => error,
        }
    }
}
