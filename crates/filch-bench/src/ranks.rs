//! Several processes that `mpirun` has started with the same command line, the ranks: rank 0 speaks for all.
//!
//! The others write nothing, neither results nor progress nor errors. What fails on one of them is told by rank 0,
//! which learns it from [`Cluster::give_up`](filch_cluster::Cluster::give_up) or from its search.

use filch_cluster::Started;

/// Whether this process writes what is meant for people and files: rank 0, or the only one.
pub fn speaks() -> bool {
    Started::from_env().is_none_or(|started| started.rank == 0)
}

/// How many ranks there are, if there are several.
pub fn several() -> Option<usize> {
    Started::from_env().map(|started| started.ranks).filter(|&ranks| ranks > 1)
}
