//! Ranks that are threads of one process.

use crate::cluster::Cluster;
use crate::error::ClusterError;
use crate::transport::loopback::{Endpoint, Network};
use filch::Pool;
use std::sync::Arc;
use std::time::Duration;

/// Ranks that are threads of one process, each with a pool of its own, for tests: messages can be delayed and spoilt,
/// and ranks can be lost.
///
/// ```
/// use filch::{Node, Steps};
/// use filch_cluster::Loopback;
///
/// let counts = Loopback::new(3).run(|c| {
///     let words = Steps::new(
///         |word: &mut Vec<u8>| if word.len() == 5 { Node::Solution } else { Node::Choices(0..3_u8) },
///         |word: &mut Vec<u8>, letter| word.push(letter),
///         |word: &mut Vec<u8>, _| _ = word.pop(),
///     );
///     c.search(&words, Vec::new()).count()
/// })?;
/// assert_eq!(counts, [Ok(243), Ok(243), Ok(243)]);
/// # Ok::<(), filch_cluster::ClusterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loopback {
    ranks: usize,
    workers: usize,
    seed: u64,
    longest_delay: Duration,
    /// Ranks, and after how many messages they are lost.
    kills: Vec<(usize, u64)>,
    /// Ranks, and which of their messages is spoilt.
    corrupts: Vec<(usize, u64)>,
    survives: bool,
}

impl Loopback {
    /// So many ranks, with one worker each.
    pub fn new(ranks: usize) -> Self {
        Loopback {
            ranks: ranks.max(1),
            workers: 1,
            seed: 0,
            longest_delay: Duration::ZERO,
            kills: Vec::new(),
            corrupts: Vec::new(),
            survives: false,
        }
    }

    /// How many workers each rank has.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// For the random choices of the ranks and of the network.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Each message is delayed by a random time up to this.
    #[must_use]
    pub fn delay(mut self, longest: Duration) -> Self {
        self.longest_delay = longest;
        self
    }

    /// The rank is lost when it is about to send a message after so many others.
    #[must_use]
    pub fn kill(mut self, rank: usize, after: u64) -> Self {
        self.kills.push((rank, after));
        self
    }

    /// That message of the rank is spoilt; its first one is 0.
    #[must_use]
    pub fn corrupt(mut self, rank: usize, message: u64) -> Self {
        self.corrupts.push((rank, message));
        self
    }

    /// Whether searches go on when a rank is lost: [`Cluster::survive`].
    #[must_use]
    pub fn survive(mut self, survives: bool) -> Self {
        self.survives = survives;
        self
    }

    /// Runs `f` on each rank, and returns what it has returned on each.
    ///
    /// # Errors
    ///
    /// If a pool cannot be built.
    ///
    /// # Panics
    ///
    /// If `f` panics on a rank.
    pub fn run<R: Send>(&self, f: impl Fn(&Cluster) -> R + Sync) -> Result<Vec<R>, ClusterError> {
        // All pools before the first rank begins, which would wait for one without a pool.
        let pool = |_| Pool::builder().workers(self.workers).own_threads(true).build();
        let pools = (0..self.ranks).map(pool).collect::<Result<Vec<_>, _>>();
        let pools = pools.map_err(|error| ClusterError::Pool(error.to_string()))?;
        let network = Network::new(self.ranks);
        std::thread::scope(|threads| {
            let start = |(rank, pool)| {
                let (network, f) = (Arc::clone(&network), &f);
                threads.spawn(move || {
                    let mut endpoint = Endpoint::new(network, rank, self.seed, self.longest_delay);
                    let of_rank = |&&(of, _): &&(usize, u64)| of == rank;
                    endpoint.dies_after = self.kills.iter().filter(of_rank).map(|kill| kill.1).min();
                    endpoint.corrupts = self.corrupts.iter().filter(of_rank).map(|message| message.1).collect();
                    let cluster = Cluster::with(Box::new(endpoint), pool)?;
                    cluster.seed(self.seed.wrapping_mul(self.ranks as u64).wrapping_add(rank as u64));
                    cluster.survive(self.survives);
                    Ok(cluster.run(f))
                })
            };
            let ranks = pools.into_iter().enumerate().map(start).collect::<Vec<_>>();
            ranks
                .into_iter()
                .map(|rank| rank.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)))
                .collect()
        })
    }
}

impl Cluster {
    /// Runs `f` on ranks that are threads of this process, each with one worker: for tests. [`Loopback`] has more
    /// settings.
    ///
    /// # Errors
    ///
    /// If a pool cannot be built.
    ///
    /// # Panics
    ///
    /// If `f` panics on a rank.
    pub fn loopback<R: Send>(ranks: usize, f: impl Fn(&Cluster) -> R + Sync) -> Result<Vec<R>, ClusterError> {
        Loopback::new(ranks).run(f)
    }
}
