//! How a search on several ranks can fail.

use serde::{Deserialize, Serialize};
use std::any::Any;
use thiserror::Error;

/// Why there is no cluster, or no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A search has failed. All ranks return this.
    #[error("rank {rank}: {failure}")]
    Failed {
        /// Where it has failed, or been noticed.
        rank: usize,
        /// What has happened there.
        failure: Failure,
    },
    /// The cluster cannot be used any more.
    #[error("the cluster cannot be used any more, because a search on it has failed: {0}")]
    Unusable(Box<ClusterError>),
    /// The pool of this rank cannot be built, or has no threads of its own.
    #[error("the pool of this rank: {0}")]
    Pool(String),
    /// There are several ranks, but no MPI.
    #[error(
        "this is one of {ranks} ranks, but the program has been built without MPI: expected one rank, or a program \
         with the feature `mpi` (cargo build --features mpi)"
    )]
    NoMpi {
        /// How many ranks there are.
        ranks: usize,
    },
    /// The transport cannot be started.
    #[error("MPI: {0}")]
    Transport(String),
}

impl ClusterError {
    /// Whether a rank has given up, and said so itself.
    pub(crate) fn is_giving_up(&self) -> bool {
        matches!(self, ClusterError::Failed { failure: Failure::GaveUp(_), .. })
    }
}

/// What has happened at a rank.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Failure {
    /// A function of the user has panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// What the rank runs has been [cancelled](filch::CancelToken::run_here) around the search.
    #[error("cancelled")]
    Cancelled,
    /// The program has given up: [`Cluster::give_up`](crate::Cluster::give_up).
    #[error("{0}")]
    GaveUp(String),
    /// The rank is gone. It ended, or was killed.
    #[error("lost")]
    Lost,
    /// A message was not what it should be.
    #[error("a message from rank {from} is corrupt ({about}): {text}")]
    Corrupt {
        /// Which rank has sent it.
        from: usize,
        /// Of which kind it is, and of which part.
        about: String,
        /// What is wrong with it.
        text: String,
    },
    /// A part or a result cannot be sent.
    #[error("{about} cannot be sent: {text}")]
    Unportable {
        /// What it is.
        about: String,
        /// Why not.
        text: String,
    },
}

impl Failure {
    /// What has unwound with this payload: the end of something cancelled, if the caller is in that, or a panic.
    pub(crate) fn unwound(payload: &(dyn Any + Send)) -> Self {
        if filch::is_cancelled() {
            return Failure::Cancelled;
        }
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Failure::Panicked(text.unwrap_or_else(|| "without a text".into()))
    }
}
