//! What a user makes: the ranks, as one of them sees them.

use crate::counters::Counters;
use crate::error::{ClusterError, Failure};
use crate::portable::Portable;
use crate::ranks::Ranks;
use crate::search::Searching;
use crate::started::Started;
use crate::transport::{Alone, Transport};
use filch::{Choices, Pool, Search};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Several processes that run the same program, each with a number, its *rank*, and a pool.
///
/// All ranks must ask for the same things in the same order. While a search runs, the thread that has asked for it
/// talks to the other ranks, and the workers of the pool search. A cluster belongs to the thread that has made it. When
/// it is dropped, it waits until all ranks drop theirs, or search on. A rank is lost to the searches that it does not
/// take part in.
pub struct Cluster {
    pub(crate) ranks: Ranks,
}

impl Cluster {
    /// The ranks that MPI has started, if it has started this process and the feature `mpi` is on. Otherwise one rank.
    ///
    /// The pool has as many workers as the process may use processors, or as `FILCH_WORKERS` says. Call this on the
    /// main thread, and once.
    ///
    /// # Errors
    ///
    /// If MPI or the pool cannot be started.
    pub fn from_env() -> Result<Self, ClusterError> {
        Self::from_env_with(Pool::builder().own_threads(true).build().map_err(|e| ClusterError::Pool(e.to_string()))?)
    }

    /// [`from_env`](Self::from_env), with a pool for this rank. It must have a thread for each worker
    /// ([`own_threads`](filch::PoolBuilder::own_threads)), unless there is only one rank.
    ///
    /// # Errors
    ///
    /// If MPI cannot be started, if `mpirun` is that of another MPI than the program was built with, or if the pool has
    /// no threads. [`ClusterError::NoMpi`] if there are several ranks, and
    /// the feature `mpi` is off: otherwise each would do all of the work.
    pub fn from_env_with(pool: Pool) -> Result<Self, ClusterError> {
        match Started::from_env() {
            #[cfg(feature = "mpi")]
            Some(started) => Self::with(Box::new(crate::transport::mpi::Mpi::start(started)?), pool),
            #[cfg(not(feature = "mpi"))]
            Some(Started { ranks, .. }) if ranks > 1 => Err(ClusterError::NoMpi { ranks }),
            _ => Self::with(Box::new(Alone), pool),
        }
    }

    /// The ranks of a network of your own.
    ///
    /// # Errors
    ///
    /// If the pool has no threads, and there are several ranks.
    pub fn with(transport: Box<dyn Transport>, pool: Pool) -> Result<Self, ClusterError> {
        let ranks = transport.size();
        if ranks > 1 && pool.num_threads() < pool.num_workers() {
            let (threads, workers) = (pool.num_threads(), pool.num_workers());
            let expected = "expected a pool with a thread for each worker (PoolBuilder::own_threads, and a scheduler \
                            that has threads)";
            return Err(ClusterError::Pool(format!("{expected}, found {threads} for {workers} workers")));
        }
        Ok(Cluster { ranks: Ranks::new(transport, pool) })
    }

    /// Sets whether searches go on when a rank is lost. What it had is done again by the ranks that gave it away, which
    /// keep a copy of each part until its result has come. The results are exact. Rank 0 must not be lost. Default: no;
    /// then a search fails on all ranks, and names the lost one.
    ///
    /// All ranks must set the same. It needs a network that tells which ranks are lost: MPI itself ends all processes.
    pub fn survive(&self, survives: bool) {
        self.ranks.state().survives = survives;
    }

    pub(crate) fn seed(&self, seed: u64) {
        self.ranks.state().seed = seed;
    }

    /// Runs `f` on this rank. If it panics, searches on the other ranks fail, and do not wait for this one.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    pub fn run<R>(&self, f: impl FnOnce(&Cluster) -> R) -> R {
        match catch_unwind(AssertUnwindSafe(|| f(self))) {
            Ok(result) => result,
            Err(payload) => {
                self.end_with(Failure::unwound(&*payload));
                resume_unwind(payload)
            }
        }
    }

    /// Tells the other ranks that this one will ask for no more searches, and why: it cannot read a file, for example.
    /// Their searches fail with [`Failure::GaveUp`]. When clusters are dropped, each waits until all ranks drop theirs,
    /// as after searches that have not failed. If one has failed before, this does nothing.
    pub fn give_up(&self, why: &str) {
        self.end_with(Failure::GaveUp(why.into()));
    }

    fn end_with(&self, failure: Failure) {
        let mut state = self.ranks.state();
        if state.failed.is_none() {
            let rank = state.transport.rank();
            state.tell_failure(rank, &failure);
            state.fail(ClusterError::Failed { rank, failure });
        }
    }

    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.ranks.rank()
    }

    /// How many ranks there are, including those that have been lost.
    pub fn size(&self) -> usize {
        self.ranks.size()
    }

    /// The pool of this rank.
    pub fn pool(&self) -> &Pool {
        &self.ranks.pool
    }

    /// What this rank has done so far.
    pub fn counters(&self) -> Counters {
        self.ranks.state().counters
    }

    /// A search for the solutions of `problem` by all ranks. `root` is the workspace to begin with; that of rank 0
    /// counts. The problem must be the same on all ranks. The result says what can be asked for.
    ///
    /// ```
    /// use filch::{Node, Steps};
    /// use filch_cluster::Cluster;
    ///
    /// let words = Steps::new(
    ///     |word: &mut Vec<u8>| if word.len() == 4 { Node::Solution } else { Node::Choices(0..2_u8) },
    ///     |word: &mut Vec<u8>, letter| word.push(letter),
    ///     |word: &mut Vec<u8>, _| _ = word.pop(),
    /// );
    /// let cluster = Cluster::from_env()?;
    /// assert_eq!(cluster.run(|c| c.search(&words, Vec::new()).count())?, 16);
    /// # Ok::<(), filch_cluster::ClusterError>(())
    /// ```
    pub fn search<'c, P>(&'c self, problem: &'c P, root: P::Workspace) -> Searching<'c, P>
    where
        P: Search<Workspace: Portable, Choices: Portable + Choices<Item: Portable>>,
    {
        Searching::new(&self.ranks, problem, root)
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").field("rank", &self.rank()).field("size", &self.size()).finish_non_exhaustive()
    }
}
