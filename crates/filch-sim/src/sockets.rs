//! The sockets of the simulated machine, over which its workers are spread evenly: the workers 0 to N − 1 are on the
//! first one, and so on.

use filch_policy::topology::Topology;
use std::ops::Range;
use std::sync::Arc;

/// The sockets of the simulated machine.
#[derive(Clone, Debug, Default)]
pub struct Sockets(Option<Arc<Topology>>);

/// Workers that cannot be spread evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{workers} workers cannot be spread evenly over {sockets} sockets: expected a multiple of {sockets}")]
pub struct UnevenSockets {
    /// How many workers.
    pub workers: usize,
    /// How many sockets.
    pub sockets: usize,
}

impl Sockets {
    /// One socket: all workers are equally near to each other.
    pub const ONE: Sockets = Sockets(None);

    /// So many workers, spread over so many sockets.
    ///
    /// # Errors
    ///
    /// If there is no socket, or if the number of workers is no multiple of that of sockets.
    pub fn even(workers: usize, sockets: usize) -> Result<Self, UnevenSockets> {
        if sockets == 0 || workers == 0 || !workers.is_multiple_of(sockets) {
            return Err(UnevenSockets { workers, sockets });
        }
        if sockets == 1 {
            return Ok(Sockets::ONE);
        }
        let topology = Topology::of_squads(&vec![workers / sockets; sockets]);
        Ok(Sockets(Some(Arc::new(topology))))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |topology| topology.squads().count())
    }

    /// The topology for the policy, with caches of this many bytes; 0 stands for an unknown size. `None` if there is
    /// only one socket.
    pub fn topology(&self, cache_bytes: u64) -> Option<Topology> {
        self.0.as_ref().map(|topology| Topology::clone(topology).with_cache_bytes(cache_bytes))
    }

    /// The socket of a worker.
    pub(crate) fn of(&self, worker: usize) -> usize {
        self.0.as_ref().map_or(0, |topology| topology.squads().of(worker))
    }

    /// Whether two workers are on one socket.
    pub(crate) fn are_near(&self, one: usize, other: usize) -> bool {
        self.of(one) == self.of(other)
    }

    /// The workers on the socket of this one, with itself. `None` if all are equally near.
    pub(crate) fn near(&self, worker: usize) -> Option<Range<usize>> {
        let each = self.0.as_ref()?.workers() / self.count();
        let begin = self.of(worker) * each;
        (each > 1).then(|| begin..begin + each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_spread_evenly_or_not_at_all() {
        let sockets = Sockets::even(16, 4).expect("a multiple");
        assert_eq!((sockets.count(), sockets.of(3), sockets.of(4), sockets.of(15)), (4, 0, 1, 3));
        assert!(sockets.are_near(4, 7) && !sockets.are_near(3, 4));
        assert_eq!(Sockets::even(16, 1).expect("one").count(), 1);
        for (workers, sockets) in [(16, 3), (2, 4), (8, 0), (0, 2)] {
            let error = Sockets::even(workers, sockets).expect_err("uneven");
            assert!(
                error.to_string().starts_with(&format!("{workers} workers cannot be spread evenly over {sockets}"))
            );
        }
    }

    #[test]
    fn the_workers_of_the_own_socket_are_the_nearest() {
        let sockets = Sockets::even(6, 2).expect("a multiple");
        assert_eq!(sockets.near(4), Some(3..6));
        assert_eq!(Sockets::even(2, 2).expect("a multiple").near(0), None);
        assert_eq!(Sockets::ONE.near(4), None);
    }
}
